"""Files of programs and of parameters: what is read is what was written, and a faulty file is an error that says where."""

from __future__ import annotations

import pickle
import struct
from pathlib import Path

import pytest
import torch

from phi_torch import legacy
from phi_torch._paddle.parameters import read_combined, write_combined
from phi_torch.legacy import Attribute, BlockDesc, OpDesc, ProgramDesc, ProgramError, VarDesc
from phi_torch.legacy._read import read_program
from phi_torch.legacy._write import write_program
from phi_torch.legacy.description import ATTRIBUTE_TYPES

from .models import DATA, FOLDERS


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_models_come_back(folder: Path, tmp_path: Path):
    program, parameters = legacy.read_model(folder)
    legacy.write_model(tmp_path / "model", program, parameters)
    again, same = legacy.read_model(tmp_path)
    assert again == program
    assert {name: (t.dtype, t.tolist()) for name, t in same.items()} == {n: (t.dtype, t.tolist()) for n, t in parameters.items()}
    if (folder / "model.pdiparams").is_file():
        assert (tmp_path / "model.pdiparams").read_bytes() == (folder / "model.pdiparams").read_bytes()


def test_the_parts_of_a_program():
    program, parameters = legacy.read_model(DATA / "wide_deep")
    assert program.version == 2006002 and program.op_versions["clip"] == 1
    assert program.feeds() == ["ids", "dense"] and len(program.fetches()) == 1
    op = next(op for op in program.blocks[0].ops if op.type == "lookup_table_v2")
    assert op.inputs == {"Ids": ["ids"], "W": [op.inputs["W"][0]]} and op.attrs["padding_idx"] == Attribute("LONG", -1)
    weight = program.blocks[0].vars[op.inputs["W"][0]]
    assert weight.is_saved and weight.dims == tuple(parameters[weight.name].shape) and weight.dtype == torch.float32


def test_control_flow_names_blocks():
    program, _ = legacy.read_model(DATA / "ctl_while")
    (loop,) = [op for op in program.blocks[0].ops if op.type == "while"]
    assert loop.blocks == [1] and program.blocks[1].parent_idx == 0
    found = program.find_var(1, loop.inputs["Condition"][0])
    assert found is not None and found[1] == 0


def program_of(*ops: OpDesc, names: str = "x y") -> ProgramDesc:
    variables = {name: VarDesc(name, dtype=torch.float32, dims=(-1, 4)) for name in names.split()}
    return ProgramDesc([BlockDesc(vars=variables, ops=list(ops))])


VALUES = {
    **{"INT": -3, "FLOAT": 0.5, "STRING": "é", "INTS": [1, -2], "FLOATS": [0.25], "STRINGS": ["a", ""], "BOOLEAN": True},
    **{"BOOLEANS": [True, False], "BLOCK": 1, "LONG": -(1 << 40), "BLOCKS": [1], "LONGS": [1 << 40], "FLOAT64S": [0.1]},
    **{"VAR": "x", "VARS": ["x", "y"], "FLOAT64": 0.1, "SCALAR": 2 + 1j, "SCALARS": [True, 3, 0.1, 1j]},
}


@pytest.mark.parametrize("type", [type for type, _ in ATTRIBUTE_TYPES])
def test_attributes_come_back(type: str):
    program = program_of(OpDesc("some", {"X": ["x"]}, {"Out": []}, {"value": Attribute(type, VALUES[type])}))
    program.blocks.append(BlockDesc(1, 0))
    again = read_program(write_program(program))
    assert again == program and repr(again) == repr(program)


def faults(program: ProgramDesc) -> str:
    with pytest.raises(ProgramError) as caught:
        read_program(write_program(program), "m.pdmodel")
    return str(caught.value)


def test_all_faults_at_once():
    program = program_of(
        OpDesc("feed", {"X": []}, {"Out": ["x"]}),
        OpDesc("relu", {"X": ["xx"]}, {"Out": ["y"]}),
        OpDesc("while", attrs={"sub_block": Attribute("BLOCK", 7)}),
    )
    text = faults(program)
    assert text.startswith("m.pdmodel: 3 faults\n")
    assert "block 0, op 0 (feed): attribute 'col': expected an INT of at least 0, got none" in text
    assert "block 0, op 1 (relu), slot X: variable 'xx' does not exist in the block or its parents; near: x" in text
    assert "block 0, op 2 (while): it runs block 7; expected 1 to 0" in text


def test_blocks_that_run_each_other():
    inner = OpDesc("while", attrs={"sub_block": Attribute("BLOCK", 1)})
    program = program_of(inner)
    program.blocks.append(BlockDesc(1, 0, ops=[inner]))
    assert "block 1, op 0 (while): it runs block 1, in which it stands: a cycle" in faults(program)
    program.blocks[1] = BlockDesc(1, 2)
    program.blocks.append(BlockDesc(2, 1))
    assert "block 1: its parent is block 2; expected 0 to 0" in faults(program)


def test_a_program_has_a_block():
    assert faults(ProgramDesc([])) == "m.pdmodel: it has no block"


def test_columns():
    feed = OpDesc("feed", {}, {"Out": ["x"]}, {"col": Attribute("INT", 1)})
    assert "columns of its feed operators are [1, 1]; expected each of 0 to 1" in faults(program_of(feed, feed))


@pytest.mark.parametrize(("data", "message"), [(b"\x0a\xff\xff\xff\xff\x0f", "no program"), (b"", "it has no block")])
def test_bytes_that_are_no_program(data: bytes, message: str):
    with pytest.raises(ProgramError, match=message):
        read_program(data)


def test_unknown_numbers_are_named():
    program = program_of(OpDesc("relu", attrs={"a": Attribute("INT", 1)}))
    data = write_program(program)
    attribute = b"\x22\x07\x0a\x01a\x10\x00\x18\x01"
    assert data.count(attribute) == 1
    with pytest.raises(ProgramError, match=r"op 0 \(relu\), attribute 'a': type 99 is none of 0 to 17"):
        read_program(data.replace(attribute, attribute.replace(b"\x10\x00", b"\x10\x63")))
    with pytest.raises(ProgramError, match="its type is FLOAT, but it holds no f"):
        read_program(data.replace(attribute, attribute.replace(b"\x10\x00", b"\x10\x01")))


# ---- parameters


def record(described: bytes, data: bytes, lod: bytes = bytes(8)) -> bytes:
    return bytes(4) + lod + bytes(4) + struct.pack("<i", len(described)) + described + data


FAULTY = {
    "absurd": (record(b"\x08\x05\x10" + b"\xff" * 8 + b"\x7f", b"1234"), "needs 36893488147419103228 bytes, the file has 4 left"),
    "negative": (record(b"\x08\x05\x10" + b"\xff" * 9 + b"\x01", b""), r"shape \[-1\]: expected"),
    "overflow": (record(b"\x08\x05" + (b"\x10" + b"\x80" * 4 + b"\x10") * 4, b""), "too many elements"),
    "overflow by zero": (record(b"\x08\x05\x10\x00" + (b"\x10" + b"\x80" * 4 + b"\x10") * 4, b""), "too many elements"),
    "rank": (record(b"\x08\x05" + b"\x10\x01" * 65, b"1234"), "at most 64 dimensions"),
    "dtype": (record(b"\x08\x07\x10\x01", b"1234"), "data type 7 is none of"),
    "short": (record(b"\x08\x05\x10\x02", b"1234567"), r"torch.float32 \[2\] needs 8 bytes, the file has 7 left"),
    "long": (record(b"\x08\x05\x10\x01", b"12345"), "1 bytes after the last tensor"),
    "levels": (record(b"\x08\x05\x10\x01", b"1234", b"\xff" * 8), "a LoD level needs"),
    "version": (b"\x01" + record(b"\x08\x05\x10\x01", b"1234")[1:], "the LoD version is 1; expected 0"),
    "description": (record(b"\x08", b"1234"), "its description is none"),
    "empty": (b"", "the LoD version needs 4 bytes, the file has 0 left"),
}


@pytest.mark.parametrize("fault", FAULTY)
def test_faulty_parameters(fault: str, tmp_path: Path):
    data, message = FAULTY[fault]
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(ProgramError, match=message):
        read_combined(tmp_path / "a", ["w"])


DTYPES = [torch.float32, torch.float64, torch.bfloat16, torch.float16, torch.int8, torch.int64, torch.bool, torch.complex64]


@pytest.mark.parametrize("shape", [(), (3, 2), (0, 2)], ids=str)
def test_parameters_come_back(shape: tuple[int, ...], tmp_path: Path):
    tensors = {str(dtype): torch.ones(shape).to(dtype) for dtype in DTYPES}
    write_combined(tmp_path / "p", tensors)
    again = read_combined(tmp_path / "p", sorted(tensors))
    assert all(torch.equal(again[name], tensor) and again[name].dtype == tensor.dtype for name, tensor in tensors.items())


def test_parameters_share_the_map_where_they_are_aligned(tmp_path: Path):
    tensors = {"a": torch.arange(6.0), "b": torch.arange(7.0), "c": torch.arange(300.0)}
    write_combined(tmp_path / "p", tensors)
    read = read_combined(tmp_path / "p", tensors)
    assert all(torch.equal(read[name], tensor) for name, tensor in tensors.items())
    assert read["b"].data_ptr() - read["a"].data_ptr() == 24 + 24  # a's data, and b's header: both are in the map
    assert read["c"].data_ptr() % 4 == 0  # and in the file it is not: its header has 25 bytes
    read["a"].zero_()
    assert torch.equal(read_combined(tmp_path / "p", tensors)["a"], tensors["a"]), "writing reached the file"


def test_one_file_for_each_variable(tmp_path: Path):
    program, parameters = legacy.read_model(DATA / "dcgan")
    (tmp_path / "__model__").write_bytes(write_program(program))
    for name, tensor in parameters.items():
        write_combined(tmp_path / name, {name: tensor})
    again, same = legacy.read_model(tmp_path)
    assert again == program and all(torch.equal(same[name], tensor) for name, tensor in parameters.items())
    first, second, *_ = sorted(parameters)
    (tmp_path / first).unlink()
    (tmp_path / second).unlink()
    with pytest.raises(ProgramError, match=f"(?s)2 faults.*'{first}' has no file.*'{second}' has no file"):
        legacy.read_model(tmp_path)


def test_what_static_save_wrote(tmp_path: Path):
    """`paddle.static.save`: parameters, and what an optimizer keeps, as pickles."""
    program, expected = legacy.read_model(DATA / "wide_deep")
    (tmp_path / "model.pdmodel").write_bytes(write_program(program))
    arrays = {name: tensor.numpy() for name, tensor in expected.items()}
    first, *others = sorted(arrays)
    (tmp_path / "model.pdopt").write_bytes(pickle.dumps({first: arrays[first], "LR_Scheduler": {"last_lr": 0.1}}, 2))
    with pytest.raises(ProgramError, match=rf"model.pdopt have no tensors for \['{others[0]}'"):
        legacy.read_model(tmp_path)
    (tmp_path / "model.pdparams").write_bytes(pickle.dumps({name: arrays[name] for name in others}, 2))
    found = legacy.read_model(tmp_path)[1]
    assert found.keys() == expected.keys() and all(torch.equal(found[name], expected[name]) for name in expected)


def test_a_variable_names_no_file_outside_of_the_folder(tmp_path: Path):
    write_combined(tmp_path / "secret", {"w": torch.ones(2)})
    folder = tmp_path / "model"
    folder.mkdir()
    program = program_of()
    program.blocks[0].vars["../secret"] = VarDesc("../secret", dtype=torch.float32, dims=(2,), persistable=True)
    (folder / "__model__").write_bytes(write_program(program))
    with pytest.raises(ProgramError, match=r"variable '\.\./secret' has no file in the folder"):
        legacy.read_model(folder)


def test_a_program_without_parameters_is_written_over_one_with_some(tmp_path: Path):
    legacy.write_model(tmp_path / "m", *legacy.read_model(DATA / "wide_deep"))
    legacy.write_model(tmp_path / "m", ProgramDesc([BlockDesc()]), {})
    assert [file.name for file in tmp_path.iterdir()] == ["m.pdmodel"]
    assert legacy.read_model(tmp_path) == (ProgramDesc([BlockDesc()]), {})


def test_parameters_that_are_not_the_program_s(tmp_path: Path):
    program, parameters = legacy.read_model(DATA / "wide_deep")
    name = next(iter(parameters))
    with pytest.raises(ProgramError, match=name):
        legacy.write_model(tmp_path / "m", program, {other: t for other, t in parameters.items() if other != name})
    legacy.write_model(tmp_path / "m", program, {**parameters, name: parameters[name].double()})
    with pytest.raises(ProgramError, match=f"parameter '{name}': the program says torch.float32 .*, it is torch.float64"):
        legacy.read_model(tmp_path)


def test_which_file_a_path_means(tmp_path: Path):
    with pytest.raises(FileNotFoundError, match="is it the folder of a model"):
        legacy.read_model(tmp_path)
    data = write_program(program_of())
    for name in ("a.pdmodel", "b.pdmodel"):
        (tmp_path / name).write_bytes(data)
    with pytest.raises(ProgramError, match=r"2 programs \(a.pdmodel, b.pdmodel\); name one of them"):
        legacy.read_model(tmp_path)
    assert legacy.read_model(tmp_path / "a")[0] == legacy.read_model(tmp_path / "b.pdmodel")[0]
    with pytest.raises(FileNotFoundError, match=r"c: no such folder or file, nor c\.pdmodel"):
        legacy.read_model(tmp_path / "c")
