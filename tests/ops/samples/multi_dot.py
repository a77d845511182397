import functools
import operator

from ..sample import Error, Sample, T

SAMPLES = [
    Sample([T(2, 3), T(3, 4)]),
    Sample([T(3), T(3, 2), T(2, 4)]),
    Sample([T(2, 3), T(3, 4), T(4, 1), T(1)]),
    Sample([T(3), T(3)]),
    Sample([T(0, 3), T(3, 2), T(2, 2)]),
]
ERRORS = [
    Error(ValueError, "'x'.*at least 2 tensors", [T(2, 2)]),
    Error(ValueError, "do not fit a product", [T(2, 3), T(2, 3)]),
    Error(ValueError, "expected a matrix", [T(2, 3), T(3), T(3)]),
]


def reference(x):
    return functools.reduce(operator.matmul, x)
