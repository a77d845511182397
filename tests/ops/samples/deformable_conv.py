import itertools

import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(1, 2, 4, 3), T(1, 8, 3, 2), T(3, 2, 2, 2), T(1, 4, 3, 2)),
    Sample(T(2, 2, 3, 4), T(2, 12, 2, 2, low=-1, high=1), T(2, 2, 2, 3), None),
    Sample(T(1, 4, 5, 4), T(1, 24, 3, 2), T(2, 2, 3, 2), T(1, 12, 3, 2), [2, 2], [1, 0], [1, 1], 2, 2, 1),
    Sample(T(1, 2, 5, 5), T(1, 8, 4, 3), T(1, 2, 2, 2), None, [1, 2], [1, 1], [3, 1]),
    Sample(T(0, 2, 4, 3), T(0, 8, 3, 2), T(3, 2, 2, 2), T(0, 4, 3, 2)),
]
ERRORS = [
    Error(ValueError, r"'x'.*3 channels, expected 2", T(1, 3, 4, 3), T(1, 8, 3, 2), T(3, 2, 2, 2), None),
    Error(ValueError, r"'offset'.*\[1, 8, 3, 2\], got \[1, 4, 3, 2\]", T(1, 2, 4, 3), T(1, 4, 3, 2), T(3, 2, 2, 2), None),
    Error(ValueError, r"'mask'.*\[1, 4, 3, 2\], got \[1, 8, 3, 2\]", T(1, 2, 4, 3), *[T(1, 8, 3, 2), T(3, 2, 2, 2)], T(1, 8, 3, 2)),
    Error(
        ValueError,
        r"'deformable_groups'.*2 channels.*got 3",
        *[T(1, 2, 4, 3), T(1, 8, 3, 2), T(3, 2, 2, 2), None],
        deformable_groups=3,
    ),
    Error(ValueError, r"'paddings'.*2 numbers.*got \[0\]", T(1, 2, 4, 3), T(1, 8, 3, 2), T(3, 2, 2, 2), None, paddings=[0]),
]
TOLERANCE = {torch.float32: (1e-5, 1e-4), torch.float16: (1e-2, 5e-2), torch.bfloat16: (1e-1, 5e-1)}


def _pixel(image, y, x):
    """The channels at a position: the four pixels around, weighed; [channels]."""
    found = image.new_zeros(image.shape[0])
    top, left = y.detach().floor(), x.detach().floor()
    for row, column in itertools.product((top, top + 1), (left, left + 1)):
        if 0 <= row < image.shape[1] and 0 <= column < image.shape[2]:
            found = found + image[:, int(row), int(column)] * (1 - (y - row).abs()) * (1 - (x - column).abs())
    return found


def reference(
    x,
    offset,
    filter,
    mask=None,
    strides=(1, 1),
    paddings=(0, 0),
    dilations=(1, 1),
    deformable_groups=1,
    groups=1,
    im2col_step=64,
):
    """A filter on each window by itself."""
    (height, width), outs = filter.shape[2:], offset.shape[2:]
    channels, taps = x.shape[1] // deformable_groups, height * width
    images = []
    for n, row, column in itertools.product(range(x.shape[0]), *map(range, outs)):
        parts = []
        for g in range(deformable_groups):
            for tap in range(taps):
                y = row * strides[0] - paddings[0] + tap // width * dilations[0]
                z = column * strides[1] - paddings[1] + tap % width * dilations[1]
                down, right = offset[n, (g * taps + tap) * 2 : (g * taps + tap) * 2 + 2, row, column]
                seen = _pixel(x[n, g * channels : (g + 1) * channels], y + down, z + right)
                parts.append(seen if mask is None else seen * mask[n, g * taps + tap, row, column])
        window = torch.stack(parts).reshape(deformable_groups, taps, channels).transpose(1, 2).reshape(groups, 1, -1)
        images.append((filter.reshape(groups, -1, window.shape[2]) * window).sum(2).flatten())
    if not images:
        return (x.sum() + offset.sum() + filter.sum()) + x.new_zeros(0, filter.shape[0], *outs)
    return torch.stack(images).reshape(x.shape[0], *outs, filter.shape[0]).permute(0, 3, 1, 2)
