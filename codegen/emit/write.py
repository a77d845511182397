"""Generated files: written only when they change, so that a build recompiles only what an edit touched."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

MANIFEST = ".outputs"  # the files of the last run, below the output folder


def shard(items: Iterable[T], count: int, key: Callable[[T], str]) -> list[list[T]]:
    """`count` lists, chosen by a hash of `key`: a new item changes one shard. The order of items is kept."""
    if count < 1:
        raise ValueError(f"shard: count must be at least 1, got {count}")
    shards: list[list[T]] = [[] for _ in range(count)]
    for item in items:
        shards[zlib.crc32(key(item).encode()) % count].append(item)
    return shards


class Writer:
    """Collects the outputs of one run below `out`; with `dry_run` nothing on disk changes.

    `outputs` are all files of the run, `changed` those whose text differs from the disk, `removed` those of the last
    run that this one did not write.
    """

    def __init__(self, out: Path, dry_run: bool = False) -> None:
        self.out = Path(out)
        self.dry_run = dry_run
        self.outputs: list[Path] = []
        self.changed: list[Path] = []
        self.removed: list[Path] = []

    def write(self, name: str, text: str) -> Path:
        """Writes one file; `name` is its path below the output folder. Writing a file twice is an error."""
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise ValueError(f"{name} is not below the output folder")
        path = self.out / name
        if path in self.outputs:
            raise ValueError(f"{path} is generated twice")
        self.outputs.append(path)
        if _read(path) != text:
            self.changed.append(path)
            if not self.dry_run:
                _replace(path, text)
        return path

    def finish(self) -> list[Path]:
        """Removes what the last run wrote and this one did not; returns all outputs."""
        names = [path.relative_to(self.out).as_posix() for path in self.outputs]
        previous = (_read(self.out / MANIFEST) or "").splitlines()
        for name in sorted(set(previous) - set(names)):
            path = self.out / name
            if ".." in Path(name).parts or not path.is_file():
                continue
            self.removed.append(path)
            if not self.dry_run:
                path.unlink()
        manifest = "".join(f"{name}\n" for name in sorted(names))
        if not self.dry_run and _read(self.out / MANIFEST) != manifest:
            _replace(self.out / MANIFEST, manifest)
        return self.outputs


def _read(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except (FileNotFoundError, UnicodeDecodeError):
        return None


def _replace(path: Path, text: str) -> None:
    """All or nothing: an interrupted run must not leave half a file that looks up to date."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_bytes(text.encode("utf-8"))
    temporary.replace(path)
