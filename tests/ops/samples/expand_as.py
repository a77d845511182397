from ..sample import Error, Sample, T


def like(*shape):
    """Only its shape matters."""
    return T(*shape, grad=False)


SAMPLES = [
    Sample(T(3, 1), like(3, 4)),
    Sample(T(4), like(2, 3, 4)),
    Sample(T(2, 3), like(2, 3), [7]),
    Sample(T(), like(3)),
    Sample(T(1, 3), None, [2, -1]),
    Sample(T(3, 1, 70), None, [3, 4, 70]),
    Sample(T(1, 3), like(0, 3)),
]
ERRORS = [
    Error(ValueError, r"\[3\] does not broadcast to \[4\]", T(3), T(4)),
    Error(ValueError, r"at least the 2 dimensions of x, got \[3\]", T(2, 3), T(3)),
    Error(ValueError, r"'y' or 'target_shape', got neither", T(2, 3), None),
]


def reference(x, y, target_shape=()):
    return x.expand(*(target_shape if y is None else y.shape))
