import torch

from ..sample import Error, Given, Sample, T


def positive(*shape):
    """Scales."""
    return T(*shape, low=0.5, high=2.0)


def along(scale, x, axis):
    return scale.reshape([-1 if i == axis else 1 for i in range(x.dim())]) if axis >= 0 else scale.reshape(())


def steps(x, scale, largest, round_type):
    """Whole numbers by `floor`, one next to the other."""
    exact = x / torch.where(scale <= 1e-30, 1e-6, scale) * largest
    below, rest = exact.floor(), exact - exact.floor()
    up = (rest > 0.5) | ((rest == 0.5) & ((below % 2 == 1) if round_type == 0 else (exact > 0)))
    return (below + up).clamp(-largest - (round_type == 0), largest)


def abs_max(x, axis=-1):
    """Of all, or of each index of an axis."""
    parts = x.unbind(axis) if axis >= 0 else [x]
    return torch.stack([part.abs().max() if part.numel() else x.new_zeros(()) for part in parts])


def kept(number):
    return torch.zeros(0) if number is None else number.reshape(-1)


def averaged(x, accum, state, rate=0.9):
    state, accum = state.reshape(1) * rate + 1, accum.reshape(1) * rate + abs_max(x)
    return accum / state, state, accum


ZERO, ONE = Given(torch.zeros(1), grad=False), torch.ones(1)
TIES = torch.tensor([0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999997, 300.0, -300.0])
SAMPLES = [
    Sample(T(3, 4), positive(1), ZERO, None, None, -1),
    Sample(T(3, 4), positive(3), ZERO, None, None),
    Sample(T(2, 3, 4), positive(3), torch.zeros(3, dtype=torch.int32), None, None, 1, round_type=1),
    Sample(T(3, 4), positive(1), ZERO, positive(1), positive(1), -1, 8, -128, 127, 0, False),
    Sample(T(3, 4), positive(1), ZERO, positive(1), positive(1), -1, 8, -128, 127, 1, False),
    Sample(T(3, 4), positive(4), ZERO, None, None, 1, is_test=False),
    Sample(T(2, 3), positive(2), ZERO, positive(1), positive(1), 0, 4, -8, 7, 1, False),
    Sample(T(3, 4), positive(1), ZERO, positive(1), positive(1), -1, is_test=False, only_observer=True),
    Sample(T(3, 4), positive(3), ZERO, positive(1), None, only_observer=True),
    Sample(TIES, torch.tensor([128.0]), ZERO, None, None, -1, qmax=128),
    Sample(TIES, torch.tensor([128.0]), ZERO, None, None, -1, qmax=128, round_type=1),
    Sample(torch.tensor([[1e-9, -2e-9], [1.0, 2.0]]), torch.tensor([0.0, 2.0]), ZERO, None, None),
    Sample(T(), positive(1), ZERO, positive(1), positive(1), -1, is_test=False),
    Sample(T(5), positive(5), ZERO, None, None, is_test=False),
    Sample(T(0, 3), positive(1), ZERO, positive(1), positive(1), -1, is_test=False),
    Sample(T(2, 0), positive(2), ZERO, None, None, is_test=False),
    Sample(T(0, 3), positive(3), ZERO, None, None, 1),
    Sample(T(2, 2), positive(1), ZERO, None, None, -1, 16, -32768, 32767),
    Sample(T(2, 2), positive(1), ZERO, None, None, -1, 1, -1, 0),
]
ERRORS = [
    Error(ValueError, r"'scale'.*expected a tensor, got None", T(3), None, ZERO, None, None),
    Error(ValueError, r"'scale'.*one number, got the shape \[2\]", T(3), T(2), ZERO, None, None, -1),
    Error(ValueError, r"'scale'.*3 numbers.*axis 1 of 'x'.*\[2\]", T(2, 3), T(2), ZERO, None, None, 1),
    Error(ValueError, r"'quant_axis'.*0, 1 or.*-1, got 2", T(2, 3, 4), T(4), ZERO, None, None, 2),
    Error(ValueError, r"'quant_axis'.*-1, got -2", T(2, 3), T(2), ZERO, None, None, -2),
    Error(ValueError, r"'quant_axis'.*\[3\], got 1", T(3), T(3), ZERO, None, None, 1),
    Error(ValueError, r"'quant_axis'.*\[\], got 0", T(), T(1), ZERO, None, None, 0),
    Error(ValueError, r"'bit_length'.*\[1, 16\], got 0", T(3), T(3), ZERO, None, None, 0, 0),
    Error(ValueError, r"'bit_length'.*\[1, 16\], got 17", T(3), T(3), ZERO, None, None, 0, 17),
    Error(ValueError, r"'round_type'.*got 2", T(3), T(3), ZERO, None, None, round_type=2),
    Error(ValueError, r"'qmax'.*at least 0, got -1", T(3), T(3), ZERO, None, None, qmax=-1),
    Error(ValueError, r"'in_accum'.*unless 'is_test', got None", T(3), T(1), ZERO, None, ONE, -1, is_test=False),
    Error(ValueError, r"'in_state'.*one number, got the shape \[2\]", T(3), T(1), ZERO, ONE, T(2), -1, is_test=False),
    Error(TypeError, r"'x' and 'scale'.*float32 and float64", T(3), T(3, dtype=torch.float64), ZERO, None, None),
    Error(TypeError, r"'x' and 'in_state'", T(3), T(1), ZERO, ONE, T(1, dtype=torch.float64), -1, is_test=False),
]


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
    scale, state, accum = scale.reshape(-1), kept(in_state), kept(in_accum)
    if not is_test and quant_axis < 0:
        scale, state, accum = averaged(x, in_accum, in_state)
    elif not is_test:
        scale = abs_max(x, quant_axis)
    return x if only_observer else steps(x, along(scale, x, quant_axis), qmax, round_type), state, accum, scale
