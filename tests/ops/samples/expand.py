from ..sample import Error, Sample, T

SAMPLES = [
    # opcheck takes the first one: torch 2.12 cannot differentiate the others when they are compiled, nor aten.expand
    Sample(T(2, 1, 3), [4, 2, 5, -1]),
    Sample(T(3, 1), [3, 4]),
    Sample(T(1, 3), [2, 2, 3]),
    Sample(T(2, 3), [2, 3]),
    Sample(T(), [2, 3]),
    Sample(T()),
    Sample(T(1, 3), [0, 3]),
    Sample(T(2, 3), [0, 2, 3]),
]
ERRORS = [
    Error(ValueError, r"'shape'.*the 2 dimensions of x, got \[3\]", T(2, 3), [3]),
    Error(ValueError, r"'shape'.*\[2, 3\] does not broadcast to \[2, 4\]; dimension 1 must be 3", T(2, 3), [2, 4]),
    Error(ValueError, r"'shape'.*got -1 at 0", T(2, 3), [-1, 2, 3]),
    Error(ValueError, r"'shape'.*got -2 at 0", T(2, 3), [-2, 3]),
]


def reference(x, shape=()):
    return x.expand(shape)
