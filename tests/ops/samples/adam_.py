import torch

from ..sample import Error, Sample, T


def state(*shape, dtype=None):
    return T(*shape, dtype=dtype, low=0.1, grad=False)


def number(low=0.1, high=0.5, size=1):
    return T(size, dtype=torch.float32, low=low, high=high, grad=False)


def skip(value):
    return torch.tensor([value])


RATE = number()
POWERS = (number(0.8, 0.9), number(0.8, 0.9))
FLOAT = state(70, dtype=torch.float32)
HALF = state(70, dtype=torch.float16)
BETAS = (0.75, 0.875, 1e-2)
SAMPLES = [
    Sample(state(3, 4), state(3, 4), RATE, state(3, 4), state(3, 4), None, *POWERS, None, None, *BETAS),
    Sample(state(70), state(70), RATE, state(70), state(70), state(70), *POWERS, beta1=0.5, amsgrad=True),
    Sample(state(70), state(70), RATE, state(70), state(70), None, *POWERS, None, skip(True)),
    Sample(state(70), state(70), RATE, state(70), state(70), None, *POWERS, None, skip(False), use_global_beta_pow=True),
    Sample(HALF, HALF, RATE, FLOAT, FLOAT, None, *POWERS, FLOAT, None, *BETAS, multi_precision=True),
    Sample(HALF, HALF, RATE, HALF, HALF, HALF, *POWERS, None, None, *BETAS, amsgrad=True),
    Sample(state(0, 3), state(0, 3), RATE, state(0, 3), state(0, 3), None, *POWERS),
]
ERRORS = [
    Error(ValueError, r"'moment2_max' is required", state(3), state(3), RATE, state(3), state(3), None, *POWERS, amsgrad=True),
    Error(ValueError, r"'moment1'.*\[3\] of 'param', got \[4\]", state(3), state(3), RATE, state(4), state(3), None, *POWERS),
    Error(ValueError, r"'beta1_pow'.*shape \[2\]", state(3), state(3), RATE, state(3), state(3), None, number(size=2), RATE),
    Error(
        TypeError, r"'moment2': expected data type .*, that of 'moment1', got float32", HALF, HALF, RATE, HALF, FLOAT, None, *POWERS
    ),
]


def reference(
    param,
    grad,
    learning_rate,
    moment1,
    moment2,
    moment2_max,
    beta1_pow,
    beta2_pow,
    master_param=None,
    skip_update=None,
    beta1=0.9,
    beta2=0.999,
    epsilon=1e-8,
    lazy_mode=False,
    min_row_size_to_use_multithread=1000,
    multi_precision=False,
    use_global_beta_pow=False,
    amsgrad=False,
):
    if skip_update is not None and skip_update.item():
        return param, moment1, moment2, moment2_max, beta1_pow, beta2_pow, master_param
    moment1 = beta1 * moment1 + (1 - beta1) * grad
    moment2 = beta2 * moment2 + (1 - beta2) * grad * grad
    moment2_max = torch.maximum(moment2_max, moment2) if amsgrad else moment2_max
    rate = learning_rate * (1 - beta2_pow).sqrt() / (1 - beta1_pow)
    root = (moment2_max if amsgrad else moment2).sqrt()
    current = master_param if multi_precision else param
    updated = current - rate * moment1 / (root + epsilon * (1 - beta2_pow).sqrt())
    powers = (beta1_pow, beta2_pow) if use_global_beta_pow else (beta1_pow * beta1, beta2_pow * beta2)
    return updated, moment1, moment2, moment2_max, *powers, updated if multi_precision else master_param
