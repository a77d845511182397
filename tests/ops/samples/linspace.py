from fractions import Fraction

import torch

from ..sample import Error, Sample, T


def number(value, dtype=torch.float32):
    return T(1, low=value, high=value, dtype=dtype, grad=False)


def count(n):
    return torch.tensor([n], dtype=torch.int32)


SAMPLES = [
    Sample(T(1, dtype=torch.float64), T(1, dtype=torch.float64), count(5), torch.float64, None),
    Sample(number(3.0), number(-4.5), count(7), torch.float64, None),
    Sample(number(0.0), number(10.0), count(4), torch.int32, None),
    Sample(number(-1.9), number(2.9), count(7), torch.int64, None),
    Sample(number(2.0), number(10.0), count(1), torch.float32, None),
    Sample(number(2.0), number(10.0), count(0), torch.float32, None),
]
ERRORS = [
    Error(ValueError, "'number'.*at least 0, got -1", number(0.0), number(1.0), count(-1), torch.float32, None),
    Error(ValueError, r"'stop'.*one real number, got float32\[2\]", number(0.0), T(2), count(3), torch.float32, None),
]
DATA_DEPENDENT = True


def reference(start, stop, number, dtype, place):
    n, first, last = int(number), *(Fraction(t.to(dtype).item()) for t in (start, stop))
    found = [first + (last - first) / max(n - 1, 1) * i for i in range(n)]
    return torch.tensor([float(f) if dtype.is_floating_point else int(f) for f in found], dtype=dtype)
