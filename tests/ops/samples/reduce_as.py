import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), T(4, grad=False)),
    Sample(T(2, 3, 4), T(3, 1, grad=False)),
    Sample(T(2, 3), T(2, 3, grad=False)),
    Sample(T(2, 3), T(grad=False)),
    Sample(T(2, 1, 3), T(2, 1, 1, grad=False)),
    Sample(T(0, 3), T(3, grad=False)),
]
ERRORS = [Error(ValueError, r"'target'.*\[3, 4\], got \[3\]", T(3, 4), T(3))]


def reference(x, target):
    wide = x.long() if x.dtype in (torch.bool, torch.int32) else x
    return wide.sum_to_size(target.shape).to(wide.dtype)
