from ..sample import Error, Sample, T
from .quantize_linear import abs_max, along, steps

SAMPLES = [
    Sample(T(3, 4)),
    Sample(T(2, 3, 4), 8, 0, 1),
    Sample(T(3, 4), 4, 1, 1),
    Sample(T(5), 16, 0),
    Sample(T(2, 3), 1),
    Sample(T(3, 2, low=0.0, high=0.0)),
    Sample(T(0, 3)),
    Sample(T(2, 0)),
    Sample(T(0, 3), quant_axis=1),
]
ERRORS = [
    Error(ValueError, r"'bit_length'.*\[1, 16\], got 0", T(3), 0),
    Error(ValueError, r"'round_type'.*got 2", T(3), 8, 2),
    Error(ValueError, r"'quant_axis'.*0 or 1, got -1", T(3, 4), 8, 1, -1),
    Error(ValueError, r"'quant_axis'.*0 or 1, got 2", T(2, 3, 4), 8, 1, 2),
    Error(ValueError, r"'quant_axis'.*\[3\], got 1", T(3), 8, 1, 1),
    Error(ValueError, r"'quant_axis'.*\[\], got 0", T()),
    Error(NotImplementedError, r"'is_test'.*expected false", T(3, 4), is_test=True),
]


def reference(x, bit_length=8, round_type=1, quant_axis=0, is_test=False):
    scale = abs_max(x, quant_axis) if x.shape[quant_axis] else x.new_zeros(0)
    return steps(x, along(scale, x, quant_axis), 2 ** (bit_length - 1) - 1, round_type), scale
