from ..sample import Error, Sample, T

SAMPLES = [Sample(T(3, 4)), Sample(T(2, 3, 70), 1.0, 2.0, 7), Sample(T(5), 3.0, 0.0), Sample(T()), Sample(T(0, 3))]
ERRORS = [Error(ValueError, r"'std'.*at least 0, got -1", T(3), 0.0, -1.0)]


def reference(x, mean=0.0, std=1.0, seed=0):  # values: tests/ops/test_draws.py
    return None if std else x * 0 + (complex(mean, mean) if x.is_complex() else mean)
