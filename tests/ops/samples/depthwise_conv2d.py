from ..sample import Error, Sample, T
from .conv2d import TOLERANCE
from .conv2d import reference as conv2d

__all__ = ["ERRORS", "SAMPLES", "TOLERANCE", "reference"]

SAMPLES = [
    Sample(T(2, 3, 5, 6), T(3, 1, 3, 2), groups=3),
    Sample(T(1, 2, 7, 6), T(6, 1, 3, 3), [2, 1], [1, 2], "EXPLICIT", 2, [1, 2]),
    Sample(T(1, 2, 5, 6), T(4, 1, 3, 2), [2, 2], [0, 1, 3, 2], groups=2),
    Sample(T(2, 4, 5, 3), T(3, 1, 3, 2), [2, 2], [1, 1], groups=3, data_format="NHWC"),
    Sample(T(1, 2, 7, 7), T(2, 1, 3, 4), [1, 1], [5, 5], "SAME", 2, [2, 2]),
    Sample(T(1, 2, 7, 7), T(2, 1, 3, 3), [1, 1], [1, 1], "VALID", 2, [2, 2]),
    Sample(T(1, 4, 5, 5), T(4, 2, 3, 3), groups=2),
    Sample(T(2, 16, 20, 20), T(16, 1, 3, 3), [1, 1], [1, 1], groups=16),
    Sample(T(0, 3, 5, 6), T(3, 1, 3, 2), groups=3),
]
ERRORS = [
    Error(ValueError, r"3 channels, expected 1", T(1, 3, 7, 7), T(3, 1, 3, 3)),
    Error(ValueError, r"dimension 0 of 'filter' is 4.*3 groups", T(1, 3, 7, 7), T(4, 1, 3, 3), groups=3),
    Error(ValueError, r"'data_format'.*got 'NCWH'", T(1, 3, 7, 7), T(3, 1, 3, 3), groups=3, data_format="NCWH"),
]


def reference(
    input,
    filter,
    strides=(1, 1),
    paddings=(0, 0),
    padding_algorithm="EXPLICIT",
    groups=1,
    dilations=(1, 1),
    data_format="NCHW",
):
    return conv2d(input, filter, strides, paddings, padding_algorithm, dilations, groups, data_format)
