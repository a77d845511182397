from ..sample import Error, Sample, T

SAMPLES = [Sample(T(3, 4, grad=False), 0.5), Sample(T(2, 3, 70, grad=False), 2.0), Sample(T(grad=False), 1.0), Sample(T(0, 3), 1.0)]
ERRORS = [Error(ValueError, r"'lam'.*above 0, got 0", T(3), 0.0)]


def reference(x, lam):  # values: tests/ops/test_draws.py
    return None
