"""The core's own tests, in C++: tests/core/cpp. One program, linked to the libraries, runs them by name."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from phi_torch import _build, _paths

HERE = Path(__file__).parent / "cpp"
NAMES = re.findall(r"^TEST\((\w+)\)", "".join(f.read_text() for f in sorted(HERE.glob("*_test.cc"))), re.MULTILINE)


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cpp")
    output = folder / "core_test"
    sources = [HERE / "main.cc", *sorted(HERE.glob("*_test.cc"))]
    headers = sorted((_build.GENERATED / "functional").glob("*.h"))
    (folder / "all_functional.h").write_text("".join(f'#include "functional/{header.name}"\n' for header in headers))
    libraries = [_paths.lib_dir() / "libphi_torch.so", *sorted(_paths.lib_dir().glob("libphi_cpu_*.so"))[:1]]
    flags = [f for f in _build.link_flags(develop=True) if f not in ("-shared",)]
    command = ["c++", "-O0", *_build.cxx_flags(), f"-I{HERE}", f"-I{folder}", *map(str, [*sources, *libraries]), *flags]
    subprocess.run([*command, f"-Wl,-rpath,{_paths.lib_dir()}", "-o", str(output)], check=True)
    return output


@pytest.mark.parametrize("name", NAMES)
def test(program: Path, name: str) -> None:
    result = subprocess.run([program, name], capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr


def test_threads(tmp_path: Path) -> None:
    """The core alone, under the thread sanitizer."""
    program, sanitize = tmp_path / "threads", ["-fsanitize=thread", "-g", "-O1"]
    empty = tmp_path / "empty.cc"
    empty.write_text("int main() {}")
    if subprocess.run(["c++", *sanitize, str(empty), "-o", str(program)], capture_output=True).returncode:
        pytest.skip("the compiler has no thread sanitizer")
    core = [*_paths.csrc_dir().glob("core/*.cc"), *_paths.csrc_dir().glob("common/*.cc")]
    flags = [f for f in _build.cxx_flags() if f != "-fopenmp"]
    subprocess.run(["c++", *sanitize, *flags, *map(str, [HERE / "threads.cc", *core]), "-o", str(program)], check=True)
    options = {**os.environ, "TSAN_OPTIONS": "halt_on_error=1"}
    result = subprocess.run([program], capture_output=True, text=True, timeout=120, env=options)
    assert result.returncode == 0, result.stdout + result.stderr


def test_every_test_is_listed(program: Path) -> None:
    assert sorted(subprocess.check_output([program], text=True).split()) == sorted(NAMES)
