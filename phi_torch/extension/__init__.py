"""Operators outside of phi_torch: from YAML and sources in one call, or as a package of their own.

my = phi_torch.load("my", yaml="my.yaml", sources=["my.cc"])     # compiled at the first call, then from a cache
PhiExtension, PhiBuildExtension                                  # for setup.py
phi_torch.load_library("libmore.so")                             # more kernels for operators that exist
"""

import importlib
from typing import TYPE_CHECKING, Any

from .loading import RegistrationError, activate, activate_library, load, load_library

if TYPE_CHECKING:
    from .._build.toolchain import BuildError
    from .package import PhiBuildExtension, PhiExtension

# imported when they are asked for: the build needs the generator, a `setup.py` setuptools
_LATE = {"BuildError": ".._build.toolchain", "PhiBuildExtension": ".package", "PhiExtension": ".package"}


def __getattr__(name: str) -> Any:
    if name in _LATE:
        return getattr(importlib.import_module(_LATE[name], __name__), name)
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
