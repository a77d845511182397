"""What docs/ prints works as it is printed: blocks of code that begin with the name of a file are that file."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from codegen.command import read_extension
from codegen.emit.docs import keys, operators, rewrites
from codegen.load import load
from phi_torch import _build

DOCS = Path(__file__).resolve().parents[2] / "docs"
FILE = re.compile(r"^```\w+\n((?:#|//) (\w+\.\w+)\n.*?)^```$", re.MULTILINE | re.DOTALL)
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def written(page: str, folder: Path) -> list[Path]:
    """The files of a page, below `folder`, in their order."""
    for text, name in FILE.findall((DOCS / page).read_text()):
        (folder / name).write_text(text)
    return [folder / name for _, name in FILE.findall((DOCS / page).read_text())]


def run(folder: Path, *command: str) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PHI_TORCH_CACHE": str(folder / "cache")}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_complete_operator(tmp_path: Path):
    assert [file.name for file in written("complete-op.md", tmp_path)] == ["blend.yaml", "blend.h", "test_blend.py"]
    new, commands = SHELL.findall((DOCS / "complete-op.md").read_text())
    check, test = commands.splitlines()
    assert "2 ops, no errors" in run(tmp_path, "bash", "-ec", check)
    (tmp_path / "empty").mkdir()
    assert "wrote test_blend.py" in run(tmp_path / "empty", "bash", "-ec", new)
    assert "2 passed" in run(tmp_path, "bash", "-ec", f"{test.partition('#')[0]} -p no:cacheprovider")


USE = """
#include <c10/core/SymInt.h>
#include "stripe.h"
template <class Dim, class Meta = phi::MetaTensor<Dim>>
constexpr void (*function)(const std::vector<const Meta*>&, const Meta&, int64_t, Meta*) = stripe::StripeInferMeta<Dim>;
auto eager = function<int64_t>;
auto traced = function<c10::SymInt>;
"""


def test_infer_meta(tmp_path: Path):
    """It compiles for known and for symbolic sizes, and fits its entry, of which only the kernel is missing."""
    header, entry = written("infermeta.md", tmp_path)
    (tmp_path / "use.cc").write_text(USE)
    run(tmp_path, "c++", *_build.cxx_flags(), "-fsyntax-only", "use.cc")
    diagnostics = read_extension([entry, header], None)[1]
    assert [error.code for error in diagnostics.errors] == ["PHI036"], diagnostics.render()


@pytest.mark.slow
def test_deployment(tmp_path: Path):
    pytest.importorskip("onnxruntime")
    _, *programs = [file.name for file in written("deploy.md", tmp_path) if file.suffix == ".py"]
    run(tmp_path, sys.executable, "-c", "".join(f"import {Path(name).stem}\n" for name in programs))
    printed = run(tmp_path, "bash", "-ec", SHELL.findall((DOCS / "deploy.md").read_text())[0])
    assert "CPUFloatType{5,4}" in printed and printed.endswith("\n1\n")


@pytest.mark.slow
def test_porting(tmp_path: Path):
    source, program = written("porting.md", tmp_path)
    assert run(tmp_path, sys.executable, program.name).startswith("ninja: ")
    (shell,) = SHELL.findall((DOCS / "porting.md").read_text())
    assert source.name in shell and run(tmp_path, "bash", "-ec", shell) == "tensor([1., 1.])\n"


def test_without_torch(tmp_path: Path):
    written("backends.md", tmp_path)
    printed = run(tmp_path, "bash", "-ec", SHELL.findall((DOCS / "backends.md").read_text())[0]).split()
    assert [float(number) for number in printed] == pytest.approx([0.0900306, 0.244728, 0.665241] * 2, rel=1e-5)


def test_programs(tmp_path: Path):
    make, *others = [file.name for file in written("programs.md", tmp_path)]
    assert make == "make_model.py" and len(others) == 4
    (shell,) = SHELL.findall((DOCS / "programs.md").read_text())
    printed = run(tmp_path, "bash", "-ec", shell)
    assert "5 operators in 1 block, 2 parameters" in printed and "\ny float32 [4, 2]\n" in printed
    run(tmp_path, sys.executable, "-c", "".join(f"import {Path(name).stem}\n" for name in others))


def test_ir(tmp_path: Path):
    """The page's text is what is printed."""
    make, read, execute, module, back, old, change, optimize = [file.name for file in written("ir.md", tmp_path)]
    (shell,) = SHELL.findall((DOCS / "ir.md").read_text())
    assert shell.splitlines()[0] == f"python {make}"
    assert "7 operators in 1 block, 2 parameters" in run(tmp_path, "bash", "-ec", shell)
    text, kernels, _ = re.findall(r"^```text\n(.*?)^```$", (DOCS / "ir.md").read_text(), re.MULTILINE | re.DOTALL)
    assert run(tmp_path, sys.executable, read).strip() == text.strip()
    assert kernels in run(tmp_path, sys.executable, execute)
    run(tmp_path, sys.executable, module)
    run(tmp_path, sys.executable, back)
    run(tmp_path, sys.executable, old)
    run(tmp_path, sys.executable, change)
    assert "dce " in run(tmp_path, sys.executable, optimize)


@pytest.mark.parametrize("page", ["first-fusion.md", "first-pass.md"])
def test_first_changes_of_programs(page: str, tmp_path: Path):
    (program,) = [file.name for file in written(page, tmp_path) if file.suffix == ".py"]
    assert " ms  " in run(tmp_path, sys.executable, program)


def test_the_pages_of_keys_and_operators_are_of_now():
    opset = load()[0]
    generated: dict[str, str] = {}
    for page in (keys, operators, rewrites):
        generated |= page.emit(opset, "")
    stale = [name for name, text in generated.items() if (DOCS.parent / name).read_text() != text]
    assert not stale, f"{stale} are not what yaml/ says; run `make build`"


def test_decisions_are_numbered_in_the_order_of_their_days():
    heads = re.findall(r"^## (.*)$", (DOCS / "decisions.md").read_text(), re.MULTILINE)
    parts = [re.fullmatch(r"(\d+) \((\d{4}-\d\d-\d\d)\)", head) for head in heads]
    assert all(parts), heads
    assert [int(part[1]) for part in parts] == list(range(1, len(parts) + 1))
    assert [part[2] for part in parts] == sorted(part[2] for part in parts)
