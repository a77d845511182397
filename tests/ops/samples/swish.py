import torch

from ..sample import Sample, T

SAMPLES = [Sample(T(3, 4)), Sample(T(2, 3, 70, low=-20, high=20)), Sample(T()), Sample(T(0, 3))]
reference = torch.nn.functional.silu
