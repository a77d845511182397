import torch

from ..sample import unary

TOLERANCE = {torch.float32: (1e-4, 1e-5)}
SAMPLES = unary(0.1, 3)


def reference(x):
    return torch.i0(x) * torch.exp(-x.abs())
