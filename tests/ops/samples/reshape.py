from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(2, 6), [3, 4]),
    Sample(T(2, 3, 4), [0, -1]),
    Sample(T(4), [2, 2]),
    Sample(T(), [-1]),
    Sample(T(1), []),
    Sample(T(0, 3), [-1, 3]),
    Sample(T(0, 3), [0, -1]),
    Sample(T(2, 0, 4), [0, 8]),  # no elements, and a 0 that stands for itself
    Sample(T(2, 0), [0]),
]
ERRORS = [
    Error(ValueError, r"'shape'.*\[2, 3\].*do not fit \[4\]", T(2, 3), [4]),
    Error(ValueError, r"'shape'.*at most one -1", T(2, 3), [-1, -1]),
    Error(ValueError, r"'shape'.*got -2 at 0", T(2, 3), [-2, 3]),
    Error(ValueError, r"'shape'", T(2, 3), [5, -1]),
]


def reference(x, shape):
    given = shape
    shape = [x.shape[i] if n == 0 else n for i, n in enumerate(shape)]
    if x.numel() == 0 and 0 not in shape and -1 not in shape:
        return x.reshape(given)
    if x.numel() == 0 and 0 in shape and -1 in shape:
        shape[shape.index(-1)] = 3
    return x.reshape(shape)
