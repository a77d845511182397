import torch

from ..sample import Error, Sample, T


def condition(*shape):
    return T(*shape, dtype=torch.bool)


SAMPLES = [
    Sample(condition(3, 4), T(3, 4), T(3, 4)),
    Sample(condition(70), T(3, 70), T(70)),
    Sample(condition(2, 1, 4), T(3, 1), T()),
    Sample(condition(5, 1), T(1, 7), T(5, 7)),
    Sample(condition(3, 1), T(4), T(4)),
    Sample(condition(), T(3), T(1)),
    Sample(condition(0, 3), T(3), T(0, 3)),
]
ERRORS = [
    Error(ValueError, r"shapes \[2, 3\] of 'x' and \[4\] of 'y' do not broadcast", condition(3), T(2, 3), T(4)),
    Error(ValueError, r"\[2, 3\] of 'x, y' and \[4\] of 'condition' do not broadcast", condition(4), T(2, 3), T(3)),
    Error(TypeError, r"'condition'.*expected data type bool, got int64", T(3, dtype=torch.int64), T(3), T(3)),
]
