import torch

from ..sample import Sample, T

SAMPLES = [
    Sample(T(3, 4), 2),
    Sample(T(3, 4)),
    Sample(T(2, 3), 1),
    Sample(T(), 1),
    Sample(T(0, 3), 1),
]


def reference(x, value=0):
    return x * 0 + torch.as_tensor(value).to(x.dtype) if x.dtype is not torch.bool else torch.full_like(x, bool(value))
