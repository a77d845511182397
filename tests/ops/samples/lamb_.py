import torch

from ..sample import Error, Sample, T


def state(*shape, dtype=None):
    return T(*shape, dtype=dtype, low=0.1, grad=False)


RATE = T(1, dtype=torch.float32, low=0.1, high=0.5, grad=False)
FLOAT = state(70, dtype=torch.float32)
HALF = state(70, dtype=torch.bfloat16)


def power():
    return T(1, dtype=torch.float32, low=0.8, high=0.9, grad=False)


POWERS = (power(), power())
BETAS = (0.75, 0.875, 1e-2)
SAMPLES = [
    Sample(state(3, 4), state(3, 4), RATE, state(3, 4), state(3, 4), *POWERS, None, None, 0.25, *BETAS),
    Sample(state(70), state(70), RATE, state(70), state(70), *POWERS, None, None, 0.0, *BETAS),
    Sample(state(70), state(70), RATE, state(70), state(70), *POWERS, None, None, 0.0, *BETAS, True),
    Sample(T(7, low=0, high=0, grad=False), state(7), RATE, state(7), state(7), *POWERS, None, None, 0.5, *BETAS),
    Sample(state(70), state(70), RATE, state(70), state(70), *POWERS, None, torch.tensor([True]), 0.25),
    Sample(state(70), state(70), RATE, state(70), state(70), *POWERS, None, torch.tensor([False]), 0.25, *BETAS),
    Sample(HALF, HALF, RATE, FLOAT, FLOAT, *POWERS, FLOAT, None, 0.25, *BETAS, False, True),
    Sample(HALF, FLOAT, RATE, HALF, HALF, *POWERS, None, None, 0.25, *BETAS),
    Sample(state(0, 3), state(0, 3), RATE, state(0, 3), state(0, 3), *POWERS, None, None, 0.25),
]
ERRORS = [
    Error(
        ValueError,
        r"'moment1'.*\[3\] of 'param', got \[4\]",
        state(3),
        state(3),
        RATE,
        state(4),
        state(3),
        *POWERS,
        None,
        None,
        0.1,
    ),
    Error(
        TypeError,
        r"'moment2': expected data type .*, that of 'moment1', got float32",
        HALF,
        HALF,
        RATE,
        HALF,
        FLOAT,
        *POWERS,
        None,
        None,
        0.1,
    ),
]


def reference(
    param,
    grad,
    learning_rate,
    moment1,
    moment2,
    beta1_pow,
    beta2_pow,
    master_param,
    skip_update,
    weight_decay,
    beta1=0.9,
    beta2=0.999,
    epsilon=1e-6,
    always_adapt=False,
    multi_precision=False,
):
    if skip_update is not None and skip_update.item():
        return param, moment1, moment2, beta1_pow, beta2_pow, master_param
    current = master_param if multi_precision else param
    moment1 = beta1 * moment1 + (1 - beta1) * grad
    moment2 = beta2 * moment2 + (1 - beta2) * grad * grad
    step = moment1 / (1 - beta1_pow) / (torch.sqrt(moment2 / (1 - beta2_pow)) + epsilon) + weight_decay * current
    norms = current.norm(), step.norm()
    ratio = norms[0] / norms[1] if min(norms) > 0 and (weight_decay > 0 or always_adapt) else 1
    updated = current - learning_rate * ratio * step
    return updated, moment1, moment2, beta1_pow * beta1, beta2_pow * beta2, updated if multi_precision else master_param
