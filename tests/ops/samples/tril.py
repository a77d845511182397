import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4)),
    Sample(T(4, 3), 1),
    Sample(T(2, 3, 3), -1),
    Sample(T(2, 2, 3, 5), 2),
    Sample(T(3, 4), 100),
    Sample(T(3, 4), -100),
    Sample(T(0, 3)),
    Sample(T(3, 0)),
    Sample(T(200, 300), 7),
]
ERRORS = [
    Error(ValueError, r"'x'.*at least 2 dimensions, got the shape \[3\]", T(3)),
]
reference = torch.tril
