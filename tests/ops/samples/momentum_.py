import torch

from ..sample import Error, Sample, T


def state(*shape, dtype=None):
    return T(*shape, dtype=dtype, low=0.1, grad=False)


RATE = T(1, dtype=torch.float32, low=0.1, high=0.5, grad=False)
FLOAT = state(70, dtype=torch.float32)
HALF = state(70, dtype=torch.float16)
SAMPLES = [
    Sample(state(3, 4), state(3, 4), state(3, 4), RATE, None, 0.5),
    Sample(state(70), state(70), state(70), RATE, None, 0.5, True, "l2_decay", 0.25, False, 2.0),
    Sample(HALF, HALF, FLOAT, RATE, FLOAT, 0.5, False, "", 0.0, True),
    Sample(HALF, HALF, HALF, RATE, None, 0.5, True, "l2_decay", 0.125),
    Sample(state(0, 3), state(0, 3), state(0, 3), RATE, None, 0.5),
]
ERRORS = [
    Error(ValueError, r"'regularization_method'.*got 'l1'", state(3), state(3), state(3), RATE, None, 0.5, False, "l1"),
    Error(ValueError, r"'velocity'.*the shape \[3\] of 'param', got \[4\]", state(3), state(3), state(4), RATE, None, 0.5),
    Error(ValueError, r"'master_param' is required", state(3), state(3), state(3), RATE, None, 0.5, multi_precision=True),
]


def reference(
    param,
    grad,
    velocity,
    learning_rate,
    master_param,
    mu,
    use_nesterov=False,
    regularization_method="",
    regularization_coeff=0.0,
    multi_precision=False,
    rescale_grad=1.0,
):
    current = master_param if multi_precision else param
    grad = grad * rescale_grad + (regularization_coeff * current if regularization_method else 0)
    velocity = mu * velocity + grad
    updated = current - learning_rate * (grad + mu * velocity if use_nesterov else velocity)
    return updated, velocity, updated if multi_precision else master_param
