import torch

from ..sample import Error, Sample, T

FIRST = torch.tensor([[[[[0, 3], [8, 15]], [[20, 21], [30, 31]]], [[[1, 2], [9, 10]], [[16, 17], [18, 19]]]]])
PLAIN = ([2, 2, 2], [2, 2, 2], [0, 0, 0])


def call(x, indices, size):
    return Sample(x, indices, *PLAIN, size, "NCDHW")


SAMPLES = [
    call(T(1, 2, 2, 2, 2), FIRST, [2, 4, 4]),
    call(T(1, 2, 2, 2, 2), FIRST.int(), [4, 4, 5]),
    call(T(0, 1, 2, 2, 2), torch.zeros(0, 1, 2, 2, 2, dtype=torch.int32), [4, 4, 4]),
]
LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")  # of places that are equal any is taken
ERRORS = [
    Error(ValueError, r"'indices'.*\[1, 2, 2, 2, 2\] of 'x'", T(1, 2, 2, 2, 2), FIRST[:, :, 0], *PLAIN, [4, 4, 4], "NCDHW"),
    Error(ValueError, r"'data_format'.*'NCDHW', got 'NDHWC'", T(1, 2, 2, 2, 2), FIRST, *PLAIN, [4, 4, 4], "NDHWC"),
    Error(ValueError, r"'output_size'.*got 2 numbers", T(1, 2, 2, 2, 2), FIRST, *PLAIN, [4, 4], "NCDHW"),
    Error(IndexError, r"'indices'", T(1, 2, 2, 2, 2), FIRST, *PLAIN, [2, 3, 3], "NCDHW"),
]


def reference(x, indices, ksize, strides, paddings, output_size, data_format):
    out = torch.zeros(*x.shape[:2], output_size[0] * output_size[1] * output_size[2], dtype=x.dtype)
    return out.scatter(2, indices.flatten(2).long(), x.flatten(2)).reshape(*x.shape[:2], *output_size)
