import torch

from ..sample import unary

SAMPLES = unary(-4, 4)
reference = torch.expm1
