from ..sample import Error, Sample, T

SAMPLES = [Sample(T(3, 4), 0, 3), Sample(T(2, 3), -1, 3), Sample(T(1, 2), 0, 1), Sample(T(2, 0), 0, 2)]
ERRORS = [
    Error(ValueError, "'num'.*expected 3, the size of axis 0 of 'x', got 2", T(3, 2), 0, 2),
    Error(IndexError, "'axis'.*got 2", T(2, 2), 2, 2),
]


def reference(x, axis=0, num=0):
    return [x.select(axis, i) for i in range(num)]
