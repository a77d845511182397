import torch

from ..sample import unary

SAMPLES = unary(-4.1, 4.3)
reference = torch.nn.functional.hardswish
