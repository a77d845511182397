import torch

from ..sample import Error, Sample, T
from .adamax_ import POW
from .rmsprop_ import FLOAT, HALF, LARGE, RATE, state

NUMBERS = (POW, POW, POW)
# as many equal ones as the parameter has, as PaddlePaddle's optimizers keep them
EACH = [T(3, 4, dtype=torch.float32, low=one, high=one, grad=False) for one in (0.75, 0.5, 0.625)]
SETTINGS = (0.75, 0.5, 2**-7, 0.25)
SAMPLES = [
    Sample(state(3, 4), state(3, 4), RATE, *NUMBERS, state(3, 4), state(3, 4), None, *SETTINGS),
    Sample(state(70), T(70, low=9, high=10, grad=False), RATE, *NUMBERS, state(70), state(70), None, *SETTINGS),
    Sample(HALF, LARGE, RATE, *NUMBERS, FLOAT, FLOAT, FLOAT, *SETTINGS, True),
    Sample(HALF, HALF, RATE, *NUMBERS, HALF, HALF, None, *SETTINGS),
    Sample(state(3, 4), state(3, 4), RATE, *EACH, state(3, 4), state(3, 4), None, *SETTINGS),
    Sample(state(0, 3), state(0, 3), RATE, *NUMBERS, state(0, 3), state(0, 3), None, *SETTINGS),
]
THREE = state(3)
ERRORS = [
    Error(ValueError, r"'moment1'.*the shape \[3\] of 'param', got \[4\]", THREE, THREE, RATE, *NUMBERS, state(4), THREE),
    Error(TypeError, r"'moment2': expected data type .*, that of 'moment1'", HALF, HALF, RATE, *NUMBERS, HALF, FLOAT),
    Error(ValueError, r"'mu_product'.*one element", THREE, THREE, RATE, POW, POW, state(2), THREE, THREE),
    Error(ValueError, r"must have as many elements", THREE, THREE, RATE, POW, POW, THREE, THREE, THREE),
    Error(ValueError, r"'master_param' is required", THREE, THREE, RATE, *NUMBERS, THREE, THREE, multi_precision=True),
]


def reference(
    param,
    grad,
    learning_rate,
    momentum_decay_pow,
    beta2_pow,
    mu_product,
    moment1,
    moment2,
    master_param=None,
    beta1=0.9,
    beta2=0.999,
    epsilon=1e-8,
    momentum_decay=0.004,
    multi_precision=False,
):
    decay, power = momentum_decay_pow.double() * 0.96, beta2_pow.double() * beta2
    mu = beta1 * (1 - 0.5 * decay**momentum_decay)
    after = beta1 * (1 - 0.5 * (decay * 0.96) ** momentum_decay)
    product = mu_product.double() * mu
    moment1 = beta1 * moment1 + (1 - beta1) * grad
    moment2 = beta2 * moment2 + (1 - beta2) * grad * grad
    ahead = after * moment1 / (1 - product * after) + (1 - mu) * grad / (1 - product)
    step = learning_rate * ahead / ((moment2 / (1 - power)).sqrt() + epsilon)
    updated = (master_param if multi_precision else param) - step
    return updated, decay, power, product, moment1, moment2, updated if multi_precision else master_param
