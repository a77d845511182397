import torch

from ..sample import Error, Sample, T
from . import batch_norm
from .batch_norm import statistics

SAMPLES = [
    Sample(T(3, 2, 2, 2), *statistics(2), T(2), T(2)),
    Sample(T(2, 3, 4), *statistics(3), T(3), T(3), momentum=0.6, epsilon=1e-3),
    Sample(T(2, 3, 2, 3), *statistics(3), T(3), T(3), data_format="NHWC"),
    Sample(T(2, 3, 2), *statistics(3), T(3), T(3), is_test=True),
    Sample(T(2, 2, 3), *statistics(3), T(3), T(3), use_global_stats=True, data_format="NHWC"),
    Sample(T(3, 2, 2), *statistics(2), T(2), T(2), is_test=True, trainable_statistics=True),
    Sample(T(2, 2, 2, 2, 2), *statistics(2), T(2), T(2), data_format="NCDHW"),
    Sample(T(0, 3, 2, 2), *statistics(3), T(3), T(3)),
]
TOLERANCE = {torch.float32: (1e-5, 1e-4)}
ERRORS = [
    Error(ValueError, r"'x'.*2 to 5 dimensions.*\[3\]", T(3), *statistics(3), T(3), T(3)),
    Error(ValueError, r"'mean'.*\[2\], got \[3\]", T(3, 2), T(3, grad=False), T(2, grad=False), T(2), T(2)),
    Error(ValueError, r"'scale'.*\[2\], got \[4\]", T(3, 2), *statistics(2), T(4), T(2)),
    Error(ValueError, r"'epsilon'.*>= 0.*-1", T(3, 2), *statistics(2), T(2), T(2), epsilon=-1.0),
]


def reference(x, mean, variance, scale, bias, is_test=False, momentum=0.9, epsilon=1e-5, *others, **named):
    """That of batch_norm; of running statistics, those that were used are saved."""
    *found, saved_mean, saved_variance, none = batch_norm.reference(
        x, mean, variance, scale, bias, is_test, momentum, epsilon, *others, **named
    )
    if named.get("use_global_stats") or (is_test and not named.get("trainable_statistics")):
        saved_mean, saved_variance = mean, (variance + epsilon).rsqrt()
    return *found, saved_mean, saved_variance, none
