"""`make gpu-emulated`: compiles the code for GPUs with the host's compiler, into a library that runs it on an emulated GPU.

PHI_SANITIZE=address,undefined compiles it with these sanitizers, in a folder of its own.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from .flags import cxx_flags, link_flags, torch_libraries
from .generating import generate
from .grouping import EMULATED, group_sources, together
from .ninja import DEPENDENCIES, new_writer, portable, quote, run_ninja, write_if_changed
from .sanitize import sanitizers
from .sources import BUILD, CSRC, PACKAGE, ROOT, object_name
from .toolchain import BuildError, cxx, is_gcc

LIBRARY = f"lib{EMULATED}.so"
CORE = PACKAGE / "lib" / "libphi_torch.so"
CUDA_HEADERS = CSRC / "backends" / "emulated" / "cuda"
# what nvcc includes everywhere, and what most of the sources include, which takes two thirds of their time
_PRECOMPILED = '#include <cuda_runtime.h>\n\n#include "core/kernel_registry.h"\n#include "primitive/elementwise.h"\n'


def main() -> None:
    """Compiles what changed. The libraries of the package must be built. Without g++ says so and succeeds, unless
    PHI_REQUIRE_EMULATED is set.
    """
    if not is_gcc():
        if os.environ.get("PHI_REQUIRE_EMULATED"):
            raise BuildError("the emulated GPU needs g++")
        print("gpu-emulated: the compiler is not g++, so the emulated GPU was not built")
        return
    if not CORE.exists():
        raise BuildError(f"{CORE} is missing: run `make build` first")
    compile_into(BUILD / "-".join(["emulated", *sanitizers()]))


def compile_into(work: Path, flags: Sequence[str] = (), changed: Path | None = None) -> Path:
    """Compiles what changed, into a folder: the library.

    Args:
        flags: further ones of the compiler.
        changed: a folder whose files are compiled in the place of those of csrc/ with their names.
    """
    ninja_file = work / "build.ninja"
    work.mkdir(parents=True, exist_ok=True)
    write_if_changed(ninja_file, portable(ninja_text(work, flags, changed), work, ROOT))
    run_ninja(ninja_file)
    return work / LIBRARY


def sources() -> list[Path]:
    """The code for GPUs, what emulates one with torch's memory of the CPU, and kernels with faults for its own tests."""
    groups = group_sources(generate().files)
    on_device = [file for file in groups["phi_gpu"] if not file.is_relative_to(CSRC / "torch")]
    return [*on_device, *groups[EMULATED], *sorted((ROOT / "tests" / "emulated").glob("*.cu"))]


def ninja_text(work: Path, further: Sequence[str], changed: Path | None) -> str:
    first = [f"-I{changed}"] if changed else []
    device = ["-DPHI_DEVICE_CODE", f"-I{CUDA_HEADERS}", "-Wno-unknown-pragmas"]
    optimise = "-O0" if sanitizers() else "-Og"  # what more takes to compile, the tests do not win back
    flags = [*first, *cxx_flags(), optimise, "-g1", *device, *further]
    header = work / "precompiled.h"
    write_if_changed(header, _PRECOMPILED)
    launcher = shutil.which("ccache") or ""
    checksum = f" && {cxx()} -E -P $flags -x c++-header $in | cksum > $out.sum" if launcher else ""
    compile_cxx = f"{cxx()} -MD -MF $out.d $flags"
    ninja = new_writer()
    ninja.variable("flags", quote(flags))
    ninja.rule("pch", f"{compile_cxx} -x c++-header -c $in -o $out{checksum}", "emulated: precompiled.h", **DEPENDENCIES)
    use = f"-Winvalid-pch -include {header} -x c++ -c $in -o $out"
    ninja.rule("cxx", f"CCACHE_PCH_EXTSUM=1 {launcher} {compile_cxx} {use}", "emulated: $file", **DEPENDENCIES)
    ninja.rule("link", f"{cxx()} $in $ldflags -o $out", f"link {LIBRARY}")
    compiled = f"{header}.gch"
    ninja.build(compiled, "pch", str(header))
    objects = []
    for source in together(sources()):
        name = object_name(source)
        objects.append(str(work / "objects" / name))
        if changed and source.is_relative_to(CSRC) and (other := changed / source.relative_to(CSRC)).exists():
            source = other
        ninja.build(objects[-1], "cxx", str(source), compiled, variables={"file": name.removesuffix(".o")})
    ldflags = [
        *link_flags(True),
        *torch_libraries(),
        f"-L{CORE.parent}",
        "-lphi_torch",
        "-lphi_core",
        f"-Wl,-rpath,{CORE.parent}",
        "-Wl,-z,defs",
    ]
    ninja.build(str(work / LIBRARY), "link", objects, str(CORE), variables={"ldflags": quote(ldflags)})
    return str(ninja.output.getvalue())
