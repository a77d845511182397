from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4)),
    Sample(T(2, 3, 70), 0.5, True),
    Sample(T(4, 3), 2.0, False, 0),
    Sample(T(3, 1)),
    Sample(T()),
    Sample(T(0, 3)),
]
ERRORS = [
    Error(ValueError, r"'temperature'.*above 0, got 0", T(3), 0.0),
    Error(IndexError, r"'axis'.*\[-2, 2\).*got 2", T(2, 3), 1.0, False, 2),
]


def reference(x, temperature=1.0, hard=False, axis=-1):
    """Where chance has no part in it; the other calls are those of tests/ops/test_draws.py."""
    return x * 0 + 1 if x.dim() == 0 or x.shape[axis] == 1 else None
