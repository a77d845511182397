import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(6), [0], "backward", True, True),
    Sample(T(2, 5), [1], "forward", True, True),
    Sample(T(3, 4), [1, 0], "ortho", True, False),
    Sample(T(3, 4), [0, -1], "backward", False, True),
    Sample(T(0, 3), [1], "forward", False, True),
]
ERRORS = [Error(ValueError, "'axes'.*at least one axis", T(3), [], "ortho", True, True)]


def reference(x, axes, normalization, forward, onesided):
    if x.shape[0] == 0:  # the libraries refuse it
        return reference(x.new_ones(1, *x.shape[1:]), axes, normalization, forward, onesided)[:0]
    whole = (torch.fft.fftn if forward else torch.fft.ifftn)(x, dim=axes, norm=normalization)
    return whole.narrow(axes[-1], 0, x.shape[axes[-1]] // 2 + 1) if onesided else whole
