import torch

from ..sample import unary

SAMPLES = unary(0.4, 3)
reference = torch.reciprocal
