import torch

from ..sample import Error, Sample, T


def vector(size):
    return T(size, low=0.5, high=1, grad=False)


SAMPLES = [  # the gradient takes the vectors for constants, which they are without a step
    Sample(T(2, 3, 2, grad=False), vector(2), vector(6)),
    Sample(T(3, 4, grad=False), vector(4), vector(3), 1, 3, 2**-20),
    Sample(T(3, 4), vector(3), vector(4), 0, 0),
    Sample(T(2, 3, 2), vector(3), vector(4), 1, 0),
]
LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")  # vectors have the lengths of the weight
ERRORS = [
    Error(ValueError, r"'weight'.*2 dimensions.*\[3\]", T(3), vector(3), vector(1)),
    Error(ValueError, r"'u'.*\[3\], got \[4\]", T(3, 4), vector(4), vector(4)),
    Error(ValueError, r"'power_iters'.*got -1", T(3, 4), vector(3), vector(4), 0, -1),
    Error(ValueError, r"'power_iters'.*10000\], got 10001", T(3, 4), vector(3), vector(4), 0, 10001),
]


def reference(weight, u, v, dim=0, power_iters=1, eps=1e-12):
    matrix = weight.movedim(dim, 0).flatten(1)
    with torch.no_grad():
        for _ in range(power_iters):
            v = matrix.T @ u
            v = v / (v.norm() + eps)
            u = matrix @ v
            u = u / (u.norm() + eps)
    return weight / (u @ matrix @ v)
