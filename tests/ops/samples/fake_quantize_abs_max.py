import torch

from ..sample import Error, Sample, T
from .quantize_linear import abs_max, steps

SAMPLES = [
    Sample(T(3, 4)),
    Sample(T(2, 3, 4), round_type=0),
    Sample(T(3, 4), 4),
    Sample(T(5), 16, 0),
    Sample(T(3), 1),
    Sample(T()),
    Sample(torch.zeros(2, 3)),
    Sample(T(0, 3)),
]
ERRORS = [
    Error(ValueError, r"'bit_length'.*\[1, 16\], got 0", T(3), 0),
    Error(ValueError, r"'bit_length'.*\[1, 16\], got 17", T(3), 17),
    Error(ValueError, r"'round_type'.*got 2", T(3), 8, 2),
    Error(ValueError, r"'round_type'.*got -1", T(3), 8, -1),
]


def reference(x, bit_length=8, round_type=1):
    scale = abs_max(x)
    return steps(x, scale.reshape(()), 2 ** (bit_length - 1) - 1, round_type), scale
