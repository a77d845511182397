"""The core's own tests, in C++: tests/core/cpp. One program, linked to the libraries, runs them by name."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from cpp_units import Once, by_folder, sanitizers

from phi_torch import _build, _paths

HERE = Path(__file__).parent / "cpp"
NAMES = re.findall(r"^TEST\((\w+)\)", "".join(f.read_text() for f in sorted(HERE.glob("*_test.cc"))), re.MULTILINE)


@pytest.fixture(scope="session")
def program(once: Once) -> Path:
    return once("core_cpp", compiled)


def compiled(folder: Path) -> Path:
    output = folder / "core_test"
    tests = sorted(HERE.glob("*_test.cc"))
    torch = [source for source in tests if "#include <ATen/" in source.read_text()]  # whose headers take seconds
    sources = [HERE / "main.cc", *by_folder(folder, torch), *(source for source in tests if source not in torch)]
    headers = sorted((_build.GENERATED / "functional").glob("*.h"))
    (folder / "all_functional.h").write_text("".join(f'#include "functional/{header.name}"\n' for header in headers))
    libraries = [
        *(_paths.lib_dir() / f"lib{name}.so" for name in ("phi_core", "phi_torch")),
        *sorted(_paths.lib_dir().glob("libphi_cpu_*.so"))[:1],
    ]
    flags = [*_build.torch_libraries(), *(f for f in _build.link_flags(develop=True) if f != "-shared")]
    command = ["c++", "-O0", *_build.cxx_flags(), f"-I{HERE}", f"-I{folder}", *map(str, [*sources, *libraries]), *flags]
    subprocess.run([*command, f"-Wl,-rpath,{_paths.lib_dir()}", "-o", str(output)], check=True)
    return output


@pytest.mark.parametrize("name", NAMES)
def test(program: Path, name: str) -> None:
    result = subprocess.run([program, name], capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr


def sanitized(folder: Path, names: str, *sources: str) -> Path:
    """A program of the core alone, without torch and kernels."""
    csrc, program = _paths.csrc_dir(), folder / "program"
    core = by_folder(folder, [*csrc.glob("core/*.cc"), *csrc.glob("common/*.cc")])
    flags = [*sanitizers(folder, names), *(f for f in _build.cxx_flags() if f != "-fopenmp")]
    files = [*(HERE / source for source in sources), *core]
    subprocess.run(["c++", "-O0", *flags, *map(str, files), "-o", str(program)], check=True)
    return program


def test_threads(tmp_path: Path) -> None:
    program = sanitized(tmp_path, "thread", "threads.cc")
    options = {**os.environ, "TSAN_OPTIONS": "halt_on_error=1"}
    result = subprocess.run([program], capture_output=True, text=True, timeout=120, env=options)
    assert result.returncode == 0, result.stdout + result.stderr


def test_memory(tmp_path: Path) -> None:
    """Of the core; `make gpu-emulated SANITIZE=address,undefined` has kernels under the same sanitizers."""
    program = sanitized(tmp_path, "address,undefined", "main.cc", "argument_mapping_test.cc", "registry_test.cc")
    names = subprocess.check_output([program], text=True).split()
    results = [subprocess.run([program, name], capture_output=True, text=True, timeout=120) for name in names]
    needing_a_device = [r for r in results if "no library for the device 'cpu' is loaded" in r.stderr]
    assert len(results) - len(needing_a_device) > 20
    assert not [r.stderr for r in results if r.returncode and r not in needing_a_device]


def test_every_test_is_listed(program: Path) -> None:
    assert sorted(subprocess.check_output([program], text=True).split()) == sorted(NAMES)
