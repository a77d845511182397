"""Extensions as packages: what their `setup.py` uses."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from setuptools import Extension as SetuptoolsExtension  # type: ignore[import-untyped]
from setuptools.command.build_ext import build_ext  # type: ignore[import-untyped]

from .._build.extension import Extension, build
from .._build.toolchain import BuildError


class PhiExtension(SetuptoolsExtension):  # type: ignore[misc]
    """A Python package of operators, made from YAML and sources when the distribution is built.

    PhiExtension("my_ops.ops", yaml="ops.yaml", sources=["csrc/swiglu.cc"])

    gives `my_ops.ops` with the operators' functions, and `torch.ops.my_ops.*` once it is imported.

    Args:
        name: of the package that is made, below one of the distribution's own.
        yaml, sources, include_dirs, cxx_flags: as for `phi_torch.load`, relative to `setup.py`.
        namespace: of torch.ops; by default the first part of the name.
    """

    def __init__(
        self,
        name: str,
        *,
        yaml: str | Sequence[str],
        sources: Sequence[str] = (),
        namespace: str | None = None,
        include_dirs: Sequence[str] = (),
        cxx_flags: Sequence[str] = (),
    ) -> None:
        super().__init__(name, sources=list(sources))
        self.yaml = [yaml] if isinstance(yaml, str) else list(yaml)
        self.given = list(sources)
        self.namespace = namespace or name.partition(".")[0]
        self.include = list(include_dirs)
        self.cxx_flags = list(cxx_flags)

    def described(self) -> Extension:
        def paths(names: Sequence[str]) -> tuple[Path, ...]:
            return tuple(Path(name).resolve() for name in names)

        return Extension(self.namespace, paths(self.yaml), paths(self.given), paths(self.include), tuple(self.cxx_flags))


class PhiBuildExtension(build_ext):  # type: ignore[misc]
    """The `build_ext` command for distributions with a PhiExtension: `cmdclass={"build_ext": PhiBuildExtension}`.

    A wheel gets kernels for all CPU capabilities, an editable install those of this machine; PHI_CPU chooses others.
    """

    extensions: list[Any]

    def run(self) -> None:
        ours = [extension for extension in self.extensions if isinstance(extension, PhiExtension)]
        if others := [extension for extension in self.extensions if extension not in ours]:
            self.extensions = others
            super().run()
            self.extensions = [*others, *ours]
        for extension in ours:
            self._build(extension)

    def _build(self, extension: PhiExtension) -> None:
        work = Path(self.build_temp).resolve() / extension.name
        try:
            build(
                extension.described(),
                self._folder(extension),
                work,
                develop=bool(self.inplace),
                version=self.distribution.get_version(),
                root=Path.cwd(),
            )
        except BuildError as error:
            print(f"error: {error}", file=sys.stderr)
            raise SystemExit(2) from None

    def _folder(self, extension: PhiExtension) -> Path:
        """Where the package goes: into the build folder, or beside its parent in the source tree."""
        parent, _, name = extension.name.rpartition(".")
        if not self.inplace:
            return Path(self.build_lib).resolve() / parent.replace(".", "/") / name
        folder = self.get_finalized_command("build_py").get_package_dir(parent)
        return Path(folder).resolve() / name

    def get_outputs(self) -> list[str]:
        folders = [self._folder(e) for e in self.extensions if isinstance(e, PhiExtension)]
        return [str(file) for folder in folders for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts]

    def get_output_mapping(self) -> dict[str, str]:
        return {}
