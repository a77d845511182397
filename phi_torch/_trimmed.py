"""What a build that PHI_OPS trimmed says of the operators that it leaves out; only such a build imports this."""

from __future__ import annotations

from typing import Any, NoReturn

import torch

from ._build_info import left_out, trimmed


def message(name: str) -> str | None:
    """Why there is no operator or in-place form `name`; None if a build of everything has none either."""
    if name not in left_out and name.removesuffix("_") not in left_out:
        return None
    return f"phi_torch.{name} is not in this build, which {trimmed}; rebuild with it listed or without PHI_OPS"


def __getattr__(name: str) -> NoReturn:
    """For the package: its attributes that are not there."""
    raise AttributeError(message(name) or f"module 'phi_torch' has no attribute '{name}'")


class _Namespace(type(torch.ops.phi)):  # type: ignore[misc]
    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            if text := message(name):
                raise AttributeError(text) from None
            raise


torch.ops.phi.__class__ = _Namespace
