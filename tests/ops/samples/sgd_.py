import torch

from ..sample import Error, Sample, T


def state(*shape, dtype=None):
    return T(*shape, dtype=dtype, low=0.1, grad=False)


RATE = T(1, dtype=torch.float32, low=0.1, high=0.5, grad=False)
MASTER = state(70, dtype=torch.float32)
HALF = state(70, dtype=torch.bfloat16)
SAMPLES = [
    Sample(state(3, 4), RATE, state(3, 4)),
    Sample(state(2, 3, 4, 5), RATE, state(2, 3, 4, 5)),
    Sample(state(70), T(1, dtype=torch.float64, grad=False), state(70)),
    Sample(state(70), T(1, dtype=torch.bfloat16, low=0.1, high=0.5, grad=False), state(70)),
    Sample(HALF, T(1, dtype=torch.float16, low=0.1, high=0.5, grad=False), HALF, MASTER, True),
    Sample(HALF, RATE, HALF, MASTER, True),
    Sample(HALF, RATE, state(70, dtype=torch.float32), MASTER, True),
    Sample(state(0, 3), RATE, state(0, 3)),
]
ERRORS = [
    Error(ValueError, r"'learning_rate'.*one element.*\[2\]", state(3), T(2, dtype=torch.float32, grad=False), state(3)),
    Error(ValueError, r"'grad'.*the shape \[3\] of 'param', got \[4\]", state(3), RATE, state(4)),
    Error(ValueError, r"'master_param' is required", state(3), RATE, state(3), None, True),
    Error(TypeError, r"'learning_rate'.*float16 or bfloat16, got int64", state(3), T(1, dtype=torch.int64), state(3)),
    Error(TypeError, r"'master_param'.*float32.*float16", HALF, RATE, HALF, state(70, dtype=torch.float16), True),
]


def reference(param, learning_rate, grad, master_param=None, multi_precision=False):
    updated = (master_param if multi_precision else param) - learning_rate * grad
    return updated, updated if multi_precision else master_param
