import itertools

import torch

from ..sample import Error, Sample, T
from .pool2d import windows_of

MAX, AVG = {"pooling_type": "max"}, {"pooling_type": "avg"}
SAMPLES = [
    Sample(T(2, 2, 3, 4, 4), [2, 2, 2], [2, 2, 2], **MAX),
    Sample(T(1, 2, 4, 3, 4), [3, 2, 2], [2, 1, 2], [1, 1, 0], **AVG),
    Sample(T(1, 2, 4, 3, 4), [3, 2, 2], [2, 1, 2], [1, 0, 1], exclusive=False, **AVG),
    Sample(T(1, 2, 3, 2, 4), [4, 2, 2], [2, 1, 1], **MAX),  # a window that is larger than the volume by less than the stride
    Sample(T(1, 3, 4, 3, 2), [2, 2, 2], [2, 2, 2], [0, 1, 0], True, False, "NDHWC", **AVG),
    Sample(T(1, 4, 4, 3, 2), [2, 2, 3], [2, 2, 1], [0, 1, 1], True, data_format="NDHWC", **MAX),
    Sample(T(2, 2, 4, 3, 5), [2, 3, 2], adaptive=True, **MAX),
    Sample(T(2, 2, 4, 3, 5), [2, 3, 2], adaptive=True, **AVG),
    Sample(T(2, 2, 3, 2, 4), [1, 1, 1], global_pooling=True, **MAX),
    Sample(T(2, 2, 3, 2, 4), [1, 1, 1], global_pooling=True, data_format="NDHWC", **AVG),
    Sample(T(1, 2, 5, 4, 3), [3, 3, 2], [2, 2, 2], padding_algorithm="SAME", **MAX),
    Sample(T(1, 2, 5, 4, 3), [3, 3, 2], [2, 2, 2], [1, 1, 1], padding_algorithm="VALID", **AVG),
    Sample(T(1, 2, 3, 4, 3), [2, 3, 2], [2, 1, 1], [1, 0, 2, 1, 0, 1], **MAX),
    Sample(torch.tensor([[[[[1.0, 2, 3, 0], [3, 0, 1, 2]]]]]), [1, 2, 2], [1, 2, 2], **MAX),  # a maximum twice in a window
    Sample(T(0, 2, 4, 4, 4), [2, 2, 2], [2, 2, 2], **AVG),
]
ERRORS = [
    Error(ValueError, r"'x'.*5 dimensions.*\[3, 4, 4, 4\]", T(3, 4, 4, 4), [2, 2, 2], **MAX),
    Error(ValueError, r"'pooling_type'.*\"max\" or \"avg\", got \"\"", T(1, 3, 4, 4, 4), [2, 2, 2]),
    Error(ValueError, r"'kernel_size'.*3 values.*depth, height, width.*got 2", T(1, 3, 4, 4, 4), [2, 2], **MAX),
    Error(ValueError, r"'kernel_size'.*size 4, got 6", T(1, 3, 4, 4, 4), [2, 2, 6], **MAX),
    Error(ValueError, r"'strides'.*3 positive.*\[1, 0, 1\]", T(1, 3, 4, 4, 4), [2, 2, 2], [1, 0, 1], **MAX),
    Error(ValueError, r"'paddings'.*3 values.*or 6.*got 4", T(1, 3, 4, 4, 4), [2, 2, 2], paddings=[1, 1, 1, 1], **MAX),
    Error(ValueError, r"'x'.*depth, height and width above 0", T(1, 3, 4, 0, 4), [1, 1, 1], global_pooling=True, **MAX),
]


def reference(
    x,
    kernel_size,
    strides=(1, 1, 1),
    paddings=(0, 0, 0),
    ceil_mode=False,
    exclusive=True,
    data_format="NCDHW",
    pooling_type="",
    global_pooling=False,
    adaptive=False,
    padding_algorithm="EXPLICIT",
):
    volume = x.movedim(-1, 1) if data_format == "NDHWC" else x
    axes = windows_of(volume, kernel_size, strides, paddings, ceil_mode, global_pooling, adaptive, padding_algorithm)
    pooled = []
    for spans in itertools.product(*axes):
        cut = [slice(None)] * 2 + [slice(begin, end) for _, begin, end, _ in spans]
        part = volume[tuple(cut)].flatten(2)
        if pooling_type == "max":
            pooled.append(part.max(2).values)
        elif exclusive:
            pooled.append(part.mean(2))
        else:
            (d0, _, _, d1), (h0, _, _, h1), (w0, _, _, w1) = spans
            pooled.append(part.sum(2) / ((d1 - d0) * (h1 - h0) * (w1 - w0)))
    out = torch.stack(pooled, 2).unflatten(2, [len(spans) for spans in axes])
    return out.movedim(1, -1) if data_format == "NDHWC" else out
