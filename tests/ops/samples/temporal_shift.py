import torch

from ..sample import Error, Sample, T

SAMPLES = [Sample(T(4, 8, 2, 1), 2), Sample(T(6, 1, 2, 5), 3, 0.4, "NHWC"), Sample(T(0, 4, 1, 1), 2)]
ERRORS = [
    Error(ValueError, "'shift_ratio'.*got 0.5", T(2, 4, 1, 1), 2, 0.5),
    Error(ValueError, "'seg_num'.*divisor of 3", T(3, 4, 1, 1), 2),
]


def reference(x, seg_num, shift_ratio=0.25, data_format="NCHW"):
    images = x if data_format == "NCHW" else x.permute(0, 3, 1, 2)
    n, c = images.shape[:2]
    rows = []
    for i in range(n):
        before = images[i - 1] if i % seg_num else images[i] * 0
        behind = images[i + 1] if (i + 1) % seg_num else images[i] * 0
        of = [before if k < int(c * shift_ratio) else behind if k < int(c * 2 * shift_ratio) else images[i] for k in range(c)]
        rows.append(torch.stack([source[k] for k, source in enumerate(of)]))
    out = torch.stack(rows) if rows else images
    return out if data_format == "NCHW" else out.permute(0, 2, 3, 1)
