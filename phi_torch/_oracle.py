"""Where the PaddlePaddle is that results and times are compared with: in an environment of its own."""

from __future__ import annotations

import os

from ._paths import CHECKOUT


def python() -> str | None:
    """The interpreter named by `PHI_PADDLE_PYTHON`, else that of `make oracle-env`, or None if there is neither."""
    made = CHECKOUT / "build" / "oracle" / "bin" / "python" if CHECKOUT else None
    return os.environ.get("PHI_PADDLE_PYTHON") or (str(made) if made and made.exists() else None)
