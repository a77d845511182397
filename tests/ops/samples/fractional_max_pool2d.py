import itertools

import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(2, 3, 7, 9), [3, 4], [0, 0], 0.3),
    Sample(T(1, 2, 7, 9), [3, 4], [2, 3], 0.7, False),
    Sample(T(1, 2, 6, 5), [6, 1], [0, 2], 0.5),
    Sample(T(2, 1, 5, 8), [1, 3], [0, 2], 0.99),
    Sample(T(0, 2, 4, 4), [2, 2], random_u=0.2),
    Sample(T(2, 0, 4, 4), [2, 2], random_u=0.2),
]
ERRORS = [
    Error(ValueError, r"'x'.*4 dimensions.*\[3, 4, 4\]", T(3, 4, 4), [2, 2], [0, 0], 0.3),
    Error(ValueError, r"'output_size'.*2 values.*got 1", T(1, 3, 4, 4), [2], [0, 0], 0.3),
    Error(ValueError, r"'output_size'.*at least 1, got 0", T(1, 3, 4, 4), [2, 0], [0, 0], 0.3),
    Error(ValueError, r"'kernel_size'.*at least 0, got -1", T(1, 3, 4, 4), [2, 2], [2, -1], 0.3),
    Error(ValueError, r"'random_u'.*\(0, 1\).*got 1", T(1, 3, 4, 4), [2, 2], [0, 0], 1.0),
    Error(ValueError, r"'x'.*at least 5 along axis 3 for 5 windows", T(1, 3, 4, 4), [2, 5], [0, 0], 0.3),
    Error(ValueError, r"'x'.*at least 5 along axis 2 for 3 windows", T(1, 3, 4, 4), [3, 2], [3, 2], 0.3),
]


def windows(size, count, kernel, u):
    if kernel and count == 1:
        return [range(kernel)]
    alpha = (size - kernel) / (count - 1) if kernel else size / count
    if not kernel:
        base = size // count
        u *= min((base + 2) / alpha - 1, (size + 1 - base) / alpha - (count - 1))
    starts = [int((i + u) * alpha) - int(u * alpha) for i in range(count + 1)]
    ends = [start + kernel for start in starts] if kernel else starts[1:]
    return [range(start, min(end, size)) for start, end in zip(starts[:count], ends)]


def reference(x, output_size, kernel_size=(0, 0, 0), random_u=0.0, return_mask=True):
    sizes = x.shape[2:]
    axes = [windows(*axis, random_u) for axis in zip(sizes, output_size, kernel_size)]
    rows = x.flatten(2)
    out, mask = [], []
    for window in itertools.product(*axes):
        at = torch.tensor([sum(i * sizes[k + 1 :].numel() for k, i in enumerate(place)) for place in itertools.product(*window)])
        values, first = rows[..., at].max(-1)
        out.append(values)
        mask.append(at[first])
    shape = [*x.shape[:2], *output_size]
    return torch.stack(out, -1).reshape(shape), torch.stack(mask, -1).reshape(shape).int()
