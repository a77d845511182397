import torch

from .ones_like import SAMPLES

__all__ = ["SAMPLES", "reference"]


def reference(x, dtype=None, place=None):
    return torch.full(x.shape, 0, dtype=dtype or x.dtype)
