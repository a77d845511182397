from ..sample import Error, Sample
from .adam_ import BETAS, FLOAT, HALF, POWERS, RATE, skip, state
from .adam_ import reference as adam

DECAY = {"lr_ratio": 0.5, "coeff": 0.25, "with_decay": True}
SAMPLES = [
    Sample(state(3, 4), state(3, 4), RATE, state(3, 4), state(3, 4), None, *POWERS, None, None, *BETAS, 1.0, 0.25, True),
    Sample(state(70), state(70), RATE, state(70), state(70), None, *POWERS, lr_ratio=0.5, coeff=0.25),
    Sample(state(70), state(70), RATE, state(70), state(70), state(70), *POWERS, amsgrad=True, **DECAY),
    Sample(state(70), state(70), RATE, state(70), state(70), None, *POWERS, None, skip(True), **DECAY),
    Sample(state(70), state(70), RATE, state(70), state(70), None, *POWERS, use_global_beta_pow=True, **DECAY),
    Sample(HALF, HALF, RATE, FLOAT, FLOAT, None, *POWERS, FLOAT, None, *BETAS, multi_precision=True, **DECAY),
    Sample(state(0, 3), state(0, 3), RATE, state(0, 3), state(0, 3), None, *POWERS, with_decay=True),
]
ERRORS = [
    Error(ValueError, r"'moment2_max' is required", state(3), state(3), RATE, state(3), state(3), None, *POWERS, amsgrad=True),
    Error(ValueError, r"'grad'.*\[3\] of 'param', got \[4\]", state(3), state(4), RATE, state(3), state(3), None, *POWERS),
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
    lr_ratio=1.0,
    coeff=0.01,
    with_decay=False,
    lazy_mode=False,
    min_row_size_to_use_multithread=1000,
    multi_precision=False,
    use_global_beta_pow=False,
    amsgrad=False,
):
    skipped = skip_update is not None and skip_update.item()
    rate = learning_rate * lr_ratio
    decay = 1 - rate * coeff if with_decay and not skipped else 1
    state = (moment1, moment2, moment2_max, beta1_pow, beta2_pow)
    master_param = master_param * decay if multi_precision else master_param
    options = {"multi_precision": multi_precision, "use_global_beta_pow": use_global_beta_pow, "amsgrad": amsgrad}
    return adam(param * decay, grad, rate, *state, master_param, skip_update, beta1, beta2, epsilon, **options)
