import torch

from ..sample import Error, Sample, T


def mask(*shape):
    return T(*shape, dtype=torch.bool)


SAMPLES = [
    Sample(T(3, 4), mask(3, 4), T()),
    Sample(T(3, 70), mask(70), T(1)),
    Sample(T(2, 3, 4), mask(2, 1, 4), T(2, 3, 4)),
    Sample(T(3, 1), mask(3, 4), T()),
    Sample(T(), mask(), T()),
    Sample(T(0, 3), mask(3), T()),
]
ERRORS = [
    Error(ValueError, r"\[2, 3\] of 'x' and \[4\] of 'mask' do not broadcast", T(2, 3), mask(4), T()),
    Error(ValueError, r"\[4\] of 'value' do not broadcast", T(2, 3), mask(3), T(4)),
    Error(TypeError, r"'mask'.*bool, got int64", T(3), T(3, dtype=torch.int64), T()),
    Error(TypeError, r"'value'.*float32, got float64", T(3, dtype=torch.float32), mask(3), T(dtype=torch.float64)),
]


def reference(x, mask, value):
    x, mask, value = torch.broadcast_tensors(x, mask, value)
    out = x.clone()
    out[mask] = value[mask]
    return out
