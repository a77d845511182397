import torch

from ..sample import Error, Sample, T

INF, NAN = float("inf"), float("nan")


def data(*shape, dtype=None):
    return T(*shape, dtype=dtype, grad=False)


SCALE = T(1, dtype=torch.float32, low=0.5, high=2, grad=False)
SAMPLES = [
    Sample([data(3, 4)], SCALE),
    Sample([data(3, 4), data(2, 3, 70), data(), data(0, 3)], SCALE),
    Sample([torch.tensor([1.0, INF, 2.0])], SCALE),
    Sample([torch.tensor([1.0] * 70 + [NAN])], SCALE),
    Sample([data(7)], T(1, dtype=torch.float64, low=0.5, high=2, grad=False)),
]
ERRORS = [
    Error(ValueError, r"'x'.*at least one tensor", [], SCALE),
    Error(ValueError, r"'scale'.*one element, got the shape \[2\]", [data(3)], T(2, dtype=torch.float32)),
    Error(TypeError, r"'scale'.*floating point, got int64", [data(3)], T(1, dtype=torch.int64)),
    Error(
        TypeError,
        r"'x'.*one data type, got float32 and float64",
        [data(3, dtype=torch.float32), data(3, dtype=torch.float64)],
        SCALE,
    ),
]


def reference(x, scale):
    found = any(not bool(torch.isfinite(t).all()) for t in x)
    return [t / scale.reshape(()) for t in x], torch.tensor([found])
