import torch

from ..sample import Sample, T

SAMPLES = [Sample(T(3, 4)), Sample(T(2, 3, 70)), Sample(T()), Sample(T(1)), Sample(T(0, 3))]
reference = torch.clone
