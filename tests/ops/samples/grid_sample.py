import torch

from ..sample import Error, Sample, T


def grid(*shape):
    return T(*shape, low=-1.4, high=1.4)


SAMPLES = [
    Sample(T(2, 3, 4, 5), grid(2, 3, 2, 2)),
    Sample(T(1, 2, 4, 5), grid(1, 5, 4, 2), align_corners=False),
    Sample(T(1, 2, 4, 3), grid(1, 4, 4, 2), "bilinear", "border"),
    Sample(T(1, 2, 4, 3), grid(1, 4, 4, 2), "bilinear", "border", False),
    Sample(T(1, 2, 3, 4), T(1, 3, 4, 2, low=-2.9, high=2.9), "bilinear", "reflection"),
    Sample(T(1, 2, 3, 4), T(1, 3, 4, 2, low=-2.9, high=2.9), "bilinear", "reflection", False),
    Sample(T(2, 2, 4, 5), grid(2, 3, 4, 2), "nearest"),
    Sample(T(1, 2, 4, 5), grid(1, 3, 4, 2), "nearest", "reflection", False),
    Sample(T(1, 2, 3, 4, 3), grid(1, 2, 3, 2, 3)),
    Sample(T(2, 1, 3, 2, 4), grid(2, 3, 2, 2, 3), "bilinear", "reflection", False),
    Sample(T(1, 1, 3, 2, 4), grid(1, 3, 2, 3, 3), "bilinear", "border", False),
    Sample(T(1, 1, 3, 2, 4), grid(1, 2, 2, 3, 3), "nearest", "border"),
    Sample(T(1, 2, 1, 3), grid(1, 2, 3, 2), "bilinear", "reflection"),  # an axis of one pixel
    Sample(T(1, 2, 3, 4), grid(1, 0, 3, 2)),
    Sample(T(0, 2, 3, 4), grid(0, 2, 3, 2)),
]
ERRORS = [
    Error(ValueError, r"'x'.*4 or 5 dimensions.*\[2, 3, 4\]", T(2, 3, 4), T(2, 3, 4, 2)),
    Error(ValueError, r"'grid'.*4 dimensions.*last of 2.*\[2, 3, 4, 3\]", T(2, 3, 4, 5), T(2, 3, 4, 3)),
    Error(ValueError, r"'grid'.*first of 2.*\[1, 3, 4, 2\]", T(2, 3, 4, 5), T(1, 3, 4, 2)),
    Error(ValueError, r"'mode'.*got \"bicubic\"", T(1, 2, 3, 4), T(1, 2, 3, 2), "bicubic"),
    Error(ValueError, r"'padding_mode'.*got \"wrap\"", T(1, 2, 3, 4), T(1, 2, 3, 2), "nearest", "wrap"),
    Error(ValueError, r"'x'.*not empty", T(1, 2, 0, 4), T(1, 2, 3, 2)),
    Error(TypeError, r"'x' and 'grid'.*float32 and float64", T(1, 2, 3, 4), T(1, 2, 3, 2, dtype=torch.float64)),
]
TOLERANCE = {torch.float32: (1e-5, 1e-5), torch.float16: (5e-3, 5e-3), torch.bfloat16: (4e-2, 4e-2)}


def reference(x, grid, mode="bilinear", padding_mode="zeros", align_corners=True):
    return torch.nn.functional.grid_sample(x, grid, mode, padding_mode, align_corners)
