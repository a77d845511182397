"""`setup.py build_ext`: torch's command, which checks the compiler and its ABI, and then one ninja run for all libraries."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from torch.utils.cpp_extension import BuildExtension, CppExtension

from .generating import generate
from .package import build
from .sources import CSRC, PACKAGE, ROOT, include_dirs
from .toolchain import plain_errors

__all__ = ["BuildLibraries", "CppExtension"]


class BuildLibraries(BuildExtension):  # type: ignore[misc]
    """The libraries stand for one extension of setuptools, which only tells it that the wheel is not pure."""

    inplace: bool
    build_lib: str
    distribution: Any
    extensions: list[Any]

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **{**options, "use_ninja": False})  # torch's own ninja run, which compiles for one library

    def finalize_options(self) -> None:
        super().finalize_options()
        self._develop = bool(self.inplace)  # which the command clears while it runs

    def build_extension(self, extension: Any) -> None:
        package = PACKAGE if self._develop else Path(self.build_lib).resolve() / PACKAGE.name
        with plain_errors():
            build(package, develop=self._develop, version=self.distribution.get_version(), generated=generate(package))
        if not self._develop:
            _copy_headers(package / "include")

    def copy_extensions_to_source(self) -> None:
        """Those of a checkout are there."""

    def get_outputs(self) -> list[str]:
        return []

    def get_source_files(self) -> list[str]:  # for a source distribution
        return [str(file.relative_to(ROOT)) for file in CSRC.rglob("*") if file.is_file()]


def _copy_headers(target: Path) -> None:
    for base in include_dirs():
        for header in [*base.rglob("*.h"), *base.rglob("*.hpp"), *base.rglob("*.cuh"), *base.rglob("manifest.yaml")]:
            copy = target / header.relative_to(base)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(header, copy)
