from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), 2.0),
    Sample(T(4, 3), 1.0, 1),
    Sample(T(3, 3), 1.0, -1),
    Sample(T(7, 3), 1.0, 0, True),
    Sample(T(7, 3), 1.0),
    Sample(T(2, 2, 2), 1.0),
    Sample(T(2, 2, 2), 1.0, 0, True),
    Sample(T(0, 3), 1.0),
]
ERRORS = [Error(ValueError, "'x'.*at least 2 dimensions", T(3)), Error(ValueError, "'x'.*equal sizes", T(2, 2, 3))]


def reference(x, value=0, offset=0, wrap=False):
    """Element for element, as far as rows of the first square go unless it wraps; that of a cube ends after its first element."""
    out, columns = x.clone(), x.shape[1]
    if x.dim() > 2:
        for i in range(x.shape[0] if wrap else 1):
            out[(i,) * x.dim()] = value
        return out
    for row in range(x.shape[0] if wrap else min(columns, x.shape[0])):
        column = row % (columns + 1) + offset
        if 0 <= column < columns and row % (columns + 1) < columns:
            out[row, column] = value
    return out
