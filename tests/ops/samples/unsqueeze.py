from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(2, 3), [1]),
    Sample(T(2, 3), [0, 0]),
    Sample(T(2, 3), [-1, 0, -1]),
    Sample(T(2, 3), [2, 0]),
    Sample(T(), [0]),
    Sample(T(0, 2), [1]),
    Sample(T(2, 3), []),
]
ERRORS = [
    Error(IndexError, r"'axis'.*\[-3, 3\) at 0, got 3", T(2, 3), [3, 0]),
    Error(IndexError, r"'axis'.*\[-4, 4\) at 1, got -5", T(2, 3), [0, -5]),
]


def reference(x, axis=()):
    for place in axis:
        x = x.unsqueeze(place)
    return x
