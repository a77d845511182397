from ..sample import Error, Sample, T
from .conv2d_transpose import TOLERANCE, reference

__all__ = ["ERRORS", "SAMPLES", "TOLERANCE", "reference"]

SAMPLES = [
    Sample(T(2, 3, 5, 6), T(3, 1, 3, 2), groups=3),
    Sample(T(1, 2, 3, 4), T(2, 1, 3, 2), [2, 3], [0, 1], [1, 2], groups=2),
    Sample(T(1, 2, 3, 4), T(2, 2, 3, 2), [2, 3], [0, 1], [], [8, 10], groups=2),
    Sample(T(1, 3, 4, 2), T(2, 1, 3, 2), [2, 2], [1, 1], groups=2, data_format="NHWC"),
    Sample(T(1, 2, 3, 4), T(2, 1, 4, 3), [1, 2], [5, 5], padding_algorithm="SAME", groups=2),
    Sample(T(2, 8, 10, 10), T(8, 1, 4, 4), [2, 2], [1, 1], groups=8),
    Sample(T(0, 3, 5, 6), T(3, 1, 3, 2), groups=3),
]
ERRORS = [Error(ValueError, r"4 channels.*multiple of the 3 groups", T(1, 4, 7, 7), T(4, 1, 3, 3), groups=3)]
