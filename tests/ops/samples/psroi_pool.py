import math

import torch

from ..sample import Error, Sample, T
from .roi_align import BESIDE, BOXES, SMALL, numbers
from .roi_pool import _rounded

LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned", "channels_last")  # other numbers of boxes are another call
SAMPLES = [
    Sample(T(2, 12, 5, 6), BOXES, numbers(1, 2), 2, 3, 2),
    Sample(T(1, 8, 5, 6), BOXES, numbers(3), 2, 2, 2, 0.75),
    Sample(T(1, 6, 4, 5), BESIDE, numbers(3), 3, 2),
    Sample(T(1, 4, 4, 5), SMALL, numbers(2), 2, 2, 1, 0.5),
    Sample(T(3, 2, 4, 5), BOXES, numbers(2, 0, 1, dtype=torch.int64), 2, 1),
    Sample(T(1, 8, 4, 5), T(0, 4, grad=False), numbers(0), 2, 2, 2),
]
ERRORS = [
    Error(ValueError, r"'x'.*2 channels for each of the 4 cells.*\[1, 6, 4, 4\]", T(1, 6, 4, 4), T(1, 4), numbers(1), 2, 2, 2),
    Error(ValueError, r"'boxes_num'.*None", T(1, 4, 4, 4), T(1, 4), None, 2, 2),
]


def reference(x, boxes, boxes_num, pooled_height=1, pooled_width=1, output_channels=1, spatial_scale=1.0):
    owners = [n for n, count in enumerate(boxes_num.tolist()) for _ in range(count)]
    height, width = x.shape[2:]
    out = []
    for box, owner in zip(boxes.tolist(), owners):
        edges = [_rounded(edge) for edge in box]
        left, top, right, bottom = (at * spatial_scale for at in (*edges[:2], edges[2] + 1, edges[3] + 1))
        h, w = max(bottom - top, 0.1) / pooled_height, max(right - left, 0.1) / pooled_width
        for c in range(output_channels):
            for i in range(pooled_height):
                for j in range(pooled_width):
                    rows = slice(*(min(max(at, 0), height) for at in (math.floor(i * h + top), math.ceil((i + 1) * h + top))))
                    columns = slice(*(min(max(at, 0), width) for at in (math.floor(j * w + left), math.ceil((j + 1) * w + left))))
                    cell = x[owner, (c * pooled_height + i) * pooled_width + j, rows, columns]
                    out.append(cell.mean() if cell.numel() else x.new_zeros(()))
    if not out:
        return x.sum() * x.new_zeros(0, output_channels, pooled_height, pooled_width)
    return torch.stack(out).reshape(len(owners), output_channels, pooled_height, pooled_width)
