import math

import torch

from ..sample import Error, Sample, T

SIZES = torch.tensor([[64, 96], [50, 40]], dtype=torch.int32)
TOLERANCE = {torch.float32: (1e-4, 1e-4)}
SAMPLES = [
    Sample(T(2, 14, 2, 3, grad=False), SIZES, [10, 13, 16, 30], 2, 0.4),
    Sample(T(1, 14, 2, 3, low=math.nan, high=math.nan, grad=False), SIZES[:1], [10, 13, 16, 30], 2, 0.4, clip_bbox=False),
    Sample(T(2, 7, 2, 1, grad=False), SIZES, [30, 20], 1, 0.01, 16, False, 1.25, True, 0.375),
]
ERRORS = [
    Error(ValueError, "'anchors'.*pairs of numbers, got 3", T(2, 12, 2, 2), SIZES, [1, 2, 3], 1),
    Error(ValueError, r"'x'.*\[batch, 12, height, width\]", T(2, 6, 2, 2), SIZES, [1, 2, 3, 4], 1),
    Error(ValueError, r"'img_size'.*int32 of the shape \[1, 2\]", T(1, 6, 2, 2), SIZES, [1, 2], 1),
]


def reference(
    x,
    img_size,
    anchors=(),
    class_num=1,
    conf_thresh=0.01,
    downsample_ratio=32,
    clip_bbox=True,
    scale_x_y=1.0,
    iou_aware=False,
    iou_aware_factor=0.5,
):
    """Cell for cell."""
    (n, _, height, width), count = x.shape, len(anchors) // 2
    boxes, scores = x.new_zeros(n, count, height, width, 4), x.new_zeros(n, count, height, width, class_num)
    for b, a, i, j in torch.cartesian_prod(*map(torch.arange, (n, count, height, width))).tolist():
        first = count * iou_aware + a * (5 + class_num)
        t = x[b, first : first + 5 + class_num, i, j].double()
        sure = torch.sigmoid(t[4]) * 1.0
        if iou_aware:
            sure = sure ** (1 - iou_aware_factor) * torch.sigmoid(x[b, a, i, j].double()) ** iou_aware_factor
        if sure < conf_thresh:
            continue
        rows, columns = img_size[b].tolist()
        move = 0.5 * (scale_x_y - 1)
        cx = (j + torch.sigmoid(t[0]).item() * scale_x_y - move) * columns / width
        cy = (i + torch.sigmoid(t[1]).item() * scale_x_y - move) * rows / height
        w = math.exp(t[2]) * anchors[2 * a] * columns / (downsample_ratio * width)
        h = math.exp(t[3]) * anchors[2 * a + 1] * rows / (downsample_ratio * height)
        box = [cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2]
        if clip_bbox:
            box = [max(box[0], 0), max(box[1], 0), min(box[2], columns - 1), min(box[3], rows - 1)]
        boxes[b, a, i, j] = torch.tensor(box, dtype=x.dtype)
        scores[b, a, i, j] = (sure * torch.sigmoid(t[5:])).to(x.dtype)
    return boxes.flatten(1, 3), scores.flatten(1, 3)
