import torch

from ..sample import Error, Sample
from . import adam_
from .adam_ import BETAS, RATE, number, state

HALF = [state(70, dtype=torch.float16), state(3, 4, dtype=torch.float16)]
FLOAT = [state(70, dtype=torch.float32), state(3, 4, dtype=torch.float32)]


def states(*shapes):
    return [state(*shape) for shape in shapes]


def powers(count):
    """beta1_pow and beta2_pow."""
    return [[number(0.8, 0.9) for _ in range(count)] for _ in range(2)]


TWO = states((3, 4), (70,))
EMPTY = states((0, 3), (3,))
SAMPLES = [
    Sample(TWO, TWO, [RATE], TWO, TWO, None, *powers(2), None, *BETAS),
    Sample(TWO, TWO, [RATE, RATE], TWO, TWO, TWO, *powers(2), beta1=0.5, amsgrad=True),
    Sample(HALF, HALF, [RATE], FLOAT, FLOAT, None, *powers(2), FLOAT, *BETAS, multi_precision=True),
    Sample(EMPTY, EMPTY, [RATE], EMPTY, EMPTY, None, *powers(2), use_global_beta_pow=True),
]
ONE, OTHER = states((3,)), states((4,))
ERRORS = [
    Error(ValueError, r"'moment2'.*'param' has 1, got 2", ONE, ONE, [RATE], ONE, ONE + ONE, None, *powers(1)),
    Error(ValueError, r"'moment2_max' is required", ONE, ONE, [RATE], ONE, ONE, None, *powers(1), amsgrad=True),
    Error(ValueError, r"parameter 0: .*'moment1'.*\[3\] of 'param', got \[4\]", ONE, ONE, [RATE], OTHER, ONE, None, *powers(1)),
    Error(ValueError, r"'learning_rate'.*got 0", ONE, ONE, [], ONE, ONE, None, *powers(1)),
    Error(ValueError, r"'param'.*empty list", [], [], [RATE], [], [], None, [], []),
]


def reference(
    param,
    grad,
    learning_rate,
    moment1,
    moment2,
    moment2_max,
    beta1_pow,
    beta2_pow,
    master_param=None,
    beta1=0.9,
    beta2=0.999,
    epsilon=1e-8,
    **options,
):
    count = len(param)
    rates = learning_rate * count if len(learning_rate) == 1 else learning_rate
    maxima, masters = moment2_max or [None] * count, master_param or [None] * count
    each = zip(param, grad, rates, moment1, moment2, maxima, beta1_pow, beta2_pow, masters)
    steps = [adam_.reference(*(*tensors, None, beta1, beta2, epsilon), **options) for tensors in each]
    results = [list(result) for result in zip(*steps)]
    return tuple(None if result[0] is None else result for result in results)
