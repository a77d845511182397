"""Checks that the compiled libraries fit the running torch, then loads them; `import phi_torch` calls this first."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Mapping
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import torch

from ._paths import CHECKOUT, lib_dir

BUILD = "pip install --no-build-isolation -v -e ." if CHECKOUT else "pip install --force-reinstall --no-deps phi_torch"
CAPABILITIES = ("avx512", "avx2", "default")  # best first


def load() -> None:
    """Loads the core, the bridge to torch, and the kernels that are built: of the CPU those of the best capability that runs here.

    Raises:
        ImportError: nothing is built, it was built for another torch, or no CPU kernels fit this machine.
    """
    info = read_build_info()
    folder = bridge_folder(info.torch_version, info.bridges, torch.__version__)
    bridge = lib_dir().parent / folder
    libraries = [lib_dir() / "libphi_core.so", bridge / "lib" / "libphi_torch.so"]
    for name in info.kernel_libraries:
        if present := sorted(lib_dir().glob(f"lib{name}_*.so")):
            libraries.append(choose_cpu_library(present, torch.backends.cpu.get_cpu_capability(), f"lib{name}_"))
        elif (file := lib_dir() / f"lib{name}.so").exists():
            libraries.append(file)
    for library in libraries:
        if not library.exists():
            raise ImportError(f"phi_torch: {library} is missing. Build it: {BUILD}")
        # globally: the kernels of extensions call ours
        ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)
        torch.ops.load_library(library)
    if folder:
        load_bindings(bridge)


def read_build_info() -> ModuleType:
    """What the libraries were compiled against, and which there are."""
    try:
        from . import _build_info
    except ImportError:
        where = CHECKOUT or lib_dir().parent
        raise ImportError(f"phi_torch: the libraries of {where} are not built. Build them: {BUILD}") from None
    return _build_info


def bridge_folder(compiled: str, bridges: Mapping[str, str], running: str) -> str:
    """Where below the package the libraries for the running torch are: `compiled` is the torch of those in the package itself,
    `bridges` has the folders for further minor versions. C++ symbols of torch change with each of them, and with none within one.

    Raises:
        ImportError: there are none.
    """
    folders = {minor_version(compiled): "", **bridges}
    if minor_version(running) not in folders:
        raise ImportError(
            f"phi_torch was compiled against torch {' and '.join([compiled, *bridges])}, but torch {running} is running. Rebuild "
            f"phi_torch ({BUILD}) or install the other torch (pip install 'torch=={minor_version(compiled)}.*')."
        )
    return folders[minor_version(running)]


def load_bindings(bridge: Path) -> None:
    """Makes `phi_torch._C` that of a bridge, and not the one beside this file."""
    name = f"{__package__}._C"
    spec = spec_from_file_location(name, bridge / f"_C{EXTENSION_SUFFIXES[0]}")
    assert spec and spec.loader
    sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules[name])


def minor_version(torch: str) -> str:
    """`2.13` of `2.13.0+cpu`."""
    return ".".join(torch.split(".")[:2])


def choose_cpu_library(present: list[Path], machine: str, prefix: str = "libphi_cpu_") -> Path:
    """The best of the CPU kernel libraries `present` that a `machine` of this capability runs.

    PHI_CPU_CAPABILITY (default, avx2, avx512) overrides the choice.

    Raises:
        ImportError: the one asked for, or any that fits, was not built.
    """
    limit = machine.lower() if machine.lower() in CAPABILITIES else "default"
    runnable = CAPABILITIES[CAPABILITIES.index(limit) :]
    built = {file.stem.removeprefix(prefix): file for file in present}
    if wanted := os.environ.get("PHI_CPU_CAPABILITY", "").lower():
        if wanted not in built:
            raise ImportError(
                f"phi_torch: PHI_CPU_CAPABILITY={wanted}, but only {', '.join(sorted(built))} was built. "
                f"Unset it, or build with PHI_CPU={wanted} {BUILD}"
            )
        if wanted not in runnable:
            raise ImportError(f"phi_torch: PHI_CPU_CAPABILITY={wanted}, but this machine has only {limit}; unset it.")
        return built[wanted]
    for name in runnable:
        if name in built:
            return built[name]
    raise ImportError(
        f"phi_torch: its CPU kernels were built for {', '.join(sorted(built))}, this machine has {limit}. Rebuild: {BUILD}"
    )
