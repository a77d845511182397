import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4)),
    Sample(T(3, 4), 0, False, False, True),
    Sample(T(2, 3, 4), -1, True),
    Sample(T(3, 4, grad=False), 1, False, True),
    Sample(T(2, 5, grad=False), 1, False, True, True),
    Sample(T(3, 500, low=-90, high=90)),
    Sample(T()),
    Sample(T(0, 3)),
]
ERRORS = [Error(IndexError, r"'axis'.*\[-2, 2\).*got 2", T(2, 3), 2)]


def reference(x, axis=-1, flatten=False, exclusive=False, reverse=False):
    """Sums of exponentials, which do not overflow in float64."""
    x = x.reshape(-1) if flatten else x
    wide = x.double().exp()
    wide = wide.flip(axis) if reverse and x.dim() else wide
    sums = torch.cumsum(wide, axis) - (wide if exclusive else 0)
    if exclusive and x.numel() and x.dim():
        sums.narrow(axis, 0, 1).zero_()
    out = torch.log(sums)
    return (out.flip(axis) if reverse and x.dim() else out).to(x.dtype if x.is_floating_point() else torch.float32)
