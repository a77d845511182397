import numpy as np
import torch

from ..sample import Error, Sample, T
from .bilinear_interp import HALF_PIXELS, NONE, sizes_of

CUBIC = {"interp_method": "bicubic"}
SAMPLES = [
    Sample(T(2, 3, 4, 5), *NONE, out_h=7, out_w=9, **CUBIC),
    Sample(T(1, 2, 4, 5), *NONE, out_h=7, out_w=9, **CUBIC, **HALF_PIXELS),
    Sample(T(1, 2, 9, 8), *NONE, out_h=2, out_w=3, **CUBIC, **HALF_PIXELS),
    Sample(T(1, 2, 3, 4), *NONE, scale=[2.0, 1.7], **CUBIC, **HALF_PIXELS),
    Sample(T(1, 4, 3, 2), *NONE, "NHWC", out_h=3, out_w=5, **CUBIC, **HALF_PIXELS),
    Sample(T(1, 5, 6, 70), *NONE, "NHWC", scale=[2.5, 2.0], **CUBIC),
    Sample(T(1, 2, 4, 3), *NONE, out_h=1, out_w=1, **CUBIC, **HALF_PIXELS),
    Sample(T(1, 2, 1, 1), *NONE, out_h=2, out_w=3, **CUBIC, **HALF_PIXELS),
    Sample(T(1, 2, 4, 3), *NONE, out_h=4, out_w=3, **CUBIC),
    Sample(T(1, 3, 20, 30), *NONE, out_h=40, out_w=60, **CUBIC, **HALF_PIXELS),
    Sample(T(0, 3, 4, 4), *NONE, out_h=2, out_w=2, **CUBIC),
]
ERRORS = [
    Error(ValueError, r"'x'.*4 dimensions.*\[1, 4, 4\]", T(1, 4, 4), *NONE, out_w=2, **CUBIC),
    Error(ValueError, r"'interp_method'.*\"bicubic\"", T(1, 3, 4, 4), *NONE, out_h=2, out_w=2),
    Error(ValueError, r"'out_w'.*positive.*got 0", T(1, 3, 4, 4), *NONE, out_h=2, **CUBIC),
    Error(ValueError, r"'out_size'.*2 elements.*\[1\]", T(1, 3, 4, 4), torch.tensor([2]), **CUBIC),
]


def weights_of(size, out, scale, align_corners):
    """[out, size] in float64: those of torch's interpolation of unit vectors, but for Paddle's ratios."""
    ratio = (size - 1) / max(out - 1, 1) if align_corners else 1 / scale if scale else size / out
    ratio = float(np.float32(ratio if out > 1 else 0))
    found = torch.zeros(out, size, dtype=torch.float64)
    for j in range(out):
        position = float(np.float32(ratio * j)) if align_corners else ratio * (j + 0.5) - 0.5
        first = int(np.floor(position))
        for i in range(first - 1, first + 3):
            d = abs(position - i)
            weight = 1.25 * d**3 - 2.25 * d**2 + 1 if d <= 1 else -0.75 * d**3 + 3.75 * d**2 - 6 * d + 3
            found[j, min(max(i, 0), size - 1)] += weight
    return found


def reference(
    x,
    out_size,
    size_tensor,
    scale_tensor,
    data_format="NCHW",
    out_d=0,
    out_h=0,
    out_w=0,
    scale=(),
    interp_method="bilinear",
    align_corners=True,
    align_mode=1,
):
    image = (x.movedim(-1, 1) if data_format.endswith("C") else x).double()
    sizes, scales = sizes_of(image, (out_d, out_h, out_w), scale)
    if list(image.shape[2:]) == sizes:
        return x.clone()
    for dim, (n, out, s) in enumerate(zip(image.shape[2:], sizes, scales), 2):
        image = torch.tensordot(image, weights_of(n, out, s, align_corners), ([dim], [1])).movedim(-1, dim)
    return image.movedim(1, -1) if data_format.endswith("C") else image
