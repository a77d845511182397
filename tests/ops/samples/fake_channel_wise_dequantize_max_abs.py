import torch

from ..sample import Error, Sample, T
from .quantize_linear import along, positive

SAMPLES = [
    Sample(T(3, 4), [positive(3)]),
    Sample(T(2, 3, 4), [positive(3)], [8], 1),
    Sample(T(3), [positive(3)], [4]),
    Sample(T(3, 4), [positive(4), positive(1)], [8, 8]),
    Sample(T(2, 3, 4), [positive(3), positive(1)], [8, 4], 0, 1),
    Sample(T(2, 3, 4), [positive(4), positive(1)], [4, 16], 1, 2),
    Sample(T(0, 3), [positive(3), positive(1)], [8, 8]),
]
ERRORS = [
    Error(ValueError, r"'scales'.*one tensor or two, got 0", T(3), []),
    Error(ValueError, r"'scales'.*one tensor or two, got 3", T(3, 1), [T(1), T(1), T(1)], [8, 8, 8]),
    Error(ValueError, r"'scales'.*3 numbers.*axis 0 of 'x'.*\[2\]", T(3), [T(2)]),
    Error(ValueError, r"'scales'.*4 numbers.*axis 1 of 'x'.*\[3\]", T(3, 4), [T(3), T(1)], [8, 8]),
    Error(ValueError, r"'scales'.*one number, got the shape \[3\]", T(3, 4), [T(4), T(3)], [8, 8]),
    Error(ValueError, r"'quant_bits'.*each of the 2 'scales', got 1", T(3, 4), [T(4), T(1)]),
    Error(ValueError, r"'quant_bits'.*\[1, 16\], got 0", T(3), [T(3)], [0]),
    Error(ValueError, r"'quant_axis'.*0 or 1, got 2", T(3), [T(3)], [8], 2),
    Error(ValueError, r"'quant_axis'.*\[3\], got 1", T(3), [T(3)], [8], 1),
    Error(ValueError, r"'x_num_col_dims'.*got 0", T(3), [T(3)], [8], 0, 0),
    Error(ValueError, r"'x_num_col_dims'.*\[3, 4\].*got 2", T(3, 4), [T(4), T(1)], [8, 8], 0, 2),
    Error(TypeError, r"'x' and 'scales'.*float32 and float64", T(3), [T(3, dtype=torch.float64)]),
]


def reference(x, scales, quant_bits=(8,), quant_axis=0, x_num_col_dims=1):
    if len(scales) == 1:
        return x / (2 ** (quant_bits[0] - 1) - 1) * along(scales[0], x, quant_axis)
    largest = [2 ** (bits - 1) - 1 for bits in quant_bits]
    return x / largest[0] / largest[1] * along(scales[0], x, x_num_col_dims) * scales[1].reshape(())
