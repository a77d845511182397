import torch

from ..sample import BROADCAST_ERRORS, binary

SAMPLES = binary(0.5, 2)
ERRORS = BROADCAST_ERRORS
reference = torch.atan2
