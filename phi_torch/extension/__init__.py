"""Operators outside of phi_torch: from YAML and sources in one call, or as a package of their own.

my = phi_torch.load("my", yaml="my.yaml", sources=["my.cc"])     # compiled at the first call, then from a cache
PhiExtension, PhiBuildExtension                                  # for setup.py
phi_torch.load_library("libmore.so")                             # more kernels for operators that exist
"""

from typing import TYPE_CHECKING, Any

from .._build.toolchain import BuildError
from .loading import RegistrationError, activate, activate_library, load, load_library

if TYPE_CHECKING:
    from .package import PhiBuildExtension, PhiExtension


def __getattr__(name: str) -> Any:
    """Only a `setup.py` needs setuptools."""
    if name in ("PhiBuildExtension", "PhiExtension"):
        from . import package

        return getattr(package, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "BuildError",
    "PhiBuildExtension",
    "PhiExtension",
    "RegistrationError",
    "activate",
    "activate_library",
    "load",
    "load_library",
]
