"""Builds with some operators only: the selection, what it needs, and one such build."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

import phi_torch
from codegen.generate import generate
from codegen.load import load
from codegen.read import cpp
from phi_torch import _build, trim
from phi_torch._build import primitives, selection, sources, trimming
from phi_torch._paths import CHECKOUT
from phi_torch.cli import main

pytestmark = pytest.mark.skipif(CHECKOUT is None, reason="an installed package has no sources to build")


@pytest.fixture(scope="module")
def opset():
    opset, diagnostics = load(root=_build.ROOT)
    assert not diagnostics
    return opset


def select(*ops: str, **keys: Any) -> selection.Selection:
    return selection.Selection("PHI_OPS", ops, **keys)


def write(folder: Path, text: str) -> Path:
    path = folder / "selection.yaml"
    path.write_text(text)
    return path


# ---- the selection ----


def test_the_environment_names_operators_or_a_file(monkeypatch, tmp_path):
    monkeypatch.delenv("PHI_OPS", raising=False)
    assert selection.from_environment() is None
    monkeypatch.setenv("PHI_OPS", "add, relu,add")
    assert selection.from_environment() == select("add", "relu")
    path = write(tmp_path, "ops : [add, relu]\ndtypes : [float32, integer]\nbackward : false\n")
    monkeypatch.setenv("PHI_OPS", str(path))
    found = selection.from_environment()
    assert (found.name, found.ops, found.backward) == ("selection.yaml", ("add", "relu"), False)
    assert selection.dtypes(found) == ("float32", "uint8", "int8", "int16", "int32", "int64")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ops : [add\n", "selection.yaml: not YAML"),
        ("- add\n", r"expected `ops : \[name, ...\]`"),
        ("ops : add\n", "expected a list of names for 'ops', got 'add'"),
        ("ops : [add]\ndtype : [float32]\n", "unknown key 'dtype'; did you mean 'dtypes'"),
        ("ops : [add]\nbackward : maybe\n", "expected true or false for 'backward', got 'maybe'"),
        ("ops : [add]\nextensions : [my_ops]\n", r"expected true or false for 'extensions', got \['my_ops'\]"),
    ],
)
def test_a_file_that_is_no_selection(tmp_path, text, message):
    with pytest.raises(_build.BuildError, match=message):
        selection.read(write(tmp_path, text))


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(_build.BuildError, match=r"none\.yaml: No such file"):
        selection.read(tmp_path / "none.yaml")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ops :\n  - add\n  - rleu\n  - gleu\n", "yaml:3: there is no operator 'rleu'; did you mean 'relu'(?s:.*)yaml:4: .*'gelu'"),
        ("ops : []\n", "names no operator"),
        ("ops : [add]\ndtypes : [flot32]\n", "yaml:2: there is no data type 'flot32'; did you mean 'float32'"),
        ("ops : [batch_norm]\ndtypes : [complex]\n", "'batch_norm' has no kernel for complex128, complex64, only for .*float32"),
    ],
)
def test_a_selection_of_what_there_is_not(opset, tmp_path, text, message):
    with pytest.raises(_build.BuildError, match=message):
        trimming.trim(selection.read(write(tmp_path, text)), opset)


def test_an_unknown_operator_ends_the_build():
    """Before anything is written, with a message and no traceback."""
    environment = {**os.environ, "PHI_OPS": "addd"}
    answer = subprocess.run(
        [sys.executable, "setup.py", "--quiet", "generate"], cwd=CHECKOUT, env=environment, capture_output=True, text=True
    )
    assert answer.returncode == 2
    assert not sources.build_folder("addd").exists()
    assert answer.stderr == "error: PHI_OPS: there is no operator 'addd'; did you mean 'add'?\n"


# ---- what it needs ----


def kept(opset, *ops: str, **keys: object) -> set[str]:
    return {op.name for op in trimming.trim(select(*ops, **keys), opset).opset.ops}


def kernels(opset, *ops: str, **keys: object) -> set[str]:
    return {source.relative_to(_build.CSRC).as_posix() for source in trimming.trim(select(*ops, **keys), opset).kernels}


def test_gradients_composites_and_invokes_are_needed(opset):
    assert kept(opset, "relu") == {"relu", "relu_grad"}
    assert kept(opset, "relu_") == {"relu", "relu_grad"}  # its in-place form
    assert {"conv2d", "conv2d_grad"} < kept(opset, "depthwise_conv2d")  # `phi.conv2d` in its composite
    assert "concat" in kept(opset, "split")  # its gradient invokes it
    assert kept(opset, "sync_batch_norm") > {"batch_norm"}  # its composite is its kernel


def test_inference_needs_no_gradients(opset):
    found = trimming.trim(select("relu", backward=False), opset)
    assert [(op.name, op.backward) for op in found.opset.ops] == [("relu", None)]
    assert "relu_grad" in found.left_out
    # unless they are listed
    assert kept(opset, "relu_grad", backward=False) == {"relu", "relu_grad"}


def test_kernels_that_kernels_call_are_needed(opset):
    assert "sum" in kept(opset, "matmul")  # its gradient calls kernels/sum_kernel.h
    found = kernels(opset, "batch_norm", backward=False)
    expected = ["kernels/cpu/batch_norm_kernel.cc", *(["kernels/gpu/batch_norm_kernel.cu"] if _build.with_cuda() else [])]
    assert sorted(source for source in found if source.startswith("kernels/")) == expected
    trimmed = trimming.trim(select("matmul", dtypes=("float32",)), opset)
    limited = [n for n in ("matmul", "sum") if "-include" in trimmed.flags_of(sources.GENERATED / f"kernels/cpu/{n}_kernel.cc")]
    assert limited == ["matmul"]  # sum is called with any type


def test_primitives_that_kernels_call_are_needed(opset):
    found = trimming.trim(select("softmax", backward=False), opset)
    assert {source.relative_to(_build.CSRC).as_posix() for source in found.kernels} >= {"primitive/cpu/softmax.cc"}
    softmax, fill = (_build.CSRC / "primitive/cpu" / name for name in ("softmax.cc", "fill.cc"))
    assert found.divide([softmax, fill]) == ((softmax,), ())
    extensible = trimming.trim(select("softmax", backward=False, extensions=True), opset)
    assert extensible.divide([softmax, fill]) == ((softmax, fill), ())  # an extension may ask for any


@pytest.mark.parametrize("ops", [("relu",), ("matmul", "batch_norm"), ("rnn", "conv2d", "multiclass_nms3", "set_value")])
def test_shapes_of_other_operators_are_left_out(opset, ops, tmp_path):
    found = trimming.trim(select(*ops), opset)
    assert len(found.other_shapes) > 50
    written = [path.relative_to(tmp_path).as_posix() for path in generate(found.opset, tmp_path) if path.suffix in (".cc", ".h")]
    units, called = set(), set()
    for name in found.divide([sources.GENERATED / name for name in written if name.endswith(".cc")])[1]:
        text = (tmp_path / name.relative_to(sources.GENERATED)).read_text()
        units |= set(re.findall(r"^template void (\w+)<", text, re.MULTILINE))
        called |= set(re.findall(r"\b(\w+InferMeta)<(?:int64_t|SymInt)>\(", text))
    assert called and called <= units
    pool = [sources.GENERATED / "infermeta/pool.cc"]
    assert found.divide(pool) == ((), ())
    assert trimming.trim(select(*ops, extensions=True), opset).divide(pool) == ((*pool,), ())  # an extension may ask for any


def test_every_source_of_primitives_is_known_by_what_it_registers():
    """One that is not would be linked into every trimmed build."""
    sources = {path for path in (_build.CSRC / "primitive").rglob("*.c[cu]") if cpp.acts_when_loaded(path.read_text())}
    assert len(sources) > 20
    assert sources <= primitives.implementations().keys()


# ---- the command ----


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cond(x.sum() > 0, lambda x: phi_torch.relu(x), lambda x: phi_torch.tanh(x) + 1, (x,))


@pytest.fixture
def program(tmp_path) -> Path:
    path = tmp_path / "model.pt2"
    torch.export.save(torch.export.export(Model(), (torch.ones(3),)), path)
    return path


def test_trim_reads_the_operators_of_a_program(program, tmp_path, capsys):
    output = tmp_path / "selection.yaml"
    assert main(["trim", "--model", str(program), "--ops", "add,matmul", "--dtypes", "--inference", "-o", str(output)]) == 0
    assert "4 operators" in capsys.readouterr().out
    found = selection.read(output)
    assert found.ops == ("add", "matmul", "relu", "tanh")  # those of both branches
    assert set(found.dtypes) == {"float32", "bool"}
    assert not found.backward


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--ops", "rleu"], "has no op 'rleu'; did you mean relu"),
        ([], "give --model or --ops"),
        (["--ops", "add", "--dtypes"], "--dtypes takes the data types from a --model"),
        (["--model", "none.pt2"], "none.pt2: no such file"),
        (["--model", __file__], "no program that torch.export.save wrote, which is an archive"),
    ],
)
def test_trim_says_what_is_wrong(capsys, arguments, message):
    assert main(["trim", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("error:") == 1


def test_a_program_without_operators_of_ours(tmp_path):
    path = tmp_path / "model.pt2"
    torch.export.save(torch.export.export(torch.nn.ReLU(), (torch.ones(3),)), path)
    with pytest.raises(ValueError, match="calls no operator of phi_torch"):
        trim.collect([path], [])


WITHOUT_OPERATORS = """
import torch, phi_torch
class Without(type(torch.ops.phi)):
    def __getattr__(self, name):
        raise AttributeError(name)
for name in [name for name, found in vars(torch.ops.phi).items() if isinstance(found, torch._ops.OpOverloadPacket)]:
    delattr(torch.ops.phi, name)
torch.ops.phi.__class__ = Without
assert not hasattr(torch.ops.phi, "sgd_")
import phi_torch.ir, phi_torch.legacy
"""


def test_programs_need_no_operator_to_be_there():
    answer = subprocess.run([sys.executable, "-c", WITHOUT_OPERATORS], capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr


MISSING = """
from phi_torch import _build_info
_build_info.trimmed, _build_info.left_out = "selection.yaml trimmed", ("mish", "prod")
from phi_torch.legacy._prepare import Missing
for kernel in "mish", "mish_grad", "prod_raw", "qqq":
    print(Missing("an_op", kernel))
"""


def test_a_program_says_that_the_build_is_trimmed():
    answer = subprocess.run([sys.executable, "-c", MISSING], capture_output=True, text=True, check=True).stdout.splitlines()
    for line, name in zip(answer, ("mish", "mish", "prod")):
        assert f"phi_torch.{name} is not in this build, which selection.yaml trimmed; rebuild with it listed" in line
    assert answer[3].startswith("operator 'an_op', kernel 'qqq'") and "trimmed" not in answer[3]


# ---- a build ----

USE = """
import importlib, torch, phi_torch
x = torch.tensor([-1.0, 2.0], requires_grad=True)
phi_torch.relu(x).sum().backward()
assert x.grad.tolist() == [0, 1] and phi_torch.relu_(torch.tensor([-1.0])).tolist() == [0]
assert phi_torch.sigmoid(torch.zeros(1)).tolist() == [0.5]
assert torch.compile(phi_torch.relu, fullgraph=True, backend="aot_eager")(x).tolist() == [0, 2]
def error(call):
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()
print(error(lambda: phi_torch.tanh)[0])
print(error(lambda: torch.ops.phi.tanh)[0])
print(error(lambda: phi_torch.tnah)[0])
print(error(lambda: phi_torch.explain("tanh", x))[0])
print(error(lambda: phi_torch.relu(x.detach().double()))[-1])
print(error(lambda: phi_torch.load_library("lib.so"))[0])
for name in "ir", "legacy":
    print(error(lambda: importlib.import_module("phi_torch." + name))[0])
"""


@pytest.mark.slow
def test_a_build_of_two_operators(tmp_path, request):
    path = write(tmp_path, "ops : [relu, sigmoid]\ndtypes : [float32]\n")
    request.addfinalizer(lambda: shutil.rmtree(sources.build_folder(str(path)), ignore_errors=True))
    environment = {**os.environ, "PHI_OPS": str(path), "PHI_CPU": "native"}
    command = [
        sys.executable,
        "setup.py",
        "--quiet",
        "build",
        "--build-base",
        str(tmp_path / "base"),
        "--build-lib",
        str(tmp_path / "lib"),
    ]
    before = {file: file.stat().st_mtime_ns for file in (CHECKOUT / "phi_torch").glob("*op*.py*")}
    answer = subprocess.run(command, cwd=CHECKOUT, env=environment, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stdout[-4000:] + answer.stderr[-4000:]
    assert before == {file: file.stat().st_mtime_ns for file in before}  # the checkout's own build stays
    assert "selection.yaml trimmed to 2 operators; with what they need: relu, sigmoid, relu_grad, sigmoid_grad" in answer.stdout

    libraries = list((tmp_path / "lib/phi_torch/lib").glob("*.so"))
    assert len(libraries) == 3 + _build.with_cuda()
    assert sum(library.stat().st_size for library in libraries if library.stem != "libphi_gpu") < 1_000_000

    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "lib")}
    answer = subprocess.run([sys.executable, "-c", USE], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    left_out = "phi_torch.tanh is not in this build, which selection.yaml trimmed to 2 operators"
    lines = answer.stdout.splitlines()
    assert lines[:2] == [f"AttributeError: {left_out}; rebuild with it listed or without PHI_OPS"] * 2
    assert lines[2] == "AttributeError: module 'phi_torch' has no attribute 'tnah'"
    assert left_out in lines[3]
    assert "selection.yaml trimmed this build to the data types float32: rebuild with what is missing listed" in lines[4]
    assert "takes no extensions; rebuild with `extensions : true`" in lines[5]
    assert all("runs no programs; rebuild with `programs : true`" in line for line in lines[6:8])
