import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), T(3)),
    Sample(T(3, 4), T(3), 1),
    Sample(T(3, 4), T(1, 3)),
    Sample(T(3, 4), T(2), -1),
    Sample(T(2, 3, 2), T(3, 2), 0, 0, 2),
    Sample(T(2, 3, 2), T(3, 1), 1, -1, 0),
    Sample(T(2, 2), T(0), 3),
]
ERRORS = [
    Error(ValueError, r"'y'.*\[3\] of the diagonals.*got \[2\]", T(3, 4), T(2)),
    Error(ValueError, r"'y'.*expected data type float32", T(3, 4, dtype=torch.float32), T(3, dtype=torch.float64)),
    Error(IndexError, r"got 2", T(3, 4), T(3), 0, 0, 2),
]


def reference(x, y, offset=0, dim1=0, dim2=1):
    """Of each row of the matrices the one element on the diagonal."""
    moved, columns = x.movedim((dim1, dim2), (0, 1)), (y.reshape(-1) if x.dim() == 2 else y).movedim(-1, 0)
    out = list(moved)
    for k in range(columns.shape[0]):
        row, column = k + max(-offset, 0), k + max(offset, 0)
        out[row] = torch.cat([out[row][:column], columns[k : k + 1], out[row][column + 1 :]])
    return torch.stack(out).movedim((0, 1), (dim1, dim2))
