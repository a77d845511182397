"""Compiles an extension into a cache when it has changed, and loads it."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import importlib
import importlib.util
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import torch

from .. import _C, _build_info, _fast, _inductor, _namespaces, decompositions
from .._expect import expect, expect_names, expect_path, expect_paths
from .._load import choose_cpu_library
from .composite_only import define
from .custom_ops import functions as custom_functions

if TYPE_CHECKING:
    from .._build.extension import Extension

Paths = Sequence["str | os.PathLike[str]"]
PARENT = "phi_torch.extensions"  # what `load` makes is imported below this name


def load(
    name: str,
    *,
    yaml: str | os.PathLike[str] | Paths | None = None,
    sources: Paths = (),
    include_dirs: Paths = (),
    cxx_flags: Sequence[str] = (),
) -> ModuleType:
    """The operators of an extension: `torch.ops.<name>.*`, and functions in the module that is returned, of those that a
    source declares with PD_BUILD_OP, too.

    What has not changed since an earlier call, in this process or another, is not compiled again. An extension whose
    operators are all composites needs no compiler.

    Args:
        name: the namespace of torch.ops.
        yaml: one file, several, or the YAML itself as a text. Without it the sources register what they have by
            themselves (`PD_REGISTER_KERNEL` for operators that exist, `PD_BUILD_OP`).
        sources: C++ and CUDA files; headers with the functors and InferMeta functions that the YAML needs.
            CUDA files are left out where torch has no CUDA.
        include_dirs: further folders to find headers in; those of the sources are known.
        cxx_flags: further flags of the C++ compiler.

    Raises:
        ValueError: there is neither YAML nor a source with something in it.
        BuildError: the YAML has errors, all of which the message shows, or a source does not compile.
        RegistrationError: a kernel does not fit its operator, or a custom operator is declared wrong.
        RuntimeError: another extension of this name is loaded.
    """
    from .._build.extension import Extension, build  # the generator takes longer to import than all of phi_torch

    _check_extensible(name)
    expect("load", "name", name, str)
    expect_names("load", "cxx_flags", cxx_flags)
    files, folders = expect_paths("load", "sources", sources), expect_paths("load", "include_dirs", include_dirs)
    _check_sources(name, yaml, files)
    extension = Extension(name, _yaml(yaml), files, folders, tuple(cxx_flags))
    folder = cache_folder(extension)
    package, module = folder / name, f"{PARENT}.{name}"
    with _locked(folder):
        digest = _digest(extension, folder)
        if module in sys.modules:
            if sys.modules[module].__dict__["_digest"] == digest:
                return sys.modules[module]
            message = f"an extension '{name}' of other content is loaded; torch cannot unload it: start Python anew"
            raise RuntimeError(message)
        stamp = folder / "digest"
        if not (stamp.exists() and stamp.read_text() == digest and (package / "__init__.py").exists()):
            stamp.unlink(missing_ok=True)
            build(extension, package, folder, develop=True, root=Path.cwd())
            digest = _digest(extension, folder)  # now the headers are known
            stamp.write_text(digest)
        made = _import(module, package)
    made.__dict__["_digest"] = digest
    return made


def _check_sources(name: str, yaml: object, sources: Sequence[Path]) -> None:
    """Raises where there is nothing that could register an operator."""
    if not sources and (yaml is None or yaml == () or yaml == [] or yaml == ""):
        raise ValueError(f"load('{name}'): expected `yaml`, `sources` or both, got neither")
    for source in sources:
        if source.is_file() and not source.read_bytes().strip():
            raise ValueError(f"load('{name}'): expected C++ or CUDA in {source}, got an empty file")


def load_library(path: str | os.PathLike[str]) -> None:
    """Loads a shared library that registers kernels with PD_REGISTER_KERNEL.

    Raises:
        OSError: it cannot be loaded.
        RegistrationError: a kernel does not fit its operator, its key is taken, or a custom operator is declared wrong; the
            message names the places.
    """
    expect_path("load_library", "path", path)
    _check_extensible(str(path))
    _open(path)
    _raise_registration_errors(str(path))
    for namespace in {op["namespace"] for op in _C.custom_ops()}:
        known = _namespaces.NAMESPACES.get(namespace)
        _add_custom_ops(namespace, ModuleType(namespace) if known is None else known.functions)


def activate(package: str) -> None:
    """Loads the libraries of an extension's package and tells torch of its operators; its `__init__.py` calls this.

    Raises:
        ImportError: it was compiled against another torch or another phi_torch.
        RegistrationError: a kernel does not fit its operator, or a custom operator is declared wrong.
    """
    _check_extensible(package)
    folder = Path(sys.modules[package].__file__ or "").parent
    info = importlib.import_module(f"{package}._build_info")
    check_build(package, info)
    for library in _libraries(folder / "lib", info.namespace):
        _open(library)
    _raise_registration_errors(package)
    if (folder / "_op_table.py").exists():
        _announce(package, info, importlib.import_module(f"{package}._op_table"))
    else:
        _add_custom_ops(info.namespace, sys.modules[package])


def activate_library(library: ModuleType, texts: Mapping[str, str]) -> None:
    """As `activate`, for an extension that is one library, the Python module `library`, which calls this when it is imported.
    It brings the texts of the other modules of its package.

    Raises:
        ImportError: it was compiled against another torch or another phi_torch.
        RegistrationError: a kernel does not fit its operator, or a custom operator is declared wrong.
    """
    package = library.__name__
    _check_extensible(package)
    for name, text in texts.items():
        made = ModuleType(f"{package}.{name}")
        exec(compile(text, f"<{made.__name__}>", "exec"), made.__dict__)
        sys.modules[made.__name__] = made
    info = sys.modules[f"{package}._build_info"]
    check_build(package, info)
    _raise_registration_errors(package)
    if "_op_table" not in texts:
        return _add_custom_ops(info.namespace, library)
    functions = _announce(package, info, sys.modules[f"{package}._op_table"])
    library.__dict__.update({name: getattr(functions, name) for name in functions.__all__}, __all__=functions.__all__)


def _announce(package: str, info: ModuleType, table: ModuleType) -> ModuleType:
    """Tells torch and `phi_torch.explain` of an extension's operators; returns the module of their functions."""
    namespace: str = info.namespace
    if not info.compiled:
        define(table.OPS.values(), namespace)
    functions = importlib.import_module(f"{package}.ops")
    _namespaces.NAMESPACES[namespace] = _namespaces.Namespace(table.OPS, functions)
    _fast.install(functions, package, namespace)
    _add_custom_ops(namespace, functions)
    decompositions.register(table.OPS.values(), namespace, package="")
    _inductor.register(table.OPS.values(), namespace)
    _inductor.tag_caches(f"{namespace}:{table.SOURCE_HASH}")
    return functions


def _add_custom_ops(namespace: str, module: ModuleType) -> None:
    """Adds the functions of the custom operators of a namespace to a module, and to what it exports."""
    custom = custom_functions(namespace)
    if not custom:
        return
    known = _namespaces.NAMESPACES.get(namespace)
    infos = {name: info for name, (info, _) in custom.items()}
    _namespaces.NAMESPACES[namespace] = _namespaces.Namespace({**infos, **(known.ops if known else {})}, module)
    for name, (_, function) in custom.items():
        setattr(module, name, function)
    module.__dict__["__all__"] = list(dict.fromkeys([*getattr(module, "__all__", ()), *custom]))


def _check_extensible(name: str) -> None:
    """A trimmed build has of its libraries only what its own operators refer to, unless the selection says otherwise.

    Raises:
        ImportError: this build takes no extensions.
    """
    if not _build_info.extensible:
        raise ImportError(
            f"{name}: this build of phi_torch, which {_build_info.trimmed}, takes no extensions; "
            "rebuild with `extensions : true` in the selection file, or without PHI_OPS"
        )


def check_build(package: str, info: ModuleType) -> None:
    """Compares what an extension was compiled against with what is running.

    Raises:
        ImportError: they differ.
    """
    remedy = f"Compile {package} again, with this torch and this phi_torch (pip install --no-build-isolation --force-reinstall)."
    if info.torch_version.split(".")[:2] != torch.__version__.split(".")[:2]:
        raise ImportError(
            f"{package} was compiled against torch {info.torch_version}, but torch {torch.__version__} is running. {remedy}"
        )
    if info.abi != _build_info.abi:
        raise ImportError(
            f"{package} was compiled against phi_torch {info.phi_torch_version} ({info.abi}), but phi_torch {_build_info.version} "
            f"({_build_info.abi}) is running, whose C++ interface differs. {remedy}"
        )


def cache_folder(extension: Extension) -> Path:
    """Where `load` keeps an extension: below PHI_TORCH_CACHE, by default `~/.cache/phi_torch`, apart for each build of
    torch and phi_torch."""
    base = Path(os.environ.get("PHI_TORCH_CACHE") or Path.home() / ".cache" / "phi_torch")
    build_of_ours = f"{sys.implementation.cache_tag}-torch{torch.__version__}-{_build_info.build_hash}"
    places = "".join(map(str, [*(extension.yaml if isinstance(extension.yaml, tuple) else ()), *extension.sources]))
    return base / build_of_ours / f"{extension.namespace}-{hashlib.sha256(places.encode()).hexdigest()[:8]}"


def _yaml(yaml: str | os.PathLike[str] | Paths | None) -> tuple[Path, ...] | str:
    if yaml is None:
        return ()
    # entries have keys, so what has no colon is a path
    if isinstance(yaml, str) and ("\n" in yaml or (":" in yaml and not yaml.strip().endswith((".yaml", ".yml")))):
        return yaml
    return expect_paths("load", "yaml", [yaml] if isinstance(yaml, (str, os.PathLike)) else yaml)


def _digest(extension: Extension, folder: Path) -> str:
    """A hash of what was given, and of the headers that the last compilation read outside of the system's."""
    digest = hashlib.sha256(repr((extension, os.environ.get("PHI_CPU"), os.environ.get("DEBUG"))).encode())
    given = (*(extension.yaml if isinstance(extension.yaml, tuple) else ()), *extension.sources)
    for path in (*given, *_headers(extension, folder)):
        digest.update(path.read_bytes() if path.is_file() else b"?")
    return digest.hexdigest()


def _headers(extension: Extension, folder: Path) -> list[Path]:
    """The headers that stand in the author's folders."""
    places = {*extension.include_dirs, *(source.parent for source in extension.sources)}
    return sorted({header for place in places for pattern in ("*.h", "*.hpp", "*.cuh") for header in place.glob(pattern)})


def _libraries(folder: Path, namespace: str) -> list[Path]:
    """The libraries of an extension in the order of loading; of the CPU kernels those for this machine."""
    present = [folder / f"lib{namespace}.so"]
    if cpu := sorted(folder.glob(f"lib{namespace}_cpu_*.so")):
        present.append(choose_cpu_library(cpu, torch.backends.cpu.get_cpu_capability(), f"lib{namespace}_cpu_"))
    return [path for path in (*present, folder / f"lib{namespace}_gpu.so", folder / f"lib{namespace}_python.so") if path.exists()]


def _open(library: str | os.PathLike[str]) -> None:
    """Loads a library for good.

    Raises:
        OSError: with what the linker says; functions that nobody defines are named as in C++.
    """
    try:
        torch.ops.load_library(str(library))
    except OSError as error:
        why = str(error.__cause__ or error).removeprefix(f"{os.path.realpath(library)}: ")
        _, found, symbol = why.partition("undefined symbol: ")
        if found:
            why = (
                f"{torch._C._demangle(symbol.split(',')[0].strip())} is not defined: give the source or library that has it. What "
                "a .cu file defines is there with CUDA alone: call it inside of #ifdef PADDLE_WITH_CUDA"
            )
        raise OSError(f"cannot load the library {library}: {why}") from None


class RegistrationError(ImportError):
    """What the libraries of an extension register does not fit; `errors` are all reasons. The rest is registered."""

    def __init__(self, what: str, errors: list[str]) -> None:
        super().__init__(f"{what} registers what does not fit:\n" + "\n".join(errors))
        self.errors = errors


def _raise_registration_errors(what: str) -> None:
    if errors := _C.take_registration_errors():
        raise RegistrationError(what, errors)


def _import(name: str, folder: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, folder / "__init__.py", submodule_search_locations=[str(folder)])
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        for loaded in [other for other in sys.modules if other == name or other.startswith(f"{name}.")]:
            del sys.modules[loaded]
        raise
    return module


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """One process at a time makes an extension."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".load").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
