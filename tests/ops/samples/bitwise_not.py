import torch

from ..sample import unary

SAMPLES = unary(-100, 100)
reference = torch.bitwise_not
