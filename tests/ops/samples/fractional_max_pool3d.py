from ..sample import Error, Sample, T
from .fractional_max_pool2d import reference

__all__ = ["reference"]

SAMPLES = [
    Sample(T(2, 2, 4, 5, 6), [2, 2, 3], [0, 0, 0], 0.3),
    Sample(T(1, 2, 4, 5, 6), [2, 1, 3], [2, 3, 2], 0.7),
    Sample(T(1, 1, 3, 4, 5), [3, 2, 2], [0, 2, 1], 0.9, False),
    Sample(T(0, 2, 4, 4, 4), [2, 2, 2], random_u=0.5),
]
ERRORS = [
    Error(ValueError, r"'x'.*5 dimensions.*\[3, 4, 4, 4\]", T(3, 4, 4, 4), [2, 2, 2], [0, 0, 0], 0.3),
    Error(ValueError, r"'kernel_size'.*3 values.*got 2", T(1, 3, 4, 4, 4), [2, 2, 2], [2, 2], 0.3),
    Error(ValueError, r"'x'.*at least 5 along axis 4 for 5 windows", T(1, 3, 4, 4, 4), [2, 2, 5], [0, 0, 0], 0.3),
]
