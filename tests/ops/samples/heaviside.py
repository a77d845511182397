import torch

from ..sample import BROADCAST_ERRORS, Sample, T, binary

SAMPLES = [*binary(), Sample(torch.tensor([[-1, 0, 2]]), T(3, 3))]
ERRORS = BROADCAST_ERRORS


def reference(x, y):
    dtype = torch.result_type(x, y)
    return torch.where(x == 0, y.to(dtype), (x > 0).to(dtype))
