import torch

from ..sample import Error, Sample, T

SAMPLES = [Sample(T(3, 4), T(3, 4, low=0, high=1)), Sample(T(5, 1), T(5, 1)), Sample(T(0, 1), T(0, 1))]
ERRORS = [
    Error(ValueError, "one shape", T(2), T(3)),
    Error(TypeError, "same data type", T(2, dtype=torch.float32), T(2, dtype=torch.float64)),
]


def reference(logits, labels):
    return (1 - (2 * labels - 1) * logits).clamp_min(0)
