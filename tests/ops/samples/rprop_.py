import torch

from ..sample import Error, Sample, T
from .rmsprop_ import FLOAT, HALF, LARGE, state

RANGE, ETAS = torch.tensor([0.125, 1.0]), torch.tensor([0.5, 1.25])


def signed(*shape, dtype=None):
    return T(*shape, dtype=dtype, grad=False)


SAMPLES = [
    Sample(state(3, 4), signed(3, 4), signed(3, 4), state(3, 4), None, RANGE, ETAS),
    Sample(state(70), signed(70), signed(70), state(70), None, RANGE, ETAS.double()),
    Sample(HALF, LARGE, FLOAT, FLOAT, FLOAT, RANGE, ETAS, True),
    Sample(HALF, HALF, HALF, HALF, None, RANGE, ETAS),
    Sample(state(0, 3), state(0, 3), state(0, 3), state(0, 3), None, RANGE, ETAS),
]
THREE = state(3)
ERRORS = [
    Error(ValueError, r"'learning_rate'.*the shape \[3\] of 'param', got \[1\]", THREE, THREE, THREE, state(1), None, RANGE, ETAS),
    Error(
        TypeError,
        r"'learning_rate': expected data type float64, that of 'prev', got float32",
        THREE,
        THREE,
        T(3, dtype=torch.float64),
        T(3, dtype=torch.float32),
        None,
        RANGE,
        ETAS,
    ),
    Error(ValueError, r"'etas'.*two numbers.*\[3\]", THREE, THREE, THREE, THREE, None, RANGE, THREE),
    Error(ValueError, r"'master_param' is required", THREE, THREE, THREE, THREE, None, RANGE, ETAS, True),
]


def reference(param, grad, prev, learning_rate, master_param, learning_rate_range, etas, multi_precision=False):
    turned = grad * prev
    factor = torch.where(turned > 0, etas[1], torch.where(turned < 0, etas[0], 1.0))
    prev = torch.where(turned < 0, 0, grad)
    rate = (learning_rate * factor).clamp(learning_rate_range[0].item(), learning_rate_range[1].item())
    updated = (master_param if multi_precision else param) - rate * prev.sign()
    return updated, prev, rate, updated if multi_precision else master_param
