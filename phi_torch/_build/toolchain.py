"""What the build finds on this machine: torch, nvcc and its toolkit."""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

OLDEST_TORCH, NEWEST_TORCH = (2, 11), (2, 15)
SUPPORTED_TORCH = "torch>={}.{},<{}.{}".format(*OLDEST_TORCH, NEWEST_TORCH[0], NEWEST_TORCH[1] + 1)
INSTALL_TORCH = f"pip install '{SUPPORTED_TORCH}'"


class BuildError(RuntimeError):
    """The build cannot go on; the message says why and what to do."""


@contextlib.contextmanager
def plain_errors() -> Iterator[None]:
    """An error of the build ends the command with its message alone."""
    try:
        yield
    except BuildError as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from None


@functools.cache
def torch_module() -> ModuleType:
    """The torch to build against.

    Raises:
        BuildError: torch is missing (as in pip's isolated build environment) or older than what is supported.
    """
    try:
        import torch
    except ImportError:
        raise BuildError(
            "phi_torch is compiled against the torch that you run, which pip's isolated build environment hides. "
            f"With torch {dotted(OLDEST_TORCH)} to {dotted(NEWEST_TORCH)} installed "
            f"({INSTALL_TORCH}), run:\n\n    pip install --no-build-isolation .\n"
        ) from None
    version = version_of(torch.__version__)
    if version < OLDEST_TORCH:
        raise BuildError(f"phi_torch needs torch >= {dotted(OLDEST_TORCH)}, found {torch.__version__}: {INSTALL_TORCH}")
    if version > NEWEST_TORCH:
        print(f"warning: phi_torch is tested up to torch {dotted(NEWEST_TORCH)}, found {torch.__version__}")
    return torch


def cpp_extension() -> ModuleType:
    """torch.utils.cpp_extension, imported late, as it needs torch."""
    return importlib.import_module("torch.utils.cpp_extension")


def version_of(text: str) -> tuple[int, int]:
    """(major, minor) of a torch version text such as `2.13.0+cpu`."""
    major, minor = text.split(".")[:2]
    return int(major), int(minor)


def dotted(version: tuple[int, int]) -> str:
    return f"{version[0]}.{version[1]}"


def cxx() -> str:
    """The C++ compiler: CXX, else c++."""
    return str(cpp_extension().get_cxx_compiler())


@functools.cache
def gcc_version() -> int:
    """The major version of g++; 0 if the C++ compiler is another."""
    command = shlex.split(cxx())
    if not cpp_extension().check_compiler_is_gcc(command[-1]):  # not the ccache before it
        return 0
    return int(subprocess.check_output([*command, "-dumpversion"], text=True).split(".")[0])


def is_gcc() -> bool:
    """Whether the C++ compiler is g++: precompiled headers and a few flags are its own."""
    return gcc_version() > 0


@functools.cache
def with_cuda() -> bool:
    """Whether the GPU kernels are built: torch has CUDA and accepts nvcc, unless PHI_CUDA=0|1 says otherwise."""
    wanted = os.environ.get("PHI_CUDA", "")
    if wanted == "0":
        return False
    lack = _lack_of_cuda()
    if lack is None:
        return True
    if wanted == "1":
        raise BuildError(f"PHI_CUDA=1, but {lack}; unset PHI_CUDA to build for the CPU only")
    if torch_module().version.cuda:
        print(f"warning: GPU kernels are not built: {lack}; PHI_CUDA=0 hides this warning")
    return False


def _lack_of_cuda() -> str | None:
    """Why no GPU kernels can be built; None if they can."""
    if not torch_module().version.cuda:
        return "this torch is built without CUDA"
    torch = cpp_extension()
    try:
        torch._check_cuda_version(cxx(), torch.get_compiler_abi_compatibility_and_version(cxx())[1])
    except (RuntimeError, FileNotFoundError) as error:
        message, *values = error.args
        return str(message) % tuple(values) if values else str(message)
    return None


def find_nvcc() -> str | None:
    """The path of nvcc: CUDA_HOME's, else the one on PATH, else /usr/local/cuda's."""
    home = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH")
    places = [f"{home}/bin"] if home else []
    return shutil.which("nvcc", path=os.pathsep.join([*places, os.environ.get("PATH", ""), "/usr/local/cuda/bin"]))


@functools.cache
def cuda_toolkit() -> Path:
    """The folder of the CUDA toolkit; asked of nvcc, which may be a script or a link."""
    command = [find_nvcc() or "nvcc", "--dryrun", "-x", "cu", "/dev/null"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    top = re.search(r"^#\$ TOP=(.*)$", answer, re.MULTILINE)
    if not top:
        raise BuildError(f"{command[0]} does not say where its toolkit is: {answer.strip()}")
    return Path(top[1]).resolve()
