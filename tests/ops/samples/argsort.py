import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 5)),
    Sample(T(4, 3), 0, True),
    Sample(T(2, 6, 3), 1, False, True),
    Sample(T(3, 5003, low=-90000, high=90000)),
    Sample(T(300, 7), 0, True, True),
    Sample(T(2, 193), -1),
    Sample(T()),
    Sample(T(0, 3)),
    Sample(T(3, 0)),
]
ERRORS = [Error(IndexError, r"'axis'.*\[-2, 2\).*got 2", T(2, 3), 2)]


def reference(x, axis=-1, descending=False, stable=False):
    return tuple(torch.sort(x, dim=axis, descending=descending, stable=True))
