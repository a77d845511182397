import torch

from ..sample import Error, Sample, T
from .rmsprop_ import FLOAT, HALF, LARGE, RATE, state

POW = T(1, dtype=torch.float32, low=0.5, high=0.9, grad=False)
SAMPLES = [
    Sample(state(3, 4), state(3, 4), RATE, state(3, 4), state(3, 4), POW, None, 0.75, 0.5, 1e-2),
    Sample(state(70), T(70, low=9, high=10, grad=False), RATE, state(70), state(70), POW, None, 0.5),
    Sample(HALF, LARGE, RATE, FLOAT, FLOAT, POW, FLOAT, 0.75, 0.5, 1e-2, True),
    Sample(HALF, HALF, RATE, HALF, HALF, POW, None, 0.75, 0.5, 1e-2),
    Sample(state(0, 3), state(0, 3), RATE, state(0, 3), state(0, 3), POW),
]
ERRORS = [
    Error(ValueError, r"'moment'.*the shape \[3\] of 'param', got \[4\]", state(3), state(3), RATE, state(4), state(3), POW),
    Error(TypeError, r"'inf_norm': expected data type .*, that of 'moment'", HALF, HALF, RATE, HALF, FLOAT, POW),
    Error(ValueError, r"'beta1_pow'.*one element", state(3), state(3), RATE, state(3), state(3), state(2)),
    Error(ValueError, r"'master_param' is required", state(3), state(3), RATE, state(3), state(3), POW, multi_precision=True),
]


def reference(
    param,
    grad,
    learning_rate,
    moment,
    inf_norm,
    beta1_pow,
    master_param=None,
    beta1=0.9,
    beta2=0.999,
    epsilon=1e-8,
    multi_precision=False,
):
    moment = beta1 * moment + (1 - beta1) * grad
    inf_norm = torch.maximum(grad.abs(), beta2 * inf_norm + epsilon)
    updated = (master_param if multi_precision else param) - learning_rate / (1 - beta1_pow) * moment / inf_norm
    return updated, moment, inf_norm, updated if multi_precision else master_param
