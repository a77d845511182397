import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4)),
    Sample(T(3, 4), 2.5),
    Sample(T(3, 4), scale=2.5, bias=1.5),
    Sample(T(2, 3, 70), scale=-2.7, bias=1.5, bias_after_scale=False),
    Sample(T(), 3, 1),
    Sample(T(0, 3), 3),
]
ERRORS = [Error(ValueError, r"'scale': expected a real number", T(2, dtype=torch.float32), 1j)]
