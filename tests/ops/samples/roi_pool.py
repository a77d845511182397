import torch

from ..sample import Error, Given, Sample, T
from .roi_align import BESIDE, BOXES, SMALL, numbers

LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned", "channels_last")  # other numbers of boxes are another call
SAMPLES = [
    Sample(T(2, 2, 5, 6, low=-90, high=90), BOXES, numbers(1, 2), 2, 3),
    Sample(T(1, 2, 5, 6, low=-90, high=90), BOXES, numbers(3), 2, 2, 0.7),
    Sample(T(1, 2, 4, 5, low=-90, high=90), BESIDE, numbers(3), 3, 2),
    Sample(T(1, 2, 4, 5, low=-90, high=90), SMALL, numbers(2), 2, 2),
    Sample(T(3, 1, 4, 5, low=-90, high=90), BOXES, numbers(2, 0, 1, dtype=torch.int64), 2, 1),
    Sample(T(1, 2, 4, 5), T(0, 4, grad=False), numbers(0), 2, 2),
    Sample(T(2, 1, 9, 9, low=-90, high=90), Given(torch.tensor([[0.5, 1.5, 7.0, 8.0]]), grad=False), numbers(0, 1), 4, 3),
    Sample(T(1, 1, 3, 200, low=-90, high=90), Given(torch.tensor([[0.0, 0.0, 199.0, 2.0]]), grad=False), numbers(1), 1, 2),
]
ERRORS = [
    Error(ValueError, r"'x'.*4 dimensions.*\[2, 3, 4\]", T(2, 3, 4), T(1, 4), numbers(1, 0)),
    Error(ValueError, r"'boxes_num'.*None", T(1, 3, 4, 4), T(1, 4), None),
    Error(ValueError, r"'pooled_width'.*got 0", T(1, 3, 4, 4), T(1, 4), numbers(1), 1, 0),
]


def _rounded(value):
    return int(value + 0.5) if value >= 0 else -int(-value + 0.5)


def reference(x, boxes, boxes_num, pooled_height=1, pooled_width=1, spatial_scale=1.0):
    owners = [n for n, count in enumerate(boxes_num.tolist()) for _ in range(count)]
    cells = []
    for box, owner in zip(boxes.float(), owners):
        left, top, right, bottom = (_rounded(float(edge)) for edge in box * spatial_scale)
        height, width = max(bottom - top + 1, 1), max(right - left + 1, 1)
        for i in range(pooled_height):
            for j in range(pooled_width):
                rows = range(top + i * height // pooled_height, top - (-(i + 1) * height // pooled_height))
                columns = range(left + j * width // pooled_width, left - (-(j + 1) * width // pooled_width))
                inside = x[owner][:, [h for h in rows if 0 <= h < x.shape[2]]]
                inside = inside[:, :, [w for w in columns if 0 <= w < x.shape[3]]]
                cells.append(inside.flatten(1).amax(1) if inside.numel() else x.new_zeros(x.shape[1]))
    if not cells:
        return x.sum() * x.new_zeros(0, x.shape[1], pooled_height, pooled_width)
    return torch.stack(cells).reshape(len(owners), pooled_height, pooled_width, -1).permute(0, 3, 1, 2)
