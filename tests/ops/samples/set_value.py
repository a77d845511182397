import torch

from ..sample import Error, Sample, T
from . import set_value_with_tensor

SAMPLES = [
    Sample(T(3, 4), [0], [100], [2], [0], [], [], [1], [7.0]),
    Sample(T(3, 4), [0], [100], [2], [0], [], [], [], [-1]),
    Sample(T(3, 2), [1, 0], [2, 2], [1, 1], [0, 1], [0], [], [2], [1.0, 2.0]),
    Sample(T(3, 4), [2], [-4], [-1], [0], [], [0], [1, 3, 1], [1, 2, 3]),
    Sample(T(3, 4), [0], [0], [1], [0], [], [], [1], [2.0]),
    Sample(T(0, 3), [0], [5], [1], [0], [], [], [3], [1, 2, 3]),
]
ERRORS = [
    Error(ValueError, r"'values'.*expected 2.*got 1", T(2, 3), [0], [2], [1], [0], [], [], [2], [1.0]),
    Error(ValueError, r"'shape'.*the part, \[2, 3\], got \[2\]", T(2, 3), [0], [2], [1], [0], [], [], [2], [1.0, 2.0]),
    Error(ValueError, r"'shape'.*got -1", T(2, 3), [0], [2], [1], [0], [], [], [-1], [1.0]),
]


def reference(x, starts, ends, steps, axes, decrease_axes, none_axes, shape, values):
    given = torch.tensor(values, dtype=x.dtype).reshape(shape)
    return set_value_with_tensor.reference(x, given, starts, ends, steps, axes, decrease_axes, none_axes)
