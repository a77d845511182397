from ..sample import Sample, T
from .bilinear_interp import NONE, errors, positions, sizes_of

LEFT = {"align_corners": False}
SAMPLES = [
    Sample(T(2, 3, 4, 5), *NONE, out_h=7, out_w=9),
    Sample(T(1, 2, 4, 5), *NONE, out_h=7, out_w=9, **LEFT),
    Sample(T(1, 2, 5, 6), *NONE, out_h=2, out_w=3, align_mode=0, **LEFT),
    Sample(T(1, 2, 3, 4), *NONE, scale=[2.0, 1.7], **LEFT),
    Sample(T(1, 2, 10, 4), *NONE, scale=[1.3, 0.5]),
    Sample(T(1, 4, 3, 2), *NONE, "NHWC", out_h=3, out_w=5, **LEFT),
    Sample(T(1, 2, 3, 9), *NONE, "NHWC", scale=[2.5, 2.0], **LEFT),
    Sample(T(1, 2, 4, 3), *NONE, out_h=1, out_w=1, **LEFT),
    Sample(T(1, 2, 1, 1), *NONE, out_h=2, out_w=3, **LEFT),
    Sample(T(1, 2, 4, 3), *NONE, out_h=4, out_w=3),
    Sample(T(2, 8, 30, 40), *NONE, out_h=60, out_w=80, **LEFT),
    Sample(T(2, 15, 20, 8), *NONE, "NHWC", out_h=40, out_w=39, **LEFT),
    Sample(T(1, 2, 5), *NONE, out_w=8),
    Sample(T(1, 6, 20), *NONE, "NHWC", scale=[0.7], **LEFT),
    Sample(T(1, 2, 3, 4, 5), *NONE, out_d=5, out_h=3, out_w=7),
    Sample(T(1, 3, 4, 3, 9), *NONE, "NDHWC", scale=[1.5, 2.0, 0.7], **LEFT),
    Sample(T(0, 3, 4, 4), *NONE, out_h=2, out_w=2),
    Sample(T(2, 0, 4, 4), *NONE, out_h=2, out_w=2),
]
ERRORS = errors("bilinear")


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
    interp_method="nearest",
    align_corners=True,
    align_mode=1,
):
    image = x.movedim(-1, 1) if data_format.endswith("C") else x
    sizes, scales = sizes_of(image, (out_d, out_h, out_w), scale)
    for dim, (n, out, s) in enumerate(zip(image.shape[2:], sizes, scales), 2):
        index = positions(n, out, s, align_corners, 0.0).double() + (0.5 if align_corners else 0.0)
        image = image.index_select(dim, index.long().clamp(max=n - 1))
    return image.movedim(1, -1) if data_format.endswith("C") else image
