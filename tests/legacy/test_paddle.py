"""Single operators against live PaddlePaddle, which runs the same OpDesc; the file that it reads is ours."""

from __future__ import annotations

import pickle
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from phi_torch import _oracle, legacy
from phi_torch.legacy import BlockDesc, OpDesc, ProgramDesc, VarDesc
from phi_torch.legacy._write import write_program
from phi_torch.legacy.single import attribute_of

from .models import assert_agrees
from .op_cases import CASES, Case

SHARED = {"MeanOut": "Mean", "VarianceOut": "Variance"}  # Paddle wants one variable for both

pytestmark = pytest.mark.oracle


def program_of(case: Case) -> tuple[ProgramDesc, dict[str, Tensor], list[str]]:
    """One operator between variables that are fed and fetched."""
    block, op = BlockDesc(), OpDesc(case.type)
    feed: dict[str, Tensor] = {}
    for slot, given in case.inputs.items():
        tensors = [given] if isinstance(given, Tensor) else given
        op.inputs[slot] = [f"{slot}_{index}".replace("@", "_") for index in range(len(tensors))]
        feed |= zip(op.inputs[slot], tensors)
    op.attrs = {name: attribute_of(case.type, name, value) for name, value in case.attrs.items()}
    op.outputs = {slot: [f"out_{slot}_{i}".replace("@", "_") for i in range(count)] for slot, count in case.outputs.items()}
    for output, slot in SHARED.items():
        if output in op.outputs:
            op.outputs[output] = op.inputs[slot]
    names = [name for many in op.outputs.values() for name in many]
    for name, tensor in feed.items():
        block.vars[name] = VarDesc(name, dtype=tensor.dtype, dims=tuple(tensor.shape))
    block.vars |= {name: VarDesc(name, dtype=torch.float32, dims=()) for name in names if name not in feed}
    block.ops.append(op)
    return ProgramDesc([block]), feed, names


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What Paddle gives for each case, in one process."""
    folder = tmp_path_factory.mktemp("programs")
    for number, case in enumerate(CASES):
        program, feed, names = program_of(case)
        (folder / f"{number:04}.pdmodel").write_bytes(write_program(program))
        request = {"feed": {name: tensor.numpy() for name, tensor in feed.items()}, "fetch": names}
        (folder / f"{number:04}.pkl").write_bytes(pickle.dumps(request))
    python, script = _oracle.python(), Path(__file__).with_name("paddle_programs.py")
    assert python is not None
    subprocess.run([python, "-I", str(script)], input=f"{folder}\n".encode(), check=True, capture_output=True)
    return {str(CASES[int(file.stem)]): pickle.loads(file.read_bytes()) for file in folder.glob("*.out")}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_operators(case: Case, answers: dict[str, Any]):
    expected = answers[str(case)]
    assert not isinstance(expected, str), expected
    found = legacy.run_op(case.type, case.inputs, case.attrs, case.outputs)
    values = [value for many in found.values() for value in ([many] if isinstance(many, Tensor) else many)]
    assert len(values) == len(expected)
    for value, (name, one) in zip(values, expected.items()):
        if one is None:
            assert value.numel() == 0
        else:
            data, dtype, shape, _ = one
            assert_agrees(value, np.frombuffer(data, dtype).reshape(shape), name)
