import torch

from ..sample import Error, Sample, T


def which(*numbers, dtype=torch.int32):
    return torch.tensor(numbers, dtype=dtype).reshape(-1, 1)


SAMPLES = [
    Sample([T(3, 2), T(3, 2)], which(1, 0, 1)),
    Sample([T(3, 2, 2), T(3, 2, 2), T(3, 2, 2)], which(2, 0, dtype=torch.int64)),
    Sample([T(0, 2), T(0, 2)], which()),
]
LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")  # other numbers are another call
ERRORS = [
    Error(ValueError, r"'inputs'.*at least two tensors, got 1", [T(3, 2)], which(0)),
    Error(ValueError, r"'inputs'.*one shape.*\[3, 2\] and \[3, 3\]", [T(3, 2), T(3, 3)], which(0)),
    Error(ValueError, r"'index'.*at most 3 rows, got \[4, 1\]", [T(3, 2), T(3, 2)], which(0, 0, 0, 0)),
    Error(IndexError, r"'index'.*\[0, 2\), got 2", [T(3, 2), T(3, 2)], which(0, 2)),
]


def reference(inputs, index):
    rows = [inputs[number][row] for row, number in enumerate(index.flatten().tolist())]
    return torch.stack(rows) if rows else inputs[0] * 1
