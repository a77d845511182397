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
from phi_torch._paddle.faults import ProgramError

FOLDER = Path(__file__).parent


def read(file: str) -> list[dict[str, Any]]:
    """The functions that a file has."""
    rows = yaml.safe_load((FOLDER / file).read_text())
    rows = [row if isinstance(row, dict) else {"body": f"return {row[0]}", "inputs": row[1:]} for row in rows]
    return [{"open": False, "refused": False, **row} for row in rows]


def some(rows: list[dict[str, Any]], tried: int) -> list[dict[str, Any]]:
    """About so many of them, unless all are to be tried."""
    return rows if os.environ.get("PHI_API") == "all" else rows[:: len(rows) // tried]


ALL_CALLS = read("paddle_api.yaml")
CALLS, FLOWS = some(ALL_CALLS, 40), some(read("paddle_control_flow.yaml"), 10)
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


# whose gradients PaddlePaddle has under its own names, or with its own operands
FIRST = (
    *("digamma", "erfinv", "solve", "eigh", "einsum", "unstack", "householder_product", "fftn", "stft", "gammainc", "conv1d"),
    *("affine_grid", "temporal_shift", "smooth_l1_loss", "cross_entropy", "log_loss", "ctc_loss", "bilinear", "matrix_norm"),
    *("hsigmoid_loss", "rnnt_loss", "slogdet"),
)
SECOND = (
    *("sin", "sqrt", "rsqrt", "tanh", "divide", "pow", "mm", "std", "concat", "stack", "gather", "reshape", "transpose", "clip"),
    *("conv2d", "avg_pool2d", "instance_norm", "softplus", "elu", "relu", "tile", "expand", "squeeze"),
)


def differentiated() -> Iterator[dict[str, Any]]:
    """The functions with the order of their gradients: all of those that are named, one of each name unless all are to be tried."""
    seen = set()
    for call in ALL_CALLS:
        name = call["body"].removeprefix("return ").partition("(")[0].rpartition(".")[2]
        for order, names in ((1, FIRST), (2, SECOND)):
            if name in names and ((name, order) not in seen or os.environ.get("PHI_API") == "all"):
                seen.add((name, order))
                yield {**call, "gradients": order}
    yield {**ROWS, "body": "return F.log_loss(F.sigmoid(a), b)", "inputs": ["f(3, 1)", "u(3, 1)"]}
    yield {**ROWS, "body": "return paddle.digamma(F.tanh(a))", "inputs": ["p(3, 4)"]}
    yield {**ROWS, "body": "return paddle.matmul(F.tanh(a), b)", "inputs": ["p(3, 4)", "f(4, 5)"], "gradients": 2}


ROWS = {"open": True, "gradients": 1}  # of any number of rows
GRADIENTS = [*differentiated()]
GRADIENT_NAMES = [f"{one['gradients']}-{one['body'].partition('(')[0].rpartition('.')[2]}" for one in GRADIENTS]


@pytest.fixture(scope="module")
def gradients(tmp_path_factory: pytest.TempPathFactory) -> Path:
    python = _oracle.python("3.3.1")
    if python is None:
        pytest.skip("no PaddlePaddle 3.3.1: `make oracle-env` installs it")
    folder = tmp_path_factory.mktemp("gradients")
    (folder / "calls.json").write_text(json.dumps(GRADIENTS))
    subprocess.run([python, str(FOLDER / "paddle_api_worker.py"), str(folder)], check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("number", range(len(GRADIENTS)), ids=GRADIENT_NAMES)
def test_gradients_of_a_function(gradients: Path, number: int):
    home = gradients / str(number)
    if (error := home / "error.txt").exists() and "has no grad op" in error.read_text():
        pytest.skip(f"PaddlePaddle has none: {error.read_text()[-300:]}")
    assert not error.exists(), error.read_text()
    compare(ir.compile(ir.load(home)), home, GRADIENTS[number]["body"])


def runs(version: str, folder: Path, refused: bool) -> list[Callable[..., Any]]:
    if version == "2.6.2" and refused:
        with pytest.raises(ProgramError, match="on one way, and|an array that a block within another assigns"):
            ir.load(folder)
        return [legacy.load(folder)]
    return [ir.compile(ir.load(folder)), *([legacy.load(folder)] if version == "2.6.2" else [])]


@pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
def test_a_function(made: tuple[str, Path], number: int):
    version, home, row = made[0], made[1] / str(number), [*CALLS, *FLOWS][number]
    body = row["body"]
    error = home / "error.txt"
    if version == "2.6.2" and error.exists():
        pytest.skip(f"the functions are those of 3.3.1, 2.6.2 refuses this one: {error.read_text()[-300:]}")
    if version == "2.6.2" and (why := next((why for name, why in DIFFERS.items() if name in body), None)):
        pytest.skip(f"PaddlePaddle 2.6.2 differs: {why}")
    assert not error.exists(), f"{body}: {error.read_text()}"
    for run in runs(version, home, row["refused"]):
        compare(run, home, body)


def compare(run: Callable[..., Any], home: Path, body: str) -> None:
    with np.load(home / "io.npz") as io:
        inputs = [torch.from_numpy(np.asarray(io[name])) for name in io.files if name.startswith("in_")]
        expected = [io[name] for name in io.files if name.startswith("out_")]
    found = run(*inputs)
    found = [found] if isinstance(found, Tensor) else found
    assert len(found) == len(expected)
    for ours, theirs in zip(found, expected):
        assert (str(ours.dtype)[6:], tuple(ours.shape)) == (str(theirs.dtype), theirs.shape), body
        np.testing.assert_allclose(ours.detach().numpy(), theirs, 1e-4, 1e-5, err_msg=body)
