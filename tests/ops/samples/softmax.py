import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4)),
    Sample(T(2, 5, 3), axis=1),
    Sample(T(3, 1100, low=-9, high=9)),
    Sample(T(2, 5003)),
    Sample(T(1, 9001)),  # each thread of a block comes round twice
    Sample(T(2, 21, 300), axis=1),
    Sample(T(600, 7), 0),
    Sample(T()),
    Sample(T(0, 3)),
    Sample(T(3, 0)),
]
ERRORS = [Error(IndexError, r"'axis'.*\[-2, 2\).*got 2", T(2, 3), axis=2)]


def reference(x, axis=-1):
    return torch.softmax(x, axis)
