import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 5, low=-90, high=90, grad=False), 1),
    Sample(T(4, 3, low=-90, high=90, grad=False), 0, True),
    Sample(T(2, 6, 3, grad=False), axis=-2, dtype=torch.int32),
    Sample(T(2, 3, 4, grad=False), 0, flatten=True),
    Sample(T(2, 3, 4, grad=False), 5, True, True),
    Sample(T(grad=False), -1),
    Sample(T(grad=False), 0, True),
    Sample(T(7, 5003, grad=False), 1),
    Sample(T(3000, 70, grad=False), 0),
    Sample(T(100000, 2, grad=False), 0),
    Sample(T(300000, grad=False), 0),
    Sample(T(0, 3, grad=False), 1),
]
ERRORS = [
    Error(IndexError, r"'axis'.*\[-2, 2\).*got 2", T(2, 3), 2),
    Error(ValueError, r"'x'.*at least one element.*\[0, 3\].*along 'axis'", T(0, 3), 0),
    Error(ValueError, r"'x'.*at least one element.*at all", T(0, 3), 1, flatten=True),
    Error(ValueError, r"'dtype'.*int32 or int64.*int8", T(2, 3), 1, dtype=torch.int8),
]


def reference(x, axis, keepdims=False, flatten=False, dtype=torch.int64):
    """Of equal elements the first: a stable sort."""
    if flatten:
        rank = x.dim()
        return reference(x.reshape(-1), 0, dtype=dtype).reshape([1] * rank if keepdims else [])
    if x.dim() == 0:
        return torch.zeros([1] if keepdims else [], dtype=dtype)
    order = torch.sort(x, dim=axis, descending=True, stable=True).indices.narrow(axis, 0, 1)
    return (order if keepdims else order.squeeze(axis)).to(dtype)
