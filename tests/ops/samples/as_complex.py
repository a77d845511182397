import torch

from ..sample import Error, Sample, T

SAMPLES = [Sample(T(3, 2)), Sample(T(2)), Sample(T(0, 2))]
ERRORS = [Error(ValueError, "'x'.*2 elements in the last dimension", T(2, 3)), Error(ValueError, "'x'.*2 elements", T())]


def reference(x):
    return torch.complex(x[..., 0], x[..., 1])
