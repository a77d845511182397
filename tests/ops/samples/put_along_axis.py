import torch

from ..sample import Error, Sample, T
from . import take_along_axis
from .take_along_axis import indices


def places(*shape, high=2):
    return indices(*shape, low=0, high=high)


REDUCES = ("add", "mul", "multiply", "mean", "amin", "amax")
SAMPLES = [
    Sample(T(3, 4), torch.tensor([[1, 0, 2, 1]]), T(1, 4), 0),
    Sample(T(3, 4), places(3, 7), T(3, 7), 1),
    Sample(T(3, 4), indices(3, 6), T(3, 6), 1, "add"),
    *(Sample(T(3, 4), places(3, 5), T(3, 5), 1, reduce, own) for reduce in REDUCES for own in (True, False)),
    *(Sample(T(2, 3, 4), places(2, 6, 3), T(2, 6, 3), -2, reduce) for reduce in ("add", "amax")),
    *(Sample(T(3, 4), places(2, 3), T(3, 5), 1, reduce) for reduce in ("assign", "add", "mul", "amax")),
    Sample(T(5), indices(0), T(0), 0, "add"),
    Sample(T(0, 3), indices(0, 2), T(0, 2), 1, "add"),
    Sample(T(), places(high=0), T(), 0, "add"),
    Sample(T(70, 30), places(200, 30, high=69), T(200, 30), 0, "add"),
]
ERRORS = [
    Error(IndexError, r"'indices'.*\[-3, 3\), got 3", T(3, 4), indices(2, 4, low=3, high=3), T(2, 4), 0),
    Error(IndexError, r"'axis'.*\[-2, 2\), got 2", T(3, 4), indices(3, 4), T(3, 4), 2),
    Error(ValueError, r"'values'.*\[3, 4\] or larger sizes, got \[1\]", T(3, 4), indices(3, 4), T(1), 0),
    Error(ValueError, r"'reduce'.*got sum", T(3, 4), indices(3, 4), T(3, 4), 0, "sum"),
    Error(TypeError, r"'values'.*float32.*got float64", T(3, dtype=torch.float32), indices(2), T(2, dtype=torch.float64), 0),
]


def _combined(values, reduce):
    if reduce in ("mul", "multiply"):
        return values.prod()
    if reduce == "mean":
        return values.sum() // len(values) if not values.is_floating_point() else values.mean()
    return values[-1] if reduce == "assign" else {"add": values.sum, "amin": values.amin, "amax": values.amax}[reduce]()


TOLERANCE = {**take_along_axis.TOLERANCE, torch.float32: (1e-4, 1e-4), torch.complex64: (1e-4, 1e-4)}


def reference(arr, indices, values, axis, reduce="assign", include_self=True):
    if arr.dim() == 0:
        arr, indices, values = arr.reshape(1), indices.reshape(1), values.reshape(1)
        return reference(arr, indices, values, 0, reduce, include_self).reshape([])
    came: dict[tuple, list] = {}
    for at in torch.cartesian_prod(*map(torch.arange, indices.shape)).reshape(-1, indices.dim()).tolist():
        index = list(at)
        index[axis] = indices[tuple(at)].item() % arr.shape[axis]
        came.setdefault(tuple(index), []).append(values[tuple(at)])
    out = arr.clone()
    for place, some in came.items():
        out[place] = _combined(torch.stack([*([arr[place]] if include_self else []), *some]), reduce).to(arr.dtype)
    return out
