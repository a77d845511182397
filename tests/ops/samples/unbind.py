from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 2)),
    Sample(T(2, 3, 4), -2),
    Sample(T(2, 3, 4), 2),
    Sample(T(3)),
    Sample(T(2, 0), 0),
]
ERRORS = [
    Error(IndexError, r"'axis'.*\[-2, 2\), got 2", T(2, 3), 2),
    Error(ValueError, r"'input'.*at least one dimension", T()),
]


def reference(input, axis=0):
    return list(input.unbind(axis))
