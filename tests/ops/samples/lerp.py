import torch

from ..sample import BROADCAST_ERRORS, Error, Sample, T


def weight(*shape):
    return T(*shape, low=-0.5, high=1.5, grad=False)


SAMPLES = [
    Sample(T(3, 4), T(3, 4), weight(3, 4)),
    Sample(T(2, 3, 4), T(4), weight(3, 1)),
    Sample(T(4), T(3, 1), weight(2, 1, 1)),
    Sample(T(), T(3), weight()),
    Sample(T(0, 3), T(3), weight(1)),
]
ERRORS = [
    Error(ValueError, BROADCAST_ERRORS[0].match, T(2, 3), T(4), T(1)),
    Error(ValueError, r"\[2, 3\] of 'x and y' and \[4\] of 'weight' do not broadcast", T(2, 3), T(3), T(4)),
    Error(TypeError, r"'x' and 'weight'.*float32 and int64", T(2, 3), T(3), torch.ones(3, dtype=torch.int64)),
]


def reference(x, y, weight):
    return x + weight * (y - x)
