import torch

from .max import ERRORS, SAMPLES

__all__ = ["ERRORS", "SAMPLES", "reference"]


def reference(x, axis=(), keepdim=False):
    return torch.amin(x, axis, keepdim)
