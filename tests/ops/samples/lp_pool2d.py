import torch

from ..sample import Error, Sample, T
from .pool2d import windows_of


def positive(*shape):
    return T(*shape, low=0.2, high=2.0)


SAMPLES = [
    Sample(positive(2, 3, 4, 5), [2, 2], [2, 2], norm_type=2.0),
    Sample(positive(1, 2, 5, 5), [3, 3], [2, 2], [1, 1], norm_type=3.0),
    Sample(T(1, 2, 5, 6), [3, 2], [2, 1], [1, 0], norm_type=2.0),
    Sample(positive(2, 5, 4, 3), [2, 2], [2, 2], [0, 0], True, data_format="NHWC", norm_type=1.5),
    Sample(positive(2, 3, 5, 4), [3, 2], adaptive=True, norm_type=2.0),
    Sample(positive(2, 3, 3, 4), [1, 1], global_pooling=True, norm_type=0.5),
    Sample(positive(1, 3, 7, 8), [3, 3], [2, 2], padding_algorithm="SAME", norm_type=1.0),
    Sample(T(1, 3, 6, 7), [2, 3], [2, 1], norm_type=float("inf")),
    Sample(positive(0, 3, 4, 4), [2, 2], [2, 2], norm_type=2.0),
    Sample(T(1, 2, 4, 4, low=0, high=0, grad=False), [2, 2], [2, 2], norm_type=2.0),
]
ERRORS = [
    Error(ValueError, r"'norm_type'.*above 0, got 0", T(1, 3, 4, 4), [2, 2]),
    Error(ValueError, r"'norm_type'.*above 0, got -1", T(1, 3, 4, 4), [2, 2], norm_type=-1.0),
    Error(ValueError, r"'x'.*4 dimensions.*\[3, 4, 4\]", T(3, 4, 4), [2, 2], norm_type=2.0),
    Error(ValueError, r"'kernel_size'.*2 values.*got 3", T(1, 3, 4, 4), [2, 2, 2], norm_type=2.0),
]


def reference(
    x,
    kernel_size,
    strides=(1, 1),
    paddings=(0, 0),
    ceil_mode=False,
    exclusive=True,
    data_format="NCHW",
    pooling_type="",
    global_pooling=False,
    adaptive=False,
    padding_algorithm="EXPLICIT",
    norm_type=0.0,
):
    image = x.permute(0, 3, 1, 2) if data_format == "NHWC" else x
    axes = windows_of(image, kernel_size, strides, paddings, ceil_mode, global_pooling, adaptive, padding_algorithm)

    def norm(part):
        if norm_type == float("inf"):
            return part.max(2).values
        return (part**norm_type).sum(2) ** (1 / norm_type)

    rows = [[norm(image[:, :, top:end, left:right].flatten(2)) for _, left, right, _ in axes[1]] for _, top, end, _ in axes[0]]
    out = torch.stack([torch.stack(row, 2) for row in rows], 2)
    return out.permute(0, 2, 3, 1) if data_format == "NHWC" else out
