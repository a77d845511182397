"""`make tidy`: clang-tidy over the sources of csrc/, with the checks of .clang-tidy; by default over all but device code."""

from __future__ import annotations

import importlib
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .flags import CPU_FLAGS, cxx_flags
from .generating import generate
from .ninja import max_jobs
from .sources import CSRC, ROOT
from .toolchain import BuildError

# flags that clang does not know, and a header that it lacks
_OF_GCC = ("--param", "ggc-min-heapsize=", "-fno-ipa-modref", "-fopenmp")


def main(files: Sequence[str]) -> None:
    """Prints what it finds in these files.

    Raises:
        BuildError: there are findings.
    """
    generate()
    command = [importlib.import_module("clang_tidy").get_executable("clang-tidy"), "--quiet"]
    flags = [*(flag for flag in cxx_flags() if not flag.startswith(_OF_GCC)), "-x", "c++", *CPU_FLAGS["default"]]
    sources = [Path(file) for file in files] or host_sources()

    def check(source: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*command, str(source), "--", *flags], cwd=ROOT, capture_output=True, text=True, check=False)

    failed = 0
    with ThreadPoolExecutor(max_jobs()) as pool:
        for source, done in zip(sources, pool.map(check, sources)):
            if done.returncode:
                failed += 1
                print(f"{source}:", done.stdout or done.stderr, flush=True)
    if failed:
        raise BuildError(f"tidy: {failed} of {len(sources)} files have findings")
    print(f"tidy: {len(sources)} files, none with findings")


def host_sources() -> list[Path]:
    """The C++ sources that the host's compiler reads without CUDA."""
    return [file.relative_to(ROOT) for file in sorted(CSRC.rglob("*.cc")) if not {"gpu", "gpudnn"} & set(file.parts)]
