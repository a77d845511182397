"""Programs of single calls of PaddlePaddle's API, and of branches and loops, as live PaddlePaddle saves them, give what it gives.

A part of paddle_api.yaml and paddle_control_flow.yaml; `PHI_API=all python -m pytest tests/ir/test_paddle_api.py` tries all.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

import yaml
from phi_torch import _oracle, ir, legacy

FOLDER = Path(__file__).parent


def read(file: str, tried: int) -> list[dict[str, Any]]:
    """The functions that a file has: about so many of them, unless all are to be tried."""
    rows = yaml.safe_load((FOLDER / file).read_text())
    rows = [row if isinstance(row, dict) else {"body": f"return {row[0]}", "inputs": row[1:]} for row in rows]
    return [{"open": False, **row} for row in (rows if os.environ.get("PHI_API") == "all" else rows[:: len(rows) // tried])]


CALLS, FLOWS = read("paddle_api.yaml", 40), read("paddle_control_flow.yaml", 10)
NAMES = [call["body"].partition("(")[0].rpartition(".")[2] for call in CALLS] + [f"flow{number}" for number in range(len(FLOWS))]
# what the older version gives otherwise
DIFFERS = {
    "matrix_rank": "its numbers are int32",
    "strided_slice": "an end before the first element stops a step before it",
    "binary_cross_entropy_with_logits": "it weighs the logarithm alone",
}


@pytest.fixture(scope="module", params=["3.3.1", "2.6.2"])
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    python = _oracle.python(request.param)
    if python is None:
        pytest.skip(f"no PaddlePaddle {request.param}: `make oracle-env PADDLE={request.param}` installs it")
    folder = tmp_path_factory.mktemp("api")
    (folder / "calls.json").write_text(json.dumps([*CALLS, *FLOWS]))
    subprocess.run([python, str(FOLDER / "paddle_api_worker.py"), str(folder)], check=True, capture_output=True)
    yield request.param, folder


def runs(version: str, folder: Path) -> list[Callable[..., Any]]:
    return [ir.compile(ir.load(folder)), *([legacy.load(folder)] if version == "2.6.2" else [])]


@pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
def test_a_function(made: tuple[str, Path], number: int):
    version, home, body = made[0], made[1] / str(number), [*CALLS, *FLOWS][number]["body"]
    error = home / "error.txt"
    if version == "2.6.2" and error.exists():
        pytest.skip(f"the functions are those of 3.3.1, 2.6.2 refuses this one: {error.read_text()[-300:]}")
    if version == "2.6.2" and (why := next((why for name, why in DIFFERS.items() if name in body), None)):
        pytest.skip(f"PaddlePaddle 2.6.2 differs: {why}")
    assert not error.exists(), f"{body}: {error.read_text()}"
    with np.load(home / "io.npz") as io:
        inputs = [torch.from_numpy(np.asarray(io[name])) for name in io.files if name.startswith("in_")]
        expected = [io[name] for name in io.files if name.startswith("out_")]
    for run in runs(version, home):
        found = run(*inputs)
        found = [found] if isinstance(found, Tensor) else found
        assert len(found) == len(expected)
        for ours, theirs in zip(found, expected):
            assert (str(ours.dtype)[6:], tuple(ours.shape)) == (str(theirs.dtype), theirs.shape), body
            np.testing.assert_allclose(ours.detach().numpy(), theirs, 1e-4, 1e-5, err_msg=body)
