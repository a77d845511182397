import torch

from ..sample import Error, Sample, T

DATA_DEPENDENT = True
SAMPLES = [
    Sample(T(3, 4), torch.tensor([1, 0, 2]), 0),
    Sample(T(2, 3), torch.tensor([2, 1, 1], dtype=torch.int32), 1, 4),
    Sample(T(5), torch.tensor([0, 0, 0, 0, 0]), 0),
    Sample(T(2, 3), torch.tensor([2]), -1),
]
LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")  # equal numbers of repetitions have another sum
ERRORS = [
    Error(IndexError, r"'axis'.*\[-2, 2\), got 2", T(2, 3), torch.tensor([1, 2]), 2),
    Error(ValueError, r"'repeats'.*1 or 3 numbers, got the shape \[2\]", T(2, 3), torch.tensor([1, 2]), 1),
    Error(ValueError, r"'repeats'.*no negative number, got -1", T(2, 3), torch.tensor([1, -1]), 0),
    Error(TypeError, r"'repeats'.*got float32", T(2, 3), T(2, dtype=torch.float32), 0),
]


def reference(x, repeats, axis, output_size=-1):
    places = [i for i, n in enumerate(repeats.expand(x.shape[axis]).tolist()) for _ in range(n)]
    return x.index_select(axis, torch.tensor(places, dtype=torch.int64))
