"""Where programs are found, and files that do not fit together."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import numpy
import pytest
import torch

from phi_torch import ir
from phi_torch.cli import main
from phi_torch.ir import safetensors

from .paddle_models import DATA

MODEL = DATA / "wide_deep"


def test_paths_of_a_program(tmp_path: Path):
    text = str(ir.load(MODEL))
    for path in (MODEL / "model.json", MODEL / "model"):
        assert str(ir.load(path)) == text
    for name in ("net.json", "net.pdiparams"):
        shutil.copy(MODEL / f"model{Path(name).suffix}", tmp_path / name)
    assert str(ir.load(tmp_path)) == text
    shutil.copy(tmp_path / "net.json", tmp_path / "other.json")
    with pytest.raises(ir.ProgramError, match=r"2 programs \(net.json, other.json\); name one of them"):
        ir.load(tmp_path)
    shutil.copy(tmp_path / "net.json", tmp_path / "inference.json")
    shutil.copy(tmp_path / "net.pdiparams", tmp_path / "inference.pdiparams")
    assert str(ir.load(tmp_path)) == text


def test_no_program(tmp_path: Path):
    with pytest.raises(FileNotFoundError, match="is it the folder of a model"):
        ir.load(tmp_path)
    with pytest.raises(FileNotFoundError, match="no such folder or file, nor one with .phi or .json"):
        ir.load(tmp_path / "x")
    (tmp_path / "model.onnx").touch()
    with pytest.raises(ir.ProgramError, match="expected a file that ends with .phi, .json, .pdmodel or .pt2"):
        ir.load(tmp_path / "model.onnx")
    with pytest.raises(ValueError, match="expected a path that ends with .phi or .json"):
        ir.load(MODEL).save(tmp_path / "x.onnx")


def test_errors_name_the_file(tmp_path: Path):
    path = tmp_path / "m.phi"
    path.write_text("phi.program 1\nprogram {\n  %y = pd_op.relu(%x) : f32[2]\n}\n")
    with pytest.raises(ir.ParseError, match=f"^{path}:3:19: ") as parsed:
        ir.load(path)
    assert parsed.value.source == str(path) and parsed.value.errors[0][:2] == (3, 19)
    path.write_text("phi.program 1\nprogram {\n  pd_op.relu()\n}\n")
    with pytest.raises(ir.VerifyError, match=f"^{path}: the program is not valid"):
        ir.load(path)
    data = json.loads((MODEL / "model.json").read_text())
    ops = data["program"]["regions"][0]["blocks"][0]["ops"]
    next(op for op in ops if op["#"] == "1.relu")["I"] = []
    (tmp_path / "model.json").write_text(json.dumps(data))
    shutil.copy(MODEL / "model.pdiparams", tmp_path / "model.pdiparams")
    with pytest.raises(ir.VerifyError, match=f"^{tmp_path}/model.json: the program is not valid"):
        ir.load(tmp_path / "model.json")


@pytest.mark.parametrize("name", ["moved.json", "moved.phi"])
def test_a_program_that_is_not_well_formed_is_not_saved(name: str, tmp_path: Path):
    program = ir.parse("""phi.program 1
program {
  %x = pd_op.data {name = "x", shape = [2], dtype = float32} : f32[2]
  %0 = pd_op.relu(%x) : f32[2]
  pd_op.fetch(%0) {name = "y", col = 0} : f32[2]
}
""")
    data, relu, _ = program.block.operations
    data.move_after(relu)
    with pytest.raises(ir.VerifyError, match=f"(?s){name}.*used before it is defined"):
        program.save(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_program_is_saved_onto_the_files_that_it_maps(tmp_path: Path):
    program = ir.load(MODEL)
    for suffix in (".json", ".phi"):
        program.save(tmp_path / f"model{suffix}")
        mapped = ir.load(tmp_path / f"model{suffix}")
        mapped.save(tmp_path / f"model{suffix}")
        for loaded in (mapped, ir.load(tmp_path / f"model{suffix}")):
            assert all(torch.equal(loaded.weights[name].data, program.weights[name].data) for name in program.weights)


@pytest.mark.parametrize("suffix", ["phi", "json"])
def test_a_program_without_weights_is_saved_over_one_with_weights(suffix: str, tmp_path: Path):
    file, builder = tmp_path / f"model.{suffix}", ir.Builder()
    ir.load(MODEL).save(file)
    assert len(list(tmp_path.iterdir())) == 2
    (x,) = builder.create("pd_op.data", [], {"name": "x", "shape": [-1, 3], "dtype": "float32"}).results
    builder.create("pd_op.fetch", [x], {"name": "y", "col": 0})
    builder.program.save(file)
    assert [op.name for op in ir.load(file).block.operations] == ["pd_op.data", "pd_op.fetch"]
    assert list(tmp_path.iterdir()) == [file]


def test_weights_that_do_not_fit(tmp_path: Path):
    program = ir.load(MODEL)
    path, beside = tmp_path / "m.phi", tmp_path / "m.safetensors"
    program.save(path)
    tensors, metadata = safetensors.read(beside)
    name = next(iter(tensors))
    safetensors.write(beside, tensors | {name: torch.zeros(1)}, metadata)
    with pytest.raises(ir.ProgramError, match=f"parameter '{name}': the program says"):
        ir.load(path)
    del tensors[name]
    safetensors.write(beside, tensors, metadata)
    with pytest.raises(ir.ProgramError, match=f"the program's parameters and the tensors differ in .*{name}"):
        ir.load(path)
    beside.unlink()
    with pytest.raises(FileNotFoundError):
        ir.load(path)
    del program.weights[name]
    for suffix in (".json", ".phi"):
        with pytest.raises(ir.ProgramError, match=name):
            program.save(tmp_path / f"n{suffix}")
    assert not list(tmp_path.glob("n.*"))


def test_a_mutable_weight_stays_one(tmp_path: Path):
    builder = ir.Builder()
    context = builder.program.context
    w = builder.create("builtin.parameter", attributes={"name": "w"}, result_types=[context.dense_tensor("float32", [2])])
    builder.create("pd_op.fetch", [w.results[0]], {"name": "y", "col": 0}, [context.dense_tensor("float32", [2])])
    builder.program.weights.set("w", torch.ones(2), is_mutable=True)
    builder.program.save(tmp_path / "m.phi")
    assert ir.load(tmp_path / "m.phi").weights["w"].is_mutable


@pytest.mark.parametrize("suffix", ["phi", "json"])
def test_what_a_file_says_of_types_is_not_relied_on(suffix: str, tmp_path: Path):
    builder = ir.Builder()
    (x,) = builder.create("pd_op.data", [], {"name": "x", "shape": [-1, 3], "dtype": "float32"}).results
    (positive,) = builder.create("pd_op.relu", [x]).results
    (whole,) = builder.create("pd_op.cast", [positive], {"dtype": "int64"}).results
    builder.create("pd_op.fetch", [whole], {"name": "y", "col": 0})
    file = tmp_path / f"model.{suffix}"
    builder.program.save(file)
    text = file.read_text()
    if suffix == "phi":
        changed = text.replace("pd_op.relu(%0) : f32", "pd_op.relu(%0) : i64")
    else:
        found = json.loads(text)
        relu, cast = found["program"]["regions"][0]["blocks"][0]["ops"][1:3]
        relu["O"][0]["TT"] = cast["O"][0]["TT"]
        changed = json.dumps(found)
    assert changed != text
    file.write_text(changed)
    (y,) = ir.compile(ir.load(file))(torch.full((1, 3), 1.7))
    assert y.tolist() == [[1, 1, 1]] and y.dtype == torch.int64


def test_inspect(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    ir.load(DATA / "ctl_while").save(tmp_path / "m.phi")
    for path in (DATA / "ctl_while", tmp_path / "m.phi"):
        assert main(["inspect", str(path)]) == 0
        out = capsys.readouterr().out
        assert "operators in 4 blocks, 2 parameters" in out and "cannot run" not in out
        assert "\ninput   x f32[s0,4]\n" in out and "\noutput  fetch_name_2 i32[1]\n" in out
        assert any(line.split()[:2] == ["pd_op.matmul", "x:"] for line in out.splitlines())
    assert main(["inspect", str(DATA / "ctl_while"), "--shape", "x=1,4"]) == 1
    assert "--shape is for programs of Paddle 2" in capsys.readouterr().err


def test_exported_programs_in_a_shell(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    path, inputs = tmp_path / "model.pt2", tmp_path / "in.npz"
    torch.export.save(torch.export.export(torch.nn.ReLU(), (torch.ones(2, 3),)), path)
    assert main(["inspect", str(path)]) == 0
    assert "input   input f32[2,3]" in capsys.readouterr().out
    numpy.savez(inputs, input=numpy.full((2, 3), -1, "float32"))
    assert main(["run", str(path), "--input", str(inputs), "--output", str(tmp_path / "out.npz")]) == 0
    assert not numpy.load(tmp_path / "out.npz")["relu"].any()
    path.write_bytes(inputs.read_bytes())  # an archive of something else
    capsys.readouterr()
    assert main(["inspect", str(path)]) == 1
    assert f"error: {path}: no program that torch.export.load reads: " in capsys.readouterr().err


def test_an_exported_operator_that_nobody_registered(capfd: pytest.CaptureFixture[str], tmp_path: Path):
    class Model(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.ops.phi.relu(x)

    path, changed = tmp_path / "model.pt2", tmp_path / "changed.pt2"
    torch.export.save(torch.export.export(Model(), (torch.ones(2),)), path)
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(changed, "w") as other:
        for name in archive.namelist():
            other.writestr(name, archive.read(name).replace(b"torch.ops.phi.relu", b"torch.ops.nowhere.relu"))
    assert main(["opt", str(path), "--extension", "math"]) == 0
    capfd.readouterr()
    assert main(["inspect", str(changed)]) == 1
    (line,) = capfd.readouterr().err.splitlines()
    assert "changed.pt2: no operator nowhere::relu is registered; import the extension that has it first" in line


def test_inspect_says_what_is_missing(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    text = (DATA / "bigru_crf" / "model.json").read_text()
    (tmp_path / "model.json").write_text(text.replace("1.viterbi_decode", "1.no_such"))
    (tmp_path / "model.pdiparams").write_bytes((DATA / "bigru_crf" / "model.pdiparams").read_bytes())
    assert main(["inspect", str(tmp_path)]) == 0
    assert capsys.readouterr().out.endswith("\n1 operator cannot run\n  1 x operator 'pd_op.no_such'\n")


def test_a_weight_is_written_in_place(tmp_path: Path):
    """PaddlePaddle runs no `builtin.set_parameter` in a program that has the weight."""
    builder = ir.Builder()
    builder.program.weights.set("w", torch.ones(3), is_mutable=True)
    (w,) = builder.create("builtin.parameter", (), {"name": "w"}).results
    (x,) = builder.create("pd_op.data", (), {"name": "x", "shape": [-1, 3], "dtype": "float32"}).results
    (twice,) = builder.create("pd_op.add", (w, w)).results
    (sum,) = builder.create("pd_op.add", (x, w)).results
    builder.create("builtin.set_parameter", (twice,), {"parameter_name": "w"})
    builder.create("pd_op.fetch", (sum,), {"name": "y", "col": 0})
    builder.program.save(tmp_path / "m.json")
    loaded = ir.load(tmp_path / "m.json")
    assert [op.name for op in loaded.block.operations][-2:] == ["pd_op.assign_out_", "pd_op.fetch"]
    for program in (builder.program, loaded):
        run = ir.compile(program)
        assert [run(torch.zeros(1, 3))[0][0, 0].item() for _ in range(3)] == [1, 2, 4]
