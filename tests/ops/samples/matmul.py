import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), T(4, 5)),
    Sample(T(4, 3), T(5, 4), True, True),
    Sample(T(2, 3, 4), T(4, 5)),
    Sample(T(2, 4, 3), T(4, 5), transpose_x=True),
    Sample(T(2, 1, 3, 4), T(5, 4, 2)),
    Sample(T(3, 4), T(2, 5, 4), transpose_y=True),
    Sample(T(3, 1, 3, 4), T(2, 3, 1, 2, 4), False, True),
    Sample(T(4), T(4)),
    Sample(T(4), T(4, 3), True),
    Sample(T(4), T(2, 4, 3)),
    Sample(T(2, 3, 4), T(4), False, True),
    Sample(T(65, 130), T(130, 40)),
    Sample(T(0, 3), T(3, 2)),
    Sample(T(2, 0), T(0, 3)),
    Sample(T(2, 3, 0), T(2, 0, 3)),
]
ERRORS = [
    Error(ValueError, r"dimension 1 of 'x' and dimension 0 of 'y'.*got 4 and 5", T(3, 4), T(5, 2)),
    Error(ValueError, r"at least one dimension, got the shapes \[\] of 'x'", T(), T(5, 2)),
    Error(ValueError, r"shapes \[2\] of 'x' and \[3\] of 'y' do not broadcast", T(2, 3, 4), T(3, 4, 2)),
    Error(TypeError, r"'x' and 'y' must have the same data type.*int64", T(3, 4), T(4, 2, dtype=torch.int64)),
]
TOLERANCE = {torch.float16: (4e-3, 1e-2), torch.bfloat16: (3e-2, 8e-2), torch.float32: (1e-5, 1e-4), torch.complex64: (1e-5, 1e-4)}


def reference(x, y, transpose_x=False, transpose_y=False):
    x = x.mT if transpose_x and x.dim() > 1 else x
    y = y.mT if transpose_y and y.dim() > 1 else y
    return torch.matmul(x, y)
