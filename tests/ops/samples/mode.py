import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 9, low=-2, high=2, dtype=torch.int64)),
    Sample(T(3, 5)),
    Sample(T(9, 4, dtype=torch.int32, low=0, high=3), 0, True),
    Sample(T(2, 6, 3), 1),
    Sample(T(3, 500, dtype=torch.int64, low=0, high=30), 1),
    Sample(T()),
    Sample(T(0, 3)),
]
ERRORS = [
    Error(IndexError, r"axis.*\[-2, 2\).*got 2", T(2, 3), 2),
    Error(ValueError, r"'x'.*at least one element.*\[3, 0\]", T(3, 0)),
]


def reference(x, axis=-1, keepdim=False):
    lines = (x.movedim(axis, -1) if x.dim() else x).reshape(-1, x.shape[axis] if x.dim() else 1)
    found = []
    for line in lines.tolist():
        value = min(set(line), key=lambda v: (-line.count(v), v))
        found.append(len(line) - 1 - line[::-1].index(value))
    indices = torch.tensor(found, dtype=torch.int64)
    values = torch.gather(lines, -1, indices.unsqueeze(-1))
    shape = list(x.shape)
    if x.dim():
        shape[axis] = 1
    outputs = (values.reshape(shape), indices.reshape(shape))
    return outputs if keepdim or x.dim() == 0 else tuple(t.squeeze(axis) for t in outputs)
