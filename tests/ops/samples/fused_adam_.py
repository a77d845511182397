import torch

from ..sample import Error, Sample, T
from . import adam_, adamw_
from .adam_ import RATE
from .merged_adam_ import EMPTY, FLOAT, HALF, ONE, OTHER, TWO, powers

SETTINGS = (0.75, 0.5, 2**-7, 64, 0.25)
SKIP = T(1, dtype=torch.bool, grad=False)
SAMPLES = [
    Sample(TWO, TWO, RATE, TWO, TWO, None, *powers(2), None, None, *SETTINGS, False, False, False),
    Sample(TWO, TWO, RATE, TWO, TWO, TWO, *powers(2), None, None, *SETTINGS, True, False, False, True),
    Sample(HALF, HALF, RATE, FLOAT, FLOAT, None, *powers(2), FLOAT, None, *SETTINGS, True, True, True),
    Sample(TWO, TWO, RATE, TWO, TWO, None, *powers(2), None, SKIP, *SETTINGS, True, False, False),
    Sample(EMPTY, EMPTY, RATE, EMPTY, EMPTY, None, *powers(2), None, None, *SETTINGS, False, False, True),
]
FLAGS = (False, False, False)
ERRORS = [
    Error(
        ValueError,
        r"'moments2'.*'param' has 1, got 2",
        *(ONE, ONE, RATE, ONE, ONE + ONE, None, *powers(1), None, None, *SETTINGS, *FLAGS),
    ),
    Error(
        ValueError,
        r"'moment2_max' is required",
        *(ONE, ONE, RATE, ONE, ONE, None, *powers(1), None, None, *SETTINGS, *FLAGS, True),
    ),
    Error(
        ValueError,
        r"parameter 0: .*'moment1'.*\[3\] of 'param', got \[4\]",
        *(ONE, ONE, RATE, OTHER, ONE, None, *powers(1), None, None, *SETTINGS, *FLAGS),
    ),
]


def reference(
    params,
    grads,
    learning_rate,
    moments1,
    moments2,
    moments2_max,
    beta1_pows,
    beta2_pows,
    master_params,
    skip_update,
    beta1,
    beta2,
    epsilon,
    chunk_size,
    weight_decay,
    use_adamw,
    multi_precision,
    use_global_beta_pow,
    amsgrad=False,
):
    count = len(params)
    maxima, masters = moments2_max or [None] * count, master_params or [None] * count
    options = dict(multi_precision=multi_precision, use_global_beta_pow=use_global_beta_pow, amsgrad=amsgrad)
    step = adamw_.reference if use_adamw else adam_.reference
    options |= dict(coeff=weight_decay, with_decay=True) if use_adamw else {}
    each = zip(params, grads, [learning_rate] * count, moments1, moments2, maxima, beta1_pows, beta2_pows, masters)
    steps = [step(*(*tensors, skip_update, beta1, beta2, epsilon), **options) for tensors in each]
    results = [list(result) for result in zip(*steps)]
    return tuple(None if result[0] is None else result for result in results)
