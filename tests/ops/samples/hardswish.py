import torch

from ..sample import unary

SAMPLES = unary(-4.1, 4.3)


def reference(x):
    """A complex x + 3 is compared by its real part."""
    if not x.is_complex():
        return torch.nn.functional.hardswish(x)
    return x * torch.where(x.real < -3, 0, torch.where(x.real < 3, x + 3, 6)) / 6
