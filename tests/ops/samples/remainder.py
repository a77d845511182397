import torch

from ..sample import BROADCAST_ERRORS, Sample, T, binary

SAMPLES = [
    *(Sample(x, T(*y.shape, low=1, high=3)) for x, y in (sample.args for sample in binary())),
    *(Sample(T(3, 4, low=-9, high=9, dtype=dtype), T(4, low=-3, high=-1, dtype=dtype)) for dtype in (torch.int64, torch.float64)),
]
ERRORS = BROADCAST_ERRORS


def reference(x, y):
    if not (x.is_complex() or y.is_complex()):
        return torch.remainder(x, y)
    parts = torch.view_as_real((x / y).resolve_conj()).detach()
    return x - torch.view_as_complex(torch.sign(parts) * torch.floor(parts.abs() + 0.5)) * y
