"""Runs all emitters over a set of ops and writes what changed."""

from __future__ import annotations

import hashlib
import importlib
import pkgutil
from collections.abc import Iterable
from pathlib import Path

from . import emit
from .emit.write import Writer
from .model.op import OpSet

HERE = Path(__file__).resolve().parent


def source_hash(sources: Iterable[Path]) -> str:
    """A hash of the YAML files and of the code generator: of everything that decides the output."""
    digest = hashlib.sha256()
    for path in sorted([*sources, *HERE.rglob("*.py"), *HERE.rglob("*.j2")]):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def generate(opset: OpSet, out: Path, sources: Iterable[Path] = (), dry_run: bool = False) -> list[Path]:
    """Writes every output below `out` and returns their paths. Each module below `emit/` is one kind of output."""
    writer = Writer(out, dry_run)
    digest = source_hash(sources)
    for module in sorted(m.name for m in pkgutil.walk_packages(emit.__path__, f"{emit.__name__}.")):
        emitter = importlib.import_module(module)
        if hasattr(emitter, "emit"):
            for name, text in emitter.emit(opset, digest).items():
                writer.write(name if name.startswith("python/") else opset.folder + name, text)
    return writer.finish()
