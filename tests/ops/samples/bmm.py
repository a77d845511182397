import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(2, 3, 4), T(2, 4, 5)),
    Sample(T(1, 3, 4), T(1, 4, 1)),
    Sample(T(3, 65, 130), T(3, 130, 40)),
    Sample(T(0, 3, 4), T(0, 4, 5)),
    Sample(T(2, 3, 0), T(2, 0, 5)),
]
ERRORS = [
    Error(ValueError, r"3 dimensions of 'x' and of 'y'.*\[3, 4\]", T(3, 4), T(4, 2)),
    Error(ValueError, r"dimension 0 of 'x' and 'y'.*\[1, 3, 4\]", T(1, 3, 4), T(2, 4, 2)),
    Error(ValueError, r"dimension 2 of 'x' and dimension 1 of 'y'.*got 4 and 5", T(2, 3, 4), T(2, 5, 2)),
    Error(TypeError, r"'x' and 'y' must have the same data type.*int64", T(1, 3, 4), T(1, 4, 2, dtype=torch.int64)),
]
TOLERANCE = {torch.float16: (4e-3, 1e-2), torch.bfloat16: (3e-2, 8e-2), torch.float32: (1e-5, 1e-4), torch.complex64: (1e-5, 1e-4)}
reference = torch.matmul
