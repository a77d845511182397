"""Whether a composite runs under the transforms of torch.func, some of whose rules for torch's operators are missing or wrong."""

from __future__ import annotations

from torch._C import _functorch as functorch


def is_transformed() -> bool:
    """Whether vmap, grad or jvp of torch.func is at work."""
    return functorch.peek_interpreter_stack() is not None
