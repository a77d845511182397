import torch

from ..sample import Error, Sample, T

DATA_DEPENDENT = True
UNROLLED = True


class Boxes(T):
    """Boxes of an area: left, top, right and bottom."""

    def resized(self, shape):
        return type(self)(*shape, grad=False)

    def make(self, dtype, device, generator):
        corners = super().make(torch.float64, "cpu", generator).abs()
        return torch.cat([corners[..., :2], corners[..., :2] + corners[..., 2:] + 0.5], -1).to(dtype).to(device)


def boxes(*shape):
    return Boxes(*shape, 4, grad=False)


def scores(*shape):
    return T(*shape, low=0, high=1, grad=False)


SAMPLES = [
    Sample(boxes(2, 8), scores(2, 3, 8), None, 0.3, -1, -1),
    Sample(boxes(2, 9), scores(2, 3, 9), None, 0.1, 6, 5, 0.2, True, 1.0, -1),
    Sample(boxes(1, 9), scores(1, 2, 9), None, 0.0, -1, -1, 0.9, True, 0.8, 1),
    Sample(boxes(1, 6), scores(1, 2, 6), None, 0.1, -1, 4, 0.4, False),
    Sample(boxes(7, 3), scores(7, 3), torch.tensor([3, 4], dtype=torch.int32), 0.2, -1, -1, 0.3),
    Sample(boxes(7, 2), scores(7, 2), torch.tensor([5, 0, 2], dtype=torch.int32), 0.1, 4, 3, 0.5, True, 1.0, -1),
    Sample(boxes(2, 4), scores(2, 2, 4), None, 2.0, -1, -1),
]
LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")  # of equal scores all or none are found
ERRORS = [
    Error(ValueError, r"'bboxes'.*\[1, 5, 4\].*got \[1, 6, 4\]", boxes(1, 6), scores(1, 2, 5), None, 0.1, -1, -1),
    Error(ValueError, r"'bboxes'.*\[1, 5, 4\].*got \[1, 5, 6\]", T(1, 5, 6), scores(1, 2, 5), None, 0.1, -1, -1),
    Error(ValueError, r"'scores'.*'rois_num', got the shape \[6, 2\]", boxes(6, 2), scores(6, 2), None, 0.1, -1, -1),
    Error(ValueError, r"'rois_num'.*6 boxes in all, got 7", boxes(6, 2), scores(6, 2), torch.tensor([3, 4]), 0.1, -1, -1),
]


def overlap(a, b, pixel):
    def area(left, top, right, bottom):
        return (right - left + pixel) * (bottom - top + pixel) if right >= left and bottom >= top else 0.0

    low, high = [max(a[i], b[i]) for i in (0, 1)], [min(a[i], b[i]) for i in (2, 3)]
    if low[0] > high[0] or low[1] > high[1]:
        return 0.0
    common = area(*low, *high)
    return common / (area(*a) + area(*b) - common)


def best(boxes, scores, score_threshold, top_k, threshold, pixel, eta):
    """The numbers of the boxes of one class, the best one first."""
    order = sorted((i for i, score in enumerate(scores) if score > score_threshold), key=lambda i: -scores[i])
    kept: list[int] = []
    for i in order[: top_k if top_k > -1 else None]:
        if all(overlap(boxes[i], boxes[k], pixel) <= threshold for k in kept):
            kept.append(i)
            threshold = threshold * eta if eta < 1 and threshold > 0.5 else threshold
    return kept


def reference(
    bboxes,
    scores,
    rois_num,
    score_threshold,
    nms_top_k,
    keep_top_k,
    nms_threshold=0.3,
    normalized=True,
    nms_eta=1.0,
    background_label=0,
):
    sizes = [len(one.T) for one in scores] if rois_num is None else rois_num.tolist()
    rows, numbers, counts = [], [], []
    for image, size in enumerate(sizes):
        first = sum(sizes[:image])
        found = []
        for label in range(scores.shape[1]):
            part = bboxes[image] if rois_num is None else bboxes[first : first + size, label]
            of_class = scores[image, label] if rois_num is None else scores[first : first + size, label]
            if label == background_label:
                continue
            part, of_class = part.tolist(), of_class.tolist()
            kept = best(part, of_class, score_threshold, nms_top_k, nms_threshold, 0.0 if normalized else 1.0, nms_eta)
            found += [(of_class[i], label, i, part[i]) for i in (kept if rois_num is None else sorted(kept))]
        if -1 < keep_top_k < len(found):
            found = sorted(sorted(found, key=lambda one: -one[0])[:keep_top_k], key=lambda one: one[1])
            found = found if rois_num is None else sorted(found, key=lambda one: one[1:3])
        counts.append(len(found))
        for score, label, i, box in found:
            rows.append([label, score, *box])
            numbers.append(first + i if rois_num is None else (first + i) * scores.shape[1] + label)
    out = torch.tensor(rows, dtype=bboxes.dtype).reshape(-1, 6)
    return out, torch.tensor(numbers, dtype=torch.int32).reshape(-1, 1), torch.tensor(counts, dtype=torch.int32)
