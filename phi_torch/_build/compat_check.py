"""`make compat-check`: compiles what includes torch's headers against those of every supported version, without building.

The headers of a version are taken from its wheel, half a gigabyte, and kept. A precompiled header comes first, and then each
source gets a syntax check.
"""

from __future__ import annotations

from pathlib import Path

from . import includes
from .flags import CPU_FLAGS
from .generating import generate
from .grouping import group_sources
from .libraries import Library, write_compilation
from .ninja import DEPENDENCIES, new_writer, portable, quote, run_ninja, write_if_changed
from .other_torch import VERSIONS, compile_flags
from .sources import BUILD, CSRC, GENERATED, ROOT
from .toolchain import cxx


def main(versions: list[str]) -> None:
    """Checks these versions of torch, by default all that are supported.

    Raises:
        BuildError: there is no such version, or a source does not compile with it.
    """
    sources = torch_sources(generate().files)
    for version in versions or VERSIONS:
        work = BUILD / "compat_check" / version
        write_if_changed(work / "headers.cc", "".join(f'#include "{name}"\n' for name in torch_headers()))
        write_if_changed(work / "build.ninja", portable(ninja_text([*sources, work / "headers.cc"], version, work), work, ROOT))
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


def ninja_text(sources: list[Path], version: str, work: Path) -> str:
    """One build statement per source; the results are only stamps."""
    ninja, said = new_writer(), "$library: $file"
    ninja.variable("cxxflags", quote(compile_flags(version)))
    ninja.rule("pch", f"{cxx()} -MD -MF $out.d $cxxflags $flags -x c++-header $copy -c -o $out", said, **DEPENDENCIES)
    ninja.rule("cxx", f"{cxx()} -fsyntax-only -MD -MF $out.d -MT $out $cxxflags $flags $in && touch $out", said, **DEPENDENCIES)
    # the vectors of torch are specialised by capability
    write_compilation(ninja, Library(version, "", tuple(sources), tuple(CPU_FLAGS["avx2"])), work)
    return str(ninja.output.getvalue())
