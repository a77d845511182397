import torch

from ..sample import DEVICE, Error, Sample

SAMPLES = [
    Sample(3, -1),
    Sample(2, 5, torch.float64),
    Sample(5, 2, torch.int64, DEVICE),
    Sample(3, 3, torch.bool),
    Sample(70, 70, torch.bfloat16),
    Sample(3, 2, torch.complex64),
    Sample(0, 3),
]
ERRORS = [
    Error(ValueError, r"'num_rows' and 'num_columns'.*at least 0, got -2 and 3", -2, 3),
    Error(ValueError, r"'num_rows' and 'num_columns'.*at least 0, got 2 and -3", 2, -3),
]


def reference(num_rows, num_columns, dtype=torch.float32, place=None):
    columns = num_rows if num_columns == -1 else num_columns
    return torch.tensor([[i == k for k in range(columns)] for i in range(num_rows)]).reshape(num_rows, columns).to(dtype)
