"""Programs that read and write files of tensors: those that PaddlePaddle 2.6.2 writes are the same bytes."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
import torch

from phi_torch import ir, legacy
from phi_torch._paddle.parameters import read_combined, read_first
from phi_torch.legacy import Attribute, BlockDesc, Executor, LoDTensor, OpDesc, ProgramDesc, ProgramError, VarDesc
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


def test_levels_of_detail_are_saved(folder: Path):
    """As PaddlePaddle writes them: files of the same bytes."""
    x, lod = torch.full((3, 2), 1.5), [[0, 1, 2], [0, 1, 3]]
    digests = {"one": "cabce3c8062a468b", "half": "ae949bc693162871", "both": "88581afb7a8bfe86"}
    for path, type, half in (("one", "save", False), ("half", "save", True), ("both", "save_combine", False)):
        given = LoDTensor(x, lod) if type == "save" else [LoDTensor(x, lod)] * 2
        legacy.run_op(type, {"X": given}, {"file_path": path, "save_as_fp16": half}, {})
    assert {name: hashlib.sha256((folder / name).read_bytes()).hexdigest()[:16] for name in digests} == digests
    found = legacy.run_op("load", {}, {"file_path": "one"}, {"Out": 1})["Out"]
    assert found.lod == lod and torch.equal(found.as_subclass(torch.Tensor), x)
    assert [one.lod for one in legacy.run_op("load_combine", {}, {"file_path": "both"}, {"Out": 2})["Out"]] == [lod, lod]
    data = (folder / "one").read_bytes()
    (folder / "odd").write_bytes(data[:12] + (23).to_bytes(8, "little") + data[20:])
    with pytest.raises(ProgramError, match="the bytes of a LoD level: expected a multiple of 8, got 23"):
        legacy.run_op("load", {}, {"file_path": "odd"}, {"Out": 1})


def test_levels_that_are_loaded_are_none_in_the_ir(folder: Path):
    legacy.run_op("save", {"X": LoDTensor(torch.ones(3, 1), [[0, 1, 3]])}, {"file_path": "h"}, {})
    distance = OpDesc("edit_distance", {"Hyps": ["h"], "Refs": ["h"]}, {"Out": ["y"], "SequenceNum": ["n"]})
    variables = [VarDesc("h", dtype=torch.float32, dims=(3, 1), persistable=True)]
    variables += [VarDesc("y", dtype=torch.float32, dims=(-1, 1)), VarDesc("n", dtype=torch.int64, dims=(1,))]
    desc = ProgramDesc([BlockDesc(vars={one.name: one for one in variables}, ops=[files("load", "h", "h"), distance])])
    with pytest.raises(ir.ProgramError, match="it reads the levels of detail of 'h', which 'load' gives"):
        ir.from_legacy(desc, fetch=["y"])
    desc.blocks[0].ops[1] = OpDesc("relu", {"X": ["h"]}, {"Out": ["y"]})
    assert ir.compile(ir.from_legacy(desc, fetch=["y"]))()[0].tolist() == [[1.0]] * 3


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
