import torch

from ..sample import DEVICE, Error, Sample, T

SAMPLES = [
    Sample(T(5, 3, grad=False), [2, 7], torch.float32, 1.5, 0, 1, DEVICE),
    Sample(T(5, 3, grad=False), [-1, 2], torch.int64, 3.7, 1, 0, DEVICE),
    Sample(T(5, 3, grad=False), [2, 2, 2], torch.bool, 1.0, -1, -2, DEVICE),
    Sample(T(0, 3, grad=False), [1], torch.float64, 2.0, 0, 0, DEVICE),
]
ERRORS = [
    Error(ValueError, r"'shape'.*at least one size.*got 0", T(5, 3), [], torch.float32, 1.0, 0, 0, DEVICE),
    Error(ValueError, r"'shape'.*at least one dimension.*\[\]", T(), [2], torch.float32, 1.0, 0, 0, DEVICE),
    Error(ValueError, r"'shape'.*but along axis 0, got -1", T(5, 3), [2, -1], torch.float32, 1.0, 0, 0, DEVICE),
    Error(ValueError, r"value.*uint8 can hold, got -1", T(5, 3), [2, 1], torch.uint8, -1.0, 0, 0, DEVICE),
    Error(IndexError, r"'input_dim_idx'.*\[-2, 2\), got 2", T(5, 3), [2, 1], torch.float32, 1.0, 2, 0, DEVICE),
    Error(IndexError, r"'output_dim_idx'.*\[-2, 2\), got 2", T(5, 3), [2, 1], torch.float32, 1.0, 0, 2, DEVICE),
]


def reference(input, shape, dtype, value, input_dim_idx, output_dim_idx, place):
    sizes = list(shape)
    sizes[output_dim_idx] = input.shape[input_dim_idx]
    return torch.full(sizes, value, dtype=dtype)
