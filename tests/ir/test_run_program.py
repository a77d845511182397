"""The C++ program of examples/run_program runs what Python runs, in a process without Python."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from phi_torch import _paths, ir
from phi_torch.ir import safetensors

from .paddle_models import DATA

FOLDER = Path(__file__).parents[2] / "examples" / "run_program"
KERNELS = sorted(_paths.lib_dir().glob("libphi_cpu_*.so"))[:1]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As its README builds it."""
    folder = tmp_path_factory.mktemp("run_program")
    block = (FOLDER / "README.md").read_text().partition("```sh\n")[2].partition("```")[0]
    build = block.partition("./run_program")[0].replace("python -c", f"{shlex.quote(sys.executable)} -c").replace("-O2", "-O0")
    build = build.replace("main.cc", str(FOLDER / "main.cc"))
    subprocess.run(["bash", "-ec", build], check=True, cwd=folder)
    linked = subprocess.check_output(["ldd", folder / "run_program"], text=True)
    assert "libphi_torch.so" in linked and "libpython" not in linked
    return folder / "run_program"


def outputs(text: str) -> list[tuple[str, str, list[int], np.ndarray]]:
    lines = text.splitlines()
    found = []
    for head, values in zip(lines[::2], lines[1::2]):
        name, dtype, shape = head.split(" ", 2)
        found.append((name, dtype, [int(one) for one in shape.strip("[]").split(",")], np.array(values.split(), dtype=np.float32)))
    return found


@pytest.mark.parametrize("name", ["wide_deep", "dcgan"])
def test_outputs(name: str, built: Path, tmp_path: Path):
    program = ir.load(DATA / name)
    program.save(tmp_path / "model.phi")
    run = ir.compile(program, passes=[])
    io = np.load(DATA / name / "io.npz")
    named = {feed: torch.from_numpy(io[f"in{i}"]) for i, feed in enumerate(io["feed_names"].tolist())}
    safetensors.write(tmp_path / "in.safetensors", named, {})
    command = [built, tmp_path / "model.phi", tmp_path / "in.safetensors", *KERNELS]
    found = outputs(subprocess.check_output(command, text=True))
    expected = run.named(**named)
    assert [one[0] for one in found] == list(expected)
    for (_, dtype, shape, values), ours in zip(found, expected.values()):
        assert (dtype, shape) == ("float32", list(ours.shape))
        torch.testing.assert_close(torch.from_numpy(values).reshape(shape), ours)


def test_errors(built: Path, tmp_path: Path):
    def error(*arguments: Path) -> str:
        answer = subprocess.run([built, *arguments, *KERNELS], capture_output=True, text=True)
        assert answer.returncode == 1
        return answer.stderr

    program = ir.load(DATA / "wide_deep")
    program.save(tmp_path / "model.phi")
    weights = tmp_path / "model.safetensors"
    assert "No such file" in error(tmp_path / "other.phi", weights)
    assert "there is no input" in error(tmp_path / "model.phi", weights)
    data = weights.read_bytes()
    weights.write_bytes(data[:-1])
    assert "model.safetensors: " in error(tmp_path / "model.phi", weights)
    weights.unlink()
    assert "model.safetensors: No such file" in error(tmp_path / "model.phi", weights)
