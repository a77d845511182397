"""The scripts of benchmarks/ start, and measure what they say; none of them is timed here."""

import subprocess
import sys

import pytest

from phi_torch._paths import CHECKOUT

pytestmark = pytest.mark.skipif(CHECKOUT is None, reason="an installed package has no benchmarks/")


def run(script: str, *arguments: str) -> str:
    command = [sys.executable, f"benchmarks/{script}", *arguments]
    return subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("script", ["anatomy.py", "build_cost.py", "soak.py"])
def test_a_script_says_how_it_is_used(script):
    assert "usage:" in run(script, "--help")


def test_lines_of_an_operator():
    lines = run("lines_per_op.py", "relu").splitlines()
    name, kind, total, *parts = lines[1].split()
    assert (name, kind) == ("relu", "elementwise")
    assert int(total) == sum(map(int, parts))
    assert "    csrc/kernels/activation/relu.h" in lines
