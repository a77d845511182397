"""PHI_SANITIZE=address,undefined: libraries compiled with these sanitizers, for tests. Their objects have a folder of their own.

A process that loads them starts with the sanitizers' runtimes, as `make gpu-emulated` does for its tests.
"""

from __future__ import annotations

import os

from .toolchain import BuildError

_FLAGS = {
    "address": ["-fsanitize=address"],
    "undefined": ["-fsanitize=undefined", "-fno-sanitize=vptr", "-fno-sanitize-recover=all"],
}


def sanitizers() -> list[str]:
    """Those that PHI_SANITIZE names.

    Raises:
        BuildError: there is no such one.
    """
    given = os.environ.get("PHI_SANITIZE", "")
    names = [name.strip() for name in given.split(",") if name.strip()]
    if unknown := [name for name in names if name not in _FLAGS]:
        raise BuildError(f"PHI_SANITIZE={given}: unknown sanitizer {unknown[0]!r}; choose from {', '.join(_FLAGS)}")
    return names


def sanitizer_flags() -> list[str]:
    """Flags of the compiler and of the linker."""
    return [flag for name in sanitizers() for flag in _FLAGS[name]]
