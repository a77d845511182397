import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), [0]),
    Sample(T(3, 4), [1]),
    Sample(T(2, 3, 70), [0, -1]),
    Sample(T(2, 3, 4, 5), [1, 3]),
    Sample(T(3, 4), []),
    Sample(T(7), [0]),
    Sample(T(), []),
    Sample(T(0, 3), [0, 1]),
    Sample(T(200, 300), [1]),
]
ERRORS = [
    Error(IndexError, r"'axis'.*\[-2, 2\), got 2", T(2, 3), [2]),
    Error(IndexError, r"'axis'.*no dimension", T(), [0]),
    Error(ValueError, r"'axis'.*axis 1 again", T(2, 3), [1, -1]),
]
reference = torch.flip
