from typing import Any

import torch

from ..sample import Error, Sample, T

DATA_DEPENDENT = True

FEW: dict[str, Any] = {"dtype": torch.int64, "low": 0, "high": 1}
SAMPLES = [
    Sample(T(20, **FEW), True, True, [], torch.int64),
    Sample(T(3, 5, **FEW), False, True, [], torch.int32),
    Sample(T(9, 2, **FEW), True, True, [0], torch.int64),
    Sample(T(2, 9, **FEW), True, False, [-1], torch.int64),
    Sample(T(6)),
    Sample(T(4, 3), False, False, [1], torch.int64),
    Sample(T(1, **FEW), True, True, [], torch.int64),
]
ERRORS = [
    Error(ValueError, r"'axis'.*at most one axis", T(2, 3), False, False, [0, 1]),
    Error(TypeError, r"'dtype'.*int32 or int64, got float32", T(3), True),
]


def reference(x, return_inverse=False, return_counts=False, axis=(), dtype=torch.float32):
    slices = x.detach().unbind(axis[0]) if axis else x.detach().reshape(-1).unbind()
    keys = [tuple(s.reshape(-1).tolist()) for s in slices]
    first = [i for i in range(len(keys)) if i == 0 or keys[i] != keys[i - 1]]
    out = torch.stack([slices[i] for i in first], axis[0] if axis else 0)
    inverse = [sum(f <= i for f in first) - 1 for i in range(len(keys))]
    counts = [after - before for before, after in zip(first, [*first[1:], len(keys)])]
    kind = dtype if return_inverse or return_counts else torch.int64
    flags = (return_inverse, return_counts)
    return out, *(torch.tensor(o if flag else [], dtype=kind) for o, flag in zip((inverse, counts), flags))
