"""`python -m phi_torch fuzz`: what it must find is found."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from phi_torch.fuzz import of_dense
from phi_torch.fuzz.recipes import Call, TensorRecipe

ROOT = Path(__file__).resolve().parents[2]

FAULTY = '''
import phi_torch

phi_torch.load("faulty", yaml="""
- op : crashes
  args : (Tensor x, int n = 1)
  output : Tensor(out)
  composite : faulty_composites:crashes
- op : leaks
  args : (Tensor x, int n = 1)
  output : Tensor(out)
  composite : faulty_composites:leaks
- op : differs
  args : (Tensor x)
  output : Tensor(out)
  composite : faulty_composites:differs
- op : refuses
  args : (Tensor x)
  output : Tensor(out)
  composite : faulty_composites:refuses
- op : writes
  args : (Tensor x)
  output : Tensor(out)
  composite : faulty_composites:writes
- op : forgets
  args : (Tensor x)
  output : Tensor(out)
  composite : faulty_composites:forgets
- op : right
  args : (Tensor x)
  output : Tensor(out)
  composite : x * 2
""")
'''
COMPOSITES = """
import os
import random
import signal

import torch


def crashes(x, n=1):
    if n < -2:
        os.kill(os.getpid(), signal.SIGSEGV)
    return x * 2


def leaks(x, n=1):
    return x[[None, n][n > 7].bit_length() :] if n > 7 or n < -2 else x * 2


def differs(x):
    return x * 2 if x.is_meta else (x * 2).unsqueeze(0)


def refuses(x):
    if x.dim() > 1 and not x.is_meta:
        raise ValueError("refuses: too many dimensions")
    return x * 2


def writes(x):
    if x.numel():
        x.detach().as_strided((1,), (1,)).fill_(7)
    return x * 2


def forgets(x):
    return x + random.random()
"""


def fuzz(*arguments: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    environment = dict(os.environ, PYTHONPATH=str(folder), PHI_TORCH_CACHE=str(folder / "cache"))
    command = [sys.executable, "-m", "phi_torch", "fuzz", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, timeout=600)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("faulty")
    (folder / "faulty_ops.py").write_text(FAULTY)
    (folder / "faulty_composites.py").write_text(COMPOSITES)
    first, second = (fuzz("--extension", "faulty_ops", "--calls", "60", "--jobs", "2", folder=folder) for _ in range(2))
    assert first.stdout == second.stdout  # everything follows from the seed
    assert first.returncode == 1, first.stderr
    return first


@pytest.mark.parametrize(
    "line",
    [
        "faulty::crashes: ends the process with SIGSEGV",
        "faulty::leaks: says \"'NoneType' object\": RuntimeError: faulty::leaks: its composite",
        "faulty::differs: output 0 is ",
        "faulty::refuses: raises ValueError: faulty::refuses: refuses: too many dimensions; on Meta it works",
        "faulty::writes: writes into argument 0",
        "faulty::forgets: output 0 has other values in the second call",
    ],
)
def test_a_fault_is_found(found, line):
    assert line in found.stdout, found.stdout + found.stderr


def test_what_is_right_is_not_reported(found):
    assert "faulty::right" not in found.stdout


def test_a_reproduction_can_be_pasted(found, tmp_path):
    lines = found.stdout.splitlines()
    (line,) = [lines[i + 1] for i, text in enumerate(lines) if text.startswith("faulty::crashes: ends the process")]
    assert line.startswith("  import torch, phi_torch.fuzz, faulty_ops; phi_torch.fuzz.check(")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--jobs", "0"), "argument --jobs: expected a number from 1 on, got '0'"),
        (("--calls", "-3"), "argument --calls: expected a number from 1 on, got '-3'"),
        (("--samples", "no_such_package"), "No module named 'no_such_package'"),
    ],
)
def test_wrong_arguments(arguments, message):
    answer = fuzz("phi::relu", *arguments)
    assert answer.returncode != 0 and answer.stderr.strip().endswith(message)


def test_an_interrupted_run_says_what_it_has_made():
    command = [sys.executable, "-m", "phi_torch", "fuzz", "phi::relu", "--calls", "1000000"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    said = process.stderr
    assert said is not None and "of 1000000 calls" in said.readline()
    process.terminate()
    last = said.read().splitlines()[-1]
    assert process.wait() == 0 and 2000 <= int(last.split()[2]) < 1000000 and last.endswith("calls: 0 classes of failures")


PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
def test_our_operators_are_clean(part):
    ops = sorted(info.full_name for info in of_dense("phi"))
    done = fuzz(*ops[part::PARTS], "--calls", "40", "--jobs", "1")
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_view_is_made_of_a_tensor_of_onednn():
    """ATen's end the process where an extent is 0."""
    made = [
        Call("f", {"x": TensorRecipe((3, 0), views=views), "y": TensorRecipe((0, 3))}, aliases=(("y", "x", "{}.t()"),)).source()
        for views in ((), ("{}.to_mkldnn()",))
    ]
    assert [".t()" in source for source in made] == [True, False]
