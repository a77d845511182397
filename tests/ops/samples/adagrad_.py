import torch

from ..sample import Error, Sample, T


def state(*shape, dtype=None):
    return T(*shape, dtype=dtype, low=0.1, grad=False)


RATE = T(1, dtype=torch.float32, low=0.1, high=0.5, grad=False)
FLOAT = state(70, dtype=torch.float32)
HALF = state(70, dtype=torch.bfloat16)
SAMPLES = [
    Sample(state(3, 4), state(3, 4), state(3, 4), RATE),
    Sample(state(2, 3, 70), state(2, 3, 70), state(2, 3, 70), RATE, None, 1e-3),
    Sample(HALF, HALF, FLOAT, RATE, FLOAT, 1e-3, True),
    Sample(HALF, FLOAT, HALF, RATE, None, 1e-3),
    Sample(state(0, 3), state(0, 3), state(0, 3), RATE),
]
ERRORS = [
    Error(ValueError, r"'moment'.*the shape \[3\] of 'param', got \[4\]", state(3), state(3), state(4), RATE),
    Error(ValueError, r"'master_param' is required", HALF, HALF, FLOAT, RATE, None, 1e-3, True),
    Error(TypeError, r"'moment'.*float32 for a half", HALF, HALF, state(70, dtype=torch.float64), RATE),
]


def reference(param, grad, moment, learning_rate, master_param=None, epsilon=1e-6, multi_precision=False):
    moment = moment + grad * grad
    updated = (master_param if multi_precision else param) - learning_rate * grad / (torch.sqrt(moment) + epsilon)
    return updated, moment, updated if multi_precision else master_param
