import torch

from ..sample import Error, Sample, T

SAMPLES = [Sample(T(3, 4), T(3, 4), 1.0), Sample(T(5), T(5), 0.4), Sample(T(), T(), 2.0), Sample(T(0), T(0), 1.0)]
ERRORS = [Error(ValueError, "one shape", T(2), T(3), 1.0), Error(ValueError, "'delta'.*got 0", T(2), T(2), 0.0)]


def reference(input, label, delta):
    size = (label - input).abs()
    return torch.where(size <= delta, size * size / 2, delta * (size - delta / 2))
