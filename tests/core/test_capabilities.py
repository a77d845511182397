"""The CPU kernels that this machine would not choose: built for a few operators, and run below the bridge that is there."""

import os
import shutil
import subprocess
import sys

import pytest
import torch

import phi_torch
from phi_torch._build import sources
from phi_torch._build.flags import CPU_FLAGS
from phi_torch._paths import CHECKOUT

OWN = torch.backends.cpu.get_cpu_capability().lower()
OTHERS = list(CPU_FLAGS)[: list(CPU_FLAGS).index(OWN)] if OWN in CPU_FLAGS else []

pytestmark = [
    pytest.mark.skipif(CHECKOUT is None, reason="an installed package has no sources to build"),
    pytest.mark.skipif(not OTHERS, reason="this machine runs the default capability alone"),
]

# a few operators, in a folder of their own, which PHI_OPS names before anything is imported
BUILD = """
import sys
from dataclasses import replace
from pathlib import Path

from phi_torch._build import capabilities, generate, libraries, sources
from phi_torch._paths import lib_dir

package, core = Path(sys.argv[1]), str(lib_dir() / "libphi_core.so")
planned = libraries.plan(generate(package), capabilities(all_of_them=False))
kernels = [replace(library, needs=(), links=(*library.links, core)) for library in planned if library.name.startswith("phi_cpu_")]
libraries.compile_libraries(kernels, sources.BUILD, package, develop=False)
"""

USE = """
import sys
import torch
import phi_torch

assert torch.backends.cpu.get_cpu_capability().lower() == sys.argv[1]
special = torch.tensor([torch.nan, torch.inf, -torch.inf, -0.0, 0.0, 1e-40, 100.0, -100.0])
for dtype in (torch.float32, torch.float16, torch.bfloat16):
    for size in (*range(1, 70), 13_000_003):
        x = (torch.arange(size) % 41 / 8 - 2.5).to(dtype)
        for op in ("exp", "tanh", "sigmoid", "log"):
            a, b = (v.clone().requires_grad_() for v in (x, x))
            ours, theirs = getattr(phi_torch, op)(a), getattr(torch, op)(b)
            torch.testing.assert_close(ours, theirs, equal_nan=True)
            if size < 100:
                ours.sum().backward(), theirs.sum().backward()
                torch.testing.assert_close(a.grad, b.grad, equal_nan=True)
        torch.testing.assert_close(phi_torch.softmax(x), torch.softmax(x, -1))
    for op in ("exp", "tanh", "sigmoid", "log"):
        x = special.to(dtype).repeat(5)
        torch.testing.assert_close(getattr(phi_torch, op)(x), getattr(torch, op)(x), equal_nan=True)
x = (torch.arange(6501 * 1999) % 1021 - 510).float().view(6501, 1999)
assert torch.equal(phi_torch.cumsum(x, 0), x.double().cumsum(0).float())
assert torch.equal(phi_torch.uniform([1000], torch.float32, 0.0, 1.0, 7), torch.load(sys.argv[2]))
"""


def test_other_capabilities(tmp_path, request):
    selection = tmp_path / "selection.yaml"
    selection.write_text("ops : [exp, tanh, sigmoid, log, softmax, cumsum, uniform]\ndtypes : [float32, float16, bfloat16]\n")
    request.addfinalizer(lambda: shutil.rmtree(sources.build_folder(str(selection)), ignore_errors=True))
    environment = {**os.environ, "PHI_OPS": str(selection), "PHI_CPU": ",".join(OTHERS)}
    command = [sys.executable, "-c", BUILD, str(tmp_path / "built")]
    answer = subprocess.run(command, cwd=CHECKOUT, env=environment, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stdout[-4000:] + answer.stderr[-4000:]
    package = tmp_path / "lib" / "phi_torch"
    shutil.copytree(CHECKOUT / "phi_torch", package, ignore=shutil.ignore_patterns("libphi_cpu_*", "__pycache__"))
    for library in (tmp_path / "built" / "lib").glob("libphi_cpu_*.so"):
        shutil.copy(library, package / "lib")
    torch.save(phi_torch.uniform([1000], torch.float32, 0.0, 1.0, 7), tmp_path / "uniform.pt")
    for capability in OTHERS:
        environment = {**os.environ, "PYTHONPATH": str(tmp_path / "lib"), "ATEN_CPU_CAPABILITY": capability}
        program = [sys.executable, "-c", USE, capability, tmp_path / "uniform.pt"]
        answer = subprocess.run(program, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert answer.returncode == 0, f"{capability}: {answer.stderr[-4000:]}"
