import torch

from ..sample import Error, Sample, T
from .rmsprop_ import FLOAT, HALF, LARGE, RATE, state

SAMPLES = [
    Sample(state(3, 4), state(3, 4), state(3, 4), state(3, 4), RATE, None, 0.75, 1e-2),
    Sample(state(70), T(70, low=9, high=10, grad=False), state(70), state(70), RATE, None, 0.5, 1e-2),
    Sample(HALF, LARGE, FLOAT, FLOAT, RATE, FLOAT, 0.75, 1e-2, True),
    Sample(HALF, HALF, HALF, HALF, RATE, None, 0.75, 1e-2),
    Sample(state(0, 3), state(0, 3), state(0, 3), state(0, 3), RATE),
]
ERRORS = [
    Error(ValueError, r"'avg_squared_grad'.*the shape \[3\] of 'param', got \[4\]", state(3), state(3), state(4), state(3), RATE),
    Error(TypeError, r"'avg_squared_update': expected data type .*, that of 'avg_squared_grad'", HALF, HALF, HALF, FLOAT, RATE),
    Error(ValueError, r"'learning_rate'.*one element", state(3), state(3), state(3), state(3), state(2)),
]


def reference(
    param,
    grad,
    avg_squared_grad,
    avg_squared_update,
    learning_rate,
    master_param=None,
    rho=0.95,
    epsilon=1e-6,
    multi_precision=False,
):
    avg_squared_grad = rho * avg_squared_grad + (1 - rho) * grad * grad
    update = torch.sqrt((avg_squared_update + epsilon) / (avg_squared_grad + epsilon)) * grad
    avg_squared_update = rho * avg_squared_update + (1 - rho) * update * update
    updated = (master_param if multi_precision else param) - learning_rate * update
    return updated, avg_squared_grad, avg_squared_update, updated if multi_precision else master_param
