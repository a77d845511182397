import torch

from ..sample import Error, Sample, T

FIRST = torch.tensor([[[[0, 3], [8, 15]], [[1, 2], [9, 10]]]])


def call(x, indices, size):
    return Sample(x, indices, [2, 2], [2, 2], [0, 0], size, "NCHW")


SAMPLES = [
    call(T(1, 2, 2, 2), FIRST, [4, 4]),
    call(T(1, 2, 2, 2), FIRST.int(), [4, 5]),
    call(T(0, 1, 2, 2), torch.zeros(0, 1, 2, 2, dtype=torch.int32), [4, 4]),
]
LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned", "channels_last")  # of places that are equal any is taken
PLAIN = ([2, 2], [2, 2], [0, 0])
ERRORS = [
    Error(
        ValueError, r"'indices'.*\[1, 2, 2, 2\] of 'x', got \[1, 2, 2\]", T(1, 2, 2, 2), FIRST[0][None, 0], *PLAIN, [4, 4], "NCHW"
    ),
    Error(ValueError, r"'data_format'.*got 'NHWC'", T(1, 2, 2, 2), FIRST, *PLAIN, [4, 4], "NHWC"),
    Error(IndexError, r"'indices'", T(1, 2, 2, 2), FIRST, *PLAIN, [3, 3], "NCHW"),
]


def reference(x, indices, ksize, strides, padding, output_size, data_format):
    height, width = output_size
    out = torch.zeros(*x.shape[:2], height * width, dtype=x.dtype)
    return out.scatter(2, indices.flatten(2).long(), x.flatten(2)).reshape(*x.shape[:2], height, width)
