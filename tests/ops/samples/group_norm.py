import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(2, 6, 3, 4), T(6), T(6), groups=2),
    Sample(T(2, 6, 3, 4), T(6), None, groups=3),
    Sample(T(2, 6, 3, 4), None, T(6), 1e-3, 1),
    Sample(T(1, 4, 5), None, None, groups=4),
    Sample(T(3, 8), T(8), T(8), groups=2),
    Sample(T(2, 3, 4, 6), T(6), T(6), 1e-5, 2, "NHWC"),
    Sample(T(1, 2, 3, 2, 4), T(4), T(4), 1e-5, 2, "NDHWC"),
    Sample(T(1, 2, 3, 2, 4), T(2), T(2), groups=2, data_format="NCDHW"),
    Sample(T(2, 4, 3, 7), T(4), None, groups=2),  # a loop for each channel
    Sample(T(2, 4, 3, 7), None, T(4), groups=1),
    Sample(T(1, 4, 18), None, None, -0.25, 4),
    Sample(T(2, 32, 17, 19), T(32), T(32), groups=8),
    Sample(T(2, 4, 3, 5), T(4), T(4), -0.25, 2),  # taken off the variance
    Sample(T(2, 4, 3, 2, 1, 2), T(4), T(4), groups=2),
    Sample(T(0, 4, 3, 3), T(4), T(4), groups=2),
]
ERRORS = [
    Error(ValueError, r"'groups'.*divisor of the 6 channels.*got 4", T(2, 6, 3, 4), T(6), T(6), groups=4),
    Error(ValueError, r"'groups'.*got -1", T(2, 6, 3, 4), T(6), T(6)),
    Error(ValueError, r"'x'.*at least 2 dimensions.*\[6\]", T(6), None, None, groups=2),
    Error(ValueError, r"'scale'.*\[6\], got \[4\]", T(2, 6, 3, 4), T(4), T(6), groups=2),
    Error(ValueError, r"'data_format'.*got \"CHWN\"", T(2, 6, 3, 4), T(6), T(6), groups=2, data_format="CHWN"),
    Error(TypeError, r"'bias'.*got int64", T(2, 6, 3, 4), T(6), torch.zeros(6, dtype=torch.int64), groups=2),
]
TOLERANCE = {torch.float16: (4e-3, 4e-3), torch.bfloat16: (3e-2, 3e-2)}


def reference(x, scale, bias, epsilon=1e-5, groups=-1, data_format="NCHW"):
    first = (x.movedim(-1, 1) if data_format.endswith("C") else x).double()
    each = (-1, *[1] * (first.dim() - 2))
    if first.numel():
        first = torch.nn.functional.group_norm(first, groups, None, None, epsilon)
    first = first if scale is None else first * scale.double().reshape(each)
    first = first if bias is None else first + bias.double().reshape(each)
    return first.movedim(1, -1) if data_format.endswith("C") else first
