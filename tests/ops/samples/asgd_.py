import torch

from ..sample import Error, Sample, T
from .rmsprop_ import FLOAT, HALF, LARGE, RATE, state

N = torch.tensor([4.0])
SAMPLES = [
    Sample(state(3, 4), T(3, 4, grad=False), RATE, state(3, 4), state(3, 4), N),
    Sample(state(70), T(70, low=9, high=10, grad=False), RATE, state(70), state(70), N),
    Sample(HALF, LARGE, RATE, FLOAT, FLOAT, N, FLOAT, True),
    Sample(HALF, HALF, RATE, HALF, HALF, N),
    Sample(state(3, 4), T(3, 4, grad=False), RATE, state(3, 4), state(3, 4), torch.tensor([4])),
    Sample(state(0, 3), state(0, 3), RATE, state(0, 3), state(0, 3), N),
]
THREE = state(3)
ERRORS = [
    Error(ValueError, r"'d'.*the shape \[3\] of 'param', got \[4\]", THREE, THREE, RATE, state(4), THREE, N),
    Error(ValueError, r"'n'.*one element.*\[2\]", THREE, THREE, RATE, THREE, THREE, state(2)),
    Error(TypeError, r"'n'.*floating point.*got bool", THREE, THREE, RATE, THREE, THREE, torch.tensor([True])),
]


def reference(param, grad, learning_rate, d, y, n, master_param=None, multi_precision=False):
    d = d - y + grad
    updated = (master_param if multi_precision else param) - learning_rate / n * d
    return updated, d, grad, updated if multi_precision else master_param
