from typing import Any

import torch

from ..sample import Error, Sample, T

DATA_DEPENDENT = True

FEW: dict[str, Any] = {"dtype": torch.int64, "low": -2, "high": 2}
SAMPLES = [
    Sample(T(20, **FEW), True, True, True, []),
    Sample(T(3, 5, **FEW), False, True, False, [], torch.int32),
    Sample(T(7, 2, **FEW), True, True, True, [0]),
    Sample(T(2, 7, **FEW), True, False, True, [1]),
    Sample(T(6, grad=False), False, False, False, []),
]
ERRORS = [
    Error(ValueError, r"'axis'.*at most one axis", T(2, 3), True, True, True, [0, 1]),
    Error(IndexError, r"'axis'.*\[-2, 2\), got 2", T(2, 3), True, True, True, [2]),
    Error(TypeError, r"'dtype'.*int32 or int64, got float32", T(2, 3), True, True, True, [], torch.float32),
]


def reference(x, return_index, return_inverse, return_counts, axis, dtype=torch.int64):
    slices = x.unbind(axis[0]) if axis else x.reshape(-1).unbind()
    keys = [tuple(s.reshape(-1).tolist()) for s in slices]
    found = sorted(set(keys))
    first = [keys.index(k) for k in found]
    out = torch.stack([slices[i] for i in first], axis[0] if axis else 0)
    others = (first, [found.index(k) for k in keys], [keys.count(k) for k in found])
    flags = (return_index, return_inverse, return_counts)
    return out, *(torch.tensor(o if flag else [], dtype=dtype) for o, flag in zip(others, flags))
