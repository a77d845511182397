import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), T(3, 4)),
    Sample(T(2, 3, 4), T(4)),
    Sample(T(2, 1, 4), T(3, 1)),
    Sample(T(5, 1), T(1, 7)),
    Sample(T(3, 70), T(3, 1)),
    Sample(T(), T(3)),
    Sample(T(4), T()),
    Sample(T(0, 3), T(3)),
    Sample(T(3, 4, dtype=torch.bool), T(4, dtype=torch.bool)),
    Sample(T(3, 4), T(4, dtype=torch.int32)),
]
ERRORS = [Error(ValueError, r"shapes \[2, 3\] of 'x' and \[4\] of 'y' do not broadcast", T(2, 3), T(4))]
reference = torch.ne
