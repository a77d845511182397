import torch

from ..sample import Error, Sample, T


def numbers():
    return T(128, dtype=torch.float32, grad=False)


SAMPLES = [
    Sample(T(3, 4, low=-128, high=127), numbers()),
    Sample(torch.arange(-128, 128).to(torch.int8), numbers()),
    Sample(T(), numbers()),
    Sample(T(0, 3), numbers()),
]
WHOLE = T(3, dtype=torch.int8)
ERRORS = [
    Error(ValueError, r"'dict'.*128 numbers, got the shape \[127\]", WHOLE, torch.zeros(127)),
    Error(TypeError, r"'dict'.*float32, got float64", WHOLE, T(128, dtype=torch.float64)),
]


def reference(x, dict):
    found = [(-1 if i < 0 else 1) * dict[i % 128] for i in x.reshape(-1).tolist()]
    return torch.stack(found).reshape(x.shape) if found else torch.zeros(x.shape)
