import torch

from ..sample import Error, Sample, T

SAMPLES = [Sample(T(2, 2, 3), [2, 3, 4, 5]), Sample(T(1, 2, 3), [1, 1, 2, 3], False), Sample(T(1, 3, 4), [1, 1, 2, 3, 2])]
ERRORS = [
    Error(ValueError, "'output_shape'.*4 or 5 sizes, got 3", T(2, 2, 3), [2, 3, 4]),
    Error(ValueError, r"'input'.*\[2, 2, 3\]", T(1, 2, 3), [2, 3, 4, 4]),
]


def reference(input, output_shape=(), align_corners=True):
    return torch.nn.functional.affine_grid(input, list(output_shape), align_corners)
