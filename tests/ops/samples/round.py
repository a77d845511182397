import torch

from ..sample import Sample, T, unary

SAMPLES = [*unary(-4, 4), Sample(T(3, 23), 2), Sample(T(2, 3, low=-300, high=300), decimals=-1)]


def reference(x, decimals=0):
    if not (x.is_floating_point() or x.is_complex()):
        return x.clone()
    if not x.is_complex():
        return torch.round(x, decimals=decimals)
    return torch.complex(*(torch.round(part, decimals=decimals) for part in (x.real, x.imag)))
