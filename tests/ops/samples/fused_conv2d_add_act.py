import torch

from ..sample import Error, Sample, T
from .conv2d import reference as conv2d

IMAGES, FILTER = T(7, 3, 5, 6), T(4, 3, 3, 2)
SAMPLES = [
    Sample(IMAGES, FILTER, T(4), T(7, 4, 3, 5)),
    Sample(IMAGES, FILTER, T(1, 4, 1, 1), None, [2, 1], [1, 2], activation="identity"),
    Sample(IMAGES, FILTER, None, T(7, 4, 3, 5), activation="swish"),
    Sample(IMAGES, FILTER, None, None, activation="sigmoid"),
    Sample(T(1, 4, 7, 6), T(6, 2, 3, 3), T(6), None, [2, 2], [1, 2], "EXPLICIT", [1, 2], 2, activation="tanh"),
    Sample(T(1, 5, 6, 2), T(3, 2, 3, 2), T(3), T(1, 5, 3, 3), [1, 2], padding_algorithm="SAME", data_format="NHWC"),
    Sample(IMAGES, FILTER, T(4), None, activation="leaky_relu", fuse_alpha=0.25),
    Sample(IMAGES, FILTER, T(4), None, activation="hardswish"),
    Sample(IMAGES, FILTER, T(4), None, split_channels=[1, 3]),
    Sample(IMAGES, FILTER, T(4), T(7, 4, 3, 5), activation="swish", split_channels=[3, 1]),
    Sample(IMAGES, FILTER, T(4), None, activation="leaky_relu", fuse_alpha=-0.5),
    Sample(T(1, 6, 5, 6), T(6, 1, 3, 3), T(6), T(1, 6, 5, 6), paddings=[1, 1], groups=6),
    Sample(T(1, 4, 30, 31, grad=False), T(5, 4, 3, 3, grad=False), T(5), None, [3, 3], [1, 1]),
    Sample(T(1, 2, 9, 600, grad=False), T(3, 2, 2, 2, grad=False), T(3), T(1, 3, 8, 599, grad=False)),
    Sample(T(0, 3, 5, 6), FILTER, T(4), T(0, 4, 3, 5)),
    Sample(T(1, 2, 5, 0), T(3, 2, 2, 2), T(3), paddings=[1, 1]),
]
ERRORS = [
    Error(ValueError, r"'activation'.*'hardswish', got 'elu'", IMAGES, FILTER, None, None, activation="elu"),
    Error(ValueError, r"'bias'.*4 elements.*\[3\]", IMAGES, FILTER, T(3), None),
    Error(ValueError, r"'residual_data'.*\[7, 4, 3, 5\].*\[4, 3, 5\]", IMAGES, FILTER, None, T(4, 3, 5)),
    Error(ValueError, r"'split_channels'.*the 4 filters, got 5", IMAGES, FILTER, None, None, split_channels=[2, 3]),
    Error(ValueError, r"'split_channels'.*got -1 at 0", IMAGES, FILTER, None, None, split_channels=[-1, 5]),
]
TOLERANCE = {torch.float16: (4e-3, 2e-2), torch.bfloat16: (3e-2, 2e-1), torch.float32: (1e-5, 2e-4)}


def reference(
    input,
    filter,
    bias=None,
    residual_data=None,
    strides=(1, 1),
    paddings=(0, 0),
    padding_algorithm="EXPLICIT",
    dilations=(1, 1),
    groups=1,
    data_format="NCHW",
    activation="relu",
    split_channels=(),
    exhaustive_search=False,
    workspace_size_MB=32,
    fuse_alpha=0.0,
):
    out = conv2d(input, filter, strides, paddings, padding_algorithm, dilations, groups, data_format)
    channel = 3 if data_format == "NHWC" else 1
    if bias is not None:
        out = out + bias.flatten().reshape([-1 if i == channel else 1 for i in range(4)])
    if residual_data is not None:
        out = out + residual_data
    if activation == "leaky_relu":
        out = torch.nn.functional.leaky_relu(out, fuse_alpha)
    elif activation != "identity":
        name = "silu" if activation == "swish" else activation
        out = getattr(torch if hasattr(torch, name) else torch.nn.functional, name)(out)
    return out, list(out.split(split_channels, channel)) if split_channels else []
