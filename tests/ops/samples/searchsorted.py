import torch

from ..sample import Error, Sample, T

LAYOUTS = ("contiguous", "unaligned")
SAMPLES = [
    Sample(torch.tensor([1.0, 2.0, 2.0, 5.0]), T(3, 2, low=0, high=6)),
    Sample(torch.tensor([[1.0, 3.0], [2.0, 4.0]]), T(2, 3, low=0, high=6), True, True),
    Sample(torch.tensor([1.0, 2.0]), T()),
    Sample(T(0), T(2)),
    Sample(torch.tensor([-1, 0, 2]), T(4, low=-3, high=3)),
]
ERRORS = [
    Error(ValueError, "'sorted_sequence'.*one dimension", T(3, 2), T(2, 4)),
]


def reference(sorted_sequence, values, out_int32=False, right=False):
    rows = sorted_sequence.unsqueeze(-2) if sorted_sequence.dim() > 1 else sorted_sequence
    below = rows <= values.unsqueeze(-1) if right else rows < values.unsqueeze(-1)
    return below.sum(-1, dtype=torch.int32 if out_int32 else torch.int64)
