from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(2, 6, 3, 2), 2),
    Sample(T(2, 3, 2, 6), 3, -1),
    Sample(T(1, 4, 3, 3), 4, 1),
    Sample(T(2, 3, 1, 4), 1, 3),
    Sample(T(0, 4, 2, 2), 2),
]
LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned", "channels_last")  # of equal channels the first has the gradient
ERRORS = [
    Error(ValueError, r"'groups'.*4 channels.*got 3", T(2, 4, 3, 3), 3),
    Error(ValueError, r"'groups'.*got 0", T(2, 4, 3, 3), 0),
    Error(IndexError, r"'axis'.*got 4", T(2, 4, 3, 3), 2, 4),
]


def reference(x, groups, axis=1):
    return x.unflatten(axis, (-1, groups) if x.numel() else (x.shape[axis] // groups, groups)).max(axis % 4 + 1).values
