import torch

from ..sample import Error, Sample, T


def state(*shape, dtype=None):
    return T(*shape, dtype=dtype, low=0.1, grad=False)


RATE = T(1, dtype=torch.float32, low=0.1, high=0.5, grad=False)
FLOAT = state(70, dtype=torch.float32)
HALF = state(70, dtype=torch.bfloat16)
LARGE = T(70, dtype=torch.float32, low=9, high=10, grad=False)
SAMPLES = [
    Sample(state(3, 4), state(3, 4), state(3, 4), state(3, 4), RATE, None, None, 1e-2, 0.5, 0.25),
    Sample(state(70), T(70, low=9, high=10, grad=False), state(70), state(70), RATE, state(70), None, 1e-2, 0.75, 0.5, True),
    Sample(state(70), state(70), state(70), state(70), RATE, state(70), None, 1e-2, 0.75),
    Sample(HALF, LARGE, HALF, FLOAT, RATE, FLOAT, FLOAT, 1e-2, 0.75, 0.5, True, True),
    Sample(HALF, HALF, FLOAT, HALF, RATE, None, None, 1e-2),
    Sample(state(0, 3), state(0, 3), state(0, 3), state(0, 3), RATE),
]
ERRORS = [
    Error(ValueError, r"'mean_grad' is required when centered", state(3), state(3), state(3), state(3), RATE, centered=True),
    Error(ValueError, r"'mean_square'.*the shape \[3\] of 'param', got \[4\]", state(3), state(4), state(3), state(3), RATE),
    Error(TypeError, r"'moment': expected data type float32, that of 'mean_square'", HALF, FLOAT, HALF, HALF, RATE),
]


def reference(
    param,
    mean_square,
    grad,
    moment,
    learning_rate,
    mean_grad=None,
    master_param=None,
    epsilon=1e-10,
    decay=0.9,
    momentum=0.0,
    centered=False,
    multi_precision=False,
):
    mean_square = decay * mean_square + (1 - decay) * grad * grad
    variance = mean_square
    if centered:
        mean_grad = decay * mean_grad + (1 - decay) * grad
        variance = mean_square - mean_grad * mean_grad
    moment = momentum * moment + learning_rate * grad / torch.sqrt(variance + epsilon)
    updated = (master_param if multi_precision else param) - moment
    return updated, moment, mean_square, mean_grad, updated if multi_precision else master_param
