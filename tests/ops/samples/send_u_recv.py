import torch

from ..sample import Error, Sample, T


def nodes(*shape, low=0, high=2, dtype=torch.int64):
    return T(*shape, dtype=dtype, low=low, high=high)


EDGES = (torch.tensor([0, 1, 2, 0, 1]), torch.tensor([0, 0, 1, 1, 1]))  # each once: no two messages are equal
REDUCES = ("SUM", "MEAN", "MAX", "MIN")
SAMPLES = [
    *(Sample(T(3, 4), *EDGES, reduce) for reduce in REDUCES),
    Sample(T(3), nodes(4, dtype=torch.int32), nodes(4, dtype=torch.int32)),
    Sample(T(3, 2, 5), nodes(4, 1), nodes(4, 1, high=4), "MEAN", [5]),
    Sample(T(3, 4), nodes(0), nodes(0), "MAX"),
    Sample(T(100, 30), nodes(900, high=99), nodes(900, high=99), "SUM", [120]),
]
ERRORS = [
    Error(IndexError, r"'src_index'.*\[0, 3\), got 3", T(3, 4), nodes(2, low=3, high=3), nodes(2)),
    Error(IndexError, r"'dst_index'.*\[0, 3\), got -1", T(3, 4), nodes(2), nodes(2, low=-1, high=-1)),
    Error(ValueError, r"of one size, got the shapes \[2\] and \[3\]", T(3, 4), nodes(2), nodes(3)),
    Error(ValueError, r"'reduce_op'.*got ADD", T(3, 4), nodes(2), nodes(2), "ADD"),
    Error(TypeError, r"'src_index'.*got float32", T(3), T(2, dtype=torch.float32), nodes(2)),
]
TOLERANCE = {torch.float32: (1e-4, 1e-4), torch.bfloat16: (2e-2, 2e-1), torch.float16: (2e-3, 2e-2)}


def combined(messages, dst_index, reduce_op, rows):
    out = messages.new_zeros(rows, *messages.shape[1:])
    for row in range(rows):
        some = messages[dst_index.reshape(-1) == row]
        if len(some):
            total = some.sum(0)
            mean = total / len(some) if some.is_floating_point() else torch.div(total, len(some), rounding_mode="trunc")
            out[row] = {"SUM": total, "MEAN": mean, "MAX": some.amax(0), "MIN": some.amin(0)}[reduce_op]
    return out


def reference(x, src_index, dst_index, reduce_op="SUM", out_size=(0,)):
    rows = out_size[0] if out_size[0] > 0 else len(x)
    return combined(x[src_index.reshape(-1).long()], dst_index, reduce_op, rows)
