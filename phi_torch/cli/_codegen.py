"""The modules of the code generator, which an installed package has inside and a checkout beside itself."""

from __future__ import annotations

import importlib
import sys
from typing import Any

from .._paths import CHECKOUT


def codegen(module: str) -> Any:
    path = sys.modules["phi_torch"].__path__
    if CHECKOUT is not None and str(CHECKOUT) not in path:
        path.append(str(CHECKOUT))
    return importlib.import_module(f"phi_torch.codegen.{module}")
