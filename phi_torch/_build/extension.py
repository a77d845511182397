"""An out-of-tree extension: generated, compiled with our flags, and put together as a Python package.

The package has the operators as typed functions (`ops.py`, `ops.pyi`), what Python must know of them (`_op_table.py`),
the libraries below `lib/`, and an `__init__.py` that loads all of it.
"""

from __future__ import annotations

import os
import re
import shutil
import sysconfig
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from codegen import generate as generator
from codegen.extension import Description, is_python_only, load_extension
from codegen.model.backends import backend_of, backends
from codegen.model.category import implementation, is_composite_alone
from codegen.model.op import Loc, OpSet

from .flags import CPU_FLAGS, capabilities, optimise
from .libraries import Library, compile_libraries
from .ninja import write_if_changed
from .sources import PACKAGE, ROOT
from .toolchain import BuildError, cuda_toolkit, dotted, torch_module, version_of, with_cuda

HEADERS = (".h", ".hpp", ".cuh")
SOURCES = (".cc", ".cpp", ".cu")
# names that C++ or torch use
RESERVED = (
    *("aten", "at", "c10", "torch", "prim", "prims", "quantized", "std", "paddle", "phi_torch", "phi"),
    *("class", "default", "delete", "export", "namespace", "new", "operator", "private", "public", "struct", "template", "this"),
)
UNITY = 16  # up to this many generated files are compiled as one, which saves torch's headers


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


def read(extension: Extension, root: Path) -> OpSet:
    """The extension's OpSet; file names in messages are relative to `root`.

    Raises:
        BuildError: the YAML has errors, or does not fit the sources; the message shows them all.
    """
    description = Description(extension.namespace, extension.yaml, extension.sources, root)
    opset, diagnostics = load_extension(description)
    if diagnostics:
        count = len(diagnostics.errors)
        raise BuildError(f"{diagnostics.render()}\n{count} error{'s' * (count > 1)} in the extension '{extension.namespace}'")
    return opset


@dataclass(frozen=True)
class Generated:
    """The files that were generated for an extension, in this folder; what adds the YAML's places to a compiler's messages."""

    folder: Path
    files: tuple[Path, ...] = ()
    python_only: bool = False  # all operators are composites
    kernels: tuple[str, ...] = ()  # the extension's own
    root: Path | None = None  # the folder that may be moved with all of these files, if they are below it
    show: Callable[[str], str] = field(default=lambda line: line)

    @property
    def python(self) -> list[Path]:
        """The modules of the package."""
        return [file for file in self.files if file.parent == self.folder / "python"]


def generate(extension: Extension, work: Path, root: Path) -> Generated:
    """Writes below `work` what follows from the extension's YAML; `root` as for `build`.

    Raises:
        BuildError: the YAML has errors, or does not fit the sources.
    """
    folder, movable = work / "generated", _movable(work, root)
    below = movable if folder.is_relative_to(movable) else None
    if not extension.has_ops:
        return Generated(folder, root=below)
    opset = read(extension, root)
    if below is not None:
        opset = _with_movable_headers(opset, folder, below)
    files = generator.generate(opset, folder, extension.yaml if isinstance(extension.yaml, tuple) else ())
    branches = [branch.name for op in opset.ops if op.kernel for branch in op.kernel.branches]
    kernels = tuple(dict.fromkeys(name for name in branches if name.startswith(f"{extension.namespace}::")))
    return Generated(folder, tuple(files), is_python_only(opset), kernels, below, _places(opset, folder))


def _movable(work: Path, root: Path) -> Path:
    """The folder of which all that is below may be moved together."""
    return ROOT if work.is_relative_to(ROOT) else root


def build(extension: Extension, package: Path, work: Path, *, develop: bool, version: str = "", root: Path) -> None:
    """Makes the folder `package` the Python package of the extension; objects and generated files go below `work`.

    Raises:
        BuildError: the YAML has errors, or a source does not compile (the compiler's messages are on stdout).
    """
    generated = generate(extension, work, root)
    package.mkdir(parents=True, exist_ok=True)
    libraries = [] if generated.python_only else plan(extension, generated, capabilities(all_of_them=not develop))
    if libraries:
        compile_libraries(libraries, work, package, develop=develop, root=_movable(work, root), show=generated.show)
    else:
        shutil.rmtree(package / "lib", ignore_errors=True)
    for file in generated.python:
        shutil.copyfile(file, package / file.name)
    doc = f"The operators of `{extension.namespace}`; written by phi_torch's build."
    write_if_changed(package / "__init__.py", (_INIT if extension.has_ops else _INIT_WITHOUT_OPS).format(doc=doc))
    write_if_changed(package / "_build_info.py", build_info(extension, version, compiled=bool(libraries)))


def _with_movable_headers(opset: OpSet, generated: Path, root: Path) -> OpSet:
    """The operators with the author's headers below `root` named from the generated files, and in messages from `root`."""

    def name(header: str) -> str:
        return os.path.relpath(header, generated) if Path(header).is_relative_to(root) else header

    def shown(place: Loc) -> Loc:
        return replace(place, file=os.path.relpath(place.file, root)) if Path(place.file).is_relative_to(root) else place

    return replace(
        opset,
        headers=tuple(map(name, opset.headers)),
        infer_meta_headers=tuple(map(name, opset.infer_meta_headers)),
        definitions={part: shown(place) for part, place in opset.definitions.items()},
    )


def sources(extension: Extension, generated: Generated) -> dict[str, list[Path]]:
    """What is compiled, in groups in the order of loading: kernels look for their operators."""
    folder = generated.folder / extension.namespace
    built = {backend.name: backend for backend in backends() if backend.library}
    groups: dict[str, list[Path]] = {group: [] for group in ("ops", *built, "python")}
    for file in generated.files:
        if file.suffix in (".cc", ".cu") and file.is_relative_to(folder):
            groups[_group(file.relative_to(folder))].append(file)
    for group, files in groups.items():
        if 1 < len(files) <= UNITY:
            groups[group] = [_unity(files, folder / f"{group}{files[0].suffix}", generated.folder)]
    for source in extension.sources:
        if source.suffix in SOURCES:
            groups[_group(Path("kernels", source.name))].append(source)
    left_out = () if with_cuda() else tuple(name for name, backend in built.items() if backend.compiler == "nvcc")
    return {group: files for group, files in groups.items() if files and group not in left_out}


def flags(extension: Extension, generated: Generated) -> tuple[str, ...]:
    """The flags of an extension's C++ files, beside those of all."""
    include = [generated.folder, *dict.fromkeys([*extension.include_dirs, *(s.parent for s in extension.sources)])]
    return (f"-DPHI_EXTENSION_NAME={extension.namespace}", *(f"-I{path}" for path in include), *extension.cxx_flags)


def host_flags(extension: Extension, generated: Generated) -> tuple[str, ...]:
    """The same for the host's compiler: messages name sources from the folder of the package."""
    return (*flags(extension, generated), *((f"-fmacro-prefix-map={generated.root}/=",) if generated.root else ()))


def linked() -> tuple[str, str, str]:
    """Our libraries that an extension is linked to: the core, the bridge to torch, and the module of the fast bindings."""
    folder = PACKAGE / _ours()["bridges"].get(dotted(version_of(torch_module().__version__)), "")
    bindings = folder / f"_C{sysconfig.get_config_var('EXT_SUFFIX')}"
    return str(PACKAGE / "lib" / "libphi_core.so"), str(folder / "lib" / "libphi_torch.so"), str(bindings)


def _ours() -> dict[str, Any]:
    """What the libraries of phi_torch were compiled against."""
    found: dict[str, Any] = {}
    exec((PACKAGE / "_build_info.py").read_text(), found)
    return found


def plan(extension: Extension, generated: Generated, cpu: Sequence[str]) -> list[Library]:
    """The extension's libraries, in the order of loading; names and division are as ours."""
    name, own = extension.namespace, host_flags(extension, generated)
    groups = {group: tuple(files) for group, files in sources(extension, generated).items()}
    *core, bindings = linked()
    libraries = []
    if "ops" in groups:
        libraries.append(Library(name, f"lib/lib{name}.so", groups["ops"], (*optimise("-O2"), *own), tuple(core)))
    needs = (name,) if libraries else ()
    # a kernel may call any other: those symbols are found among the libraries that are loaded
    kernels = ("-Wl,-Bsymbolic-functions", "-Wl,--unresolved-symbols=ignore-all", *core)
    for backend in (backend for backend in backends() if backend.name in groups):
        library, files = f"{name}_{backend.name}", groups[backend.name]
        for capability in cpu if backend.compiler == "cxx" else ():
            kernel_flags = (*optimise("-O3"), *CPU_FLAGS[capability], *own)
            libraries.append(
                Library(f"{library}_{capability}", f"lib/lib{library}_{capability}.so", files, kernel_flags, kernels, needs)
            )
        if backend.compiler == "nvcc":
            links = (*kernels, f"-L{cuda_toolkit() / 'lib64'}", "-lcudart")
            libraries.append(Library(library, f"lib/lib{library}.so", files, flags(extension, generated), links, needs))
    if "python" in groups:
        python = (bindings, *core, "-ltorch_python")
        libraries.append(
            Library(f"{name}_python", f"lib/lib{name}_python.so", groups["python"], (*optimise("-O2"), *own), python, needs)
        )
    return libraries


def _group(source: Path) -> str:
    """The library of a generated source, from its path."""
    if backend := backend_of(source):
        return backend.name
    return "python" if source.parts[:2] == ("torch", "python") else "ops"


def _unity(sources: Sequence[Path], target: Path, generated: Path) -> Path:
    write_if_changed(target, "".join(f'#include "{source.relative_to(generated)}"\n' for source in sorted(sources)))
    return target


# A size that an InferMeta function takes for a number.
_FORCED_SIZE = re.compile(r"error: .*\bSymInt\b")
_SIZES_ARE_SYMBOLS = (
    "note: sizes of an InferMeta function are of type Dim, which is int64_t in a call and c10::SymInt while torch.compile traces: "
    "write `Dim n = x.dims(0)`, not `int64_t n`, and compute with it as it is"
)


def _places(opset: OpSet, generated: Path) -> Callable[[str], str]:
    """Adds to a compiler's message about a generated kernel the YAML entry that it was generated from. The message names the
    functor or the function template that the kernel is made of, or else the generated file."""
    entries = {op.entry: op for op in opset.ops}
    parts = {
        f"{place.file}:{place.line}": op
        for op in opset.ops
        for name in (implementation(op, opset)[1] if op.dtypes and not is_composite_alone(op) else ())
        if (place := opset.definitions.get(name))
    }

    def show(line: str) -> str:
        if _FORCED_SIZE.search(line):
            line = f"{line}\n{_SIZES_ARE_SYMBOLS}"
        found = re.match(r"(\S+\.(?:cc|cu|h)):(\d+):(\d+:)?\s+(?:(?:fatal )?error|required from here)", line)
        if found is None:
            return line
        if op := parts.get(f"{found[1]}:{found[2]}"):
            return f"{line}\n{op.place}: note: this code is generated from the entry of '{op.name}'"
        if "generated/" not in found[1]:
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


def build_info(extension: Extension, version: str, compiled: bool) -> str:
    """The text of the module `_build_info` of the extension's package."""
    ours = _ours()
    info = {
        "namespace": extension.namespace,
        "version": version,
        "compiled": compiled,  # not composites alone
        "torch_version": torch_module().__version__,
        "phi_torch_version": ours["version"],
        "abi": ours["abi"],
    }
    text = "".join(f"{key} = {value!r}\n" for key, value in info.items())
    return f"# What this package was compiled against; written by the build.\n{text}"
