"""PHI is a library of its own: its core and its kernels of the CPU need nothing of torch, and run in a program without it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from cpp_units import Once

from phi_torch import _build
from phi_torch._load import choose_cpu_library
from phi_torch._paths import lib_dir

SOURCE = Path(__file__).parent / "cpp" / "without_torch.cc"
NAMES = re.findall(r"^TEST\((\w+)\)", SOURCE.read_text(), re.MULTILINE)
CORE, KERNELS = lib_dir() / "libphi_core.so", sorted(lib_dir().glob("libphi_cpu_*.so"))


def symbols(library: Path, which: str) -> set[str]:
    """The names in the dynamic symbol table; those of the system's libraries end with a version."""
    command = ["nm", "--dynamic", which, "--format=posix", str(library)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return {name for name, kind, *_ in map(str.split, lines) if kind not in "wv"}


def foreign(library: Path) -> set[str]:
    """What a library needs that neither the core nor the system's libraries have."""
    versioned = re.compile(r"@(?:GLIBC|GLIBCXX|CXXABI|GCC)_")
    return {name for name in symbols(library, "--undefined-only") - symbols(CORE, "--defined-only") if not versioned.search(name)}


def needed(file: Path) -> list[str]:
    text = subprocess.run(["readelf", "--dynamic", "--wide", str(file)], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\)\s+Shared library: \[([^]]+)\]", text)


@pytest.mark.parametrize("library", [CORE, *KERNELS], ids=lambda file: file.stem)
def test_no_symbol_of_torch_is_needed(library: Path) -> None:
    assert KERNELS
    assert foreign(library) == set()
    system = {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "libpthread.so.0"}
    assert {name for name in needed(library) if not name.startswith("ld-linux")} <= system | {CORE.name}


def test_the_rule_sees_what_it_forbids() -> None:
    """Of the bridge, which is made of nothing else."""
    found = foreign(lib_dir() / "libphi_torch.so")
    assert any(name.startswith("_ZN2at") for name in found)
    assert any(name.startswith(("_ZN3c10", "_ZNK3c10")) for name in found)


@pytest.fixture(scope="session")
def program(once: Once) -> Path:
    return once("without_torch", compiled)


def compiled(folder: Path) -> Path:
    """The program, compiled with the number types of torch's headers and linked to the core and the best kernels here."""
    output = folder / "program"
    main = SOURCE.with_name("main.cc")
    flags = [f for f in _build.cxx_flags() if f != "-fopenmp" and not f.startswith("-DPHI_TORCH_VERSION")]
    kernels = choose_cpu_library(KERNELS, _build.torch_module().backends.cpu.get_cpu_capability())
    command = ["c++", "-O0", *flags, f"-I{SOURCE.parent}", str(SOURCE), str(main), "-Wl,--no-as-needed", str(CORE), str(kernels)]
    subprocess.run([*command, f"-Wl,-rpath,{lib_dir()}", "-pthread", "-o", str(output)], check=True)
    return output


@pytest.mark.parametrize("name", NAMES)
def test(program: Path, name: str) -> None:
    result = subprocess.run([program, name], capture_output=True, text=True, timeout=60, env={})
    assert result.returncode == 0, result.stderr


def test_the_process_loads_nothing_of_torch(program: Path) -> None:
    loaded = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=True, env={"PATH": "/usr/bin:/bin"}).stdout
    assert CORE.name in loaded
    assert re.search(r"lib(?:torch|c10|gomp|python)", loaded) is None
    assert len(NAMES) > 3
