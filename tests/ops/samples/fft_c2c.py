import torch

from ..sample import Error, Sample, T

C = torch.complex128
SAMPLES = [
    Sample(T(6), [0], "backward", True),
    Sample(T(2, 5), [1], "forward", True),
    Sample(T(3, 4), [0, -1], "ortho", False),
    Sample(T(2, 3, 4), [1], "backward", False),
    Sample(T(0, 3), [1], "forward", False),
]
ERRORS = [
    Error(ValueError, "'normalization'.*'backward', 'forward' or 'ortho', got 'none'", T(3, dtype=C), [0], "none", True),
    Error(ValueError, "'axes'.*at least one axis", T(3, dtype=C), [], "ortho", True),
    Error(ValueError, "'axes'.*got axis 0 again", T(3, dtype=C), [0, -1], "ortho", True),
    Error(IndexError, r"'axes'.*\[-1, 1\), got 1", T(3, dtype=C), [1], "ortho", True),
    Error(ValueError, "'x'.*at least one element along axis 0", T(0, dtype=C), [0], "ortho", True),
]


def reference(x, axes, normalization, forward):
    if x.shape[0] == 0:  # the libraries refuse it
        return reference(x.new_ones(1, *x.shape[1:]), axes, normalization, forward)[:0]
    return (torch.fft.fftn if forward else torch.fft.ifftn)(x, dim=axes, norm=normalization)
