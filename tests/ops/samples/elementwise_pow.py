import torch

from ..sample import BROADCAST_ERRORS, Sample, T, binary

SAMPLES = [
    *(Sample(T(*x.shape, low=0.3, high=3), y) for x, y in (sample.args for sample in binary())),
    Sample(T(3, 4, low=-3, high=-1, dtype=torch.int64), T(4, dtype=torch.int64, low=-3, high=3)),
]
ERRORS = BROADCAST_ERRORS
