import torch

from ..sample import Error, Sample, T, sides

SAMPLES = [
    Sample(T(2, 2, 2, 3, 2), T(2, 3, 2, 2, 3)),
    Sample(T(1, 4, 2, 2, 2), T(4, 1, 2, 3, 2), [2, 1, 2], [1, 0, 1], groups=2),
    Sample(T(1, 2, 2, 3, 2), T(2, 2, 3, 2, 2), [2, 3, 2], [0, 1, 0], [1, 2, 0]),
    Sample(T(1, 2, 2, 3, 2), T(2, 2, 3, 2, 2), [2, 3, 2], [0, 1, 0], [], [6, 8, 4]),
    Sample(T(1, 2, 2, 3, 3), T(2, 2, 3, 3, 2), [2, 2, 1], [0, 1, 2, 0, 1, 1], [1, 0, 0]),
    Sample(T(1, 2, 2, 2, 3), T(2, 1, 3, 2, 2), [2, 1, 1], dilations=[2, 3, 1]),
    Sample(T(1, 2, 3, 2, 2), T(2, 2, 3, 2, 2), [2, 2, 1], [1, 1, 0], data_format="NHWC"),
    Sample(T(1, 2, 3, 2, 2), T(2, 2, 3, 3, 2), [2, 1, 1], padding_algorithm="SAME", dilations=[2, 2, 2], data_format="NDHWC"),
    Sample(T(1, 2, 3, 2, 2), T(2, 2, 3, 3, 2), [1, 2, 1], [5, 5, 5], padding_algorithm="VALID"),
    Sample(T(2, 3, 2, 3, 2), T(3, 2, 1, 1, 1)),
    Sample(T(0, 2, 2, 3, 2), T(2, 3, 2, 2, 3)),
]
ERRORS = [
    Error(ValueError, r"3 channels, expected dimension 0", T(1, 3, 4, 4, 4), T(4, 2, 3, 3, 3)),
    Error(ValueError, r"'strides'.*expected 3 positive numbers, got \[1\]", T(1, 3, 4, 4, 4), T(3, 3, 3, 3, 3), [1]),
    Error(ValueError, r"'output_padding'.*3 numbers.*got 2", T(1, 3, 4, 4, 4), T(3, 3, 3, 3, 3), output_padding=[1, 1]),
    Error(ValueError, r"'output_padding'.*\[0, 1\).*got 1", T(1, 3, 4, 4, 4), T(3, 3, 3, 3, 3), output_padding=[0, 0, 1]),
    Error(ValueError, r"'output_size'.*\[6, 7\), got 5", T(1, 3, 4, 4, 4), T(3, 3, 3, 3, 3), output_size=[6, 5, 6]),
    Error(ValueError, r"not empty", T(1, 3, 4, 0, 4), T(3, 3, 3, 3, 3)),
    Error(ValueError, r"expected 5 dimensions.*\[3, 4, 4, 4\]", T(3, 4, 4, 4), T(3, 3, 3, 3, 3)),
]
TOLERANCE = {torch.float16: (4e-3, 2e-2), torch.bfloat16: (3e-2, 2e-1), torch.float32: (1e-5, 1e-3)}


def reference(
    x,
    filter,
    strides=(1, 1, 1),
    paddings=(0, 0, 0),
    output_padding=(),
    output_size=(),
    padding_algorithm="EXPLICIT",
    groups=1,
    dilations=(1, 1, 1),
    data_format="NCHW",
):
    """The whole of it, with room for output_padding, and then the part that is left."""
    x = x.movedim(-1, 1) if data_format.endswith("C") else x
    padded = sides(x.shape[2:], filter.shape[2:], strides, paddings, padding_algorithm)
    dilations = (1, 1, 1) if padding_algorithm == "SAME" else dilations
    whole = torch.nn.functional.conv_transpose3d(x, filter, None, strides, 0, 0, groups, dilations)
    least = [size - before - after for size, (before, after) in zip(whole.shape[2:], padded)]
    sizes = output_size or [n + p for n, p in zip(least, output_padding or (0, 0, 0))]
    whole = torch.nn.functional.pad(whole, (0, 9) * 3)
    cut = [slice(None)] * 2 + [slice(before, before + size) for (before, _), size in zip(padded, sizes)]
    out = whole[tuple(cut)]
    return out.movedim(1, -1) if data_format.endswith("C") else out
