import torch

from ..sample import Error, Sample, T
from .fake_quantize_moving_average_abs_max import observed
from .quantize_linear import positive

SAMPLES = [
    Sample(T(3, 4), positive(1), positive(1)),
    Sample(T(2, 3, 4), positive(1), positive(1), 0.5),
    Sample(T(3, 4), None, None, is_test=True),
    Sample(T(3, 4), positive(1), positive(1), is_test=True),
    Sample(T(), positive(1), positive(1)),
    Sample(T(0, 3), positive(1), positive(1)),
]
ERRORS = [
    Error(ValueError, r"'in_accum'.*unless 'is_test', got None", T(3), None, T(1)),
    Error(ValueError, r"'in_state'.*one number, got the shape \[2\]", T(3), T(1), T(2)),
    Error(TypeError, r"'x' and 'in_accum'.*float32 and float64", T(3), T(1, dtype=torch.float64), T(1)),
]


def reference(x, in_accum, in_state, moving_rate=0.9, is_test=False):
    return x, *observed(x, x.new_zeros(0), in_accum, in_state, moving_rate, is_test)
