import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), T(3, 4, low=0.5, high=2)),
    Sample(T(2, 3, 4), T(4, low=0.5, high=2)),
    Sample(T(2, 1, 4), T(3, 1, low=0.5, high=2)),
    Sample(T(5, 1), T(1, 7, low=0.5, high=2)),
    Sample(T(3, 70), T(3, 1, low=0.5, high=2)),
    Sample(T(), T(3, low=0.5, high=2)),
    Sample(T(4), T(low=0.5, high=2)),
    Sample(T(0, 3), T(3, low=0.5, high=2)),
]
ERRORS = [Error(ValueError, r"shapes \[2, 3\] of 'x' and \[4\] of 'y' do not broadcast", T(2, 3), T(4))]
reference = torch.div
