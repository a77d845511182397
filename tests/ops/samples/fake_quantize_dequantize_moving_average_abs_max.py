from ..sample import Sample, T
from .fake_quantize_dequantize_abs_max import straight_through
from .fake_quantize_moving_average_abs_max import ERRORS as ERRORS
from .fake_quantize_moving_average_abs_max import observed


def number():
    """It has no gradient."""
    return T(1, low=0.5, high=2.0, grad=False)


SAMPLES = [
    Sample(T(3, 4), number(), number(), number()),
    Sample(T(2, 3, 4), number(), number(), number(), 0.5, 4, False, 0),
    Sample(T(3, 4), number(), None, None, is_test=True),
    Sample(T(3, 4), number(), number(), number(), 0.9, 8, True, 0),
    Sample(T(), number(), number(), number()),
    Sample(T(0, 3), number(), number(), number()),
]


def reference(x, in_scale, in_accum, in_state, moving_rate=0.9, bit_length=8, is_test=False, round_type=1):
    scale, state, accum = observed(x.detach(), in_scale, in_accum, in_state, moving_rate, is_test)
    return straight_through(x, scale.reshape(()), bit_length, round_type), scale, state, accum
