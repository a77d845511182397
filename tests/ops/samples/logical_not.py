import torch

from ..sample import Sample, T

SAMPLES = [Sample(T(3, 4)), Sample(T(2, 3, 70)), Sample(T()), Sample(T(1)), Sample(T(0, 3)), Sample(T(3, 4, dtype=torch.bool))]
reference = torch.logical_not
