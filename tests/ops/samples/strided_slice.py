import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 5), [1], [1], [5], [2]),
    Sample(T(3, 5), [0, 1], [-2, 0], [100, -1], [1, 3]),
    Sample(T(3, 5), [1], [4], [0], [-2]),
    Sample(T(3, 5), [-1], [100], [-1], [-1]),
    Sample(T(3, 5), [-1], [100], [-6], [-1]),
    Sample(T(3, 5), [1], [-2], [-5], [-1]),
    Sample(T(3, 5), [1, 0], [3, 2], [-100, -1], [-3, -1]),
    Sample(T(2, 7, 3), [1], [0], [7], [100]),
    Sample(T(3, 5), [1], [2], [2], [1]),
    Sample(T(3, 5), [1], [0], [3], [-1]),
    Sample(T(0, 3), [1], [0], [3], [2]),
    Sample(T(), [], [], [], []),
    Sample(T(100, 400), [1], [399], [-401], [-1]),
]
ERRORS = [
    Error(IndexError, r"'axes'.*\[-2, 2\), got 2", T(2, 3), [2], [0], [1], [1]),
    Error(IndexError, r"'axes'.*no dimension", T(), [0], [0], [1], [1]),
    Error(ValueError, r"'axes'.*axis 1 again", T(2, 3), [1, -1], [0, 0], [1, 1], [1, 1]),
    Error(ValueError, r"'strides' as 'axes', 1.*got 2", T(2, 3), [1], [0, 1], [2, 2], [1, 1]),
    Error(ValueError, r"'strides'.*no 0", T(2, 3), [1], [0], [2], [0]),
]


def reference(x, axes, starts, ends, strides):
    for axis, start, end, stride in zip(axes, starts, ends, strides):
        places = range(x.shape[axis])[start:end:stride]
        x = x.index_select(axis, torch.tensor(places, dtype=torch.int64))
    return x
