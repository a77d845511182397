"""The shared libraries that make up the package: planned, compiled with one ninja run, put in place."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from . import precompiled
from .flags import CPU_FLAGS, capabilities, cxx_flags, link_flags, nvcc_flags, optimise
from .generating import Generated
from .ninja import edge, quote, rule, run_ninja, write_if_changed
from .sources import BUILD, CSRC, abi_hash, group_sources, object_name, source_hash
from .toolchain import BuildError, cuda_toolkit, cxx, find_nvcc, torch_module, with_cuda
from .trimming import Trim


@dataclass(frozen=True)
class Library:
    """One shared library: `flags` for its C++ files, `links` after its objects, `needs` are libraries of ours."""

    name: str
    file: str  # below the package folder
    sources: tuple[Path, ...]
    flags: tuple[str, ...]
    links: tuple[str, ...] = ("-Wl,-z,defs",)
    needs: tuple[str, ...] = ()
    lazy: tuple[Path, ...] = ()  # sources of an archive, from which this library and those that need it take what they refer to
    special: Mapping[Path, tuple[str, ...]] = field(default_factory=dict)  # further flags of single sources


def plan(generated: Generated, cpu: Sequence[str]) -> list[Library]:
    """The libraries to build, dependencies first; one without a source is left out."""
    sources = {name: tuple(files) for name, files in group_sources(generated.files).items()}
    core = "phi_torch"
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    libraries = [
        Library(core, "lib/libphi_torch.so", sources[core], optimise("-O2")),
        Library("_C", f"_C{suffix}", sources["_C"], optimise("-O2"), ("-ltorch_python", "-Wl,-Bsymbolic-functions"), (core,)),
    ]
    for name in cpu:
        flags = (*optimise("-O3"), *CPU_FLAGS[name])
        libraries.append(Library(f"phi_cpu_{name}", f"lib/libphi_cpu_{name}.so", sources["phi_cpu"], flags, needs=(core,)))
    if with_cuda():
        links = ("-Wl,-z,defs", f"-L{cuda_toolkit() / 'lib64'}", "-lcudart")
        libraries.append(Library("phi_gpu", "lib/libphi_gpu.so", sources["phi_gpu"], (*optimise("-O3"),), links, (core,)))
    if generated.trim is not None:
        libraries = [_trimmed(library, generated.trim) for library in libraries]
    kept = {library.name for library in libraries if library.sources}
    return [library for library in libraries if library.name in kept and kept.issuperset(library.needs)]


def _trimmed(library: Library, trim: Trim) -> Library:
    """The library in a trimmed build, stripped."""
    sources, lazy = trim.divide(library.sources)
    return replace(
        library,
        sources=sources,
        lazy=lazy,
        links=(*library.links, "-Wl,-s"),
        special={source: flags for source in (*sources, *lazy) if (flags := trim.flags_of(source))},
    )


def ninja_text(libraries: Sequence[Library], objects: Path, output: Path, develop: bool) -> str:
    """The ninja file that compiles `libraries`: objects below `objects`, results below `output`."""
    cuda = any(source.suffix == ".cu" for library in libraries for source in (*library.sources, *library.lazy))
    launcher = shutil.which("ccache") or ""
    flags = "$cxxflags $flags -x c++-header $copy"
    # g++ knows a header of `#pragma once` by its time, so one that ccache compiled elsewhere would be included again; ccache
    # gets a checksum of the text, since two compilations of a header differ
    compile_header = f"{cxx()} -MD -MF $out.d {flags} -c -o $out"
    checksum = f" && {cxx()} -E -P {flags} | cksum > $out.sum" if launcher else ""
    cxx_compile, nvcc_compile = "-MD -MF $out.d $cxxflags $flags -c $in -o $out", "-MD -MF $out.d $nvccflags $flags -c $in -o $out"
    lines = [
        "ninja_required_version = 1.5",
        f"cxxflags = {quote(cxx_flags())}",
        f"ldflags = {quote(link_flags(develop))}",
        *(["nvccflags = " + quote(nvcc_flags())] if cuda else []),
        *rule("pch", f"{compile_header}{checksum}", "$library: $file", depfile=True),
        *rule("cxx", f"CCACHE_PCH_EXTSUM=1 {launcher} {cxx()} {cxx_compile}", "$library: $file", depfile=True),
        *rule("nvcc", f"{launcher} {find_nvcc()} {nvcc_compile}", "$library: $file", depfile=True),
        *rule("archive", "rm -f $out && ar rcs $out $in", "archive $library"),
        *rule("link", f"{cxx()} $in $ldflags $flags -Wl,-soname,$soname -o $out", "link $library"),
    ]
    archives = {library.name: objects / library.name / "lazy.a" for library in libraries if library.lazy}
    for library in libraries:
        lines += _compile_edges(library, objects / library.name)
        own = [archives[library.name]] if library.lazy else []
        if own:
            lines += edge(own[0], "archive", [objects / library.name / object_name(source) for source in library.lazy], library=library.name)
        needed = [output / other.file for other in libraries if other.name in library.needs]
        needed_archives = [archives[name] for name in library.needs if name in archives]
        lines += edge(
            output / library.file,
            "link",
            [objects / library.name / object_name(source) for source in library.sources] + own,
            [*needed, *needed_archives],
            flags=quote(["-Wl,--no-as-needed", *map(str, (*needed, *needed_archives)), *library.links]),
            library=library.name,
            soname=Path(library.file).name,
        )
    return "\n".join(lines) + "\n"


def _compile_edges(library: Library, folder: Path) -> Iterator[str]:
    """The objects of a library, and its precompiled headers first."""
    sources = (*library.sources, *library.lazy)
    headers = precompiled.headers(sources)
    for header in dict.fromkeys(headers.values()):
        copy, name = folder / header.relative_to(CSRC), str(header.relative_to(CSRC))
        write_if_changed(copy, f'#include "{name}"\n')  # g++ looks for the compiled header beside the one that is included
        yield from edge(f"{copy}.gch", "pch", [header], copy=copy, flags=quote(library.flags), library=library.name, file=name)
    for source in sources:
        stub = folder / headers[source].relative_to(CSRC) if source in headers else None
        # nvcc has its own optimisation
        common = [flag for flag in library.flags if source.suffix != ".cu" or not flag.startswith("-O")]
        first = ["-Winvalid-pch", "-include", str(stub)] if stub else []
        yield from edge(
            folder / object_name(source),
            "nvcc" if source.suffix == ".cu" else "cxx",
            [source],
            [f"{stub}.gch"] if stub else [],
            flags=quote([*common, *first, *library.special.get(source, ())]),
            library=library.name,
            file=object_name(source).removesuffix(".o"),
        )


def build(package: Path, *, develop: bool, version: str, generated: Generated) -> list[Path]:
    """Compiles all libraries and puts them, with `_build_info.py`, into the folder `package`; returns the files there."""
    cpu = capabilities(all_of_them=not develop)
    libraries = plan(generated, cpu)
    if not libraries:
        raise BuildError(f"no sources found below {CSRC}; is this a complete checkout?")
    torch = torch_module()
    work = BUILD / f"{sys.implementation.cache_tag}-torch{torch.__version__}"
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
        f"build_hash = {source_hash()!r}\n"
        f"abi = {abi_hash()!r}\n"
        f"trimmed = {generated.trim.note if generated.trim else None!r}\n"
        f"left_out = {generated.trim.left_out if generated.trim else ()!r}\n"
        f"extensible = {generated.trim is None or generated.trim.selection.extensions!r}\n",
    )
    if generated.trim is not None:
        _report(generated.trim, installed)
    return [*installed, info]


def _report(trim: Trim, installed: Iterable[Path]) -> None:
    """The sizes of a trimmed build."""
    print(f"{trim.note}; with what they need: {', '.join(op.name for op in trim.opset.ops)}")
    for file in installed:
        print(f"{file.stat().st_size / 1000:8.0f} kB  {file.name}")


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
