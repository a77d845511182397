import torch

from ..sample import BROADCAST_ERRORS, Error, T
from . import floor_divide

SAMPLES = floor_divide.SAMPLES
ERRORS = [*BROADCAST_ERRORS, Error(ValueError, "'y'.*no 0", T(3, dtype=torch.int64), T(3, dtype=torch.int64, low=0, high=0))]


def reference(x, y):
    return torch.div(x, y, rounding_mode="trunc")
