import torch

from ..sample import BROADCAST_ERRORS, Error, Sample, T, binary

SPECIAL = torch.tensor([float("nan"), float("inf"), -float("inf"), 0.0, 1.0, 1.001])
SAMPLES = [
    *(Sample(*sample.args, 0.3, 0.2) for sample in binary()),
    *(Sample(SPECIAL[:, None], SPECIAL, 0.01, equal_nan=equal_nan) for equal_nan in (False, True)),
    Sample(T(3, 4), T(3, 4)),
]
ERRORS = [
    *BROADCAST_ERRORS,
    Error(ValueError, "'rtol': expected at least 0, got -1", T(2), T(2), -1.0),
    Error(ValueError, "'atol': expected at least 0, got -1", T(2), T(2), 1e-5, -1.0),
]
reference = torch.isclose
