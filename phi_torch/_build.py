"""What is compiled, with which flags, into which library: written as one ninja file.

setup.py loads this module from its path, since `import phi_torch` needs the libraries that are built here. Out-of-tree
extensions (`phi_torch.extension`) take their flags from it, so that they cannot differ from ours.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]
CSRC = ROOT / "csrc"
GENERATED = ROOT / "build" / "phi_gen"
OLDEST_TORCH, NEWEST_TORCH = (2, 11), (2, 13)
SUPPORTED_TORCH = "torch>={}.{},<{}.{}".format(*OLDEST_TORCH, NEWEST_TORCH[0], NEWEST_TORCH[1] + 1)
INSTALL_TORCH = f"pip install '{SUPPORTED_TORCH}'"

CPU_FLAGS = {
    "default": ["-DCPU_CAPABILITY=DEFAULT", "-DCPU_CAPABILITY_DEFAULT"],
    "avx2": ["-mavx2", "-mfma", "-mf16c", "-DCPU_CAPABILITY=AVX2", "-DCPU_CAPABILITY_AVX2"],
    "avx512": [
        *("-mavx512f", "-mavx512bw", "-mavx512vl", "-mavx512dq", "-mavx2", "-mfma", "-mf16c"),
        *("-DCPU_CAPABILITY=AVX512", "-DCPU_CAPABILITY_AVX512"),
    ],
}


class BuildError(Exception):
    """The build cannot go on; the message says why and what to do."""


def torch_module() -> ModuleType:
    """The torch to build against.

    Raises:
        BuildError: torch is missing (as in pip's isolated build environment) or older than what is supported.
    """
    try:
        import torch
    except ImportError:
        raise BuildError(
            "phi_torch is compiled against the torch that you run, which pip's isolated build environment hides. "
            f"With torch {dotted(OLDEST_TORCH)} to {dotted(NEWEST_TORCH)} installed "
            f"({INSTALL_TORCH}), run:\n\n    pip install --no-build-isolation .\n"
        ) from None
    version = version_of(torch.__version__)
    if version < OLDEST_TORCH:
        raise BuildError(f"phi_torch needs torch >= {dotted(OLDEST_TORCH)}, found {torch.__version__}: {INSTALL_TORCH}")
    if version > NEWEST_TORCH:
        print(f"warning: phi_torch is tested up to torch {dotted(NEWEST_TORCH)}, found {torch.__version__}")
    return torch


def version_of(text: str) -> tuple[int, int]:
    """(major, minor) of a torch version text such as `2.13.0+cpu`."""
    major, minor = text.split(".")[:2]
    return int(major), int(minor)


def dotted(version: tuple[int, int]) -> str:
    return f"{version[0]}.{version[1]}"


@functools.cache
def with_cuda() -> bool:
    """Whether the GPU kernels are built: torch has CUDA and nvcc is there, unless PHI_CUDA=0|1 says otherwise."""
    wanted = os.environ.get("PHI_CUDA", "")
    if wanted == "0":
        return False
    from torch.utils import cpp_extension

    torch_cuda = torch_module().version.cuda
    possible = bool(torch_cuda and cpp_extension.CUDA_HOME and find_nvcc())
    if wanted == "1" and not possible:
        lack = "this torch is built without CUDA" if not torch_cuda else "no nvcc was found (set CUDA_HOME)"
        raise BuildError(f"PHI_CUDA=1, but {lack}; unset PHI_CUDA to build for the CPU only")
    return possible


def find_nvcc() -> str | None:
    """The path of nvcc: CUDA_HOME's, else the one on PATH, else /usr/local/cuda's."""
    home = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH")
    places = [f"{home}/bin"] if home else []
    return shutil.which("nvcc", path=os.pathsep.join([*places, os.environ.get("PATH", ""), "/usr/local/cuda/bin"]))


def capabilities(all_of_them: bool) -> list[str]:
    """The CPU capabilities to compile for: PHI_CPU, else all (a wheel), else the one that this machine runs."""
    if named := os.environ.get("PHI_CPU"):
        chosen = [name.strip().lower() for name in named.split(",") if name.strip()]
        if unknown := [name for name in chosen if name not in CPU_FLAGS]:
            raise BuildError(f"PHI_CPU={named}: unknown capability {unknown[0]!r}; choose from {','.join(CPU_FLAGS)}")
        return chosen
    if platform.machine() not in ("x86_64", "AMD64"):
        return ["default"]
    if all_of_them:
        return list(CPU_FLAGS)
    own = torch_module().backends.cpu.get_cpu_capability().lower()
    return [own if own in CPU_FLAGS else "default"]


# ---- sources -------------------------------------------------------------------------------------------------------


def library_of(source: Path) -> str:
    """The library that a source belongs to, from its path below csrc/ or below the generated tree."""
    folders = source.parts[:-1]
    if source.suffix == ".cu" or {"gpu", "gpudnn"} & set(folders):
        return "phi_gpu"
    if folders[0] in ("kernels", "primitive"):
        return "phi_cpu"
    return "_C" if folders[:2] == ("torch", "python") else "phi_torch"


def group_sources(generated: Iterable[Path]) -> dict[str, list[Path]]:
    """Library -> its sources: all of csrc, and what the generator wrote in this run (so never a stale file)."""
    groups: dict[str, list[Path]] = {"phi_torch": [], "phi_cpu": [], "phi_gpu": [], "_C": []}
    files = [(file, CSRC) for file in CSRC.rglob("*")] + [(Path(file), GENERATED) for file in generated]
    for file, base in sorted(files):
        if file.suffix in (".cc", ".cu") and file.is_relative_to(base):
            groups[library_of(file.relative_to(base))].append(file)
    return groups


def generate() -> list[Path]:
    """Runs the code generator; returns the files that make up the generated tree."""
    if not (ROOT / "codegen" / "generate.py").exists():
        return []
    return [Path(file) for file in load_codegen("generate").generate(GENERATED)]


def load_codegen(module: str) -> ModuleType:
    """A module of codegen/, without the repository root on sys.path, where our yaml/ stands beside PyYAML's name."""
    if "codegen" not in sys.modules:
        folder = ROOT / "codegen"
        spec = importlib.util.spec_from_file_location(
            "codegen", folder / "__init__.py", submodule_search_locations=[str(folder)]
        )
        assert spec and spec.loader
        package = importlib.util.module_from_spec(spec)
        sys.modules["codegen"] = package
        spec.loader.exec_module(package)
    return importlib.import_module(f"codegen.{module}")


def source_hash() -> str:
    """A digest of everything that decides what an op computes; compile caches are keyed by it."""
    digest = hashlib.sha256()
    for folder in ("yaml", "codegen", "csrc"):
        for file in sorted((ROOT / folder).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(str(file.relative_to(ROOT)).encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


# ---- flags ---------------------------------------------------------------------------------------------------------


def include_dirs() -> list[Path]:
    """Our own include folders, in a checkout."""
    return [CSRC, GENERATED, CSRC / "torch" / "third_party"]


def system_include_dirs(device: str = "cpu") -> list[str]:
    from torch.utils import cpp_extension

    return [*cpp_extension.include_paths(device), sysconfig.get_paths()["include"]]


def torch_lib_dir() -> Path:
    return Path(torch_module().__file__ or "").parent / "lib"


def common_flags() -> list[str]:
    """Flags that every translation unit of every library gets, from g++ as from nvcc."""
    torch = torch_module()
    major, minor = version_of(torch.__version__)
    return [
        "-std=c++20",
        f"-D_GLIBCXX_USE_CXX11_ABI={int(torch._C._GLIBCXX_USE_CXX11_ABI)}",
        f"-DPHI_TORCH_VERSION_MAJOR={major}",
        f"-DPHI_TORCH_VERSION_MINOR={minor}",
        *(["-DPHI_WITH_CUDA"] if with_cuda() else []),
    ]


def cxx_flags() -> list[str]:
    """Flags for g++. OpenMP is on because at::parallel_for is serial in a file compiled without it."""
    device = "cuda" if with_cuda() else "cpu"
    return [
        *common_flags(),
        *("-fPIC", "-fopenmp", "-fno-semantic-interposition", "-Wall", "-Wextra", "-Wno-unused-parameter"),
        *(["-O0", "-g"] if os.environ.get("DEBUG") == "1" else ["-DNDEBUG"]),
        *(f"-I{path}" for path in include_dirs()),
        *(f"-isystem{path}" for path in system_include_dirs(device)),
    ]


def optimise(level: str) -> list[str]:
    return [] if os.environ.get("DEBUG") == "1" else [level]


def nvcc_flags() -> list[str]:
    from torch.utils import cpp_extension

    if not os.environ.get("TORCH_CUDA_ARCH_LIST") and torch_module().cuda.device_count() == 0:
        os.environ["TORCH_CUDA_ARCH_LIST"] = "8.0;9.0"
    return [
        *cpp_extension.COMMON_NVCC_FLAGS,
        *cpp_extension._get_cuda_arch_flags(),
        *common_flags(),
        *("-O3", "--expt-extended-lambda", "-Xcompiler", "-fPIC,-Wall", "-DNDEBUG"),
        *(f"-I{path}" for path in include_dirs()),
        *(f"-isystem={path}" for path in system_include_dirs("cuda")),
    ]


def link_flags(develop: bool) -> list[str]:
    """torch's libraries and OpenMP runtime; a wheel finds torch beside itself, a develop build where it is now."""
    lib = torch_lib_dir()
    openmp = sorted(lib.glob("libgomp*.so*"))  # torch's own, or there would be two thread pools in one process
    names = ["torch", "torch_cpu", "c10", *(["torch_cuda", "c10_cuda"] if with_cuda() else [])]
    rpaths = ["$ORIGIN", "$ORIGIN/lib", "$ORIGIN/../torch/lib", "$ORIGIN/../../torch/lib", *([str(lib)] if develop else [])]
    return [
        "-shared",
        f"-L{lib}",
        f"-Wl,-rpath-link,{lib}",
        *(f"-l{name}" for name in names),
        *([str(openmp[0])] if openmp else ["-fopenmp"]),
        *(f"-Wl,-rpath,{path}" for path in rpaths),
    ]


# ---- libraries -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Library:
    """One shared library: `flags` for its C++ files, `links` after its objects, `needs` are libraries of ours."""

    name: str
    file: str  # below the package folder
    sources: tuple[Path, ...]
    flags: tuple[str, ...]
    links: tuple[str, ...] = ("-Wl,-z,defs",)
    needs: tuple[str, ...] = ()


def plan(generated: Iterable[Path], cpu: Sequence[str]) -> list[Library]:
    """The libraries to build, dependencies first; one without a source is left out."""
    sources = {name: tuple(files) for name, files in group_sources(generated).items()}
    core = "phi_torch"
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    libraries = [Library(core, "lib/libphi_torch.so", sources[core], (*optimise("-O2"),))]
    for name in cpu:
        flags = (*optimise("-O3"), *CPU_FLAGS[name])
        libraries.append(Library(f"phi_cpu_{name}", f"lib/libphi_cpu_{name}.so", sources["phi_cpu"], flags, needs=(core,)))
    if with_cuda():
        links = ("-Wl,-z,defs", f"-L{Path(find_nvcc() or '').parents[1] / 'lib64'}", "-lcudart")
        libraries.append(Library("phi_gpu", "lib/libphi_gpu.so", sources["phi_gpu"], (*optimise("-O3"),), links, (core,)))
    libraries.append(Library("_C", f"_C{suffix}", sources["_C"], (*optimise("-O2"),), ("-ltorch_python",), (core,)))
    kept = {library.name for library in libraries if library.sources}
    return [library for library in libraries if library.name in kept and kept.issuperset(library.needs)]


def object_name(source: Path) -> str:
    base = GENERATED if source.is_relative_to(GENERATED) else CSRC
    return str(source.relative_to(base)) + ".o"


def ninja_text(libraries: Sequence[Library], objects: Path, output: Path, develop: bool) -> str:
    """The ninja file that compiles `libraries`: objects below `objects`, results below `output`."""
    cuda = any(source.suffix == ".cu" for library in libraries for source in library.sources)
    launcher = shutil.which("ccache") or ""
    cxx = os.environ.get("CXX", "c++")
    lines = [
        "ninja_required_version = 1.5",
        f"cxxflags = {quote(cxx_flags())}",
        f"ldflags = {quote(link_flags(develop))}",
        *(["nvccflags = " + quote(nvcc_flags())] if cuda else []),
        *rule("cxx", f"{launcher} {cxx} -MD -MF $out.d $cxxflags $flags -c $in -o $out", "$library: $file", depfile=True),
        *rule("nvcc", f"{launcher} {find_nvcc()} -MD -MF $out.d $nvccflags -c $in -o $out", "$library: $file", depfile=True),
        *rule("link", f"{cxx} $in $ldflags $flags -Wl,-soname,$soname -o $out", "link $library"),
    ]
    for library in libraries:
        built = []
        for source in library.sources:
            built.append(objects / library.name / object_name(source))
            lines += [
                f"build {escape(built[-1])}: {'nvcc' if source.suffix == '.cu' else 'cxx'} {escape(source)}",
                f"  flags = {quote(library.flags)}",
                f"  library = {library.name}",
                f"  file = {object_name(source).removesuffix('.o')}",
            ]
        needed = [output / other.file for other in libraries if other.name in library.needs]
        lines += [
            f"build {escape(output / library.file)}: link {' '.join(map(escape, built))} | {' '.join(map(escape, needed))}",
            f"  flags = {quote([str(path) for path in needed] + list(library.links))}",
            f"  library = {library.name}",
            f"  soname = {Path(library.file).name}",
        ]
    return "\n".join(lines) + "\n"


def rule(name: str, command: str, description: str, depfile: bool = False) -> list[str]:
    dependencies = ["  depfile = $out.d", "  deps = gcc"] if depfile else []
    return [f"rule {name}", f"  command = {command.strip()}", f"  description = {description}", *dependencies]


def quote(flags: Iterable[str]) -> str:
    """Flags as one ninja value: `$` escaped for ninja, and single quotes for the shell where they are needed."""
    return " ".join(f"'{flag}'" if set(flag) & set("$ ;'()") else flag for flag in flags).replace("$", "$$")


def escape(path: Path | str) -> str:
    return str(path).replace("$", "$$").replace(" ", "$ ").replace(":", "$:")


# ---- running -------------------------------------------------------------------------------------------------------


def build(package: Path, *, develop: bool, version: str, generated: Iterable[Path]) -> list[Path]:
    """Compiles all libraries and puts them, with `_build_info.py`, into the folder `package`; returns the files there."""
    cpu = capabilities(all_of_them=not develop)
    libraries = plan(generated, cpu)
    if not libraries:
        raise BuildError(f"no sources found below {CSRC}; is this a complete checkout?")
    torch = torch_module()
    work = ROOT / "build" / f"{sys.implementation.cache_tag}-torch{torch.__version__}"
    output = work / ("develop" if develop else "wheel")
    ninja_file = work / f"{output.name}.ninja"  # both in one folder, so that they share ninja's log and the objects
    write_if_changed(ninja_file, ninja_text(libraries, work / "objects", output, develop))
    run_ninja(ninja_file)
    (package / "lib").mkdir(parents=True, exist_ok=True)
    for stale in {*package.glob("lib/*.so")} - {package / library.file for library in libraries}:
        stale.unlink()
    installed = [install(output / library.file, package / library.file) for library in libraries]
    info = package / "_build_info.py"
    write_if_changed(
        info,
        "# What this package was compiled against; written by the build.\n"
        f"version = {version!r}\n"
        f"torch_version = {torch.__version__!r}\n"
        f"cuda = {torch.version.cuda if with_cuda() else None!r}\n"
        f"cpu_capabilities = {tuple(cpu)!r}\n"
        f"build_hash = {source_hash()!r}\n",
    )
    return [*installed, info]


def install(built: Path, target: Path) -> Path:
    """Puts a library in place under a new inode, so that a process that has the old one mapped goes on undisturbed."""
    if not (target.exists() and target.samefile(built)):
        temporary = target.with_name(f".{target.name}.new")
        temporary.unlink(missing_ok=True)
        try:
            os.link(built, temporary)
        except OSError:  # another file system
            shutil.copy2(built, temporary)
        temporary.replace(target)
    return target


def run_ninja(ninja_file: Path, *arguments: str) -> None:
    """Runs ninja with its progress on stdout.

    Raises:
        BuildError: ninja is missing, or a command failed (the compiler's message is above).
    """
    ninja = shutil.which("ninja")
    if not ninja:
        if importlib.util.find_spec("ninja") is None:
            raise BuildError("ninja was not found: pip install ninja")
        import ninja as ninja_package

        ninja = str(Path(ninja_package.BIN_DIR) / "ninja")
    command = [ninja, "-C", str(ninja_file.parent), "-f", ninja_file.name, "-j", str(max_jobs()), *arguments]
    sys.stdout.flush()
    if subprocess.call(command) != 0:
        raise BuildError("the build failed; the first error is above (`FAILED:`)")


def max_jobs() -> int:
    """Parallel compilers: MAX_JOBS, else one per core as far as there are 2 GiB of free memory for each."""
    if jobs := os.environ.get("MAX_JOBS"):
        return max(1, int(jobs))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        available = next(line for line in Path("/proc/meminfo").read_text().splitlines() if line.startswith("MemAvailable"))
        return max(1, min(cores, int(available.split()[1]) // (2 << 20)))
    except (OSError, StopIteration):
        return cores


def write_if_changed(path: Path, text: str) -> None:
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
