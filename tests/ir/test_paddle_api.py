"""Programs of single calls of PaddlePaddle's API, as live PaddlePaddle saves them, give what it gives.

A part of the calls of paddle_api.yaml; `PHI_API=all python -m pytest tests/ir/test_paddle_api.py` tries all of them.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

import yaml
from phi_torch import _oracle, ir, legacy

FOLDER = Path(__file__).parent
CALLS: list[list[str]] = yaml.safe_load((FOLDER / "paddle_api.yaml").read_text())
if os.environ.get("PHI_API") != "all":
    CALLS = CALLS[:: max(1, len(CALLS) // 40)]
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
    (folder / "calls.json").write_text(json.dumps(CALLS))
    subprocess.run([python, str(FOLDER / "paddle_api_worker.py"), str(folder)], check=True, capture_output=True)
    yield request.param, folder


def run(version: str, folder: Path, inputs: list[Tensor]) -> list[Tensor]:
    if version == "3.3.1":
        return list(ir.compile(ir.load(folder))(*inputs))
    found = legacy.load(folder)(*inputs)
    return [found] if isinstance(found, Tensor) else list(found)


@pytest.mark.parametrize("number", range(len(CALLS)), ids=[call[0].partition("(")[0].rpartition(".")[2] for call in CALLS])
def test_a_call(made: tuple[str, Path], number: int):
    version, home = made[0], made[1] / str(number)
    error = home / "error.txt"
    if version == "2.6.2" and error.exists():
        pytest.skip(f"the calls are those of 3.3.1, 2.6.2 refuses this one: {error.read_text()[-300:]}")
    if version == "2.6.2" and (why := next((why for name, why in DIFFERS.items() if name in CALLS[number][0]), None)):
        pytest.skip(f"PaddlePaddle 2.6.2 differs: {why}")
    assert not error.exists(), f"{CALLS[number]}: {error.read_text()}"
    with np.load(home / "io.npz") as io:
        inputs = [torch.from_numpy(np.asarray(io[name])) for name in io.files if name.startswith("in_")]
        expected = [io[name] for name in io.files if name.startswith("out_")]
    found = run(version, home, inputs)
    assert len(found) == len(expected)
    for ours, theirs in zip(found, expected):
        assert (str(ours.dtype)[6:], tuple(ours.shape)) == (str(theirs.dtype), theirs.shape), CALLS[number]
        np.testing.assert_allclose(ours.detach().numpy(), theirs, 1e-4, 1e-5, err_msg=str(CALLS[number]))
