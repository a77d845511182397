import torch

from ..sample import Error, Sample, T

SAMPLES = [Sample(T(1, 2, 4, 6), 2), Sample(T(2, 3, 3, 1), 3, "NHWC"), Sample(T(1, 1, 2, 2))]
ERRORS = [
    Error(ValueError, "'downscale_factor'.*divisor", T(1, 1, 3, 2), 2),
    Error(ValueError, "'data_format'", T(1, 4, 2, 2), 2, "CHW"),
]


def reference(x, downscale_factor=1, data_format="NCHW"):
    images = x if data_format == "NCHW" else x.permute(0, 3, 1, 2)
    out = torch.nn.functional.pixel_unshuffle(images, downscale_factor)
    return out if data_format == "NCHW" else out.permute(0, 2, 3, 1)
