"""Whether what a composite computes is differentiated: some of ATen's operators are not differentiable, and faster."""

from __future__ import annotations

from torch import Tensor
from torch.autograd import forward_ad


def is_differentiated(x: Tensor) -> bool:
    """In either mode."""
    return x.requires_grad or forward_ad.unpack_dual(x).tangent is not None
