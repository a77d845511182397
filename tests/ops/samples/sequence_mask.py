import torch

from ..sample import Error, Sample, T

DATA_DEPENDENT = True
SAMPLES = [
    Sample(T(3, dtype=torch.int64, low=0, high=5), 4, torch.int32),
    Sample(T(2, 3, dtype=torch.int32, low=0, high=5), -1, torch.float32),
    Sample(T(2, dtype=torch.int64, low=0, high=5), 0, torch.int64),
    Sample(T(0, dtype=torch.int64, low=0, high=5), -1, torch.int64),
]
ERRORS = [Error(TypeError, "'out_dtype'.*expected torch.dtype, got NoneType", T(3, dtype=torch.int64, low=0), 4, None)]


def reference(x, max_len, out_dtype):
    length = max([0, *x.reshape(-1).tolist()]) if max_len < 0 else max_len
    rows = [[int(i < n) for i in range(length)] for n in x.reshape(-1).tolist()]
    return torch.tensor(rows, dtype=out_dtype).reshape(*x.shape, length)
