from ..sample import Error, Sample, T
from .quantize_linear import abs_max, steps


def straight_through(x, scale, bit_length, round_type):
    """Rounded, with a gradient of 1."""
    largest = 2 ** (bit_length - 1) - 1
    return x + (steps(x, scale, largest, round_type) / largest * scale - x).detach()


SAMPLES = [
    Sample(T(3, 4)),
    Sample(T(2, 3, 4), round_type=0),
    Sample(T(3, 4), 4),
    Sample(T(5), 2, 0),
    Sample(T(5), 16),
    Sample(T()),
    Sample(T(3, low=0.0, high=0.0)),
    Sample(T(0, 3)),
]
ERRORS = [
    Error(ValueError, r"'bit_length'.*\[1, 16\], got 17", T(3), 17),
    Error(ValueError, r"'round_type'.*got 2", T(3), 8, 2),
]


def reference(x, bit_length=8, round_type=1):
    scale = abs_max(x.detach())
    return straight_through(x, scale.reshape(()), bit_length, round_type), scale
