import torch

from ..sample import Error, Sample, T

SAMPLES = [Sample(T(3, 2), T(3, 2)), Sample(T(2, 1, 3), T(4, 1)), Sample(T(), T(2)), Sample(T(0, 2), T(2))]
ERRORS = [
    Error(ValueError, "do not broadcast", T(2), T(3)),
    Error(TypeError, "same data type", T(2, dtype=torch.float32), T(2, dtype=torch.float64)),
]


def reference(real, imag):
    return real + 1j * imag
