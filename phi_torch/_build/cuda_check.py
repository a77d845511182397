"""`make cuda-check`: compiles all device code for sm_80 and sm_90, or for TORCH_CUDA_ARCH_LIST ("9.0"), on a machine
without a GPU and with a CPU build of torch.

nvcc's front end also checks the host code of a .cu; the plain C++ files of the GPU library get a syntax check. The quick check
stops at PTX, in less than half of the time: what it leaves out are the assembler's limits, of shared memory for example.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from pathlib import Path

from . import includes
from .flags import architecture_flags, common_flags, system_include_dirs
from .generating import generate
from .grouping import group_sources, together
from .includes import needs_nvcc
from .ninja import DEPENDENCIES, new_writer, quote, run_ninja, write_if_changed
from .sources import CSRC, ROOT, include_dirs, object_name
from .toolchain import cpp_extension, find_nvcc

WORK = ROOT / "build" / "cuda_check"
STUBS = WORK / "stubs"
LARGE_BLOCKS = CSRC / "primitive" / "gpu" / "axis_team.cuh"  # of 1024 threads, with 64 registers each: none may be spilled
# Headers of toolkit parts that are often not installed, and one that only a CUDA build of torch has.
OPTIONAL_HEADERS = {
    *("cublas_v2.h", "cublasLt.h", "cudnn.h", "cufft.h", "curand.h", "cusolverDn.h", "cusparse.h"),
    "ATen/cuda/CUDAConfig.h",
}


def main(quick: bool = False) -> None:
    """Compiles what can be compiled and says what cannot; without nvcc, says so and succeeds."""
    os.environ.setdefault("TORCH_CUDA_ARCH_LIST", "8.0;9.0")
    nvcc = find_nvcc()
    if not nvcc:
        print("cuda-check: nvcc was not found, so no device code was compiled (set CUDA_HOME)")
        return
    sources, skipped = [], []
    for source in group_sources(generate().files)["phi_gpu"]:
        lacking = sorted(missing_headers(source))
        if lacking:
            skipped.append(f"cuda-check: skipped {source.relative_to(ROOT)}: needs {', '.join(lacking)}")
        else:
            sources.append(source)
    if "c10/cuda/impl/cuda_cmake_macros.h" not in found_headers():
        write_if_changed(STUBS / "c10/cuda/impl/cuda_cmake_macros.h", "#pragma once\n")
    ninja_file = WORK / "build.ninja"
    write_if_changed(ninja_file, ninja_text(nvcc, together(sources), quick))
    if sources:
        run_ninja(ninja_file)
    print(*skipped, sep="\n", end="\n" if skipped else "")
    print(f"cuda-check: {len(sources)} files compiled for {os.environ['TORCH_CUDA_ARCH_LIST']}; {len(skipped)} skipped")


def ninja_text(nvcc: str, sources: list[Path], quick: bool) -> str:
    """One build statement per source; the results are only stamps."""
    includes = [*include_dirs(), *search_path()]
    common = [*common_flags(), "-DPHI_WITH_CUDA", "-DNDEBUG", *(f"-I{CSRC.parent / path}" for path in includes)]
    strict = ["-Werror=all-warnings", "-diag-suppress=186"]  # but for comparisons that an unsigned type makes pointless
    device = [*cpp_extension().COMMON_NVCC_FLAGS, "--expt-extended-lambda", *strict, *common]
    machines = architecture_flags()
    # a quarter less time; errors do not depend on the optimisation, but registers do
    usual = ["-Xcicc=-O1", "-Xptxas=-O1", *machines]
    if quick:
        usual = ["-Xcicc=-O0", *(flag.replace("code=sm_", "code=compute_") for flag in machines)]
    spills = ["-Xptxas=--warn-on-spills", "-Xptxas=--warning-as-error", *machines]
    ninja = new_writer()
    ninja.rule("nvcc", f"{nvcc} -fatbin -MD -MF $out.d $checks {quote(device)} $in -o $out", "nvcc $file", **DEPENDENCIES)
    ninja.rule("cxx", f"c++ -fsyntax-only -x c++ -MD -MF $out.d {quote(common)} $in && touch $out", "c++ $file", **DEPENDENCIES)
    for source in sources:
        out = WORK / (object_name(source).removesuffix(".o") + ".checked")
        checks = quote(spills if LARGE_BLOCKS in {file for _, file in included(source)} else usual)
        variables = {"file": str(source.relative_to(ROOT)), "checks": checks}
        ninja.build(str(out), "nvcc" if needs_nvcc(source) else "cxx", str(source), variables=variables)
    return str(ninja.output.getvalue())


def search_path() -> list[Path]:
    """Our stubs, torch's headers and the toolkit's."""
    return [STUBS, *map(Path, system_include_dirs(cuda=True))]


@functools.cache
def found_headers() -> frozenset[str]:
    """Those of the optional headers that are there."""
    names = OPTIONAL_HEADERS | {"c10/cuda/impl/cuda_cmake_macros.h"}
    return frozenset(name for name in names if any((path / name).exists() for path in search_path() if path != STUBS))


def missing_headers(source: Path) -> set[str]:
    """The optional headers that `source` includes, directly or not, and that are not installed."""
    return {name for name, _ in included(source) if name in OPTIONAL_HEADERS - found_headers()}


def included(source: Path) -> Iterator[tuple[str, Path | None]]:
    """What `source` includes, directly or not, as in includes_of."""
    seen: set[Path] = set()
    waiting = [source]
    while waiting:
        for name, file in includes_of(waiting.pop()):
            if file and file not in seen:
                seen.add(file)
                waiting.append(file)
            yield name, file


@functools.cache
def includes_of(file: Path) -> list[tuple[str, Path | None]]:
    """(name, file) of each include line; the file is None where it belongs to no folder that we search."""
    return [(name, next(candidates(file, name), None)) for name in includes.names(file)]


def candidates(file: Path, name: str) -> Iterator[Path]:
    for folder in (file.parent, *include_dirs(), *search_path()):
        if (folder / name).is_file():
            yield folder / name
