"""The type that sums and products of half types are computed in, as kernels do."""

from __future__ import annotations

import torch
from torch import Tensor

_HALF = (torch.float16, torch.bfloat16)


def widened(x: Tensor) -> Tensor:
    """A tensor of a half type as float32, any other as it is."""
    return x.float() if x.dtype in _HALF else x
