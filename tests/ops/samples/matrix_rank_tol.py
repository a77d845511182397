import torch

from ..sample import Definite, Error, Sample, T

DTYPES = (torch.float32, torch.float64)
LAYOUTS = ("contiguous", "unaligned")
SAMPLES = [
    Sample(T(3, 4), T(low=0.1, high=0.2)),
    Sample(T(2, 3, 3), T(2, low=0.2, high=3), False),
    Sample(Definite(3, 3), T(4, low=1, high=9), False, True),
]
ERRORS = [
    Error(ValueError, "do not broadcast", T(2, 3, 3), T(3)),
    Error(TypeError, "'atol_tensor'.*expected float32", T(3, 3, dtype=torch.complex64), T(dtype=torch.complex64)),
]


def reference(x, atol_tensor, use_default_tol=True, hermitian=False):
    values = torch.linalg.svdvals(x)
    least = values.amax(-1) * (max(x.shape[-2:]) * torch.finfo(values.dtype).eps) if use_default_tol else 0 * atol_tensor
    return (values > torch.maximum(atol_tensor.real, least).unsqueeze(-1)).sum(-1)
