import torch

from ..sample import Error, Sample, T
from .quantize_linear import ONE, ZERO, along, kept, positive


def whole(*shape):
    return T(*shape, low=-100, high=100, dtype=torch.int8)


def scales(size, dtype):
    return T(size, low=0.5, high=2.0, dtype=dtype, grad=False)


DTYPES = (torch.float32, torch.float64)  # of int8 a scale has another one
SAMPLES = [
    Sample(T(3, 4), positive(1), ZERO, None, None, -1),
    Sample(T(3, 4), positive(3), ZERO, None, None),
    Sample(T(2, 3, 4), positive(3), ZERO, positive(1), positive(1), 1, round_type=1),
    Sample(T(3, 4), positive(4), ZERO, None, None, 1, 4, -8, 7, 0, False),
    Sample(T(3, 4), positive(1), ZERO, positive(1), None, -1, only_observer=True),
    Sample(whole(3, 4), scales(3, torch.float32), ZERO, None, None),
    Sample(whole(3, 4), scales(1, torch.float16), ZERO, None, None, -1),
    Sample(whole(3, 4), scales(1, torch.float64), ZERO, None, None, -1, only_observer=True),
    Sample(T(), positive(1), ZERO, None, None, -1),
    Sample(T(0, 3), positive(3), ZERO, None, None, 1),
]
ERRORS = [
    Error(ValueError, r"'scale'.*expected a tensor, got None", T(3), None, ZERO, None, None),
    Error(ValueError, r"'scale'.*one number, got the shape \[3\]", T(3), T(3), ZERO, None, None, -1),
    Error(ValueError, r"'quant_axis'.*-1, got 2", T(2, 3, 4), T(4), ZERO, None, None, 2),
    Error(ValueError, r"'bit_length'.*\[1, 16\], got 17", T(3), T(3), ZERO, None, None, 0, 17),
    Error(ValueError, r"'round_type'.*got 2", T(3), T(3), ZERO, None, None, round_type=2),
    Error(ValueError, r"'in_accum'.*one number, got the shape \[2\]", T(3), T(1), ZERO, T(2), ONE, -1),
    Error(TypeError, r"'scale'.*float16, float32 or float64, got int32", T(3), T(3, dtype=torch.int32), ZERO, None, None),
]
TOLERANCE = {torch.float16: (4e-3, 4e-3)}


def reference(
    x,
    scale,
    zero_point,
    in_accum,
    in_state,
    quant_axis=0,
    bit_length=8,
    qmin=-128,
    qmax=127,
    round_type=0,
    is_test=True,
    only_observer=False,
):
    y = x if only_observer else along(scale, x, quant_axis) * (x / qmax)
    return y, kept(in_state), kept(in_accum), scale.reshape(-1)
