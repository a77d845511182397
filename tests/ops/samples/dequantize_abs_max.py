import torch

from ..sample import Error, Sample, T


def number():
    return T(1, low=0.5, high=2.0, dtype=torch.float32, grad=False)


SAMPLES = [
    Sample(T(3, 4, low=-128, high=127), number(), 127.0),
    Sample(T(2, 3, 4, low=-8, high=7), number(), 7.0),
    Sample(T(), number(), 127.0),
    Sample(T(0, 3), number(), 127.0),
]
WHOLE = T(3, dtype=torch.int8)
ERRORS = [
    Error(ValueError, r"'scale'.*one number, got the shape \[3\]", WHOLE, T(3), 127.0),
    Error(TypeError, r"'scale'.*float32, got float64", WHOLE, T(1, dtype=torch.float64), 127.0),
]


def reference(x, scale, max_range):
    return x.double() / max_range * scale.reshape(())
