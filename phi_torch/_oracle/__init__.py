"""The PaddlePaddle that results and times are compared with, in an environment and a process of its own.

worker.py  the process, run by Paddle's interpreter, with a file of what it can be asked; client.py asks it
"""

from __future__ import annotations

import os

from .._paths import CHECKOUT

DEFAULT = "3.3.1"


def python(version: str = DEFAULT) -> str | None:
    """The interpreter of `make oracle-env PADDLE=version`, or None if there is none; `PHI_PADDLE_PYTHON` names another one for
    the default version.
    """
    name = "oracle" if version == DEFAULT else f"oracle-{version}"
    made = CHECKOUT / "build" / name / "bin" / "python" if CHECKOUT else None
    named = os.environ.get("PHI_PADDLE_PYTHON") if version == DEFAULT else None
    return named or (str(made) if made and made.exists() else None)
