"""Where our data folders are: beside this file in an installed package, beside `phi_torch/` in a checkout."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
CHECKOUT = PACKAGE.parent if (PACKAGE.parent / "setup.py").exists() and (PACKAGE.parent / "csrc").is_dir() else None


def includes() -> list[Path]:
    """The include folders that a C++ file which uses phi_torch needs, in order."""
    if CHECKOUT:
        csrc = CHECKOUT / "csrc"
        return [csrc, CHECKOUT / "build" / "phi_gen", csrc / "torch" / "third_party"]
    return [PACKAGE / "include"]


def csrc_dir() -> Path:
    """The C++ sources; an installed package has their headers only."""
    return CHECKOUT / "csrc" if CHECKOUT else PACKAGE / "include"


def yaml_dir() -> Path:
    """The folder of `ops/` and `backward/`."""
    return (CHECKOUT or PACKAGE) / "yaml"


def codegen_dir() -> Path:
    """The folder of the generator and its templates."""
    return (CHECKOUT or PACKAGE) / "codegen"


def lib_dir() -> Path:
    """The folder of `libphi_torch.so` and of the kernel libraries."""
    return PACKAGE / "lib"
