import torch

from ..sample import Error, Sample, T, unary

SAMPLES = [*unary(-6, 3), Sample(T(3, 23), 0.3), Sample(T(2, 3), alpha=2.5)]
ERRORS = [Error(ValueError, "'alpha': expected another number than 0", T(2, 3), 0.0)]


def reference(x, alpha=1.0):
    return torch.where(x > 0, x, alpha * (x.clamp(max=0) / alpha).expm1())
