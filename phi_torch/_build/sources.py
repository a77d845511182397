"""The sources, written by hand and generated, and the library that each belongs to."""

from __future__ import annotations

import hashlib
import os
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CSRC = ROOT / "csrc"  # absent in an installed package, which can compile extensions, but not itself
PACKAGE = ROOT / "phi_torch"


def build_folder(selection: str) -> Path:
    """Where a build keeps what it generates and compiles; that of each value of PHI_OPS is apart."""
    return ROOT / "build" / (f"trimmed_{zlib.crc32(selection.encode()):08x}" if selection else "")


BUILD = build_folder(os.environ.get("PHI_OPS", ""))
GENERATED = BUILD / "phi_gen"


def abi_hash() -> str:
    """A digest of the headers that an extension is compiled against: libraries with another one must not be loaded."""
    digest = hashlib.sha256()
    base = CSRC if CSRC.is_dir() else PACKAGE / "include"
    for header in sorted(base.rglob("*.h")):
        digest.update(str(header.relative_to(base)).encode())
        digest.update(header.read_bytes())
    return digest.hexdigest()[:16]


def source_hash() -> str:
    """A digest of everything that decides what an op computes; compile caches are keyed by it."""
    digest = hashlib.sha256()
    for folder in ("yaml", "codegen", "csrc"):
        for file in sorted((ROOT / folder).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(str(file.relative_to(ROOT)).encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def include_dirs() -> list[Path]:
    """Our own include folders."""
    if not CSRC.is_dir():
        return [PACKAGE / "include"]
    return [CSRC, GENERATED, CSRC / "torch" / "third_party"]


def object_name(source: Path, work: Path = BUILD) -> str:
    """The object's path below its library's folder; that of an extension's source has a hash of the source's folder as seen
    from the build folder `work`."""
    for base in (GENERATED, CSRC):
        if source.is_relative_to(base):
            return f"{source.relative_to(base)}.o"
    return f"{zlib.crc32(os.path.relpath(source.parent, work).encode()):08x}/{source.name}.o"
