import torch

from ..sample import unary

SAMPLES = unary(0.3, 4)
reference = torch.log2
