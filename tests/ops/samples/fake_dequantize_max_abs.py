import torch

from ..sample import Error, Sample, T
from .quantize_linear import positive

SAMPLES = [
    Sample(T(3, 4, low=-127, high=127), positive(1), 127.0),
    Sample(T(2, 3, 4), positive(1), 7.0),
    Sample(T(), positive(1), 127.0),
    Sample(T(0, 3), positive(1), 127.0),
]
ERRORS = [
    Error(ValueError, r"'scale'.*one number, got the shape \[3\]", T(3), T(3), 127.0),
    Error(TypeError, r"'x' and 'scale'.*float32 and float64", T(3), T(1, dtype=torch.float64), 127.0),
]


def reference(x, scale, max_range):
    return x / max_range * scale.reshape(())
