import torch

from ..sample import Error, Sample, T, sides

SAMPLES = [
    Sample(T(2, 3, 5, 6), T(4, 3, 3, 2)),
    Sample(T(1, 4, 7, 6), T(6, 2, 3, 3), [2, 1], [1, 2], "EXPLICIT", [1, 2], 2),
    Sample(T(1, 2, 5, 6), T(3, 2, 3, 2), [2, 2], [0, 1, 3, 2]),
    Sample(T(2, 6, 5, 3), T(4, 3, 3, 2), [2, 2], [1, 1], data_format="NHWC"),
    Sample(T(1, 5, 6, 2), T(3, 2, 3, 2), [1, 2], padding_algorithm="SAME", data_format="NHWC"),
    Sample(T(1, 2, 7, 7), T(3, 2, 3, 4), [1, 1], [5, 5], "SAME", [2, 2]),
    Sample(T(1, 2, 7, 7), T(3, 2, 3, 3), [1, 1], [1, 1], "VALID", [2, 2]),
    Sample(T(2, 4, 3, 3), T(4, 1, 2, 2), groups=4),
    Sample(T(3, 4, 3, 5), T(2, 4, 1, 1)),
    Sample(T(12, 8, 20, 20), T(8, 8, 3, 3), [1, 1], [1, 1]),
    Sample(T(0, 3, 5, 6), T(4, 3, 3, 2)),
    Sample(T(1, 2, 5, 0), T(3, 2, 2, 2), paddings=[1, 1]),
    Sample(T(2, 3, 4, 5), T(4, 3, 2, 2), data_format="NCDHW"),  # as Paddle takes it
]
ERRORS = [
    Error(ValueError, r"3 channels, expected 4", T(1, 3, 7, 7), T(4, 2, 3, 3), groups=2),
    Error(ValueError, r"'strides'.*expected 2 positive numbers, got \[1\]", T(1, 3, 7, 7), T(4, 3, 3, 3), [1]),
    Error(ValueError, r"'paddings'.*got \[1, 2, 3\]", T(1, 3, 7, 7), T(4, 3, 3, 3), paddings=[1, 2, 3]),
    Error(ValueError, r"'data_format'.*got 'NCWH'", T(1, 3, 7, 7), T(4, 3, 3, 3), data_format="NCWH"),
    Error(ValueError, r"'padding_algorithm'.*got 'same'", T(1, 3, 7, 7), T(4, 3, 3, 3), padding_algorithm="same"),
    Error(ValueError, r"filter reaches over 3 elements.*2 with 0", T(1, 1, 2, 2), T(1, 1, 3, 3)),
    Error(ValueError, r"expected 4 dimensions.*\[3, 7, 7\]", T(3, 7, 7), T(4, 3, 3, 3)),
]
TOLERANCE = {torch.float16: (4e-3, 2e-2), torch.bfloat16: (3e-2, 2e-1), torch.float32: (1e-5, 2e-4)}


def reference(
    input,
    filter,
    strides=(1, 1),
    paddings=(0, 0),
    padding_algorithm="EXPLICIT",
    dilations=(1, 1),
    groups=1,
    data_format="NCHW",
):
    x = input.movedim(-1, 1) if data_format == "NHWC" else input
    rows, columns = sides(x.shape[2:], filter.shape[2:], strides, paddings, padding_algorithm)
    x = torch.nn.functional.pad(x, (*columns, *rows))
    dilations = (1, 1) if padding_algorithm == "SAME" else dilations
    out = torch.nn.functional.conv2d(x, filter, None, strides, 0, dilations, groups)
    return out.movedim(1, -1) if data_format == "NHWC" else out
