import torch

from ..sample import unary

SAMPLES = unary(-9, 9)


def reference(x):
    return -torch.log(1 + torch.exp(-x)) if x.is_complex() else torch.nn.functional.logsigmoid(x)
