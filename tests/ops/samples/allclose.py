import torch

from ..sample import Error, Sample, T

X = torch.tensor([1.0, -2.0, float("nan"), float("inf")])
SAMPLES = [
    Sample(T(3, 4), T(3, 4)),
    Sample(T(3, 4), T(3, 4), 1.0, 4.0),
    Sample(X, X.clone(), 1e-5, 1e-8, True),
    Sample(X, X.clone()),
    Sample(T(), T(), 0.5, 0.0),
    Sample(T(0, 3), T(0, 3)),
    Sample(T(5, dtype=torch.bool, grad=False), T(5, dtype=torch.bool, grad=False)),
]
ERRORS = [
    Error(ValueError, r"'x' and 'y': expected one shape, got \[3\] and \[1\]", T(3), T(1)),
    Error(ValueError, r"'rtol'.*at least 0, got -1", T(3), T(3), -1.0),
    Error(TypeError, "'y'", T(3), T(3, dtype=torch.int64)),
]


def reference(x, y, rtol=1e-5, atol=1e-8, equal_nan=False):
    return torch.tensor(torch.allclose(x, y, rtol, atol, equal_nan))
