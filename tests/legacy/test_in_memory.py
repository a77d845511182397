"""A program that is made in memory is checked as one of a file is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from phi_torch import ir, legacy
from phi_torch.legacy import OpDesc, ProgramDesc, ProgramError, ProgramModule

from .models import DATA


def relu_of(program: ProgramDesc) -> OpDesc:
    return next(op for op in program.blocks[0].ops if op.type == "relu")


def another_variable(program: ProgramDesc) -> None:
    relu_of(program).inputs["X"] = ["batch_norm_0.tmp_222"]


def a_bare_value(program: ProgramDesc) -> None:
    relu_of(program).attrs["op_role"] = 0  # type: ignore[assignment]


def another_parent(program: ProgramDesc) -> None:
    program.blocks[0].parent_idx = 3


def no_column(program: ProgramDesc) -> None:
    del program.blocks[0].ops[0].attrs["col"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (another_variable, r"\(relu\), slot X: variable 'batch_norm_0.tmp_222' does not exist .*; near: batch_norm_0.tmp_2"),
        (a_bare_value, r"\(relu\), attribute 'op_role': expected an Attribute with its type, got 0"),
        (another_parent, "block 0: its parent is block 3; expected -1"),
        (no_column, r"\(feed\): attribute 'col': expected an INT of at least 0, got none"),
    ],
)
@pytest.mark.parametrize("make", [ProgramModule, legacy.Executor, ir.from_legacy, lambda program, _: legacy.infer_shapes(program)])
def test_parts_that_do_not_fit(make: Callable[..., Any], change: Callable[[ProgramDesc], None], message: str):
    program, parameters = legacy.read_model(DATA / "dcgan")
    change(program)
    with pytest.raises(ProgramError, match=message):
        make(program, parameters)


def test_parameters_that_do_not_fit():
    program, parameters = legacy.read_model(DATA / "dcgan")
    name, tensor = next((name, tensor) for name, tensor in parameters.items() if tensor.dim() == 4)
    for make in (ProgramModule, legacy.Executor, ir.from_legacy):
        for wrong in (tensor[:1], tensor.double(), tensor[0]):
            with pytest.raises(ProgramError, match=f"parameter '{name}': the program says torch.float32 .*, it is"):
                make(program, {**parameters, name: wrong})
    others = {other: tensor for other, tensor in parameters.items() if other != name}
    with pytest.raises(ProgramError, match=f"parameter '{name}': it is missing; near: "):
        ProgramModule(program, others)
    with pytest.raises(ProgramError, match=f"(?s)parameter '{name}1': the program has none; near: {name}.*'{name}': it is missing"):
        ProgramModule(program, {**others, f"{name}1": tensor})
    legacy.Executor(program, {}), ProgramModule(program, parameters).to(torch.bfloat16)
