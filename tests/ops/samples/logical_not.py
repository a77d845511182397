import torch

from ..sample import Sample, T, unary

SAMPLES = [*unary(), Sample(T(3, 4, dtype=torch.bool))]
