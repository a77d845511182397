import torch

from ..sample import Error, Sample, T

LAYOUTS = ("contiguous", "gaps", "unaligned")
SAMPLES = [
    Sample(T(3, 3), torch.tensor([2, 3, 3], dtype=torch.int32)),
    Sample(T(2, 4, 2), torch.tensor([[3, 4], [1, 3]], dtype=torch.int32)),
    Sample(T(2, 3), torch.tensor([2, 2], dtype=torch.int32), True, False),
    Sample(T(2, 2, grad=False), torch.tensor([2, 2], dtype=torch.int32), False, True),
]
ERRORS = [
    Error(TypeError, "'y'.*expected int32, got int64", T(2, 2), T(2, dtype=torch.int64)),
    Error(ValueError, r"'y'.*the pivots of 'x'", T(2, 2), T(3, dtype=torch.int32)),
]


def reference(x, y, unpack_ludata=True, unpack_pivots=True):
    return torch.lu_unpack(x, y, unpack_ludata, unpack_pivots)
