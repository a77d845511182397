import torch

from ..sample import unary

SAMPLES = unary(-9, 9)


def reference(x):
    return x * torch.sigmoid(x)
