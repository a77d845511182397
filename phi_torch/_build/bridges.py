"""What a wheel has for further versions of torch, PHI_TORCH=2.12.1,2.14.1: the libraries that need torch, compiled for each. The
core and the kernels, which need none, are there once.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from .libraries import Library, compile_libraries
from .other_torch import other_torch
from .sources import BUILD
from .toolchain import NEWEST_TORCH, OLDEST_TORCH, BuildError, dotted, torch_module, version_of, with_cuda

# the core, and torch's libraries, as seen from a bridge's module and from its library
_PLACES = ("../lib", "../../lib", "../../../torch/lib")


def further_versions() -> dict[str, str]:
    """Those that PHI_TORCH names beside the one that is here, by their minor version.

    Raises:
        BuildError: one is not supported.
    """
    given = os.environ.get("PHI_TORCH", "")
    found = {}
    for version in filter(None, map(str.strip, given.split(","))):
        if not (re.fullmatch(r"\d+\.\d+\.\d+", version) and OLDEST_TORCH <= version_of(version) <= NEWEST_TORCH):
            expected = f"versions from {dotted(OLDEST_TORCH)} to {dotted(NEWEST_TORCH)} in full, such as 2.12.1"
            raise BuildError(f"PHI_TORCH={given}: expected {expected}, got {version!r}")
        found[dotted(version_of(version))] = version
    found.pop(dotted(version_of(torch_module().__version__)), None)
    return found


def torch_requirement() -> str:
    """The versions of torch that the wheel runs with."""
    served = sorted({version_of(torch_module().__version__), *map(version_of, further_versions().values())})
    if len(served) == 1:
        return f"torch=={dotted(served[0])}.*"
    (major, first), (_, last) = served[0], served[-1]
    left_out = (f",!={major}.{minor}.*" for minor in range(first, last) if (major, minor) not in served)
    return f"torch>={major}.{first},<{major}.{last + 1}{''.join(left_out)}"


def build_bridges(libraries: Sequence[Library], package: Path, *, trimmed: bool) -> dict[str, str]:
    """Compiles what needs torch for the further versions: minor version -> the folder below `package`.

    Raises:
        BuildError: there are further versions, but this is a build for one.
    """
    versions = further_versions()
    if versions and (trimmed or with_cuda()):
        kinds = "a trimmed build, or one with kernels for GPUs,"
        raise BuildError(f"PHI_TORCH: {kinds} serves one version of torch; unset PHI_OPS, and set PHI_CUDA=0")
    folders = {}
    for minor, version in versions.items():
        work, folders[minor] = BUILD / f"{sys.implementation.cache_tag}-torch{version}", f"torch{minor}"
        bridge = [_bridge(library, package / "lib" / "libphi_core.so") for library in libraries if library.torch]
        compile_libraries(bridge, work, package / folders[minor], develop=False, torch=other_torch(version, work))
    return folders


def _bridge(library: Library, core: Path) -> Library:
    """The library for a version of torch whose symbols the linker does not see."""
    links = [link for link in library.links if link != "-Wl,-z,defs"]
    links += [str(core), *(f"-Wl,-rpath,$ORIGIN/{place}" for place in _PLACES)]
    return replace(library, links=tuple(links), needs=tuple(name for name in library.needs if name != "phi_core"))
