import torch

from ..sample import Error, Given, Sample, T

BOXES = Given(torch.tensor([[0.3, 0.6, 3.1, 2.4], [1.2, 0.1, 4.9, 4.4], [0.7, 1.3, 2.2, 3.6]]), grad=False)
BESIDE = Given(torch.tensor([[-2.6, -1.3, 2.1, 3.4], [3.2, 2.6, 8.4, 7.7], [-9.0, -9.0, -5.0, -5.0]]), grad=False)
SMALL = Given(torch.tensor([[2.4, 3.3, 2.4, 2.1], [1.2, 1.1, 1.7, 1.4]]), grad=False)


def numbers(*values, dtype=torch.int32):
    return torch.tensor(values, dtype=dtype)


LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned", "channels_last")  # other numbers of boxes are another call
SAMPLES = [
    Sample(T(2, 2, 5, 6), BOXES, numbers(1, 2), 2, 3),
    Sample(T(1, 2, 5, 6), BOXES, numbers(3), 2, 2, 0.7, 2),
    Sample(T(1, 2, 5, 6), BOXES, numbers(3), 2, 2, 1.3, -1, True),
    Sample(T(1, 2, 4, 5), BESIDE, numbers(3), 3, 2, 1.0, 3, True),
    Sample(T(1, 2, 4, 5), BESIDE, numbers(3), 1, 2),
    Sample(T(1, 2, 4, 5), SMALL, numbers(2), 2, 2, 1.0, 2, True),
    Sample(T(3, 1, 4, 5), BOXES, numbers(2, 0, 1, dtype=torch.int64), 2, 1),
    Sample(T(1, 2, 4, 5), T(0, 4, grad=False), numbers(0), 2, 2),
]
ERRORS = [
    Error(ValueError, r"'x'.*4 dimensions.*\[2, 3, 4\]", T(2, 3, 4), T(1, 4), numbers(1, 0)),
    Error(ValueError, r"'boxes'.*\[\*, 4\], got \[1, 5\]", T(1, 3, 4, 4), T(1, 5), numbers(1)),
    Error(ValueError, r"'boxes_num'.*\[2\], got \[1\]", T(2, 3, 4, 4), T(1, 4), numbers(1)),
    Error(ValueError, r"'pooled_height'.*got 0", T(1, 3, 4, 4), T(1, 4), numbers(1), 0, 1),
    Error(TypeError, r"'boxes_num'.*int32 or int64, got float32", T(1, 3, 4, 4), T(1, 4), T(1)),
]
TOLERANCE = {torch.float32: (1e-5, 1e-5), torch.float16: (5e-3, 2e-2), torch.bfloat16: (4e-2, 1e-1)}


def _pixel(image, y, x):
    """The channels of an image at a sample: four pixels, weighed; beside it those at the border, and then nothing."""
    height, width = image.shape[1:]
    if y < -1 or y > height or x < -1 or x > width:
        return image.new_zeros(image.shape[0])
    y, x = min(max(y, 0.0), height - 1.0), min(max(x, 0.0), width - 1.0)
    top, left = int(y), int(x)
    bottom, right = min(top + 1, height - 1), min(left + 1, width - 1)
    upper = image[:, top, left] * (1 - x + left) + image[:, top, right] * (x - left)
    lower = image[:, bottom, left] * (1 - x + left) + image[:, bottom, right] * (x - left)
    return upper * (1 - y + top) + lower * (y - top)


def reference(x, boxes, boxes_num, pooled_height=1, pooled_width=1, spatial_scale=1.0, sampling_ratio=-1, aligned=False):
    owners = [n for n, count in enumerate(boxes_num.tolist()) for _ in range(count)]
    cells = []
    for box, owner in zip(boxes.double().tolist(), owners):
        left, top, right, bottom = (edge * spatial_scale - 0.5 * aligned for edge in box)
        height, width = (n if aligned else max(n, 1.0) for n in (bottom - top, right - left))
        cell = height / pooled_height, width / pooled_width
        rows, columns = (sampling_ratio if sampling_ratio > 0 else max(int(-(-n // 1)), 0) for n in cell)
        for i in range(pooled_height):
            for j in range(pooled_width):
                samples = [
                    _pixel(x[owner], top + cell[0] * (i + (k + 0.5) / rows), left + cell[1] * (j + (m + 0.5) / columns))
                    for k in range(rows)
                    for m in range(columns)
                ]
                cells.append(sum(samples, x.new_zeros(x.shape[1])) / max(len(samples), 1))
    if not cells:
        return x.sum() * x.new_zeros(0, x.shape[1], pooled_height, pooled_width)
    return torch.stack(cells).reshape(len(owners), pooled_height, pooled_width, -1).permute(0, 3, 1, 2)
