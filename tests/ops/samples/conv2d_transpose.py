import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(2, 3, 5, 6), T(3, 4, 3, 2)),
    Sample(T(1, 4, 4, 3), T(4, 3, 3, 2), [2, 3], [1, 1], groups=2),
    Sample(T(1, 2, 3, 4), T(2, 2, 3, 2), [2, 3], [0, 1], [1, 2]),
    Sample(T(1, 2, 3, 4), T(2, 2, 3, 2), [2, 3], [0, 1], [], [8, 10]),
    Sample(T(1, 2, 3, 4), T(2, 2, 3, 3), [2, 2], [0, 1, 2, 0], [1, 0]),
    Sample(T(1, 2, 3, 4), T(2, 2, 3, 2), [2, 1], dilations=[2, 3]),
    Sample(T(1, 2, 3, 4), T(2, 1, 3, 2), [1, 1], [1, 1], [1, 2], dilations=[2, 3]),
    Sample(T(1, 3, 4, 2), T(2, 2, 3, 2), [2, 2], [1, 1], data_format="NHWC"),
    Sample(T(1, 3, 4, 2), T(2, 2, 3, 3), [2, 1], padding_algorithm="SAME", dilations=[2, 2], data_format="NHWC"),
    Sample(T(1, 2, 3, 4), T(2, 2, 4, 3), [1, 2], [5, 5], padding_algorithm="SAME"),
    Sample(T(1, 2, 3, 4), T(2, 2, 3, 3), [1, 2], [5, 5], padding_algorithm="VALID"),
    Sample(T(3, 4, 3, 5), T(4, 2, 1, 1)),
    Sample(T(5, 8, 20, 20), T(8, 8, 3, 3), [2, 2], [1, 1]),
    Sample(T(0, 3, 5, 6), T(3, 4, 3, 2)),
]
ERRORS = [
    Error(ValueError, r"3 channels, expected dimension 0", T(1, 3, 7, 7), T(4, 2, 3, 3)),
    Error(ValueError, r"4 channels.*multiple of the 3 groups", T(1, 4, 7, 7), T(4, 2, 3, 3), groups=3),
    Error(ValueError, r"'strides'.*expected 2 positive numbers, got \[1\]", T(1, 3, 7, 7), T(3, 3, 3, 3), [1]),
    Error(ValueError, r"'output_padding'.*2 numbers.*got 1", T(1, 3, 7, 7), T(3, 3, 3, 3), output_padding=[1]),
    Error(ValueError, r"'output_padding'.*\[0, 1\).*got 1", T(1, 3, 7, 7), T(3, 3, 3, 3), output_padding=[0, 1]),
    Error(ValueError, r"'output_size'.*\[9, 10\), got 8", T(1, 3, 7, 7), T(3, 3, 3, 3), output_size=[8, 9]),
    Error(ValueError, r"'paddings'.*all of the output.*-2", T(1, 1, 2, 2), T(1, 1, 1, 1), paddings=[2, 2]),
    Error(ValueError, r"not empty", T(1, 3, 0, 7), T(3, 3, 3, 3)),
    Error(ValueError, r"expected 4 dimensions.*\[3, 7, 7\]", T(3, 7, 7), T(3, 3, 3, 3)),
]
TOLERANCE = {torch.float16: (4e-3, 2e-2), torch.bfloat16: (3e-2, 2e-1), torch.float32: (1e-5, 2e-4)}


def reference(
    x,
    filter,
    strides=(1, 1),
    paddings=(0, 0),
    output_padding=(),
    output_size=(),
    padding_algorithm="EXPLICIT",
    groups=1,
    dilations=(1, 1),
    data_format="NCHW",
):
    """The whole of it, with room for output_padding, and then the part that is left."""
    x = x.movedim(-1, 1) if data_format == "NHWC" else x
    sides = list(paddings) if len(paddings) == 4 else [p for p in paddings for _ in range(2)]
    if padding_algorithm == "VALID":
        sides = [0, 0, 0, 0]
    elif padding_algorithm == "SAME":
        dilations = (1, 1)
        total = [max((-(-n // s) - 1) * s + k - n, 0) for n, s, k in zip(x.shape[2:], strides, filter.shape[2:])]
        sides = [part for t in total for part in (t // 2, t - t // 2)]
    whole = torch.nn.functional.conv_transpose2d(x, filter, None, strides, 0, 0, groups, dilations)
    least = [whole.shape[2 + i] - sides[2 * i] - sides[2 * i + 1] for i in range(2)]
    more = output_padding or (0, 0)
    height, width = output_size or [n + p for n, p in zip(least, more)]
    whole = torch.nn.functional.pad(whole, (0, 9, 0, 9))
    out = whole[:, :, sides[0] : sides[0] + height, sides[2] : sides[2] + width]
    return out.movedim(1, -1) if data_format == "NHWC" else out
