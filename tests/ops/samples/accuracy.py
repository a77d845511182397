import torch

from ..sample import Error, Sample, T


def indices(*shape):
    return T(*shape, dtype=torch.int64, low=0, high=9)


SAMPLES = [
    Sample(T(3, 4, grad=False), indices(3, 4), indices(3, 1)),
    Sample(T(70, 2, grad=False), indices(70, 2), T(70, 1, dtype=torch.int32, low=0, high=9)),
    Sample(T(0, 2, grad=False), indices(0, 2), indices(0, 1)),
    Sample(T(3, 0, grad=False), indices(3, 0), indices(3, 1)),
]
ERRORS = [
    Error(ValueError, r"'x' and 'indices'.*one shape, got \[3, 4\] and \[3, 5\]", T(3, 4), indices(3, 5), indices(3, 1)),
    Error(ValueError, r"'label'.*\[3, 1\].*got \[3\]", T(3, 4), indices(3, 4), indices(3)),
    Error(TypeError, r"'indices'.*int64, got int32", T(3, 4), T(3, 4, dtype=torch.int32), indices(3, 1)),
    Error(TypeError, r"'label'.*int32 or int64, got uint8", T(3, 4), indices(3, 4), T(3, 1, dtype=torch.uint8)),
]


def reference(x, indices, label):
    hits = sum(int(label[i] in list(row)) for i, row in enumerate(indices))
    return (
        torch.tensor(hits / max(len(label), 1)),
        torch.tensor(hits, dtype=torch.int32),
        torch.tensor(len(label), dtype=torch.int32),
    )
