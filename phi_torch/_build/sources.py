"""The sources, written by hand and generated, and the library that each belongs to."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import sys
import zlib
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
CSRC = ROOT / "csrc"  # absent in an installed package, which can compile extensions, but not itself
PACKAGE = ROOT / "phi_torch"


def build_folder(selection: str) -> Path:
    """Where a build keeps what it generates and compiles; that of each value of PHI_OPS is apart."""
    return ROOT / "build" / (f"trimmed_{zlib.crc32(selection.encode()):08x}" if selection else "")


BUILD = build_folder(os.environ.get("PHI_OPS", ""))
GENERATED = BUILD / "phi_gen"


def library_of(source: Path) -> str:
    """The library that a source belongs to, from its path below csrc/ or below the generated tree."""
    folders = source.parts[:-1]
    if source.suffix == ".cu" or {"gpu", "gpudnn"} & set(folders):
        return "phi_gpu"
    if folders[0] in ("kernels", "primitive"):
        return "phi_cpu"
    return "_C" if folders[:2] == ("torch", "python") else "phi_torch"


def group_sources(generated: Iterable[Path]) -> dict[str, list[Path]]:
    """Library -> its sources: all of csrc, and what the generator wrote in this run (so never a stale file)."""
    groups: dict[str, list[Path]] = {"phi_torch": [], "phi_cpu": [], "phi_gpu": [], "_C": []}
    files = [(file, CSRC) for file in CSRC.rglob("*")] + [(Path(file), GENERATED) for file in generated]
    for file, base in sorted(files):
        if file.suffix in (".cc", ".cu") and file.is_relative_to(base):
            groups[library_of(file.relative_to(base))].append(file)
    return groups


def load_codegen(module: str) -> ModuleType:
    """A module of codegen/, under a name of its own: an author may have a `codegen` too."""
    name = "_phi_codegen"
    if name not in sys.modules:
        folder = (ROOT if CSRC.is_dir() else PACKAGE) / "codegen"
        spec = importlib.util.spec_from_file_location(name, folder / "__init__.py", submodule_search_locations=[str(folder)])
        assert spec and spec.loader
        package = importlib.util.module_from_spec(spec)
        sys.modules[name] = package
        spec.loader.exec_module(package)
    return importlib.import_module(f"{name}.{module}")


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


def object_name(source: Path) -> str:
    """The object's path below its library's folder; that of an extension's source has a hash of the source's folder."""
    for base in (GENERATED, CSRC):
        if source.is_relative_to(base):
            return f"{source.relative_to(base)}.o"
    return f"{zlib.crc32(str(source.parent).encode()):08x}/{source.name}.o"
