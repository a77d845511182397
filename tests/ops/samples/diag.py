import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3)),
    Sample(T(3), 2, 1.0),
    Sample(T(70), -1, 2.0),
    Sample(T(), 1),
    Sample(T(0), 1, 1.0),
    Sample(T(3, 4)),
    Sample(T(3, 4), 2),
    Sample(T(4, 3), -1),
    Sample(T(3, 4), 9),
    Sample(T(0, 3), -1),
]
ERRORS = [
    Error(ValueError, r"'x'.*vector or a matrix, got the shape \[2, 3, 4\]", T(2, 3, 4)),
]


def reference(x, offset=0, padding_value=0.0):
    if x.dim() == 2:
        places = [(i, i + offset) for i in range(x.shape[0]) if 0 <= i + offset < x.shape[1]]
        return torch.stack([x[place] for place in places]) if places else x.new_zeros(0)
    n = x.numel() + abs(offset)
    out = x.new_full((n, n), padding_value)
    for i, value in enumerate(x.reshape(-1)):
        out[i - min(offset, 0), i + max(offset, 0)] = value
    return out
