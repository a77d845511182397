import itertools

import torch

from ..sample import Error, Sample, T

NONE = (None, None, None)
HALF_PIXELS = {"align_corners": False, "align_mode": 0}
WHOLE_PIXELS = {"align_corners": False, "align_mode": 1}
SAMPLES = [
    Sample(T(2, 3, 4, 5), *NONE, out_h=7, out_w=9),
    Sample(T(1, 2, 4, 5), *NONE, out_h=7, out_w=9, **HALF_PIXELS),
    Sample(T(1, 2, 5, 6), *NONE, out_h=2, out_w=3, **HALF_PIXELS),
    Sample(T(1, 2, 5, 4), *NONE, out_h=3, out_w=11, **WHOLE_PIXELS),
    Sample(T(1, 2, 3, 4), *NONE, scale=[2.0, 1.7], **HALF_PIXELS),
    Sample(T(1, 2, 10, 4), *NONE, scale=[1.3, 0.5], **WHOLE_PIXELS),
    Sample(T(1, 4, 3, 2), *NONE, "NHWC", out_h=3, out_w=5, **HALF_PIXELS),
    Sample(T(1, 2, 3, 9), *NONE, "NHWC", scale=[2.5, 2.0]),
    Sample(T(1, 2, 4, 3), *NONE, out_h=1, out_w=1, **HALF_PIXELS),
    Sample(T(1, 2, 1, 1), *NONE, out_h=2, out_w=3, **HALF_PIXELS),
    Sample(T(1, 2, 4, 3), *NONE, out_h=4, out_w=3, scale=[1.1, 1.2], **HALF_PIXELS),
    Sample(T(2, 8, 30, 40), *NONE, out_h=60, out_w=80, **HALF_PIXELS),
    Sample(T(2, 15, 20, 8), *NONE, "NHWC", out_h=40, out_w=39, **HALF_PIXELS),
    Sample(T(1, 2, 5), *NONE, out_w=8, interp_method="linear"),
    Sample(T(1, 6, 20), *NONE, "NHWC", scale=[0.7], interp_method="linear", **HALF_PIXELS),
    Sample(T(1, 2, 3, 4, 5), *NONE, out_d=5, out_h=3, out_w=7, interp_method="trilinear"),
    Sample(T(1, 2, 3, 4, 5), *NONE, out_d=3, out_h=6, out_w=5, interp_method="trilinear", **HALF_PIXELS),
    Sample(T(1, 3, 4, 3, 9), *NONE, "NDHWC", scale=[1.5, 2.0, 0.7], interp_method="trilinear", **WHOLE_PIXELS),
    Sample(T(1, 2, 4), *NONE, out_w=1, interp_method="linear", **HALF_PIXELS),
    Sample(T(1, 2, 2, 4, 5), *NONE, out_d=1, out_h=1, out_w=3, interp_method="trilinear", **HALF_PIXELS),
    Sample(T(0, 3, 4, 4), *NONE, out_h=2, out_w=2),
    Sample(T(2, 0, 4, 4), *NONE, out_h=2, out_w=2),
]


def errors(other):
    """`other`: a method that the op is not for."""
    return [
        Error(ValueError, r"'x'.*3, 4 or 5 dimensions.*\[4, 4\]", T(4, 4), *NONE, out_w=2),
        Error(ValueError, r"'x'.*images", T(1, 3, 0, 4), *NONE, out_h=2, out_w=2),
        Error(ValueError, r"'x'.*images", T(1, 3, 0, 4), torch.tensor([2, 2])),
        Error(ValueError, r"'out_w'.*positive.*got 0", T(1, 3, 4, 4), *NONE, out_h=2),
        Error(ValueError, r"'scale'.*2 numbers.*got 1", T(1, 3, 4, 4), *NONE, scale=[2.0]),
        Error(ValueError, r"'scale'.*positive.*got -1", T(1, 3, 4, 4), *NONE, scale=[-1.0, 2.0]),
        Error(ValueError, r"'scale'.*nothing of a size of 4", T(1, 3, 4, 4), *NONE, scale=[0.1, 2.0]),
        Error(ValueError, r"'interp_method'", T(1, 3, 4, 4), *NONE, out_h=2, out_w=2, interp_method=other),
        Error(ValueError, r"'align_mode'.*got 2", T(1, 3, 4, 4), *NONE, out_h=2, out_w=2, align_mode=2),
        Error(ValueError, r"'data_format'.*got \"CHWN\"", T(1, 3, 4, 4), *NONE, "CHWN", out_h=2, out_w=2),
        Error(ValueError, r"'out_size'.*2 elements.*\[1\]", T(1, 3, 4, 4), torch.tensor([2])),
        Error(ValueError, r"'out_size'.*positive.*got 0", T(1, 3, 4, 4), torch.tensor([2, 0])),
        Error(ValueError, r"'size_tensor'.*got 1", T(1, 3, 4, 4), None, [torch.tensor([2])]),
        Error(ValueError, r"'scale_tensor'.*float32", T(1, 3, 4, 4), None, None, torch.tensor([2])),
        Error(ValueError, r"'scale_tensor'.*positive", T(1, 3, 4, 4), None, None, torch.tensor([-2.0])),
    ]


ERRORS = errors("nearest")


def positions(size, out, scale, align_corners, shift, middle=False):
    """Of the output's pixels, in float32; where there is one, the first pixel, or the middle."""
    if out == 1 and not (shift and middle):
        return torch.zeros(1)
    ratio = (size - 1) / (out - 1) if align_corners else 1 / scale if scale else size / out
    return (torch.arange(out, dtype=torch.float32) + shift) * torch.tensor(ratio, dtype=torch.float32) - shift


def sizes_of(image, numbers, scale):
    if not scale:
        n = image.dim() - 2
        return list(numbers[-n:]), [0] * n
    return [int(round(n * s, 6)) for n, s in zip(image.shape[2:], scale)], scale


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
    """With a matrix of weights for each axis."""
    image = x.movedim(-1, 1) if data_format.endswith("C") else x
    sizes, scales = sizes_of(image, (out_d, out_h, out_w), scale)
    if list(image.shape[2:]) == sizes:
        return x.clone()
    if x.dtype is torch.uint8:
        result = sum_of_products(image, sizes, scales, align_corners, align_mode, interp_method)
        return result.movedim(1, -1) if data_format.endswith("C") else result
    result = image.double()
    for dim, (n, out, s) in enumerate(zip(image.shape[2:], sizes, scales), 2):
        shift = 0.5 if align_mode == 0 and not align_corners else 0.0
        position = positions(n, out, s, align_corners, shift, interp_method != "bilinear").clamp(0, n - 1).double()
        weights = (1 - (position[:, None] - torch.arange(n)).abs()).clamp(min=0)
        result = torch.tensordot(result, weights, ([dim], [1])).movedim(-1, dim)
    return result.movedim(1, -1) if data_format.endswith("C") else result


def sum_of_products(image, sizes, scales, align_corners, align_mode, interp_method):
    """Of pixels and their weights in float32, in Paddle's order: an image's by columns."""
    shift, sides = 0.5 if align_mode == 0 and not align_corners else 0.0, []
    for n, out, s in zip(image.shape[2:], sizes, scales):
        position = positions(n, out, s, align_corners, shift, interp_method != "bilinear").clamp(0, n - 1)
        low = position.long()
        sides.append([(low, 1 - (position - low)), ((low + 1).clamp(max=n - 1), position - low)])
    orders = itertools.product(*sides) if len(sides) != 2 else ((row, column) for column in sides[1] for row in sides[0])
    result = torch.zeros((*image.shape[:2], *sizes))
    for taps in orders:
        product = image.float()
        for dim, (index, weight) in enumerate(taps, 2):
            product = product.index_select(dim, index) * weight.reshape(-1, *[1] * (image.dim() - 1 - dim))
        result += product
    return result.to(torch.uint8)
