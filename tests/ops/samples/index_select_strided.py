from ..sample import Error, Sample, T

SAMPLES = [Sample(T(3, 4), 1), Sample(T(2, 3, 4), -1, 2), Sample(T(5), 0, -1), Sample(T(2, 0), 1)]
ERRORS = [
    Error(IndexError, r"'index'.*\[-3, 3\), got 3", T(3, 4), 3),
    Error(IndexError, r"'axis'.*got 2", T(3, 4), 0, 2),
    Error(ValueError, r"'x'.*at least one dimension", T(), 0),
]


def reference(x, index, axis=0):
    return x.movedim(axis, 0)[index]
