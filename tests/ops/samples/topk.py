import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 5), 2),
    Sample(T(4, 3), 1, 0, False),
    Sample(T(2, 6, 3), 4, 1),
    Sample(T(3, 5003, low=-90000, high=90000), 300),
    Sample(T(2, 5003), 5003),
    Sample(T(), 1),
    Sample(T(), 2),
    Sample(T(2, 300, low=-90000, high=90000), 3),
    Sample(T(0, 3), 2),
]
ERRORS = [
    Error(ValueError, r"'k'.*from 1 to 3.*got 4", T(2, 3), 4),
    Error(ValueError, r"'k'.*got 0", T(2, 3), 0),
    Error(IndexError, r"'axis'.*\[-2, 2\).*got 2", T(2, 3), 1, 2),
]


def reference(x, k=1, axis=-1, largest=True, sorted=True):
    """Of equal elements the first: a stable sort."""
    if x.dim() == 0:
        return x.clone(), torch.zeros((), dtype=torch.int64)
    order = torch.sort(x, dim=axis, descending=largest, stable=True)
    return order.values.narrow(axis, 0, k), order.indices.narrow(axis, 0, k)
