"""The models that the tests read: those of data/, and those of PHI_PADDLE_MODELS, a folder of more of them.

PaddlePaddle 2.6.2 wrote them, with random weights; `io.npz` holds inputs and Paddle's own outputs, `inter.npz` the value of each
intermediate variable, `trace.tsv` the kernel of each operator.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from phi_torch.legacy import LoDTensor

DATA = Path(__file__).parent / "data"
FOLDERS = sorted(folder for folder in DATA.iterdir() if folder.is_dir())
if "PHI_PADDLE_MODELS" in os.environ:
    more = Path(os.environ["PHI_PADDLE_MODELS"])
    FOLDERS += sorted(folder for folder in more.iterdir() if folder.is_dir() and not (DATA / folder.name).is_dir())

TRAINING = [folder for folder in FOLDERS if (folder / "startup.pdmodel").is_file()]
INFERENCE = [folder for folder in FOLDERS if folder not in TRAINING]

# variables whose values Paddle's kernel leaves as they were
UNWRITTEN = {"gcn": {"send_u_recv_0.tmp_1"}}  # Dst_count, which it writes for the mean alone, but here of a sum


def intermediates_of(folder: Path) -> Path:
    """Where the values of a model's intermediate variables are."""
    beside = folder.parents[1] / "models_inter" / f"{folder.name}.npz"
    return beside if beside.is_file() else folder / "inter.npz"


def trace_of(folder: Path) -> Path:
    """Where the kernels are that Paddle ran, with the arguments that they were given."""
    beside = folder.parents[1] / "traces" / f"{folder.name}.tsv"
    return beside if beside.is_file() else folder / "trace.tsv"


def feed_of(io: Any) -> dict[str, Tensor]:
    """The inputs; `in0.lod0`, `in0.lod1` hold the levels of detail of the first."""
    found = dict[str, Tensor]()
    for index, name in enumerate(io["feed_names"].tolist()):
        levels = [io[key].tolist() for at in range(9) if (key := f"in{index}.lod{at}") in io]
        value = torch.from_numpy(io[f"in{index}"])
        found[name] = LoDTensor(value, levels) if levels else value
    return found


def assert_agrees(found: Tensor, expected: np.ndarray, what: str) -> None:
    """Within 1e-4 of the largest element: float32 that went through fifty layers is not nearer to float64 in Paddle either."""
    if expected.dtype == np.uint16:  # numpy has no bfloat16
        expected = (expected.astype(np.uint32) << 16).view(np.float32)
        found = found.float()
    value = found.detach().numpy()
    assert value.shape == expected.shape, what
    assert value.dtype == expected.dtype, what
    if value.dtype.kind not in "fc":
        assert np.array_equal(value, expected), what
    else:
        atol = 1e-5 + 1e-4 * np.abs(expected).max(initial=0.0)
        np.testing.assert_allclose(value, expected, rtol=1e-4, atol=atol, err_msg=what)
