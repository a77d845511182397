import torch

from ..sample import BROADCAST_ERRORS, Sample, binary

SAMPLES = [
    *binary(),
    Sample(torch.tensor([0, 1, -2, 3, -128], dtype=torch.int8), torch.tensor([-1, -1, 1, 0, 1], dtype=torch.int8)),
    Sample(torch.tensor([2**62 + 1, -5]), torch.tensor([-1, 1])),
]
ERRORS = BROADCAST_ERRORS


def reference(x, y):
    dtype = torch.promote_types(x.dtype, y.dtype)
    x, y = torch.broadcast_tensors(x.to(dtype), y.to(dtype))
    if dtype.is_floating_point:
        return torch.copysign(x, y)
    return x.clone() if dtype == torch.bool else torch.where((x < 0) == (y < 0), x, -x) if dtype.is_signed else x.clone()
