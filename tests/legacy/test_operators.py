"""Operators of one's own: functions in Python, classes in C++."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

import phi_torch
from phi_torch import legacy
from phi_torch.legacy import Attribute, BlockDesc, Executor, OpDesc, ProgramDesc, ProgramError, VarDesc
from phi_torch.legacy._definition import DECLARED
from phi_torch.legacy._operators import OPERATORS

X = torch.tensor([-1.0, 2.0])
DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture
def scaled() -> Iterator[str]:
    @legacy.operator(
        "scaled_relu", inputs=["X", "Bias?", "More[]"], outputs=["Out"], attrs={"factor": 2.0}, checks={"factor": "(0, 10]"}
    )
    def scaled_relu(op: legacy.Operands) -> None:
        out = phi_torch.scale(phi_torch.relu(op.input("X")), op.attr("factor"))
        for more in (*op.inputs("Bias"), *op.inputs("More")):
            out = phi_torch.add(out, more)
        op.set("Out", out)

    yield "scaled_relu"
    del OPERATORS["scaled_relu"], DECLARED["scaled_relu"]


def test_a_declared_operator_has_defaults_and_slots(scaled: str):
    assert legacy.run_op(scaled, {"X": X})["Out"].tolist() == [0, 4]
    assert legacy.run_op(scaled, {"X": X, "Bias": X, "More": [X, X]}, {"factor": 1.0})["Out"].tolist() == [-3, 8]
    assert legacy.create_op(scaled, {"X": X})({"X": X})["Out"].tolist() == [0, 4]


@pytest.mark.parametrize(
    ("inputs", "attrs", "message"),
    [
        ({}, {}, "slot X: expected a variable"),
        ({"X": X, "Bis": X}, {}, "slot Bis: the operator has no such input; near: Bias"),
        ({"X": X}, {"factor": "a"}, "attribute factor: expected FLOAT, got STRING 'a'"),
        ({"X": X}, {"factor": 11.0}, r"attribute factor: expected a value in \(0, 10\], got 11.0"),
        ({"X": X}, {"fctor": 1.0}, "attribute fctor: the operator has none; near: factor"),
        ({"X": X, "More": X}, {}, "slot More: expected a list of tensors, got a tensor"),
    ],
)
def test_what_does_not_fit_the_declaration(scaled: str, inputs: dict, attrs: dict, message: str):
    with pytest.raises(ProgramError, match=message):
        legacy.run_op(scaled, inputs, attrs)


def test_a_program_s_operators_fit_their_declaration(scaled: str):
    variables = {name: VarDesc(name, dtype=torch.float32, dims=(2,)) for name in ("x", "y")}
    op = OpDesc(scaled, {"X": ["x"]}, {"Out": ["y"]}, {})
    program = ProgramDesc([BlockDesc(vars=variables, ops=[op])])
    assert Executor(program, {}).run({"x": X}, ["y"])[0].tolist() == [0, 4]
    op.attrs["factor"] = Attribute("FLOAT", -1.0)
    with pytest.raises(ProgramError, match=r"op 0 \(scaled_relu\), attribute factor: expected a value in"):
        Executor(program, {})


def test_a_result_for_a_slot_that_is_not_declared():
    @legacy.operator("misspelled", inputs=["X"], outputs=["Out"])
    def misspelled(op: legacy.Operands) -> None:
        op.set("Ot", op.input("X"))

    try:
        with pytest.raises(ValueError, match="slot Ot: the operator has no such output; near: Out"):
            legacy.run_op("misspelled", {"X": X})
    finally:
        del OPERATORS["misspelled"], DECLARED["misspelled"]


def test_a_declaration_that_is_wrong():
    with pytest.raises(ValueError, match="a check of 'fctor', which is no attribute; near: factor"):
        legacy.operator("scaled_relu", attrs={"factor": 2.0}, checks={"fctor": "(0, 1)"})
    with pytest.raises(ValueError, match="attribute factor: expected a bool, number, string"):
        legacy.operator("scaled_relu", attrs={"factor": object()})


def test_an_operator_of_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """That of docs/programs.md."""
    monkeypatch.setenv("PHI_TORCH_CACHE", str(tmp_path / "cache"))
    (source,) = re.findall(r"^```cpp\n(.*?)^```$", DOCS.joinpath("programs.md").read_text(), re.MULTILINE | re.DOTALL)
    (tmp_path / "keep_if.cc").write_text(source)
    phi_torch.load("kept", sources=[tmp_path / "keep_if.cc"], cxx_flags=["-O0"])
    assert torch.equal(legacy.run_op("keep_if", {"X": X}, {"keep": True}, ["Out"])["Out"], X)
    assert legacy.run_op("keep_if", {"X": X}, {"keep": False}, ["Out"]) == {}
    with pytest.raises(TypeError, match="attribute 'keep' has another type"):
        legacy.run_op("keep_if", {"X": X}, {"keep": 1.5}, ["Out"])
