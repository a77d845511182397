"""Extensions as packages: what their `setup.py` uses."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from torch.utils.cpp_extension import BuildExtension

from .._build.extension import Extension, build
from .._build.ninja import put_on_path
from .._build.one_library import torch_extension
from .._build.toolchain import plain_errors
from .._expect import expect, expect_names, expect_paths


def PhiExtension(
    name: str,
    *,
    yaml: str | Sequence[str],
    sources: Sequence[str] = (),
    namespace: str | None = None,
    include_dirs: Sequence[str] = (),
    cxx_flags: Sequence[str] = (),
) -> Any:
    """Operators made from YAML and sources when the distribution is built.

    PhiExtension("my_ops.ops", yaml="ops.yaml", sources=["csrc/swiglu.cc"])

    gives `my_ops.ops` with the operators' functions, and `torch.ops.my_ops.*` once it is imported.

    It is a `CppExtension`, with CUDA a `CUDAExtension`. PhiBuildExtension makes a package of it; torch's own BuildExtension
    one library, which wants `import phi_torch` before its own import, and has the kernels of one CPU capability: the first of
    PHI_CPU, else those that every machine runs.

    Args:
        name: of the package that is made, below one of the distribution's own.
        yaml, sources, include_dirs, cxx_flags: as for `phi_torch.load`, relative to `setup.py`.
        namespace: of torch.ops; by default the first part of the name.
    """

    function = "PhiExtension"
    expect(function, "name", name, str)
    expect_names(function, "cxx_flags", cxx_flags)
    with plain_errors():
        described = Extension(
            namespace or name.partition(".")[0],
            expect_paths(function, "yaml", [yaml] if isinstance(yaml, (str, os.PathLike)) else yaml),
            expect_paths(function, "sources", sources),
            expect_paths(function, "include_dirs", include_dirs),
            tuple(cxx_flags),
        )
        made = torch_extension(name, described, Path("build").resolve() / name, Path.cwd())
    made.described = described
    return made


class PhiBuildExtension(BuildExtension):  # type: ignore[misc]
    """The `build_ext` command for distributions with a PhiExtension: `cmdclass={"build_ext": PhiBuildExtension}`.

    A wheel gets kernels for all CPU capabilities, an editable install those of this machine; PHI_CPU chooses others.
    """

    extensions: list[Any]

    def __init__(self, *arguments: Any, **options: Any) -> None:
        with plain_errors():
            put_on_path()
        super().__init__(*arguments, **options)

    def finalize_options(self) -> None:
        super().finalize_options()
        self._develop = bool(self.inplace)  # which the command clears while it runs

    def build_extension(self, extension: Any) -> None:
        if not hasattr(extension, "described"):
            return super().build_extension(extension)
        work = Path(self.build_temp).resolve() / extension.name
        version = self.distribution.get_version()
        with plain_errors():
            build(extension.described, self._folder(extension), work, develop=self._develop, version=version, root=Path.cwd())

    def copy_extensions_to_source(self) -> None:
        """Those of others: ours are there."""
        all_of_them = self.extensions
        self.extensions = [extension for extension in all_of_them if not hasattr(extension, "described")]
        super().copy_extensions_to_source()
        self.extensions = all_of_them

    def _folder(self, extension: Any) -> Path:
        """Where the package goes: into the build folder, or beside its parent in the source tree."""
        parent, _, name = extension.name.rpartition(".")
        if not self._develop:
            return Path(self.build_lib).resolve() / parent.replace(".", "/") / name
        folder = self.get_finalized_command("build_py").get_package_dir(parent)
        return Path(folder).resolve() / name

    def get_outputs(self) -> list[str]:
        folders = [self._folder(e) for e in self.extensions if hasattr(e, "described")]
        return [str(file) for folder in folders for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts]

    def get_output_mapping(self) -> dict[str, str]:
        return {}
