"""The Paddle 3 programs that the tests read: those of data/, and those of PHI_PADDLE3_MODELS, a folder of more of them.

PaddlePaddle 3.3.1 wrote them, with random weights; `io.npz` and `io2.npz` hold inputs and Paddle's own outputs.
"""

from __future__ import annotations

import os
from pathlib import Path

DATA = Path(__file__).parent / "data"
FOLDERS = sorted(folder for folder in DATA.iterdir() if folder.is_dir())
if "PHI_PADDLE3_MODELS" in os.environ:
    more = Path(os.environ["PHI_PADDLE3_MODELS"])
    FOLDERS += sorted(folder for folder in more.iterdir() if folder.is_dir() and not (DATA / folder.name).is_dir())
