"""Attributes that are misspelled, of a type that does not exist, or that an operator does not have."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
import torch

from phi_torch import ir, legacy
from phi_torch.cli import main
from phi_torch.legacy import Attribute, BlockDesc, OpDesc, ProgramDesc, ProgramError, VarDesc

from .models import DATA, FOLDERS

X = torch.tensor([-1.0, 2.0])


@pytest.mark.parametrize(
    ("type", "value", "message"),
    [
        ("FLOT", 1.0, r"of type 'FLOT': expected one of INT, FLOAT, .*; near: FLOAT"),
        ("INT", 1.5, "of type INT: expected int, got 1.5"),
        ("FLOAT", "1", "of type FLOAT: expected int or float, got '1'"),
        ("INTS", 1, "of type INTS: expected a list of int, got 1"),
        ("STRINGS", ["a", 1], "of type STRINGS: expected a list of str, got"),
    ],
)
def test_an_attribute_has_a_type(type: str, value: object, message: str):
    with pytest.raises(ProgramError, match=message):
        Attribute(type, value)


def test_attributes_of_a_call():
    """Those of the framework and of passes are of any operator."""
    everywhere = {"op_role": 0, "op_callstack": ["a"], "with_quant_attr": False, "use_mkldnn": False, "X0_threshold": 1.0}
    everywhere["grad_merge_cond_name"] = "c"
    assert legacy.run_op("softmax", {"X": X}, {"axis": 0, **everywhere})["Out"].sum() == 1
    with pytest.raises(ProgramError, match="operator 'softmax', attribute axes: the operator has none; near: axis"):
        legacy.run_op("softmax", {"X": X}, {"axes": 0})
    with pytest.raises(ProgramError, match="operator 'print', attribute mesage: the operator has none; near: message"):
        legacy.run_op("print", {"In": X}, {"mesage": "x"})


def test_a_gradient_may_have_the_attributes_of_its_operator():
    """That of `split` is a `concat` with all of its attributes."""
    whole = legacy.run_op("concat", {"X": [X, X]}, {"axis": 0, "num": 2, "sections": []})["Out"]
    assert torch.equal(whole, torch.cat([X, X]))


def misspelled(folder: Path) -> Path:
    program, parameters = legacy.read_model(DATA / "dcgan")
    op = next(op for op in program.blocks[0].ops if op.type == "conv2d_transpose")
    op.attrs["stride"] = op.attrs["strides"]
    legacy.write_model(folder / "model", program, parameters)
    return folder


def test_attributes_of_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    folder, message = misspelled(tmp_path), r"op \d+ \(conv2d_transpose\), attribute stride: the operator has none; near: strides"
    for load in (legacy.load, ir.from_legacy):
        with pytest.warns(UserWarning, match=f"{folder}: block 0, {message}"):
            load(folder)
    assert main(["inspect", str(folder)]) == 0
    assert "(conv2d_transpose), attribute stride: the operator has none; near: strides" in capsys.readouterr().out


@pytest.mark.parametrize("file", [file for folder in FOLDERS for file in sorted(folder.glob("*.pdmodel"))], ids=str)
def test_programs_of_paddle_have_the_attributes_of_their_operators(file: Path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        legacy.Executor(legacy.read_program(file), {}, source=str(file))


def test_an_input_that_holds_an_attribute():
    x, axis = torch.tensor([[1.0, 2.0], [3.0, 5.0]]), torch.tensor([1], dtype=torch.int32)
    variables = {"x": VarDesc("x", dtype=torch.float32, dims=(2, 2)), "axis": VarDesc("axis", dtype=torch.int32, dims=(1,))}
    for var in variables.values():
        var.need_check_feed = True
    variables["y"] = VarDesc("y", dtype=torch.float32, dims=(2,))
    attrs = {"dim": Attribute("VAR", "axis"), "keep_dim": Attribute("BOOLEAN", False), "reduce_all": Attribute("BOOLEAN", False)}
    program = ProgramDesc([BlockDesc(vars=variables, ops=[OpDesc("reduce_sum", {"X": ["x"]}, {"Out": ["y"]}, attrs)])])
    (found,) = ir.compile(ir.from_legacy(program, fetch=["y"]))(x, axis)
    assert found.tolist() == legacy.Executor(program, {}).run({"x": x, "axis": axis}, ["y"])[0].tolist() == [3, 8]
