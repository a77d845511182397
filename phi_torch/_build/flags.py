"""The flags of the compilers and of the linker, from torch's own where torch has them."""

from __future__ import annotations

import os
import platform
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .sanitize import sanitizer_flags
from .sources import BUILD, ROOT, include_dirs
from .toolchain import BuildError, cpp_extension, cuda_toolkit, gcc_version, is_gcc, torch_module, version_of, with_cuda

CHECKED_GCC = 12  # its warnings are mended here; others have others

CPU_FLAGS = {
    # torch's own vectors of half types read one type as another, which g++ takes apart; those of 32 bytes go by value within a
    # library alone, so that nobody needs the note on how g++ before 4.6 passed them
    "default": ["-fno-strict-aliasing", "-Wno-psabi", "-DCPU_CAPABILITY=DEFAULT", "-DCPU_CAPABILITY_DEFAULT"],
    "avx2": ["-mavx2", "-mfma", "-mf16c", "-DCPU_CAPABILITY=AVX2", "-DCPU_CAPABILITY_AVX2"],
    "avx512": [
        *("-mavx512f", "-mavx512bw", "-mavx512vl", "-mavx512dq", "-mavx2", "-mfma", "-mf16c", "-mprefer-vector-width=512"),
        *("-DCPU_CAPABILITY=AVX512", "-DCPU_CAPABILITY_AVX512"),
    ],
}


@dataclass(frozen=True)
class Torch:
    """The torch that libraries are compiled for: flags of a C++ file, and the libraries for the linker."""

    cxx: Sequence[str]
    libraries: Sequence[str]


def capabilities(all_of_them: bool) -> list[str]:
    """The CPU capabilities to compile for: PHI_CPU, else all (a wheel), else `native`, the one that this machine runs."""
    named = os.environ.get("PHI_CPU") or ("" if all_of_them else "native")
    if named and named != "native":
        chosen = [name.strip().lower() for name in named.split(",") if name.strip()]
        if unknown := [name for name in chosen if name not in CPU_FLAGS]:
            raise BuildError(f"PHI_CPU={named}: unknown capability {unknown[0]!r}; choose from native,{','.join(CPU_FLAGS)}")
        return chosen
    if platform.machine() not in ("x86_64", "AMD64"):
        return ["default"]
    if named != "native":
        return list(CPU_FLAGS)
    own = torch_module().backends.cpu.get_cpu_capability().lower()
    return [own if own in CPU_FLAGS else "default"]


def system_include_dirs(cuda: bool) -> list[str]:
    paths = [*cpp_extension().include_paths(), sysconfig.get_paths()["include"]]
    if cuda:  # torch from PyPI brings the headers of cuBLAS and cuDNN, which a toolkit may lack
        site = torch_lib_dir().parents[1]
        paths += [str(cuda_toolkit() / "include"), *map(str, sorted(site.glob("nvidia/*/include")))]
    return paths


def torch_lib_dir() -> Path:
    return Path(cpp_extension().TORCH_LIB_PATH)


def common_flags() -> list[str]:
    """Flags that every translation unit of every library gets, from g++ as from nvcc."""
    torch = torch_module()
    return [
        "-std=c++20",
        f"-D_GLIBCXX_USE_CXX11_ABI={int(torch._C._GLIBCXX_USE_CXX11_ABI)}",
        *version_flags(version_of(torch.__version__)),
        *(["-DPHI_WITH_CUDA"] if with_cuda() else []),
    ]


def version_flags(version: tuple[int, int]) -> list[str]:
    """The version of torch, for what must know it before a header of torch is included."""
    return [f"-DPHI_TORCH_VERSION_MAJOR={version[0]}", f"-DPHI_TORCH_VERSION_MINOR={version[1]}"]


def cxx_flags() -> list[str]:
    """Flags for g++. OpenMP is on because at::parallel_for is serial in a file compiled without it."""
    return [
        *common_flags(),
        # messages name a source file as in the checkout; the last one that fits is taken
        *(f"-fmacro-prefix-map={BUILD}/={BUILD.relative_to(ROOT)}/", f"-fmacro-prefix-map={ROOT}/="),
        *("-fPIC", "-fopenmp", "-fno-semantic-interposition", "-fvisibility-inlines-hidden"),
        *("-Wall", "-Wextra", "-Wno-unused-parameter"),
        # g++ 12 warns of its own vector intrinsics and of torch's headers
        *("-Wno-uninitialized", "-Wno-maybe-uninitialized", "-Wno-array-bounds", "-Wno-stringop-overflow"),
        "-DAT_PER_OPERATOR_HEADERS",  # ATen's functions one header at a time
        # more memory before g++ looks for garbage; and its summaries of what functions read, of which g++ 12 makes wrong
        # ones where it passes parts of an argument, are not asked for
        *(("--param", "ggc-min-heapsize=524288", "-fno-ipa-modref") if is_gcc() else ()),
        *(["-O0", "-g"] if os.environ.get("DEBUG") == "1" else ["-DNDEBUG"]),
        *sanitizer_flags(),
        *(f"-I{path}" for path in include_dirs()),
        *(f"-isystem{path}" for path in system_include_dirs(with_cuda())),
    ]


def optimise(level: str) -> tuple[str, ...]:
    """The level, or what a debugger or a sanitizer needs in its place."""
    if os.environ.get("DEBUG") == "1":
        return ()
    return ("-O1", "-g1") if sanitizer_flags() else (level,)


def strict() -> tuple[str, ...]:
    """Warnings are errors in our own sources: PHI_WERROR=0|1, else with the compiler whose warnings they were freed of."""
    default = "1" if gcc_version() == CHECKED_GCC and not sanitizer_flags() else "0"
    return ("-Werror", "-Wno-error=deprecated-declarations") if os.environ.get("PHI_WERROR", default) == "1" else ()


def architecture_flags() -> list[str]:
    """The GPUs to compile for: TORCH_CUDA_ARCH_LIST, else those of this machine, else sm_80 and sm_90."""
    if torch_module().cuda.device_count() == 0:
        os.environ.setdefault("TORCH_CUDA_ARCH_LIST", "8.0;9.0")
    return list(cpp_extension()._get_cuda_arch_flags())


def nvcc_flags() -> list[str]:
    return [*cpp_extension().COMMON_NVCC_FLAGS, *architecture_flags(), *kernel_nvcc_flags()]


def kernel_nvcc_flags() -> list[str]:
    """Our own flags for nvcc, beside torch's."""
    return [
        *common_flags(),
        *("-O3", "--expt-extended-lambda", "-Xcompiler", f"-fPIC,-Wall,-fmacro-prefix-map={ROOT}/=", "-DNDEBUG"),
        *(f"-I{path}" for path in include_dirs()),
        *(f"-isystem={path}" for path in system_include_dirs(cuda=True)),
    ]


def openmp() -> str:
    """torch's own OpenMP runtime where it brings one, or there would be two thread pools in one process."""
    found = sorted(torch_lib_dir().glob("libgomp*.so*"))
    return str(found[0]) if found else "-fopenmp"


def link_flags(develop: bool, package: Path | None = None, root: Path = ROOT) -> list[str]:
    """Where a library finds those that it needs: a wheel finds torch beside itself, a develop build where it is now: from
    the folder `package` on, if `root` has both, so that they may be moved.
    """
    lib = torch_lib_dir()
    found = [str(lib)]
    if package and package.is_relative_to(root) and lib.is_relative_to(root):
        found = [f"$ORIGIN/{os.path.relpath(lib, place)}" for place in (package / "lib", package)]
    rpaths = ["$ORIGIN", "$ORIGIN/lib", "$ORIGIN/../torch/lib", "$ORIGIN/../../torch/lib", *(found if develop else [])]
    return ["-shared", *sanitizer_flags(), *(f"-Wl,-rpath,{path}" for path in rpaths)]


def this_torch() -> Torch:
    """The one that the build runs with."""
    return Torch(cxx_flags(), torch_libraries())


def torch_libraries() -> list[str]:
    """torch's libraries and its OpenMP runtime, for the linker."""
    lib = torch_lib_dir()
    names = ["torch", "torch_cpu", "c10", *(["torch_cuda", "c10_cuda"] if with_cuda() else [])]
    return [f"-L{lib}", f"-Wl,-rpath-link,{lib}", *(f"-l{name}" for name in names), openmp()]
