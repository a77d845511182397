import torch

from ..sample import BROADCAST_ERRORS, Sample, binary

SAMPLES = [*binary(), Sample(torch.tensor([float("nan"), 1.0, 2.0]), torch.tensor([3.0, float("nan"), 4.0]))]
ERRORS = BROADCAST_ERRORS
