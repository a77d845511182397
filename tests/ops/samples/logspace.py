import torch

from ..sample import Error, Sample, T
from .linspace import count, number

SAMPLES = [
    Sample(T(1, dtype=torch.float64), T(1, dtype=torch.float64), count(5), number(2.0), torch.float64, None),
    Sample(number(3.0), number(-4.5), count(7), number(10.0), torch.float64, None),
    Sample(number(0.0), number(3.0), count(4), number(2.0), torch.int32, None),
    Sample(number(-1.9), number(2.9), count(7), number(2.5), torch.int64, None),
    Sample(number(2.0), number(10.0), count(1), number(3.0), torch.float32, None),
]
ERRORS = [
    Error(ValueError, "'num'.*at least 0, got -1", number(0.0), number(1.0), count(-1), number(2.0), torch.float32, None),
    Error(ValueError, r"'base'.*one real number, got float32\[2\]", number(0.0), number(1.0), count(3), T(2), torch.float32, None),
]
DATA_DEPENDENT = True


def reference(start, stop, num, base, dtype, place):
    n, first, last, of = int(num), *(t.to(dtype).item() for t in (start, stop, base))
    found = [of ** (first + (last - first) / max(n - 1, 1) * i) for i in range(n)]
    return torch.tensor(found, dtype=torch.float64).add(1e-9 if not dtype.is_floating_point else 0).to(dtype)
