import torch

from ..sample import Error, Sample, T

INF = float("inf")
SAMPLES = [
    Sample(T(3, 4)),
    Sample(T(3, 4), 1.0, 0),
    Sample(T(2, 3, 4), 3.0, 1, keepdim=True),
    Sample(T(2, 3, 4), 0.5, -1),
    Sample(T(2, 3, 4), -2.0, 1),
    Sample(T(3, 4), 0.0, 1),
    Sample(T(3, 4), INF, 1),
    Sample(T(3, 4), -INF, 0),
    Sample(T(2, 3, 4), 2.0, -1, asvector=True),
    Sample(T(2, 3, 4), 1.5, 0, 1e-12, True, True),
    Sample(T(300, 70), 2.0, 0),
    Sample(T(3, 700), 3.0, 1),
    Sample(T()),
    Sample(T(0, 3), 2.0, 1),
    Sample(T(0, 3), 2.0, 0),
    Sample(T(2, 0), 3.0, 1, keepdim=True),
    Sample(T(0, 3), -2.0, 0),
    Sample(T(0, 3), INF, 0),
    Sample(T(0, 3), -INF, asvector=True),
]
ERRORS = [
    Error(IndexError, r"axis.*expected values in \[-2, 2\), got 2", T(2, 3), 2.0, 2),
]
TOLERANCE = {torch.float16: (4e-3, 4e-3), torch.bfloat16: (2e-2, 2e-2)}


def reference(x, porder=2, axis=-1, epsilon=1e-12, keepdim=False, asvector=False):
    axes = tuple(range(x.dim())) if asvector or x.dim() == 0 else (axis,)
    size = x.abs()
    if x.numel() == 0:
        return torch.sum(size, axes, keepdim)
    if abs(porder) == INF:
        return torch.amax(size, axes, keepdim) if porder > 0 else torch.amin(size, axes, keepdim)
    if porder == 0:
        return torch.sum(x != 0, axes, keepdim).to(x.dtype)
    return torch.sum(size**porder, axes, keepdim) ** (1 / porder)
