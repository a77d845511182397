import torch

from ..sample import Error, Sample, T

SAMPLES = [
    *(Sample(T(3, 23, low=0.3, high=3), e) for e in (0, 1, 2, 3, 0.5, 2.5, 5)),
    *(Sample(T(3, 23, low=0.3, high=3, dtype=torch.float64), e) for e in (-0.5, -1)),
    *(Sample(T(3, 4)), Sample(T(), 2), Sample(T(0, 3), 3.5)),
]
ERRORS = [Error(ValueError, r"'y': expected at least 0 for integers, got -1", T(2, dtype=torch.int32), -1)]
