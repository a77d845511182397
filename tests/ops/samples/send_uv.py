import torch

from ..sample import Error, Sample, T
from . import send_u_recv
from .send_u_recv import EDGES, nodes

SAMPLES = [
    *(Sample(T(3, 4), T(2, 4), *EDGES, op) for op in ("ADD", "MUL")),
    Sample(T(3, 4), T(3, 1), nodes(5, high=1, dtype=torch.int32), nodes(5, high=1, dtype=torch.int32), "MUL"),
    Sample(T(3, 1), T(5, 2, 4), nodes(6, 1, high=1), nodes(6, 1, high=1), "ADD"),
    Sample(T(3), T(4), nodes(4, high=1), nodes(4, high=1), "MUL"),
    Sample(T(3, 4), T(3, 4), nodes(0), nodes(0)),
]
ERRORS = [
    Error(IndexError, r"'src_index'.*the 3 rows of 'x'", T(3, 4), T(2, 4), nodes(2, low=3, high=3), nodes(2)),
    Error(IndexError, r"'dst_index'.*the 2 rows of 'y'", T(3, 4), T(2, 4), nodes(2), nodes(2, low=-1, high=-1)),
    Error(ValueError, r"of one size, got the shapes \[2\] and \[3\]", T(3, 4), T(3, 4), nodes(2), nodes(3)),
    Error(ValueError, r"'message_op'.*got SUB", T(3, 4), T(2, 4), nodes(2), nodes(2), "SUB"),
    Error(ValueError, r"do not broadcast", T(3, 4), T(2, 3), nodes(2), nodes(2)),
    Error(TypeError, r"'y'.*data type of 'x'", T(3, dtype=torch.float32), T(3, dtype=torch.float64), nodes(2), nodes(2)),
]
TOLERANCE = send_u_recv.TOLERANCE


def reference(x, y, src_index, dst_index, message_op="ADD"):
    rank = max(x.dim(), y.dim())
    x, y = (t.reshape(len(t), *[1] * (rank - t.dim()), *t.shape[1:]) for t in (x, y))
    rows = [
        x[source] * y[target] if message_op == "MUL" else x[source] + y[target]
        for source, target in zip(src_index.flatten().tolist(), dst_index.flatten().tolist())
    ]
    return torch.stack(rows) if rows else (x + y)[:0]
