"""`config`: the flags of a compiler and a linker, as pkg-config gives them, for code that uses phi_torch."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator
from pathlib import Path

from .._build.flags import CPU_FLAGS, common_flags, openmp, system_include_dirs, torch_lib_dir
from .._build.toolchain import with_cuda
from .._load import choose_cpu_library
from .._paths import includes, lib_dir

PARTS = {
    "cxxflags": "flags of the compiler: language, definitions, what the CPU kernels are compiled for",
    "includes": "folders of headers: phi_torch's, torch's, Python's",
    "libs": "libraries: phi_torch's and torch's, with the paths to find them",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    for name, help in PARTS.items():
        parser.add_argument(f"--{name}", action="store_true", help=help)
    parser.add_argument("--cmake", action="store_true", help="all of it as `set(...)` commands, to be included by CMake")


def run(options: argparse.Namespace) -> int:
    if options.cmake:
        print("\n".join(cmake()))
        return 0
    chosen = [name for name in PARTS if getattr(options, name)]
    makers = {"cxxflags": cxxflags, "includes": include_flags, "libs": link_flags}
    if chosen:
        print(shlex.join(flag for name in chosen for flag in makers[name]()))
    else:
        for name, make in makers.items():
            print(f"{name}: {shlex.join(make())}")
    return 0


def cxxflags() -> list[str]:
    capability = _cpu_library().stem.removeprefix("libphi_cpu_")
    return [*common_flags(), "-fPIC", "-fopenmp", *CPU_FLAGS[capability]]


def include_flags() -> list[str]:
    return [f"-I{path}" for path in includes()] + [f"-isystem{path}" for path in system_include_dirs(with_cuda())]


def link_flags() -> list[str]:
    """A library or a program that is linked so loads phi_torch's kernels when it starts."""
    rpaths = [f"-Wl,-rpath,{folder}" for folder in (lib_dir(), torch_lib_dir())]
    return [*rpaths, "-Wl,--no-as-needed", *libraries()]


def libraries() -> list[str]:
    """The files to link with, phi_torch's first."""
    gpu = ["phi_gpu"] if with_cuda() else []
    torch = ["torch", "torch_cpu", "c10", *(["torch_cuda", "c10_cuda"] if with_cuda() else [])]
    ours = ["phi_core", "phi_torch", _cpu_library().stem.removeprefix("lib"), *gpu]
    return [*_files(lib_dir(), ours), *_files(torch_lib_dir(), torch), openmp()]


def _files(folder: Path, names: list[str]) -> Iterator[str]:
    for name in names:
        file = folder / f"lib{name}.so"
        if not file.exists():
            raise ValueError(f"there is no {file}; build phi_torch first")
        yield str(file)


def _cpu_library() -> Path:
    """Of the kernel libraries the one that this machine loads."""
    import torch

    return choose_cpu_library(sorted(lib_dir().glob("libphi_cpu_*.so")), torch.backends.cpu.get_cpu_capability())


def cmake() -> list[str]:
    flags = cxxflags()
    values = {
        "INCLUDE_DIRS": [*map(str, includes()), *system_include_dirs(with_cuda())],
        "COMPILE_OPTIONS": [flag for flag in flags if not flag.startswith("-D")],
        "DEFINITIONS": [flag.removeprefix("-D") for flag in flags if flag.startswith("-D")],
        "LIBRARIES": libraries(),
    }
    return [f'set(PHI_TORCH_{name} "{";".join(value)}")' for name, value in values.items()]
