import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(2, 12, 3, 4), 2),
    Sample(T(1, 9, 2, 2), 3),
    Sample(T(2, 3, 4, 8), 2, "NHWC"),
    Sample(T(2, 3, 4, 5)),
    Sample(T(0, 4, 2, 2), 2),
    Sample(T(2, 4, 0, 2), 2),
    Sample(T(2, 32, 20, 30), 4),
]
ERRORS = [
    Error(ValueError, r"'x'.*4 dimensions, got the shape \[4, 2\]", T(4, 2), 2),
    Error(ValueError, r"'x'.*multiple of 4 channels.*got 6", T(1, 6, 2, 2), 2),
    Error(ValueError, r"'upscale_factor'.*at least 1, got 0", T(1, 4, 2, 2), 0),
    Error(ValueError, r"'data_format'.*got NCDHW", T(1, 4, 2, 2), 2, "NCDHW"),
]


def reference(x, upscale_factor=1, data_format="NCHW"):
    if data_format == "NCHW":
        return torch.nn.functional.pixel_shuffle(x, upscale_factor)
    return torch.nn.functional.pixel_shuffle(x.permute(0, 3, 1, 2), upscale_factor).permute(0, 2, 3, 1)
