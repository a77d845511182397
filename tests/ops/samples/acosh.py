import torch

from ..sample import unary

SAMPLES = unary(1.2, 4)
reference = torch.acosh
