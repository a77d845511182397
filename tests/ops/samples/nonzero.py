import torch

from ..sample import Error, Sample, T

DATA_DEPENDENT = True
SAMPLES = [
    Sample(T(3, 4, dtype=torch.bool)),
    Sample(T(2, 3, 4, low=0)),
    Sample(T(9, dtype=torch.int32, low=-1, high=1)),
    Sample(T(0, 3)),
    Sample(torch.zeros(5)),
    Sample(torch.tensor([0.0, 1.0, -0.0, 2.0])),
    Sample(T(70, 300, dtype=torch.bool)),
]
ERRORS = [Error(ValueError, r"'condition'.*at least one dimension", T())]


def reference(condition):
    places = [i for i, value in enumerate(condition.reshape(-1).tolist()) if value != 0]
    columns: list[torch.Tensor] = []
    rest = torch.tensor(places, dtype=torch.int64)
    for size in reversed(condition.shape):
        columns.insert(0, rest % max(size, 1))
        rest = rest // max(size, 1)
    return torch.stack(columns, 1)
