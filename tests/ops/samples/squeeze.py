from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(1, 3, 1), [0]),
    Sample(T(1, 3, 1)),
    Sample(T(1, 3, 1, 1), [1, -1]),
    Sample(T(2, 3), [0, 1]),
    Sample(T(), [-1]),
    Sample(T(0, 1), [1]),
    Sample(T(1), [0]),
]
ERRORS = [
    Error(IndexError, r"'axis'.*\[-2, 2\), got 2", T(1, 3), [2]),
    Error(ValueError, r"'axis'.*dimension 0 again", T(1, 3), [0, -2]),
]


def reference(x, axis=()):
    return x.squeeze(tuple(axis)) if axis else x.squeeze()
