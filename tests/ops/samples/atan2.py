import torch

from ..sample import BROADCAST_ERRORS, Sample, binary

SAMPLES = [
    *binary(0.5, 2),
    Sample(torch.tensor([[0, 1, -1], [2, 0, 3]]), torch.tensor([0, -1, 2])),
    Sample(torch.tensor([1, -2], dtype=torch.int32), torch.tensor([[2], [-3]], dtype=torch.int32)),
]
ERRORS = BROADCAST_ERRORS


def reference(x, y):
    dtype = torch.promote_types(x.dtype, y.dtype)
    return torch.atan2(x, y) if dtype.is_floating_point else torch.atan2(x.double(), y.double())
