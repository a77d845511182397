"""An extension as one library, its own Python module, which any command that knows torch's extensions compiles."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .extension import Extension, build_info, flags, generate, linked, sources
from .flags import CPU_FLAGS, capabilities, cxx_flags, kernel_nvcc_flags, openmp, optimise
from .ninja import write_if_changed
from .toolchain import cpp_extension, with_cuda


def torch_extension(name: str, extension: Extension, work: Path, root: Path) -> Any:
    """A CppExtension, with GPU kernels a CUDAExtension, for the extension as the module `name`. Its kernels are those of one
    CPU capability: the first of PHI_CPU, else `default`, which every machine runs.

    Raises:
        BuildError: the YAML has errors, or does not fit the sources.
    """
    generated = generate(extension, work, root)
    files = {} if generated.python_only else sources(extension, generated)
    module = generated.folder / "module.cc"
    texts = {file.stem: file.read_text() for file in generated.python if file.suffix == ".py"}
    texts["_build_info"] = build_info(extension, "", compiled=bool(files))
    write_if_changed(module, _module(texts, generated.kernels))
    compiled = [*(file for group in files.values() for file in group), module]
    cxx = [*cxx_flags(), *optimise("-O3"), *CPU_FLAGS[capabilities(all_of_them=True)[0]], *flags(extension, generated)]
    make = cpp_extension().CUDAExtension if with_cuda() else cpp_extension().CppExtension
    return make(
        name,
        [os.path.relpath(file, root) for file in compiled],
        extra_compile_args={"cxx": cxx, "nvcc": [*kernel_nvcc_flags(), *flags(extension, generated)] if with_cuda() else []},
        # a kernel may call any other: those symbols are found among the libraries that are loaded
        extra_link_args=["-Wl,-Bsymbolic-functions", "-Wl,--unresolved-symbols=ignore-all", *linked(), openmp()],
    )


def _module(texts: dict[str, str], kernels: Iterable[str]) -> str:
    entries = "".join(f'    {{"{name}", R"python({text})python"}},\n' for name, text in texts.items())
    names = "".join(f'    "{name}",\n' for name in kernels)
    return f"""#include "torch/python/extension_module.h"

namespace phi::torch_bridge::python {{

[[gnu::init_priority(101)]] static const OwnKernels kKernels({{
{names}}});

static const ModuleTexts kTexts = {{
{entries}}};

}}  // namespace phi::torch_bridge::python

PHI_EXTENSION_MODULE(TORCH_EXTENSION_NAME)
"""
