import torch

from .cummax import ERRORS, SAMPLES

__all__ = ["ERRORS", "SAMPLES", "reference"]


def reference(x, axis=-1, dtype=torch.int64):
    values, indices = torch.cummin(x, axis)
    return values, indices.to(dtype)
