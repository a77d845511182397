import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(2, 3), T(2, 3)),
    Sample(T(2, 3), T(3), 1.0),
    Sample(T(4), T(4), 3.0),
    Sample(T(4), T(4), float("inf")),
    Sample(T(3, grad=False), T(3, grad=False), 0.0),
    Sample(T(), T()),
]
ERRORS = [
    Error(ValueError, "do not broadcast", T(2), T(3)),
    Error(ValueError, "expected elements", T(0), T(0)),
    Error(TypeError, "same data type", T(2, dtype=torch.float32), T(2, dtype=torch.float64)),
]


def reference(x, y, p=2.0):
    d = (x - y).abs()
    if p == 0:
        return (d > 0).to(x.dtype).sum()
    return d.max() if p == float("inf") else (d**p).sum() ** (1 / p)
