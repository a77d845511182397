import torch

from ..sample import Error, Sample, T

TOLERANCE = {torch.float32: (1e-4, 1e-5)}
SAMPLES = [
    Sample(T(3, 4, low=0.5, high=4, grad=False), T(3, 4, low=0.1, high=4)),
    Sample(T(4, low=0.5, high=4, grad=False), T(2, 3, 1, low=0.1, high=4)),
    Sample(T(0, grad=False), T(0)),
]
ERRORS = [Error(ValueError, "do not broadcast", T(2, 3), T(4))]


def reference(x, y):
    return 1 - torch.special.gammainc(x, y)
