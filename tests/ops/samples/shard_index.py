import torch

from ..sample import Error, Sample, T

NUMBERS = T(4, 1, low=0, high=18)
SAMPLES = [
    Sample(NUMBERS, 19, 2, 0),
    Sample(NUMBERS, 19, 3, 2, -7),
    Sample(T(2, 3, 1, low=0, high=19), 20, 1, 0),
    Sample(T(0, 1, low=0), 20, 2, 1),
]
ERRORS = [
    Error(ValueError, r"'input'.*last is 1.*\[3\]", torch.zeros(3, dtype=torch.int64), 20, 2, 0),
    Error(ValueError, r"'shard_id'.*\[0, 2\), got 2", torch.zeros(3, 1, dtype=torch.int64), 20, 2, 2),
    Error(ValueError, r"'nshards'.*got 0", torch.zeros(3, 1, dtype=torch.int64), 20, 0, 0),
    Error(IndexError, r"'input'.*\[0, 20\), got 20", torch.tensor([[3], [20]]), 20, 2, 0),
]


def DOMAIN(x):  # others are refused
    return x.clamp(0, 18)


def reference(input, index_num, nshards, shard_id, ignore_value=-1):
    size = -(-index_num // nshards)
    found = [n - shard_id * size if n // size == shard_id else ignore_value for n in input.flatten().tolist()]
    return torch.tensor(found, dtype=input.dtype).reshape(input.shape)
