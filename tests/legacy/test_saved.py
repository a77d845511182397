"""Programs that read and write files of tensors: those that PaddlePaddle 2.6.2 writes are the same bytes."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
import torch

from phi_torch import ir, legacy
from phi_torch._paddle.parameters import read_combined, read_first
from phi_torch.legacy import Attribute, BlockDesc, Executor, OpDesc, ProgramDesc, ProgramError, VarDesc
from phi_torch.legacy._write import write_program

VALUES = {"b": torch.full((2, 3), 1.5), "a": torch.full((4,), 7)}
# what PaddlePaddle writes of VALUES: one by `save`, and as float16, and both by `save_combine`
DIGESTS = {"some/folder/b": "cdcdf9949a56298e", "half": "02ef865deec8b6ba", "both": "c2edd33d69d21ea2"}


def files(type: str, names: str, path: str, **attrs: bool | int | list[int]) -> OpDesc:
    kinds = {bool: "BOOLEAN", int: "LONG", list: "LONGS"}
    said = {name: Attribute(kinds[value.__class__], value) for name, value in attrs.items()}
    slots = {"Out" if type.startswith("load") else "X": [*names]}
    given, made = ({}, slots) if type.startswith("load") else (slots, {})
    return OpDesc(type, given, made, {"file_path": Attribute("STRING", path), **said})


def program(*ops: OpDesc) -> ProgramDesc:
    variables = {name: VarDesc(name, dtype=one.dtype, dims=tuple(one.shape), persistable=True) for name, one in VALUES.items()}
    variables["y"] = VarDesc("y", dtype=torch.float32, dims=(2, 3))
    return ProgramDesc([BlockDesc(vars=variables, ops=list(ops))])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """That the process runs in, with the files of a program that saves."""
    monkeypatch.chdir(tmp_path)
    saves = files("save", "b", "some/folder/b"), files("save", "b", "half", save_as_fp16=True), files("save_combine", "ba", "both")
    assert Executor(program(*saves), VALUES).run({}, []) == []
    return tmp_path


def test_files_are_those_of_paddle(folder: Path):
    assert {name: hashlib.sha256((folder / name).read_bytes()).hexdigest()[:16] for name in DIGESTS} == DIGESTS
    assert torch.equal(read_first(folder / "half", "b"), VALUES["b"].half())
    assert {name: one.tolist() for name, one in read_combined(folder / "both", "ba").items()} == {
        name: one.tolist() for name, one in VALUES.items()
    }


def test_a_program_loads_what_one_saved(folder: Path):
    executor = Executor(program(files("load_combine", "ba", "both")), {})
    executor.run({})
    assert all(torch.equal(executor.parameters[name], one) for name, one in VALUES.items())
    for op, expected in (
        (files("load", "b", "some/folder/b"), VALUES["b"]),
        (files("load", "b", "both"), VALUES["b"]),  # the first one
        (files("load", "b", str(folder / "both"), load_as_fp16=True), VALUES["b"].half()),
        (files("load_combine", "ba", "both", load_as_fp16=True), VALUES["b"].half()),
        (files("load", "b", "both", seek=1, shape=[2, 2]), torch.full((2, 2), 1.5)),
    ):
        (found,) = Executor(program(op), {}).run({}, ["b"])
        assert found.dtype == expected.dtype and torch.equal(found, expected)


def test_what_a_program_loads_are_its_parameters(folder: Path):
    """Of a model without a file of its own for them."""
    twice = OpDesc("scale", {"X": ["b"]}, {"Out": ["y"]}, {"scale": Attribute("FLOAT", 2.0)})
    fetch = OpDesc("fetch", {"X": ["y"]}, {"Out": ["fetch"]}, {"col": Attribute("INT", 0)})
    desc = program(files("load_combine", "ba", "both"), twice, fetch)
    desc.blocks[0].vars["fetch"] = VarDesc("fetch", "fetch_list")
    (folder / "model.pdmodel").write_bytes(write_program(desc))
    model = legacy.load(folder / "model")
    for _ in range(2):
        assert torch.equal(model(), 2 * VALUES["b"])
    made = ir.load(folder / "model")
    (found,) = ir.compile(made)()
    assert torch.equal(found, 2 * VALUES["b"])
    desc.blocks[0].ops.insert(0, files("load", "b", "some/folder/b"))
    with pytest.raises(ProgramError, match="it loads what is no parameter, or what is used or assigned otherwise"):
        ir.from_legacy(desc)


@pytest.mark.parametrize(
    ("op", "error", "message"),
    [
        (files("load", "b", "none"), ValueError, r"op 0 \(load\): attribute file_path: expected a file .*, got 'none'"),
        (files("load_combine", "b", "both"), ProgramError, "both: .* bytes after the last tensor"),
        (files("load", "b", "broken"), ProgramError, "broken, byte .*, parameter 'b': .* bytes, the file has"),
        (files("load", "b", "both", seek=4, shape=[3]), ValueError, r"attribute shape: expected one of at most 6 .* got \[3\]"),
        (files("save", "b", "half", overwrite=False), ValueError, "expected that of no file, since overwrite is false"),
        (files("save", "y", "other"), ValueError, "slot X: expected variables with values, got 'y', which has none"),
        (files("save", "b", "."), ValueError, "expected the path of a file"),
    ],
)
def test_files_that_are_wrong(folder: Path, op: OpDesc, error: type[Exception], message: str):
    (folder / "broken").write_bytes((folder / "both").read_bytes()[:40])
    parameters = {} if op.type.startswith("load") else VALUES
    with pytest.raises(error, match=message):
        Executor(program(op), parameters).run({}, [])
