from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(2, 3, 4), 0, 1),
    Sample(T(2, 3, 4), 1, -1),
    Sample(T(2, 3), 1),
    Sample(T(2, 3, 1, 2)),
    Sample(T(), 0, -1),
    Sample(T(0, 3, 2), 0, 2),
    Sample(T(4), 0, 0),
]
ERRORS = [
    Error(IndexError, r"'stop_axis'.*\[-2, 2\), got 2", T(2, 3), 0, 2),
    Error(IndexError, r"'start_axis'.*\[-1, 1\), got 1", T(), 1, 1),
    Error(ValueError, r"'stop_axis'.*before start_axis 1, got 0", T(2, 3), 1, 0),
]


def reference(x, start_axis=1, stop_axis=1):
    return x.flatten(start_axis, stop_axis)
