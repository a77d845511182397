import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(1, grad=False), [2, 3], torch.float32),
    Sample(T(), [70], torch.float64),
    Sample(T(1, 1, grad=False), [], torch.int32),
    Sample(T(1, grad=False), [0, 4], torch.float32),
]
ERRORS = [
    Error(ValueError, r"'value'.*one element, got the shape \[2\]", T(2), [3], torch.float32),
    Error(ValueError, r"'shape'.*at least 0, got -1", T(1), [-1], torch.float32),
]


def reference(value, shape, dtype):
    return value.reshape(()).expand(shape).to(dtype)
