"""The backends of the tree, from their manifests: csrc/backends/<name>/manifest.yaml."""

from __future__ import annotations

import functools
import importlib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Backend:
    """One device: what is built for it, and what torch calls it. One that is built elsewhere has no library here."""

    name: str  # of the folder below csrc/backends/
    kernels: tuple[str, ...]  # the values of phi::Backend that kernels are registered with; they are generated for the first
    context: str  # the header with the class that the kernels get
    device: str  # torch's device type
    dispatch_key: str  # torch's, for dense tensors
    library: str = ""
    compiler: str = ""  # `cxx`, which makes a library for each capability of the CPU, or `nvcc`
    suffix: str = ""  # of the generated kernels; one that is not .cc is of this backend's sources alone
    folders: tuple[str, ...] = ()  # whose sources go into the library


@functools.cache
def backends() -> tuple[Backend, ...]:
    """All of them, by name.

    Raises:
        ValueError: a manifest lacks a field, or has an unknown one.
    """
    folder = ROOT / ("csrc" if (ROOT / "csrc").is_dir() else "include") / "backends"
    return tuple(_read(file) for file in sorted(folder.glob("*/manifest.yaml")))


def backend_of(source: Path) -> Backend | None:
    """The backend whose library has a source, by its path below csrc/ or below the generated tree."""
    for folder in (source.suffix, *reversed(source.parts[:-1])):
        for backend in backends():
            if folder in backend.folders or (folder == backend.suffix and folder != ".cc"):
                return backend
    return None


def _read(file: Path) -> Backend:
    yaml: Any = importlib.import_module("yaml")
    given = yaml.safe_load(file.read_text(encoding="utf-8"))
    known = [field.name for field in fields(Backend) if field.name != "name"]
    if unknown := [key for key in given if key not in known]:
        raise ValueError(f"{file}: unknown field '{unknown[0]}'; known are {', '.join(known)}")
    if lacking := [key for key in known[:4] if key not in given]:
        raise ValueError(f"{file}: there is no '{lacking[0]}'")
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in given.items()}
    return Backend(file.parent.name, **values)
