"""Gives the generator its one name, `codegen`: it stands beside phi_torch in a checkout, and inside of it when installed.

By its place rather than by Python's path, which begins with an author's folder, where there may be a `codegen`, too.
"""

from __future__ import annotations

import importlib.util
import sys

from .sources import CSRC, PACKAGE, ROOT

NAME = "codegen"
FOLDER = (ROOT if CSRC.is_dir() else PACKAGE) / NAME


def provide() -> None:
    """Makes `import codegen` mean ours.

    Raises:
        ImportError: the process has imported another one.
    """
    if NAME in sys.modules:
        found = getattr(sys.modules[NAME], "__file__", None)
        if found != str(FOLDER / "__init__.py"):
            raise ImportError(f"phi_torch's generator is the module `{NAME}`, but this process has imported another: {found}")
        return
    spec = importlib.util.spec_from_file_location(NAME, FOLDER / "__init__.py", submodule_search_locations=[str(FOLDER)])
    assert spec and spec.loader
    module = sys.modules[NAME] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)


provide()
