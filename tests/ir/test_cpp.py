"""The IR's core in C++: tests/ir/cpp. One program, linked to libphi_core alone, runs the tests by name."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from multiprocessing.pool import ThreadPool
from pathlib import Path

import pytest
from cpp_units import Once, by_folder, sanitizers

from phi_torch import _build, _paths

HERE = Path(__file__).parent / "cpp"
NAMES = re.findall(r"^TEST\((\w+)\)", "".join(f.read_text() for f in sorted(HERE.glob("*_test.cc"))), re.MULTILINE)


def compiled(folder: Path, sources: list[Path], *flags: str) -> Path:
    """A program of `sources`, each compiled by itself, so that a compiler cache knows it."""
    compiler = [*filter(None, [shutil.which("ccache")]), "c++", "-O0", *_build.cxx_flags(), *flags]

    def compile_one(source: Path) -> str:
        target = folder / f"{source.parent.name}_{source.name}.o"
        subprocess.run([*compiler, "-c", str(source), "-o", str(target)], check=True)
        return str(target)

    with ThreadPool(2) as pool:
        objects = pool.map(compile_one, sources)
    return link(folder / "ir_test", objects, flags)


def of_tests(folder: Path) -> list[Path]:
    return by_folder(folder, [HERE.parents[1] / "core" / "cpp" / "main.cc", *HERE.glob("*_test.cc")])


def link(output: Path, objects: list[str], flags: tuple[str, ...]) -> Path:
    core = [] if flags else [str(_paths.lib_dir() / "libphi_core.so"), f"-Wl,-rpath,{_paths.lib_dir()}"]
    subprocess.run(["c++", *flags, *objects, *core, "-lpthread", "-o", str(output)], check=True)
    return output


@pytest.fixture(scope="session")
def program(once: Once) -> Path:
    return once("ir_cpp", lambda folder: compiled(folder, of_tests(folder)))


@pytest.mark.parametrize("name", NAMES)
def test(program: Path, name: str) -> None:
    result = subprocess.run([program, name], capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr


def test_every_test_is_listed(program: Path) -> None:
    assert sorted(subprocess.check_output([program], text=True).split()) == sorted(NAMES)


def test_every_accessor_compiles(tmp_path: Path) -> None:
    headers = sorted((_build.GENERATED / "ir" / "ops").glob("*.h"))
    assert len(headers) > 150
    source = tmp_path / "all.cc"
    source.write_text("".join(f'#include "ir/ops/{header.name}"\n' for header in headers))
    subprocess.run(["c++", "-fsyntax-only", *_build.cxx_flags(), str(source)], check=True)


def test_memory(tmp_path: Path) -> None:
    """All of it, with the parser's mutants, under the address and undefined-behaviour sanitizers."""
    sanitize = sanitizers(tmp_path, "address,undefined")
    csrc = _paths.csrc_dir()
    parts = [source for source in csrc.glob("ir/**/*.cc") if source.parent.name != "exec" or source.stem == "memory_planner"]
    # passes that run kernels, or choose between them, which are not part of it
    without = {"constant_fold": "FoldConstants", "layout": "ChooseLayouts", "pack": "PackFilters", "winograd": "ComputeByWinograd"}
    parts = [source for source in parts if source.stem not in (*without, "images")]
    passes = tmp_path / "without_kernels.cc"
    none = "".join(f"phi::ir::PassCounts phi::ir::{name}(Program*) {{ return {{}}; }}\n" for name in without.values())
    passes.write_text(f'#include "ir/pass/passes.h"\n{none}')
    units = by_folder(tmp_path, [*parts, *csrc.glob("common/*.cc")])
    program = compiled(tmp_path, [*of_tests(tmp_path), *units, passes, *(_build.GENERATED / "ir").glob("*.cc")], *sanitize)
    for name in NAMES:
        result = subprocess.run([program, name], capture_output=True, text=True, timeout=120)
        assert result.returncode == 0, result.stderr


def test_threads(tmp_path: Path) -> None:
    """Executables, with all that they call but kernels, under the thread sanitizer."""
    csrc = _paths.csrc_dir()
    folders = ("common", "core", "api", "ir/core", "ir/dialect", "ir/shape", "ir/text", "ir/exec")
    parts = [source for folder in folders for source in csrc.glob(f"{folder}/*.cc")]
    units = by_folder(tmp_path, [*parts, csrc / "program" / "kernel_attribute.cc"])
    infer_meta = _build.GENERATED / "infermeta" / "fusion.cc"  # of packed convolutions
    program = compiled(tmp_path, [HERE / "threads.cc", *units, infer_meta], *sanitizers(tmp_path, "thread"))
    options = {**os.environ, "TSAN_OPTIONS": "halt_on_error=1"}
    result = subprocess.run([program], capture_output=True, text=True, timeout=120, env=options)
    assert result.returncode == 0, result.stdout + result.stderr
