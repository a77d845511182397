import torch

from ..sample import Error, Sample, T

DATA_DEPENDENT = True
SAMPLES = [
    Sample(T(3, 4), torch.tensor([1, 0, 2]), 0),
    Sample(T(2, 3), torch.tensor([2, 1, 1], dtype=torch.int32), 1, 4),
    Sample(T(5), torch.tensor([0, 0, 0, 0, 0]), 0),
]
LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")  # equal numbers of repetitions have another sum
ERRORS = [Error(IndexError, "out of range", T(2, 3), torch.tensor([1, 2]), 2)]


def reference(x, repeats, axis, output_size=-1):
    places = [i for i, n in enumerate(repeats.tolist()) for _ in range(n)]
    return x.index_select(axis, torch.tensor(places, dtype=torch.int64))
