from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), [2, -1], [1, 1]),
    Sample(T(2, 3, 4), [1, 3, 2], [1, 0, 2]),
    Sample(T(3, 4), [2, 2]),
    Sample(T(3, 4), [2, 0], [1, 1]),
    Sample(T(5), [3], [2]),
    Sample(T(0, 4), [0, 2], [0, 1]),
]
ERRORS = [
    Error(ValueError, r"'shape'.*2 dimensions, got 1", T(3, 4), [2]),
    Error(ValueError, r"'offsets'.*2 dimensions, got 1", T(3, 4), [2, 2], [0]),
    Error(ValueError, r"inside of 'x', \[3, 4\].*\[3, 2\] from 1 on.*dimension 0", T(3, 4), [3, 2], [1, 0]),
    Error(ValueError, r"inside of 'x'", T(3, 4), [3, 2], [-1, 0]),
]


def reference(x, shape=(), offsets=()):
    starts = [int(n) for n in offsets] if len(offsets) else [0] * x.dim()
    return x[tuple(slice(a, None if n == -1 else a + int(n)) for a, n in zip(starts, shape))]
