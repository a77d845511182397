import torch

from ..sample import Error, Sample, T


def classes(*shape, high, low=0, dtype=torch.int64):
    return T(*shape, dtype=dtype, low=low, high=high)


SAMPLES = [
    Sample(T(4, 5), classes(4, 1, high=4)),
    Sample(T(4, 5), classes(4, high=4, dtype=torch.int32), ignore_index=2),
    Sample(T(2, 3, 4), classes(2, 1, 4, low=-1, high=2), ignore_index=-1, axis=1),
    Sample(T(2, 3, 4), classes(2, 4, low=-1, high=2, dtype=torch.int8), ignore_index=-1, axis=1),
    Sample(T(4, 5), classes(4, 1, high=4, dtype=torch.int16)),
    Sample(T(4, 300), classes(4, low=250, high=255, dtype=torch.uint8), ignore_index=-1),
    Sample(T(3, 4), T(3, 4, low=0, high=1, grad=False), True),
    Sample(T(2, 4, 3), T(2, 4, 3, low=0, high=1, grad=False), soft_label=True, axis=1),
    Sample(T(3, 4, low=0.2, high=1), classes(3, 1, high=3), use_softmax=False),
    Sample(T(3, 4, low=0.2, high=1), T(3, 4, low=0, high=1, grad=False), True, False),
    Sample(T(5), classes(1, high=4)),
    Sample(T(70, 1000, low=-9, high=9), classes(70, 1, high=999)),
    Sample(T(2, 5003), classes(2, 1, high=5002)),
    Sample(T(2, 19, 300), classes(2, 300, high=18), axis=1),
    Sample(T(0, 3), classes(0, 1, high=2)),
]
ERRORS = [
    Error(IndexError, r"'axis'.*got 2", T(2, 3), classes(2, 1, high=2), axis=2),
    Error(IndexError, r"'label'.*\[0, 3\).*-100.*got 7", T(2, 3), classes(2, 1, low=7, high=7)),
    Error(ValueError, r"'label'.*\[2, 1\] or \[2\], got \[3, 1\]", T(2, 3), classes(3, 1, high=2)),
    Error(TypeError, r"'label'.*int64, int32.*float32", T(2, 3), T(2, 1, dtype=torch.float32, grad=False)),
    Error(ValueError, r"'label'.*\[2, 3\].*got \[2, 1\]", T(2, 3), T(2, 1, grad=False), True),
]


def reference(
    input,
    label,
    soft_label=False,
    use_softmax=True,
    numeric_stable_mode=True,
    ignore_index=-100,
    axis=-1,
):
    softmax = torch.softmax(input, axis) if use_softmax else input
    log = torch.log_softmax(input, axis) if use_softmax else torch.log(input)
    if soft_label:
        return softmax, -(label * log).sum(axis, keepdim=True)
    label = label.long() if label.dim() == input.dim() else label.long().unsqueeze(axis)
    ignored = label == ignore_index
    return softmax, -log.gather(axis, label.masked_fill(ignored, 0)).masked_fill(ignored, 0)
