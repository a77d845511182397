import torch

from ..sample import Error, Sample

SAMPLES = [
    Sample(3, 4, 0, torch.int64),
    Sample(4, 2, 1, torch.int32),
    Sample(3, 3, -1, torch.int64),
    Sample(2, 5, -4, torch.int64),
    Sample(2, 3, 9, torch.int64),
    Sample(0, 3, 0, torch.int64),
    Sample(6, 2, -3, torch.int64),
]
ERRORS = [
    Error(ValueError, "rows and columns.*got -1 and 2", -1, 2, 0, torch.int64),
    Error(NotImplementedError, "no kernel .*float32", 2, 2, 0, torch.float32),
]


def reference(rows, cols, offset, dtype, place=None):
    found = [(i, j) for i in range(rows) for j in range(cols) if j - i <= offset]
    return torch.tensor(found, dtype=dtype).reshape(-1, 2).T
