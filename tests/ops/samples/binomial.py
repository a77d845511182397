import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(torch.tensor([[3.0, 0.0, 9.0]]), T(1, 3, low=1, high=1)),
    Sample(T(3, 4, low=3, high=9, dtype=torch.int64), T(4, low=1, high=1)),
    Sample(T(0, dtype=torch.int64), T(0)),
]
ERRORS = [Error(ValueError, "do not broadcast", T(2), T(3))]


def reference(count, prob):
    return torch.broadcast_to(count, torch.broadcast_shapes(count.shape, prob.shape)).to(torch.int64)
