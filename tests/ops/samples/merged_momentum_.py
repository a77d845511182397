import torch

from ..sample import Error, Sample, T
from . import momentum_


def state(*shape, dtype=None):
    return T(*shape, dtype=dtype, low=0.1, grad=False)


def lists(*shapes, **options):
    """Parameters, gradients and velocities."""
    return [[state(*shape, **options) for shape in shapes] for _ in range(3)]


RATE = T(1, dtype=torch.float32, low=0.1, high=0.5, grad=False)
HALF = [state(70, dtype=torch.float16), state(3, 4, dtype=torch.float16)]
FLOAT = [state(70, dtype=torch.float32), state(3, 4, dtype=torch.float32)]
SAMPLES = [
    Sample(*lists((3, 4), (70,)), [RATE], None, 0.5, False, []),
    Sample(*lists((3,), (2, 2)), [RATE, RATE], None, 0.5, True, ["l2_decay", ""], [0.25, 0.5], False, 2.0),
    Sample(HALF, HALF, FLOAT, [RATE], FLOAT, 0.5, False, [], [], True),
    Sample(*lists((0, 3), (3,)), [RATE], None, 0.5, False, []),
    Sample(*lists((3,)), [RATE], None, 0.5, False, []),
]
THREE, TWO = state(3), state(2)
ERRORS = [
    Error(ValueError, r"'grad'.*'param' has 2, got 1", [THREE, THREE], [THREE], [THREE, THREE], [RATE], None, 0.5, False, []),
    Error(ValueError, r"'learning_rate'.*got 2", [THREE], [THREE], [THREE], [RATE, RATE], None, 0.5, False, []),
    Error(
        ValueError,
        r"parameter 1: .*'velocity'.*the shape \[2\] of 'param', got \[3\]",
        *([THREE, TWO], [THREE, TWO], [THREE, THREE], [RATE], None, 0.5, False, []),
    ),
    Error(ValueError, r"'regularization_coeff'.*got 2", [THREE], [THREE], [THREE], [RATE], None, 0.5, False, [""], [0.0, 0.0]),
    Error(ValueError, r"'param'.*empty list", [], [], [], [RATE], None, 0.5, False, []),
]


def reference(
    param,
    grad,
    velocity,
    learning_rate,
    master_param,
    mu,
    use_nesterov,
    regularization_method,
    regularization_coeff=(),
    multi_precision=False,
    rescale_grad=1.0,
):
    rates = learning_rate * len(param) if len(learning_rate) == 1 else learning_rate
    steps = [
        momentum_.reference(
            *(param[i], grad[i], velocity[i], rates[i], master_param[i] if master_param else None, mu, use_nesterov),
            regularization_method[i] if regularization_method else "",
            regularization_coeff[i] if regularization_method else 0.0,
            multi_precision,
            rescale_grad,
        )
        for i in range(len(param))
    ]
    params, velocities, masters = map(list, zip(*steps))
    return params, velocities, masters if master_param else None
