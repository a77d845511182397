import torch

from ..sample import Error, Regular, Sample, T

LAYOUTS = ("contiguous", "gaps", "unaligned")
TOLERANCE = {torch.float32: (1e-3, 1e-4), torch.complex64: (1e-3, 1e-4)}
NO_SWAPS = torch.tensor([1, 2, 3], dtype=torch.int32)
SWAPS = torch.tensor([[3, 3, 3], [2, 3, 3]], dtype=torch.int32)
SAMPLES = [
    Sample(T(3, 2), Regular(3, 3), NO_SWAPS, "N"),
    Sample(T(2, 3, 1), Regular(2, 3, 3), SWAPS, "T"),
    Sample(T(2, 3, 2), Regular(2, 3, 3), SWAPS, "C"),
    Sample(T(2, 0), Regular(2, 2), NO_SWAPS[:2], "N"),
]
ERRORS = [
    Error(ValueError, "as many rows of 'b' as of 'lu'", T(2, 2), T(3, 3), NO_SWAPS, "N"),
    Error(ValueError, "'pivots'.*those of 'lu'", T(3, 2), T(3, 3), NO_SWAPS[:2], "N"),
    Error(ValueError, "'trans'.*got \"X\"", T(3, 2), T(3, 3), NO_SWAPS, "X"),
    Error(TypeError, "'pivots'.*expected int32, got int64", T(3, 2), T(3, 3), NO_SWAPS.long(), "N"),
    Error(TypeError, "same data type", T(2, 2, dtype=torch.float32), T(2, 2, dtype=torch.float64), NO_SWAPS[:2], "N"),
]


def reference(b, lu, pivots, trans):
    p, lower, upper = torch.lu_unpack(lu, pivots)
    a = p.to(lu.dtype) @ lower @ upper
    return torch.linalg.inv({"N": a, "T": a.mT, "C": a.mH}[trans]) @ b
