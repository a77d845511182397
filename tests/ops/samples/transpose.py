from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), [1, 0]),
    Sample(T(2, 3, 4), [0, -1, 1]),
    Sample(T(2, 3, 4, 2), [2, 0, 3, 1]),
    Sample(T(), []),
    Sample(T(0, 3), [1, 0]),
]
ERRORS = [
    Error(ValueError, r"'perm'.*each of the 2 dimensions of x, got 1", T(2, 3), [0]),
    Error(ValueError, r"'perm'.*axis 1 again at 1", T(2, 3), [1, 1]),
    Error(IndexError, r"'perm'.*\[-2, 2\).*got 2", T(2, 3), [0, 2]),
]


def reference(x, perm):
    return x.permute(perm)
