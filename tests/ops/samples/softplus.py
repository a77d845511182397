import torch

from ..sample import Sample, T, unary

SAMPLES = [
    *unary(-9, 9),
    Sample(T(3, 23), 2.5),
    Sample(T(3, 4, low=-3, high=0.9), beta=0.5, threshold=0.5),
    Sample(T(5, low=90, high=99), 1.0, 200.0),
]


def reference(x, beta=1.0, threshold=20.0):
    scaled = x * beta
    if x.is_complex():
        return torch.where(scaled.real > threshold, x, torch.log(1 + torch.exp(scaled.to(torch.complex128))).to(x.dtype) / beta)
    return torch.where(scaled > threshold, x, torch.logaddexp(scaled, torch.zeros_like(x)) / beta)
