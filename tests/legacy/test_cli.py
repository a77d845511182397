"""`inspect` and `run` on a model's folder."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from phi_torch import ir, legacy
from phi_torch.cli import main
from phi_torch.legacy._definition import DECLARED
from phi_torch.legacy._operators import OPERATORS

from .models import DATA


def test_inspect(capsys: pytest.CaptureFixture[str]):
    assert main(["inspect", str(DATA / "ctl_while")]) == 0
    out = capsys.readouterr().out
    assert "Paddle 2.6.2, 33 operators in 4 blocks, 2 parameters" in out
    assert "\ninput  x float32 [-1, 4]\n" in out and "block 1, parent 0" in out and "cannot run" not in out
    assert any(line.split()[:2] == ["elementwise_add", "add"] for line in out.splitlines())


def test_inspect_names_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    program, parameters = legacy.read_model(DATA / "dcgan")
    for op in program.blocks[0].ops:
        op.type = "qqq" if op.type == "relu" else op.type
    legacy.write_model(tmp_path / "model", program, parameters)
    assert main(["inspect", str(tmp_path)]) == 0
    count = sum(op.type == "qqq" for op in program.blocks[0].ops)
    assert capsys.readouterr().out.endswith(f"\n{count} operators cannot run\n  {count} x operator 'qqq'\n")


@pytest.mark.parametrize("words", [["inspect"], ["run", "--input", "x.npz"], ["run", str(DATA / "wide_deep"), "--input"]])
def test_a_missing_file_is_a_line(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    missing = str(tmp_path / "missing.npz")
    assert main([*words, missing]) == 1
    said = capsys.readouterr().err
    assert said.startswith("error: ") and said.count("\n") == 1 and missing in said


def test_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    io = np.load(DATA / "wide_deep" / "io.npz")
    np.savez(tmp_path / "x.npz", **{name: io[f"in{index}"] for index, name in enumerate(io["feed_names"].tolist())})
    files = ["--input", str(tmp_path / "x.npz"), "--output", str(tmp_path / "y.npz")]
    assert main(["run", str(DATA / "wide_deep"), *files, "--trace"]) == 0
    assert "block 0, op 2 (" in capsys.readouterr().out
    (found,) = np.load(tmp_path / "y.npz").values()
    np.testing.assert_allclose(found, io["out0"], rtol=1e-4, atol=1e-5)
    np.savez(tmp_path / "x.npz", ids=io["in0"])
    assert main(["run", str(DATA / "wide_deep"), *files]) == 1
    assert capsys.readouterr().err == "error: expected the inputs ['ids', 'dense'], got ['ids']\n"
    np.save(tmp_path / "x.npy", io["in0"])
    assert main(["run", str(DATA / "wide_deep"), "--input", str(tmp_path / "x.npy")]) == 1
    assert "x.npy: expected arrays by the names of inputs, as numpy.savez writes them" in capsys.readouterr().err


@pytest.mark.parametrize("array", [np.array(["a"]), np.array([None]), b"no array"])
def test_an_array_that_is_no_tensor_is_named(array: np.ndarray | bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "x.npz"
    if isinstance(array, bytes):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("ids", array)
    else:
        np.savez(path, ids=array)
    assert main(["run", str(DATA / "wide_deep"), "--input", str(path)]) == 1
    assert f"error: {path}: array 'ids': expected numbers or booleans of a dtype that torch has: " in capsys.readouterr().err


def test_run_of_an_array_of_tensors(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    array = "!dense_tensor_array<f32[2]>"
    lines = [
        '%x = pd_op.data {name = "x", shape = [2], dtype = float32} : f32[2]',
        f"%a = pd_op.create_array {{dtype = float32}} : {array}",
        "%zero = pd_op.full {shape = [1], value = 0, dtype = int64} : i64[1]",
        f"%b = pd_op.array_write_(%a, %x, %zero) : {array}",
        f'pd_op.fetch(%b) {{name = "y", col = 0}} : {array}',
    ]
    ir.parse("phi.program 1\nprogram {\n  " + "\n  ".join(lines) + "\n}\n").save(tmp_path / "array.phi")
    np.savez(tmp_path / "x.npz", x=np.array([1, 2], "float32"))
    files = ["--input", str(tmp_path / "x.npz"), "--output", str(tmp_path / "y.npz")]
    assert main(["run", str(tmp_path / "array.phi"), *files]) == 0
    assert "y.0 float32 [2]\n" in capsys.readouterr().out
    assert np.load(tmp_path / "y.npz")["y.0"].tolist() == [1, 2]


def test_show(capsys: pytest.CaptureFixture[str]):
    assert main(["show", "--legacy", "dropout"]) == 0
    words = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["input", "Seed", "tensor,", "optional"] in words
    assert ["attribute", "dropout_prob", "FLOAT", "0.5", "[0,", "1]"] in words
    assert words[-1] == ["dropout", "(X,Seed", ";", "dropout_prob,is_test,dropout_implementation,seed,fix_seed", "->", "Out,Mask)"]
    assert main(["show", "--legacy", "dropuot"]) == 1
    assert "there is no operator 'dropuot' of Paddle's programs; near: dropout" in capsys.readouterr().err


def test_shapes_of_an_input(capsys: pytest.CaptureFixture[str]):
    assert main(["inspect", str(DATA / "dcgan"), "--shape", "z=5,16"]) == 0
    assert "output  save_infer_model/scale_0.tmp_0 float32 [5, 3, 16, 16]\n" in capsys.readouterr().out
    assert main(["inspect", str(DATA / "dcgan"), "--shape", "x=5,16"]) == 1
    assert "no input 'x'; the inputs are ['z']" in capsys.readouterr().err


def test_shapes_that_do_not_fit(capsys: pytest.CaptureFixture[str]):
    assert main(["inspect", str(DATA / "dcgan"), "--shape", "z=5,16,1"]) == 1
    assert "input 'z': expected 2 sizes, as of [-1, 16], got [5, 16, 1]" in capsys.readouterr().err
    assert main(["inspect", str(DATA / "dcgan"), "--shape", "z=5,17"]) == 0
    with pytest.raises(SystemExit):
        main(["inspect", str(DATA / "dcgan"), "--shape", "z"])
    out, err = capsys.readouterr()
    assert "argument --shape: expected sizes as in x=4,3, got 'z'" in err
    said = out.partition("nothing is known of the shapes after\n")[2].splitlines()
    assert len(said) == 1 and said[0].startswith("  block 0, op 1 (reshape2): phi::reshape: ")


def test_operators_of_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    program, parameters = legacy.read_model(DATA / "dcgan")
    for op in program.blocks[0].ops:
        op.type = "cli_relu" if op.type == "relu" else op.type
    legacy.write_model(tmp_path / "model", program, parameters)
    source = "from phi_torch import legacy, relu\n\n@legacy.operator('cli_relu', inputs=['X'], outputs=['Out'])\n"
    (tmp_path / "cli_operators.py").write_text(source + "def run(op):\n    op.set('Out', relu(op.input('X')))\n")
    np.savez(tmp_path / "z.npz", z=np.zeros((2, 16), "float32"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    words = ["run", "model", "--input", "z.npz"]
    assert main(words) == 1 and "x operator 'cli_relu'" in capsys.readouterr().err
    assert main([*words, "--extension", "cli_operators"]) == 0 and main(["inspect", "model", "--extension", "cli_operators"]) == 0
    assert "cannot run" not in capsys.readouterr().out
    assert main([*words, "--extension", "no_such_module"]) == 1 and "no_such_module" in capsys.readouterr().err
    del OPERATORS["cli_relu"], DECLARED["cli_relu"]


def test_list(capsys: pytest.CaptureFixture[str]):
    assert main(["list", "--legacy", "elementwise_add"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["elementwise_add", "add,", "add_raw", "-"] in rows
    assert main(["list", "--legacy", "qqq"]) == 1
