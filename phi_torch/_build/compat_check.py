"""`make compat-check`: compiles what includes torch's headers against those of every supported version, without building.

The headers of a version are taken from its wheel, half a gigabyte, and kept. A precompiled header comes first, and then each
source gets a syntax check.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

from . import includes
from .flags import CPU_FLAGS, cxx_flags, version_flags
from .generating import generate
from .grouping import group_sources
from .libraries import Library, write_compilation
from .ninja import DEPENDENCIES, new_writer, portable, quote, run_ninja, write_if_changed
from .sources import BUILD, CSRC, GENERATED, ROOT
from .toolchain import BuildError, cxx, version_of

VERSIONS = ("2.11.0", "2.12.1", "2.13.0", "2.14.1", "2.15.0")  # the last of each minor version that is supported


def main(versions: list[str]) -> None:
    """Checks these versions of torch, by default all that are supported.

    Raises:
        BuildError: there is no such version, or a source does not compile with it.
    """
    sources = torch_sources(generate().files)
    for version in versions or VERSIONS:
        work = BUILD / "compat_check" / version
        write_if_changed(work / "headers.cc", "".join(f'#include "{name}"\n' for name in torch_headers()))
        write_if_changed(
            work / "build.ninja", portable(ninja_text([*sources, work / "headers.cc"], headers(version), version, work), work, ROOT)
        )
        print(f"compat-check: torch {version}", flush=True)
        run_ninja(work / "build.ninja")
    print(f"compat-check: {len(sources)} files compile with torch {', '.join(versions or VERSIONS)}")


def torch_sources(generated: tuple[Path, ...]) -> list[Path]:
    """The sources of csrc/torch that need no CUDA, and those generated beside them."""
    groups = group_sources(generated)
    bases = (CSRC / "torch", GENERATED / "torch")
    return [source for name in ("phi_torch", "_C") for source in groups[name] if any(map(source.is_relative_to, bases))]


def torch_headers() -> list[Path]:
    """The headers of csrc/ outside of csrc/torch that include torch's: numbers, vectors, threads."""
    found = (file for file in sorted(CSRC.rglob("*.h")) if not file.is_relative_to(CSRC / "torch"))
    return [file.relative_to(CSRC) for file in found if any(name.startswith(("ATen/", "c10/")) for name in includes.names(file))]


def ninja_text(sources: list[Path], headers: Path, version: str, work: Path) -> str:
    """One build statement per source; the results are only stamps."""
    of_torch = [headers, headers / "torch/csrc/api/include", Path(sysconfig.get_paths()["include"])]
    own = [flag for flag in cxx_flags() if not flag.startswith(("-isystem", "-DPHI_TORCH_VERSION", "-DPHI_WITH_CUDA"))]
    flags = quote([*own, *version_flags(version_of(version)), *(f"-isystem{path}" for path in of_torch)])
    ninja, said = new_writer(), "$library: $file"
    ninja.variable("cxxflags", flags)
    ninja.rule("pch", f"{cxx()} -MD -MF $out.d $cxxflags $flags -x c++-header $copy -c -o $out", said, **DEPENDENCIES)
    ninja.rule("cxx", f"{cxx()} -fsyntax-only -MD -MF $out.d -MT $out $cxxflags $flags $in && touch $out", said, **DEPENDENCIES)
    # the vectors of torch are specialised by capability
    write_compilation(ninja, Library(version, "", tuple(sources), tuple(CPU_FLAGS["avx2"])), work)
    return str(ninja.output.getvalue())


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
    print(f"compat-check: fetching the headers of torch {version}", flush=True)
    subprocess.run([*command, "--platform=manylinux_2_28_x86_64", f"--dest={folder}", f"torch=={version}"], check=False)
    for wheel in folder.glob("*.whl"):
        return wheel
    raise BuildError(f"pip found no torch {version}; expected a version such as {VERSIONS[-1]}")
