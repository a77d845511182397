import torch

from ..sample import Error, Sample, T
from .quantize_linear import ONE, averaged, kept, positive, steps

SAMPLES = [
    Sample(T(3, 4), positive(1), positive(1), positive(1)),
    Sample(T(2, 3, 4), positive(1), positive(1), positive(1), 0.5, 4, False, 0),
    Sample(T(3, 4), positive(1), None, None, is_test=True),
    Sample(T(3, 4), positive(1), positive(1), positive(1), 0.9, 8, True, 0),
    Sample(T(), positive(1), positive(1), positive(1)),
    Sample(T(0, 3), positive(1), positive(1), positive(1)),
]
NUMBERS = (T(1), T(1), T(1))
ERRORS = [
    Error(ValueError, r"'bit_length'.*\[1, 16\], got 0", T(3), *NUMBERS, 0.9, 0),
    Error(ValueError, r"'round_type'.*got 2", T(3), *NUMBERS, round_type=2),
    Error(ValueError, r"'in_scale'.*one number, got the shape \[3\]", T(3), T(3), T(1), T(1)),
    Error(ValueError, r"'in_accum'.*unless 'is_test', got None", T(3), T(1), None, T(1)),
    Error(ValueError, r"'in_state'.*unless 'is_test', got None", T(3), T(1), T(1), None),
    Error(ValueError, r"'in_state'.*one number, got the shape \[0\]", T(3), T(1), T(1), T(0)),
    Error(TypeError, r"'x' and 'in_scale'.*float32 and float64", T(3), ONE.double(), T(1), T(1)),
    Error(TypeError, r"'x' and 'in_accum'.*float32 and int64", T(3), T(1), T(1, dtype=torch.int64), T(1)),
]


def observed(x, in_scale, in_accum, in_state, moving_rate, is_test):
    """Scale, state and sum."""
    return (kept(in_scale), kept(in_state), kept(in_accum)) if is_test else averaged(x, in_accum, in_state, moving_rate)


def reference(x, in_scale, in_accum, in_state, moving_rate=0.9, bit_length=8, is_test=False, round_type=1):
    scale, state, accum = observed(x, in_scale, in_accum, in_state, moving_rate, is_test)
    return steps(x, scale.reshape(()), 2 ** (bit_length - 1) - 1, round_type), scale, state, accum
