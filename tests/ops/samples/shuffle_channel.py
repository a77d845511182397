from ..sample import Error, Sample, T

SAMPLES = [Sample(T(2, 6, 3, 2), 2), Sample(T(1, 6, 2, 3), 3), Sample(T(1, 3, 2, 2)), Sample(T(0, 4, 2, 2), 2)]
ERRORS = [
    Error(ValueError, r"'group'.*4 channels, got 3", T(2, 4, 3, 3), 3),
    Error(ValueError, r"'x'.*4 dimensions.*\[2, 4, 3\]", T(2, 4, 3), 2),
]


def reference(x, group=1):
    order = [part * (x.shape[1] // group) + i for i in range(x.shape[1] // group) for part in range(group)]
    return x[:, order]
