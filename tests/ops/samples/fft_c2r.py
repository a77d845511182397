import torch

from ..sample import Error, Sample, T

C = torch.complex128
SAMPLES = [
    Sample(T(6), [0], "backward", True),
    Sample(T(2, 5), [1], "forward", False, 9),
    Sample(T(2, 4), [1], "forward", False, 5),
    Sample(T(2, 3), [-1], "backward", True, 9),
    Sample(T(3, 4), [0, 1], "ortho", False, 6),
    Sample(T(3, 4), [1, 0], "backward", True, 5),
    Sample(T(0, 3), [1], "forward", False),
    Sample(T(2, 1), [1], "backward", False),
]
ERRORS = [
    Error(ValueError, "'last_dim_size'.*got -1", T(3, dtype=C), [0], "ortho", True, -1),
    Error(ValueError, "'x'.*at least one element along axis 0", T(0, dtype=C), [0], "ortho", True),
]


def reference(x, axes, normalization, forward, last_dim_size=0):
    """The half that is missing is put behind; of the first and the middle one only the real part counts."""
    if x.shape[0] == 0:  # the libraries refuse it
        return reference(x.new_ones(1, *x.shape[1:]), axes, normalization, forward, last_dim_size)[:0]
    if x.shape[axes[-1]] == 1 and not last_dim_size:
        return x.real[..., :0]
    size, axis = last_dim_size or 2 * (x.shape[axes[-1]] - 1), axes[-1]
    if forward:
        return torch.fft.hfft(_others(x, axes, normalization, True), size, axis, normalization)
    return torch.fft.irfft(_others(x, axes, normalization, False), size, axis, normalization)


def _others(x, axes, normalization, forward):
    if len(axes) == 1:
        return x
    return (torch.fft.fftn if forward else torch.fft.ifftn)(x, dim=axes[:-1], norm=normalization)
