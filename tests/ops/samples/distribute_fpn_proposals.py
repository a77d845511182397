import math

import torch

from ..sample import Error, Sample
from .multiclass_nms3 import boxes

DATA_DEPENDENT = True


def counts(*numbers, dtype=torch.int32):
    return torch.tensor(numbers, dtype=dtype)


SAMPLES = [
    Sample(boxes(6), counts(4, 2), 2, 4, 3, 2, False),
    Sample(boxes(7), counts(0, 7, 0), 2, 5, 4, 3, True),
    Sample(boxes(5), counts(5, dtype=torch.int64), 3, 3, 3, 1, True),
    Sample(boxes(5), torch.tensor(5, dtype=torch.int32), 2, 4, 3, 2, False),
    Sample(boxes(5), None, 1, 3, 2, 2, False),
    Sample(boxes(0), counts(0, 0), 2, 3, 2, 2, False),
]
LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")  # other numbers of boxes are another call
ERRORS = [
    Error(ValueError, r"'fpn_rois'.*\[\*, 4\], got \[5\]", torch.zeros(5), None, 2, 4, 3, 2, False),
    Error(ValueError, r"'refer_scale'.*at least 1, got 0", boxes(3), None, 2, 4, 3, 0, False),
]


def reference(fpn_rois, rois_num, min_level, max_level, refer_level, refer_scale, pixel_offset):
    sizes = [fpn_rois.shape[0]] if rois_num is None else rois_num.reshape(-1).tolist()
    image = [i for i, size in enumerate(sizes) for _ in range(size)]
    places: list[list[int]] = [[] for _ in range(min_level, max_level + 1)]
    for i, (left, top, right, bottom) in enumerate(fpn_rois.tolist()):
        pixel = 1 if pixel_offset else 0
        area = (right - left + pixel) * (bottom - top + pixel) if right >= left and bottom >= top else 0.0
        level = math.floor(refer_level + math.log2(math.sqrt(area) / refer_scale + 1e-6))
        places[min(max(level, min_level), max_level) - min_level].append(i)
    order = [i for level in places for i in level]
    restore = torch.tensor([order.index(i) for i in range(len(order))], dtype=torch.int32).reshape(-1, 1)
    numbers = [torch.tensor([sum(image[i] == k for i in of) for k in range(len(sizes))], dtype=torch.int32) for of in places]
    return [fpn_rois[of] for of in places], numbers, restore
