"""The package: all libraries, and `_build_info.py`, which says what they were compiled against."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from codegen.model.backends import backends

from .bridges import build_bridges
from .flags import capabilities
from .generating import Generated
from .libraries import compile_libraries, plan
from .ninja import write_if_changed
from .sanitize import sanitizers
from .sources import BUILD, CSRC, abi_hash, source_hash
from .toolchain import BuildError, torch_module, with_cuda
from .trimming import Trim


def build(package: Path, *, develop: bool, version: str, generated: Generated) -> list[Path]:
    """Compiles all libraries and puts them, with `_build_info.py`, into the folder `package`; returns the files there."""
    cpu = capabilities(all_of_them=not develop)
    libraries = plan(generated, cpu)
    if not libraries:
        raise BuildError(f"no sources found below {CSRC}; is this a complete checkout?")
    torch = torch_module()
    work = BUILD / "-".join([f"{sys.implementation.cache_tag}-torch{torch.__version__}", *sanitizers()])
    installed = compile_libraries(libraries, work, package, develop=develop)
    bridges = {} if develop else build_bridges(libraries, package, trimmed=generated.trim is not None)
    info = package / "_build_info.py"
    devices = {backend.device: backend.kernels for backend in backends()}
    kernel_libraries = tuple(backend.library for backend in backends() if backend.library)
    write_if_changed(
        info,
        "# What this package was compiled against; written by the build.\n"
        f"version = {version!r}\n"
        f"torch_version = {torch.__version__!r}\n"
        f"bridges = {bridges!r}\n"
        f"cuda = {torch.version.cuda if with_cuda() else None!r}\n"
        f"cpu_capabilities = {tuple(cpu)!r}\n"
        f"backends = {devices!r}\n"
        f"kernel_libraries = {kernel_libraries!r}\n"
        f"build_hash = {source_hash()!r}\n"
        f"abi = {abi_hash()!r}\n"
        f"trimmed = {generated.trim.note if generated.trim else None!r}\n"
        f"left_out = {generated.trim.left_out if generated.trim else ()!r}\n"
        f"extensible = {generated.trim is None or generated.trim.selection.extensions!r}\n"
        f"programs = {generated.trim is None or generated.trim.selection.runs_programs!r}\n",
    )
    if generated.trim is not None:
        _report(generated.trim, installed)
    return [*installed, info]


def _report(trim: Trim, installed: Iterable[Path]) -> None:
    """The sizes of a trimmed build."""
    print(f"{trim.note}; with what they need: {', '.join(op.name for op in trim.opset.ops)}")
    for file in installed:
        print(f"{file.stat().st_size / 1000:8.0f} kB  {file.name}")
