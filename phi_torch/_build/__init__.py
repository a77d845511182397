"""The native build: what is compiled, with which flags, into which library.

setup.py loads this package from its path, since `import phi_torch` needs the libraries that are built here. Out-of-tree
extensions (`phi_torch.extension`) take their flags from it, so that they cannot differ from ours.
"""

from . import generator  # first: others import `codegen`
from .bridges import torch_requirement
from .flags import capabilities, common_flags, cxx_flags, link_flags, nvcc_flags, torch_libraries
from .generating import generate
from .ninja import run_ninja
from .package import build
from .sources import CSRC, GENERATED, ROOT, include_dirs
from .toolchain import SUPPORTED_TORCH, BuildError, dotted, find_nvcc, plain_errors, torch_module, version_of, with_cuda

__all__ = [
    "CSRC",
    "GENERATED",
    "ROOT",
    "SUPPORTED_TORCH",
    "BuildError",
    "build",
    "capabilities",
    "common_flags",
    "cxx_flags",
    "dotted",
    "find_nvcc",
    "generate",
    "generator",
    "include_dirs",
    "link_flags",
    "nvcc_flags",
    "plain_errors",
    "run_ninja",
    "torch_libraries",
    "torch_module",
    "torch_requirement",
    "version_of",
    "with_cuda",
]
