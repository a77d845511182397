"""The command line starts without torch, which takes longer to import than `check` and `new` to run.

`import phi_torch` loads the libraries and registers the operators at once. In the process of the command line it does so
when something first asks the package for a name.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

MODULES = ("phi_torch", "phi_torch.codegen")

_asked = False


def waits() -> bool:
    """Whether this process is `phi-torch`, `python -m phi_torch` or `python -m phi_torch.codegen`, and nothing has asked yet."""
    if _asked:
        return False
    program = Path(next(iter(getattr(sys, "argv", ())), "")).name
    if program == "-m":  # until Python has found the module
        words = sys.orig_argv
        return "-m" in words and words[words.index("-m") + 1] in MODULES
    return program == "phi-torch"


def load_on_use(name: str) -> Any:
    """The attribute `name` of phi_torch, which is loaded first. For the package's `__getattr__`."""
    global _asked
    _asked = True
    package = sys.modules[__package__]
    del package.__dict__["__getattr__"]
    return getattr(importlib.reload(package), name)
