import torch

from ..sample import Error, Sample, T
from .multiclass_nms3 import boxes


def factors(*shape):
    return T(*shape, low=0.1, high=1, grad=False)


def moved(*shape):
    return T(*shape, 4, grad=False)


DECODE = "decode_center_size"
SAMPLES = [
    Sample(boxes(3), factors(3, 4), boxes(5)),
    Sample(boxes(3), None, boxes(2), "encode_center_size", False, 0, [0.125, 0.25, 0.5, 0.25]),
    Sample(boxes(3), None, boxes(2)),
    Sample(boxes(3), factors(3, 4), moved(2, 3), DECODE),
    Sample(boxes(3), factors(3, 4), moved(3, 2), DECODE, False, 1),
    Sample(boxes(3), None, moved(2, 3), DECODE, True, 0, [0.125, 0.25, 0.5, 0.25]),
    Sample(boxes(3), None, moved(2, 3), DECODE),
    Sample(boxes(3), None, moved(0, 3), DECODE),
    Sample(boxes(0), None, boxes(2)),
]
LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")  # a box of no width divides by 0
ERRORS = [
    Error(ValueError, r"'prior_box'.*\[\*, 4\], got \[3, 5\]", T(3, 5), None, boxes(2)),
    Error(ValueError, r"'code_type'.*got 'encode'", boxes(3), None, boxes(2), "encode"),
    Error(ValueError, r"'prior_box_var'.*\[3, 4\].*got \[2, 4\]", boxes(3), factors(2, 4), boxes(2)),
    Error(ValueError, r"'variance'.*four.*got 3", boxes(3), None, boxes(2), "encode_center_size", True, 0, [1.0, 1.0, 1.0]),
    Error(ValueError, r"'axis'.*0 or 1, got 2", boxes(3), None, boxes(2), DECODE, True, 2),
    Error(ValueError, r"'target_box'.*1 the 3 boxes.*got the shape \[3, 2, 4\]", boxes(3), None, moved(3, 2), DECODE),
]


def reference(prior_box, prior_box_var, target_box, code_type="encode_center_size", box_normalized=True, axis=0, variance=()):
    pixel = 0 if box_normalized else 1
    rows, columns = (target_box.shape[0], prior_box.shape[0]) if code_type != DECODE else target_box.shape[:2]
    out = target_box.new_zeros(rows, columns, 4)
    for i in range(rows):
        for k in range(columns):
            which = i if code_type == DECODE and axis == 1 else k
            left, top, right, bottom = prior_box[which].tolist()
            width, height = right - left + pixel, bottom - top + pixel
            x, y = left + width / 2, top + height / 2
            by = (
                prior_box_var[which]
                if prior_box_var is not None
                else torch.tensor(list(variance) or [1.0] * 4, dtype=torch.float64)
            )
            if code_type == DECODE:
                dx, dy, dw, dh = (target_box[i, k] * by).tolist()
                cx, cy = dx * width + x, dy * height + y
                w, h = (
                    torch.tensor([dw, dh], dtype=torch.float64).exp() * torch.tensor([width, height], dtype=torch.float64)
                ).tolist()
                out[i, k] = torch.tensor([cx - w / 2, cy - h / 2, cx + w / 2 - pixel, cy + h / 2 - pixel], dtype=torch.float64)
            else:
                a, b, c, d = target_box[i].tolist()
                ratio = torch.tensor([(c - a + pixel) / width, (d - b + pixel) / height], dtype=torch.float64).abs().log()
                out[i, k] = (
                    torch.tensor([((a + c) / 2 - x) / width, ((b + d) / 2 - y) / height, *ratio.tolist()], dtype=torch.float64) / by
                )
    return out
