import torch

from ..sample import Error, Sample, T
from .adamax_ import POW
from .rmsprop_ import FLOAT, HALF, LARGE, RATE, state

NUMBERS = (POW, POW, T(1, dtype=POW.dtype, low=20, high=30, grad=False))  # of a variance that counts
FIRST = (POW, POW, T(1, dtype=POW.dtype, low=63, high=70, grad=False))
# as many equal ones as the parameter has, as PaddlePaddle's optimizers keep them
EACH = [T(3, 4, dtype=torch.float32, low=one, high=one, grad=False) for one in (0.75, 0.5, 25.0)]
SETTINGS = (0.75, 1 - 2**-6, 2**-7)
SAMPLES = [
    Sample(state(3, 4), state(3, 4), RATE, *NUMBERS, state(3, 4), state(3, 4), None, *SETTINGS),
    Sample(state(3, 4), state(3, 4), RATE, *FIRST, state(3, 4), state(3, 4), None, *SETTINGS),
    Sample(state(70), T(70, low=9, high=10, grad=False), RATE, *NUMBERS, state(70), state(70), None, *SETTINGS),
    Sample(HALF, LARGE, RATE, *NUMBERS, FLOAT, FLOAT, FLOAT, *SETTINGS, True),
    Sample(HALF, HALF, RATE, *FIRST, HALF, HALF, None, *SETTINGS),
    Sample(state(3, 4), state(3, 4), RATE, *EACH, state(3, 4), state(3, 4), None, *SETTINGS),
    Sample(state(0, 3), state(0, 3), RATE, *NUMBERS, state(0, 3), state(0, 3), None, *SETTINGS),
]
THREE = state(3)
ERRORS = [
    Error(ValueError, r"'moment2'.*the shape \[3\] of 'param', got \[4\]", THREE, THREE, RATE, *NUMBERS, THREE, state(4)),
    Error(TypeError, r"'moment2': expected data type .*, that of 'moment1'", HALF, HALF, RATE, *NUMBERS, HALF, FLOAT),
    Error(ValueError, r"'rho'.*one element", THREE, THREE, RATE, POW, POW, state(2), THREE, THREE),
    Error(ValueError, r"must have as many elements", THREE, THREE, RATE, POW, POW, THREE, THREE, THREE),
    Error(ValueError, r"'master_param' is required", THREE, THREE, RATE, *NUMBERS, THREE, THREE, multi_precision=True),
]


def reference(
    param,
    grad,
    learning_rate,
    beta1_pow,
    beta2_pow,
    rho,
    moment1,
    moment2,
    master_param=None,
    beta1=0.9,
    beta2=0.999,
    epsilon=1e-8,
    multi_precision=False,
):
    first, second = beta1_pow.double() * beta1, beta2_pow.double() * beta2
    rho = (rho.double() * (beta2 - second) + second) / (1 - second)
    moment1 = beta1 * moment1 + (1 - beta1) * grad
    moment2 = beta2 * moment2 + (1 - beta2) * grad * grad
    most = 2 / (1 - beta2) - 1
    now = most - 2 * rho
    step = learning_rate * moment1 / (1 - first)
    if now.flatten()[0] > 5:
        factor = (now - 4) * (now - 2) * most / ((most - 4) * (most - 2) * now)
        step = step * factor.sqrt() * (1 - second).sqrt() / (moment2.sqrt() + epsilon)
    updated = (master_param if multi_precision else param) - step
    return updated, first, second, rho, moment1, moment2, updated if multi_precision else master_param
