import torch

from ..sample import Error, Sample, T
from .masked_fill import mask

DATA_DEPENDENT = True
SAMPLES = [
    Sample(T(3, 4), mask(3, 4)),
    Sample(T(3, 70), mask(70)),
    Sample(T(2, 1, 4), mask(3, 1)),
    Sample(T(), mask()),
    Sample(T(0, 3), mask(3)),
    Sample(T(5), torch.zeros(5, dtype=torch.bool)),
    Sample(T(80, 300), mask(80, 300)),
]
ERRORS = [
    Error(ValueError, r"\[2, 3\] of 'x' and \[4\] of 'mask' do not broadcast", T(2, 3), mask(4)),
    Error(TypeError, r"'mask'.*bool, got int64", T(3), T(3, dtype=torch.int64)),
]


def reference(x, mask):
    x, mask = torch.broadcast_tensors(x, mask)
    return x[mask] if x.dim() else x.reshape(1)[mask.reshape(1)]
