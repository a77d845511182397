import torch

from ..sample import Definite, Error, Sample, T

DTYPES = (torch.float32, torch.float64)
LAYOUTS = ("contiguous", "unaligned")
SAMPLES = [
    Sample(T(3, 4), T(low=0.1, high=0.2), None),
    Sample(T(2, 3, 3), T(2, low=0, high=0), None),
    Sample(T(2, 3, 3), T(2, low=0.2, high=1), T(low=0.3, high=0.6)),
    Sample(Definite(3, 3), T(4, low=0, high=0), T(4, low=0, high=1), True),
    Sample(T(2, 0, 3), T(low=0.1, high=0.2), T(1, low=0.1, high=0.2)),
]
ERRORS = [
    Error(ValueError, "do not broadcast", T(2, 3, 3), T(3), None),
    Error(ValueError, "do not broadcast", T(2, 3, 3), T(2), T(3)),
    Error(ValueError, "square matrices", T(2, 3), T(1), None, True),
    Error(TypeError, "'rtol'.*expected float32", T(3, 3, dtype=torch.float32), T(dtype=torch.float32), T(dtype=torch.float64)),
]


def reference(x, atol, rtol=None, hermitian=False):
    values = torch.linalg.svdvals(x)
    greatest = values.amax(-1) if values.shape[-1] else values.sum(-1)
    least = max(x.shape[-2:]) * torch.finfo(values.dtype).eps * (atol == 0) if rtol is None else rtol
    return (values > torch.maximum(atol, least * greatest).unsqueeze(-1)).sum(-1)
