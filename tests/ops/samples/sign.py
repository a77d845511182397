import torch

from ..sample import unary

SAMPLES = unary()
reference = torch.sgn
