from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4)),
    Sample(T(2, 3, 70), 0.0, 2.0, 7),
    Sample(T(4, 4), -1.0, 1.0, 0, 4, 4, 9.0),
    Sample(T()),
    Sample(T(0, 3)),
]
ERRORS = [
    Error(ValueError, r"'min' and 'max'.*finite.*got 0 and inf", T(3), 0.0, float("inf")),
    Error(ValueError, r"'diag_num' and 'diag_step'.*which has 3, got 2 that are 2 \+ 1 apart", T(3), -1.0, 1.0, 0, 2, 2),
]


def reference(x, min=-1.0, max=1.0, seed=0, diag_num=0, diag_step=0, diag_val=1.0):  # values: tests/ops/test_draws.py
    return None
