import torch

from ..sample import Sample, T

SAMPLES = [
    Sample(T(3, 4, low=0.3, high=4)),
    Sample(T(2, 3, 70, low=0.3, high=4)),
    Sample(T(low=0.3, high=4)),
    Sample(T(1, low=0.3, high=4)),
    Sample(T(0, 3, low=0.3, high=4)),
]
reference = torch.rsqrt
