"""The PaddlePaddle that results and times are compared with, in an environment and a process of its own.

worker.py  the process, run by Paddle's interpreter, with a file of what it can be asked; client.py asks it
"""

from __future__ import annotations

import os

from .._paths import CHECKOUT


def python() -> str | None:
    """The interpreter named by `PHI_PADDLE_PYTHON`, else that of `make oracle-env`, or None if there is neither."""
    made = CHECKOUT / "build" / "oracle" / "bin" / "python" if CHECKOUT else None
    return os.environ.get("PHI_PADDLE_PYTHON") or (str(made) if made and made.exists() else None)
