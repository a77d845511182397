from ..sample import Error, Sample, T
from .fake_quantize_dequantize_abs_max import straight_through
from .quantize_linear import abs_max, along

SAMPLES = [
    Sample(T(3, 4)),
    Sample(T(2, 3, 4), 8, 0, 1),
    Sample(T(3, 4), 4, 1, 1),
    Sample(T(5), 16, 0),
    Sample(T(3, 2, low=0.0, high=0.0)),
    Sample(T(2, 0)),
    Sample(T(0, 3), quant_axis=1),
]
ERRORS = [
    Error(ValueError, r"'bit_length'.*\[1, 16\], got 0", T(3), 0),
    Error(ValueError, r"'round_type'.*got 2", T(3), 8, 2),
    Error(ValueError, r"'quant_axis'.*0 or 1, got -1", T(3, 4), 8, 1, -1),
    Error(ValueError, r"'quant_axis'.*\[3\], got 1", T(3), 8, 1, 1),
]


def reference(x, bit_length=8, round_type=1, quant_axis=0):
    scale = abs_max(x.detach(), quant_axis)
    return straight_through(x, along(scale, x, quant_axis), bit_length, round_type), scale
