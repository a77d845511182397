import torch

from ..sample import Error, Sample, T, sides

SAMPLES = [
    Sample(T(2, 2, 3, 4, 3), T(3, 2, 2, 3, 2)),
    Sample(T(1, 4, 4, 5, 4), T(2, 2, 2, 3, 2), [2, 1, 1], [1, 0, 2], "EXPLICIT", 2, [1, 2, 1]),
    Sample(T(1, 2, 3, 4, 3), T(2, 2, 3, 2, 2), [2, 2, 1], [0, 1, 2, 1, 1, 0]),
    Sample(T(1, 3, 4, 3, 2), T(2, 2, 2, 3, 2), [2, 1, 1], [1, 1, 0], data_format="NDHWC"),
    Sample(T(1, 3, 4, 3, 2), T(2, 2, 2, 3, 2), [1, 2, 1], padding_algorithm="SAME", data_format="NHWC"),
    Sample(T(1, 2, 4, 3, 4), T(2, 2, 3, 2, 3), [1, 1, 2], [5, 5, 5], "SAME", dilations=[2, 2, 2]),
    Sample(T(1, 2, 4, 3, 4), T(2, 2, 2, 2, 2), [1, 1, 1], [1, 1, 1], "VALID", dilations=[2, 1, 2]),
    Sample(T(2, 3, 2, 2, 2), T(3, 1, 2, 1, 2), groups=3),
    Sample(T(2, 3, 2, 3, 2), T(2, 3, 1, 1, 1)),
    Sample(T(0, 2, 3, 4, 3), T(3, 2, 2, 3, 2)),
    Sample(T(1, 2, 3, 4, 0), T(3, 2, 2, 3, 2), paddings=[1, 1, 1]),
]
ERRORS = [
    Error(ValueError, r"3 channels, expected 4", T(1, 3, 4, 4, 4), T(4, 2, 3, 3, 3), groups=2),
    Error(ValueError, r"'strides'.*expected 3 positive numbers, got \[1, 1\]", T(1, 3, 4, 4, 4), T(4, 3, 3, 3, 3), [1, 1]),
    Error(ValueError, r"'paddings'.*3 numbers.*6.*got \[1, 2\]", T(1, 3, 4, 4, 4), T(4, 3, 3, 3, 3), paddings=[1, 2]),
    Error(ValueError, r"'data_format'.*'NCDHW' or 'NDHWC', got 'NCWH'", T(1, 3, 4, 4, 4), T(4, 3, 3, 3, 3), data_format="NCWH"),
    Error(ValueError, r"filter reaches over 3 elements.*2 with 0", T(1, 1, 2, 2, 2), T(1, 1, 3, 3, 3)),
    Error(ValueError, r"expected 5 dimensions.*\[3, 7, 7, 7\]", T(3, 7, 7, 7), T(4, 3, 3, 3, 3)),
]
TOLERANCE = {torch.float16: (4e-3, 2e-2), torch.bfloat16: (3e-2, 2e-1), torch.float32: (1e-5, 2e-4)}


def reference(
    input,
    filter,
    strides=(1, 1, 1),
    paddings=(0, 0, 0),
    padding_algorithm="EXPLICIT",
    groups=1,
    dilations=(1, 1, 1),
    data_format="NCDHW",
):
    x = input.movedim(-1, 1) if data_format.endswith("C") else input
    slices, rows, columns = sides(x.shape[2:], filter.shape[2:], strides, paddings, padding_algorithm)
    x = torch.nn.functional.pad(x, (*columns, *rows, *slices))
    dilations = (1, 1, 1) if padding_algorithm == "SAME" else dilations
    out = torch.nn.functional.conv3d(x, filter, None, strides, 0, dilations, groups)
    return out.movedim(1, -1) if data_format.endswith("C") else out
