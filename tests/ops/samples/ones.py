import torch

from ..sample import DEVICE, Sample

SAMPLES = [
    Sample([2, 3]),
    Sample([3, 4], torch.int32, DEVICE),
    Sample([]),
    Sample([0, 4], torch.bool),
    Sample([70000], torch.bfloat16),
]


def reference(shape, dtype=torch.float32, place=None):
    return torch.full(shape, 1, dtype=dtype)
