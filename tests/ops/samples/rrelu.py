from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), 0.25, 0.5, True),
    Sample(T(70), 0.25, 0.25),
    Sample(T(3, 4), 0.125, 0.5),
    Sample(T(5, low=0), 0.125, 0.5),
    Sample(T(), 0.125, 0.25, True),
    Sample(T(0, 3)),
]
ERRORS = [Error(ValueError, r"0 <= 'lower' <= 'upper' <= 1, got 0.5", T(3), 0.5, 0.25)]


def reference(x, lower=1 / 8, upper=1 / 3, is_test=False):
    """Where chance has no part in it; the other calls are those of tests/ops/test_draws.py."""
    if not is_test and lower != upper and (x < 0).any():
        return None
    return x.clamp(min=0) + x.clamp(max=0) * (lower + upper) / 2
