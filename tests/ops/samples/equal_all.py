import torch

from ..sample import Error, Sample, T

X = torch.tensor([1.0, -2.0, 0.0])
SAMPLES = [
    Sample(T(3, 4), T(3, 4)),
    Sample(X, torch.tensor([1.0, -2.0, -0.0])),
    Sample(T(3, 4), T(4)),
    Sample(T(), T()),
    Sample(T(0, 3), T(0, 3)),
    Sample(torch.tensor([float("nan")]), torch.tensor([float("nan")])),
]
ERRORS = [Error(TypeError, "'y'", T(3), T(3, dtype=torch.bool))]


def reference(x, y):
    return torch.tensor(torch.equal(x, y))
