"""What the build finds on this machine: torch, nvcc and its toolkit."""

from __future__ import annotations

import functools
import importlib
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

OLDEST_TORCH, NEWEST_TORCH = (2, 11), (2, 13)
SUPPORTED_TORCH = "torch>={}.{},<{}.{}".format(*OLDEST_TORCH, NEWEST_TORCH[0], NEWEST_TORCH[1] + 1)
INSTALL_TORCH = f"pip install '{SUPPORTED_TORCH}'"


class BuildError(RuntimeError):
    """The build cannot go on; the message says why and what to do."""


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
    return os.environ.get("CXX", "c++")


@functools.cache
def is_gcc() -> bool:
    """Whether the C++ compiler is g++: precompiled headers and a few flags are its own."""
    answer = subprocess.run([*shlex.split(cxx()), "--version"], capture_output=True, text=True, check=False).stdout
    return "Free Software Foundation" in answer


@functools.cache
def with_cuda() -> bool:
    """Whether the GPU kernels are built: torch has CUDA and nvcc is there, unless PHI_CUDA=0|1 says otherwise."""
    wanted = os.environ.get("PHI_CUDA", "")
    if wanted == "0":
        return False
    torch_cuda, nvcc_cuda = torch_module().version.cuda, nvcc_version()
    if not torch_cuda:
        lack = "this torch is built without CUDA"
    elif not nvcc_cuda:
        lack = "no nvcc was found (set CUDA_HOME)"
    elif nvcc_cuda.split(".")[0] != torch_cuda.split(".")[0]:
        lack = f"nvcc is of CUDA {nvcc_cuda}, torch of CUDA {torch_cuda}"
    else:
        return True
    if wanted == "1":
        raise BuildError(f"PHI_CUDA=1, but {lack}; unset PHI_CUDA to build for the CPU only")
    if torch_cuda:
        print(f"warning: GPU kernels are not built: {lack}; PHI_CUDA=0 hides this warning")
    return False


def nvcc_version() -> str | None:
    if not (nvcc := find_nvcc()):
        return None
    found = re.search(
        r"release (\d+\.\d+)", subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=False).stdout
    )
    return found[1] if found else None


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
