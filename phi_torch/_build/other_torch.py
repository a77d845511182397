"""Versions of torch other than the one here: their headers, fetched with pip, and what to compile and to link with."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

from .flags import Torch, cxx_flags, version_flags
from .toolchain import BuildError, cxx, version_of

VERSIONS = ("2.11.0", "2.12.1", "2.13.0", "2.14.1", "2.15.0")  # the last of each minor version that is supported
_LIBRARIES = ("torch_cpu", "torch_python", "c10")


def other_torch(version: str, work: Path) -> Torch:
    """The flags for a version, with libraries below `work` that stand for its own: the linker takes no more than their names.

    Raises:
        BuildError: pip finds no such version.
    """
    folder = work / "torch"
    folder.mkdir(parents=True, exist_ok=True)
    for name in _LIBRARIES:
        file = folder / f"lib{name}.so"
        link = [cxx(), "-shared", "-nostdlib", "-x", "c++", "/dev/null", f"-Wl,-soname,{file.name}", "-o", str(file)]
        subprocess.run(link, check=True)
    return Torch(compile_flags(version), [f"-L{folder}", "-Wl,--no-as-needed", "-ltorch_cpu", "-lc10"])


def compile_flags(version: str) -> list[str]:
    """The flags of a C++ file for a version, in place of `cxx_flags()`."""
    folder = headers(version)
    include = [folder, folder / "torch/csrc/api/include", Path(sysconfig.get_paths()["include"])]
    own = [flag for flag in cxx_flags() if not flag.startswith(("-isystem", "-DPHI_TORCH_VERSION", "-DPHI_WITH_CUDA"))]
    return [*own, *version_flags(version_of(version)), *(f"-isystem{path}" for path in include)]


@functools.cache
def headers(version: str) -> Path:
    """The include folder of a version of torch, fetched with pip if it is not there.

    Raises:
        BuildError: pip finds no such version.
    """
    base = Path(os.environ.get("PHI_TORCH_CACHE") or Path.home() / ".cache" / "phi_torch") / "headers"
    folder = base / version
    if not folder.exists():
        base.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=base) as temporary:
            wheel = _download(version, Path(temporary))
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(temporary, [name for name in archive.namelist() if name.startswith("torch/include/")])
            (Path(temporary) / "torch/include").rename(folder)
    return folder


def _download(version: str, folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--python-version=3.11"]
    print(f"fetching the headers of torch {version}", flush=True)
    subprocess.run([*command, "--platform=manylinux_2_28_x86_64", f"--dest={folder}", f"torch=={version}"], check=False)
    for wheel in folder.glob("*.whl"):
        return wheel
    raise BuildError(f"pip found no torch {version}; expected a version such as {VERSIONS[-1]}")
