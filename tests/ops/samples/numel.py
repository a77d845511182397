import torch

from ..sample import Sample, T

SAMPLES = [Sample(T(*shape, grad=False)) for shape in ((3, 4), (2, 3, 4, 5), (7,), (), (0, 3))]


def reference(x):
    return torch.tensor(x.numel())
