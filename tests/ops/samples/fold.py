import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(2, 12, 6), [3, 4], [2, 2], [1, 1], [0, 0], [1, 1]),
    Sample(T(1, 4, 9), [3, 3], [2, 2], [1, 1], [1, 0, 0, 1], [1, 1]),
    Sample(T(1, 4, 4), [4, 4], [2, 2], [2, 2], [0, 0, 0, 0], [1, 1]),
    Sample(T(2, 8, 12), [3, 2], [2, 2], [1, 1], [1, 1, 1, 1], [1, 1]),
]
ERRORS = [
    Error(ValueError, r"'x'.*\[batch, channels \* 4, 9\]", T(1, 4, 8), [4, 4], [2, 2], [1, 1], [0, 0], [1, 1]),
    Error(ValueError, "'output_sizes'", T(1, 4, 9), [4], [2, 2], [1, 1], [0, 0], [1, 1]),
]


def reference(x, output_sizes, kernel_sizes, strides, paddings, dilations):
    """What is linear is the transposed matrix of unfold."""
    top, left, bottom, right = paddings if len(paddings) == 4 else (*paddings, *paddings)
    height, width = output_sizes[0] + top + bottom, output_sizes[1] + left + right
    whole = torch.nn.functional.fold(x, (height, width), kernel_sizes, dilations, 0, strides)
    return whole[:, :, top : height - bottom, left : width - right]
