"""An out-of-tree extension: generated, compiled with our flags, and put together as a Python package.

The package has the operators as typed functions (`ops.py`, `ops.pyi`), what Python must know of them (`_op_table.py`),
the libraries below `lib/`, and an `__init__.py` that loads all of it.
"""

from __future__ import annotations

import re
import shutil
import sysconfig
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .flags import CPU_FLAGS, capabilities, optimise
from .libraries import Library, install, ninja_text
from .ninja import run_ninja, write_if_changed
from .sources import PACKAGE, load_codegen
from .toolchain import BuildError, cuda_toolkit, torch_module, with_cuda

HEADERS = (".h", ".hpp", ".cuh")
SOURCES = (".cc", ".cpp", ".cu")
# names that C++ or torch use
RESERVED = (
    *("aten", "at", "c10", "torch", "prim", "prims", "quantized", "std", "paddle", "phi_torch", "phi"),
    *("class", "default", "delete", "export", "namespace", "new", "operator", "private", "public", "struct", "template", "this"),
)
UNITY = 12  # up to this many generated files are compiled as one, which saves torch's headers


@dataclass(frozen=True)
class Extension:
    """What an author gives. Without YAML there are only sources, which register what they like when they are loaded.

    `yaml` are files, or a YAML text. `sources` are C++ and CUDA files, and the headers that generated code needs:
    functors and InferMeta functions.
    """

    namespace: str
    yaml: tuple[Path, ...] | str = ()
    sources: tuple[Path, ...] = ()
    include_dirs: tuple[Path, ...] = ()
    cxx_flags: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Za-z]\w*", self.namespace) or self.namespace in RESERVED:
            raise BuildError(
                f"'{self.namespace}' cannot be the namespace of an extension: expected a C++ identifier that neither C++ nor "
                "torch uses, such as the name of your package"
            )
        for path in (*self.sources, *(self.yaml if isinstance(self.yaml, tuple) else ())):
            if not path.is_file():
                raise BuildError(f"{path}: no such file, for the extension '{self.namespace}'")
        for path in self.sources:
            if path.suffix not in (*SOURCES, *HEADERS):
                raise BuildError(f"{path}: expected a source ({', '.join(SOURCES)}) or a header ({', '.join(HEADERS)})")

    @property
    def has_ops(self) -> bool:
        return bool(self.yaml)


def read(extension: Extension, root: Path) -> Any:
    """The extension's OpSet; file names in messages are relative to `root`.

    Raises:
        BuildError: the YAML has errors, or does not fit the sources; the message shows them all.
    """
    codegen = load_codegen("extension")
    description = codegen.Description(extension.namespace, extension.yaml, extension.sources, root)
    opset, diagnostics = codegen.load_extension(description)
    if diagnostics:
        count = len(diagnostics.errors)
        raise BuildError(f"{diagnostics.render()}\n{count} error{'s' * (count > 1)} in the extension '{extension.namespace}'")
    return opset


def build(extension: Extension, package: Path, work: Path, *, develop: bool, version: str = "", root: Path) -> None:
    """Makes the folder `package` the Python package of the extension; objects and generated files go below `work`.

    Raises:
        BuildError: the YAML has errors, or a source does not compile (the compiler's messages are on stdout).
    """
    generated = work / "generated"
    files: list[Path] = []
    python_only, show = False, lambda line: line
    if extension.has_ops:
        opset = read(extension, root)
        files = load_codegen("generate").generate(opset, generated, extension.yaml if isinstance(extension.yaml, tuple) else ())
        python_only = load_codegen("extension").is_python_only(opset)
        show = _places(opset, generated)
    package.mkdir(parents=True, exist_ok=True)
    libraries = [] if python_only else plan(extension, files, generated, capabilities(all_of_them=not develop))
    if libraries:
        output = work / ("develop" if develop else "wheel")
        ninja_file = work / f"{output.name}.ninja"
        write_if_changed(ninja_file, ninja_text(libraries, work / "objects", output, develop))
        run_ninja(ninja_file, show=show)
        (package / "lib").mkdir(exist_ok=True)
        for library in libraries:
            install(output / library.file, package / library.file)
    for stale in {*package.glob("lib/*.so")} - {package / library.file for library in libraries}:
        stale.unlink()
    for file in files:
        if file.parent == generated / "python":
            shutil.copyfile(file, package / file.name)
    _write_package(extension, package, version)


def plan(extension: Extension, files: Sequence[Path], generated: Path, cpu: Sequence[str]) -> list[Library]:
    """The extension's libraries, in the order of loading; names and division are as ours."""
    name, folder = extension.namespace, generated / extension.namespace
    include = [generated, *dict.fromkeys([*extension.include_dirs, *(s.parent for s in extension.sources)])]
    flags = (f"-DPHI_EXTENSION_NAME={name}", *(f"-I{path}" for path in include), *extension.cxx_flags)
    groups: dict[str, list[Path]] = {"ops": [], "cpu": [], "gpu": [], "python": []}
    for file in files:
        if file.suffix in (".cc", ".cu") and file.is_relative_to(folder):
            groups[_group(file.relative_to(folder))].append(file)
    for source in extension.sources:
        if source.suffix in SOURCES:
            groups["gpu" if source.suffix == ".cu" else "cpu"].append(source)
    for group in ("ops", "python"):
        if 1 < len(groups[group]) <= UNITY:
            groups[group] = [_unity(groups[group], folder / f"{group}.cc", generated)]
    core = (str(PACKAGE / "lib" / "libphi_torch.so"),)
    own = Library(f"{name}", f"lib/lib{name}.so", tuple(groups["ops"]), (*optimise("-O2"), *flags), core)
    # loaded first, since kernels look for their operators
    needs = (name,) if own.sources else ()
    # a kernel may call any other: those symbols are found among the libraries that are loaded
    kernels = ("-Wl,-Bsymbolic-functions", "-Wl,--unresolved-symbols=ignore-all", *core)
    libraries = [own]
    for capability in cpu:
        library = f"{name}_cpu_{capability}"
        cpu_flags = (*optimise("-O3"), *CPU_FLAGS[capability], *flags)
        libraries.append(Library(library, f"lib/lib{library}.so", tuple(groups["cpu"]), cpu_flags, kernels, needs))
    if with_cuda():
        links = (*kernels, f"-L{cuda_toolkit() / 'lib64'}", "-lcudart")
        libraries.append(Library(f"{name}_gpu", f"lib/lib{name}_gpu.so", tuple(groups["gpu"]), flags, links, needs))
    bindings = (str(PACKAGE / f"_C{sysconfig.get_config_var('EXT_SUFFIX')}"), *core, "-ltorch_python")
    sources, python_flags = tuple(groups["python"]), (*optimise("-O2"), *flags)
    python = Library(f"{name}_python", f"lib/lib{name}_python.so", sources, python_flags, bindings, needs)
    return [library for library in (*libraries, python) if library.sources]


def _group(source: Path) -> str:
    """The library of a generated source, from its path."""
    if source.suffix == ".cu" or "gpu" in source.parts:
        return "gpu"
    return "cpu" if source.parts[0] == "kernels" else "python" if source.parts[:2] == ("torch", "python") else "ops"


def _unity(sources: Sequence[Path], target: Path, generated: Path) -> Path:
    write_if_changed(target, "".join(f'#include "{source.relative_to(generated)}"\n' for source in sorted(sources)))
    return target


def _places(opset: Any, generated: Path) -> Callable[[str], str]:
    """Adds to a compiler's message about a generated file the YAML entry that the file was generated from."""
    entries = {op.entry: op for op in opset.ops}

    def show(line: str) -> str:
        found = re.match(r"(\S*generated/\S+\.(?:cc|cu|h)):(\d+):(\d+:)?\s+(?:(?:fatal )?error|required from here)", line)
        if found is None:
            return line
        path = generated.parent / found[1] if not Path(found[1]).is_absolute() else Path(found[1])
        try:
            above = path.read_text().splitlines()[: int(found[2])]
        except OSError:
            return line
        op = next((entries[text.strip()[3:]] for text in reversed(above) if text.strip()[3:] in entries), None)
        return line if op is None else f"{line}\n{op.place}: note: this code is generated from the entry of '{op.name}'"

    return show


_INIT = '''"""{doc}"""

from phi_torch.extension import activate as _activate

_activate(__name__)

# ruff: noqa: E402
from .ops import *  # noqa: F403
from .ops import __all__  # noqa: F401
'''
_INIT_WITHOUT_OPS = '''"""{doc}"""

from phi_torch.extension import activate as _activate

_activate(__name__)
'''


def _write_package(extension: Extension, package: Path, version: str) -> None:
    doc = f"The operators of `{extension.namespace}`; written by phi_torch's build."
    write_if_changed(package / "__init__.py", (_INIT if extension.has_ops else _INIT_WITHOUT_OPS).format(doc=doc))
    ours: dict[str, Any] = {}
    exec((PACKAGE / "_build_info.py").read_text(), ours)
    info = {
        "namespace": extension.namespace,
        "version": version,
        "torch_version": torch_module().__version__,
        "phi_torch_version": ours["version"],
        "abi": ours["abi"],
    }
    text = "".join(f"{key} = {value!r}\n" for key, value in info.items())
    write_if_changed(package / "_build_info.py", f"# What this package was compiled against; written by the build.\n{text}")

