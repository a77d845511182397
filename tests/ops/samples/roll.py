import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), [1], [0]),
    Sample(T(3, 4), [-1, 2], [0, 1]),
    Sample(T(3, 4), [5]),
    Sample(T(2, 3, 70), [100, -7], [1, -1]),
    Sample(T(3, 4), [1, 2], [1, 1]),
    Sample(T(5), [0], [0]),
    Sample(T(), [3]),
    Sample(T(0, 3), [1], [1]),
    Sample(T(200, 300), [17, 50], [0, 1]),
]
ERRORS = [
    Error(IndexError, r"'axis'.*\[-2, 2\), got 2", T(2, 3), [1], [2]),
    Error(IndexError, r"'axis'.*no dimension", T(), [1], [0]),
    Error(ValueError, r"'shifts'.*as many as 'axis', 2.*got 1", T(2, 3), [1], [0, 1]),
    Error(ValueError, r"'shifts'.*got 2", T(2, 3), [1, 2]),
]


def reference(x, shifts=(), axis=()):
    for shift, d in zip(shifts, axis):
        x = torch.cat([x, x], d).narrow(d, -shift % x.shape[d], x.shape[d]) if x.numel() else x
    return x if axis else x.reshape(-1)[(torch.arange(x.numel()) - shifts[0]) % max(x.numel(), 1)].reshape(x.shape)
