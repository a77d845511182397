import torch

from .argmax import ERRORS, SAMPLES

__all__ = ["ERRORS", "SAMPLES", "reference"]


def reference(x, axis, keepdims=False, flatten=False, dtype=torch.int64):
    """Of equal elements the first: a stable sort."""
    if flatten:
        rank = x.dim()
        return reference(x.reshape(-1), 0, dtype=dtype).reshape([1] * rank if keepdims else [])
    if x.dim() == 0:
        return torch.zeros([1] if keepdims else [], dtype=dtype)
    order = torch.sort(x, dim=axis, stable=True).indices.narrow(axis, 0, 1)
    return (order if keepdims else order.squeeze(axis)).to(dtype)
