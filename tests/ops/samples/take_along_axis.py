import torch

from ..sample import Error, Sample, T


def indices(*shape, low=-3, high=2, dtype=torch.int64):
    return T(*shape, dtype=dtype, low=low, high=high)


SAMPLES = [
    Sample(T(3, 4), indices(3, 4), 0),
    Sample(T(2, 3), indices(2, 5, dtype=torch.int32), 1),
    Sample(T(4, 3, 5), indices(2, 6, 4), 1),
    Sample(T(2, 3, 4), indices(2, 2, 4), -2),
    Sample(T(3), indices(7), 0),
    Sample(T(3, 4), indices(0, 4), 0),
    Sample(T(0, 3), indices(0, 2), 1),
    Sample(T(), indices(low=-1, high=0), 0),
    Sample(T(3, 1, 2, 3), indices(2, 1, 2, 2), 3),
    Sample(T(40, 300), indices(40, 200, low=-300, high=299), 1),
    Sample(T(300, 40), indices(500, 40, low=0, high=299), 0),
]
ERRORS = [
    Error(IndexError, r"'indices'.*\[-3, 3\), got 3", T(3, 4), indices(2, 4, low=3, high=3), 0),
    Error(IndexError, r"'axis'.*\[-2, 2\), got 2", T(3, 4), indices(3, 4), 2),
    Error(ValueError, r"'indices'.*dimensions.*got the shape \[2\]", T(3, 4), indices(2), 0),
    Error(ValueError, r"'indices'.*\[3, 4\], outside.*got \[2, 5\]", T(3, 4), indices(2, 5), 0),
    Error(TypeError, r"'indices'.*int32 or int64, got float32", T(3, 4), T(3, 4, dtype=torch.float32), 0),
]
TOLERANCE = {torch.bfloat16: (2e-2, 2e-1), torch.float16: (2e-3, 2e-2)}


def reference(arr, indices, axis):
    size = arr.shape[axis] if arr.dim() else 1
    return arr.gather(axis, indices.long() % size if size else indices.long())
