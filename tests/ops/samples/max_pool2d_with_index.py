import itertools

import torch

from ..sample import Error, Sample, T
from .pool2d import windows

SAMPLES = [
    Sample(T(2, 3, 4, 5), [2, 2], [2, 2]),
    Sample(T(1, 2, 5, 6), [3, 2], [2, 1], [1, 1]),
    Sample(T(1, 2, 5, 6), [2, 3], [2, 2], [0, 1], ceil_mode=True),
    Sample(T(2, 3, 5, 4), [3, 2], adaptive=True),
    Sample(T(2, 3, 3, 4), [1, 1], global_pooling=True),
    Sample(torch.tensor([[[[1.0, 2, 3, 0], [3, 0, 1, 2]]]]), [2, 2], [2, 2]),  # the maximum of a window is beside it, too
    Sample(T(1, 1, 4, 4, grad=False), [2, 2], [3, 3], [1, 1], ceil_mode=True),  # the last windows are beside the image
    Sample(T(0, 3, 4, 4), [2, 2], [2, 2]),
    Sample(T(2, 3, 0, 4), [2, 2], [2, 2], [1, 1]),  # of an image without elements
]
ERRORS = [
    Error(ValueError, r"'x'.*4 dimensions.*\[3, 4, 4\]", T(3, 4, 4), [2, 2]),
    Error(ValueError, r"'kernel_size'.*2 values.*got 3", T(1, 3, 4, 4), [2, 2, 2]),
    Error(ValueError, r"'kernel_size'.*size 4, got 6", T(1, 3, 4, 4), [6, 6]),
    Error(ValueError, r"'strides'.*positive.*\[0, 1\]", T(1, 3, 4, 4), [2, 2], [0, 1]),
    Error(ValueError, r"'paddings'.*2 values.*got 4", T(1, 3, 4, 4), [2, 2], [1, 1], [1, 1, 1, 1]),
]


def reference(x, kernel_size, strides=None, paddings=None, global_pooling=False, adaptive=False, ceil_mode=False):
    sizes = x.shape[2:]
    strides, paddings = strides or [1] * len(sizes), paddings or [0] * len(sizes)
    if global_pooling:
        axes = [[(0, 0, size, size)] for size in sizes]
    else:
        settings = zip(sizes, kernel_size, strides, paddings)
        axes = [windows(size, k, stride, p, p, ceil_mode, adaptive) for size, k, stride, p in settings]
    at = torch.arange(sizes.numel()).reshape(sizes)
    values, places = [], []
    for spans in itertools.product(*axes):
        cut = [slice(begin, end) for _, begin, end, _ in spans]
        seen, indices = x[tuple([slice(None)] * 2 + cut)].flatten(2), at[tuple(cut)].flatten()
        if not len(indices):
            values.append(x.new_full(x.shape[:2], -torch.inf))
            places.append(torch.full(x.shape[:2], -1))
            continue
        best = seen.max(2)
        values.append(best.values)
        places.append(indices[best.indices])
    shape = [len(spans) for spans in axes]
    return torch.stack(values, 2).unflatten(2, shape), torch.stack(places, 2).unflatten(2, shape).int()
