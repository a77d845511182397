from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), 1, 1e-10),
    Sample(T(2, 3, 4), 0, 0.5, True),
    Sample(T(2, 5, 3), -2, 1e-10),
    Sample(T(70), 0, 1e-10),
    Sample(T(0, 3), 1, 1e-10),
    Sample(T(0, 3), 0, 1e-10),
]
ERRORS = [Error(IndexError, r"got 2", T(3, 4), 2, 1e-10)]


def reference(x, axis, epsilon, is_test=False):
    return x / (x.square().sum(axis, True) + epsilon).sqrt()
