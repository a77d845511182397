import torch

from ..sample import Error, Sample, T
from . import send_u_recv
from .send_u_recv import EDGES, REDUCES, combined, nodes

SAMPLES = [
    *(Sample(T(3, 4), T(5, 4), *EDGES, op, reduce) for op in ("ADD", "MUL") for reduce in REDUCES),
    Sample(T(3, 4), T(5, 1), nodes(5, dtype=torch.int32), nodes(5, dtype=torch.int32), "MUL"),
    Sample(T(3, 1), T(5, 2, 4), nodes(5), nodes(5, high=4), "ADD", "MEAN", [5]),
    Sample(T(3), T(4), nodes(4), nodes(4)),
    Sample(T(3, 4), T(0, 4), nodes(0), nodes(0)),
]
ERRORS = [
    Error(IndexError, r"'src_index'.*\[0, 3\), got 3", T(3, 4), T(2, 4), nodes(2, low=3, high=3), nodes(2)),
    Error(ValueError, r"'y'.*each of the 2 edges.*\[3, 4\]", T(3, 4), T(3, 4), nodes(2), nodes(2)),
    Error(ValueError, r"'message_op'.*got SUB", T(3, 4), T(2, 4), nodes(2), nodes(2), "SUB"),
    Error(ValueError, r"do not broadcast", T(3, 4), T(2, 3), nodes(2), nodes(2)),
]
TOLERANCE = send_u_recv.TOLERANCE


def reference(x, y, src_index, dst_index, message_op="ADD", reduce_op="SUM", out_size=(0,)):
    rows = out_size[0] if out_size[0] > 0 else len(x)
    x = x[src_index.reshape(-1).long()]
    rank = max(x.dim(), y.dim())
    x, y = (t.reshape(len(t), *[1] * (rank - t.dim()), *t.shape[1:]) for t in (x, y))
    return combined(x * y if message_op == "MUL" else x + y, dst_index, reduce_op, rows)
