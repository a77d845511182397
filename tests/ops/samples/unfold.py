import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(2, 3, 4, 5), [2, 2], [1, 2], [0, 0], [1, 1]),
    Sample(T(1, 2, 4, 4), [2, 3], [1, 1], [1, 0, 0, 2], [1, 1]),
    Sample(T(1, 1, 5, 5), [2, 2], [1, 1], [1, 1], [2, 2]),
]
ERRORS = [
    Error(ValueError, "'x'.*images with elements", T(1, 0, 4, 4), [2, 2], [1, 1], [0, 0], [1, 1]),
    Error(ValueError, "the window reaches over 5 elements", T(1, 1, 4, 4), [5, 5], [1, 1], [0, 0], [1, 1]),
    Error(ValueError, "'strides'.*at least 1", T(1, 1, 4, 4), [2, 2], [0, 1], [0, 0], [1, 1]),
]


def reference(x, kernel_sizes, strides, paddings, dilations):
    top, left, bottom, right = paddings if len(paddings) == 4 else (*paddings, *paddings)
    x = torch.nn.functional.pad(x, (left, right, top, bottom))
    out = []
    counts = [(x.shape[2 + i] - dilations[i] * (kernel_sizes[i] - 1) - 1) // strides[i] + 1 for i in range(2)]
    for i in range(kernel_sizes[0]):
        for j in range(kernel_sizes[1]):
            rows = torch.arange(counts[0]) * strides[0] + i * dilations[0]
            columns = torch.arange(counts[1]) * strides[1] + j * dilations[1]
            out.append(x[:, :, rows][..., columns].flatten(2))
    return torch.stack(out, 2).flatten(1, 2)
