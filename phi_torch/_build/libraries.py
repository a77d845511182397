"""Shared libraries: those of the package are planned, and any are compiled with one ninja run and put in place."""

from __future__ import annotations

import os
import shutil
import sysconfig
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from codegen.model.backends import backends

from . import precompiled
from .flags import CPU_FLAGS, Torch, link_flags, nvcc_flags, optimise, strict, this_torch
from .generating import Generated
from .grouping import group_sources, together
from .includes import needs_nvcc
from .ninja import DEPENDENCIES, new_writer, portable, quote, run_ninja, write_if_changed
from .sources import CSRC, ROOT, object_name
from .toolchain import cuda_toolkit, cxx, find_nvcc, with_cuda
from .trimming import Trim


@dataclass(frozen=True)
class Library:
    """One shared library: `flags` for its C++ files, `links` after its objects, `needs` are libraries of ours.

    One that does not need `torch` serves every version of it, and a program without it."""

    name: str
    file: str  # below the package folder
    sources: tuple[Path, ...]
    flags: tuple[str, ...]
    links: tuple[str, ...] = ("-Wl,-z,defs",)
    needs: tuple[str, ...] = ()
    torch: bool = True
    lazy: tuple[Path, ...] = ()  # sources of an archive, from which this library and those that need it take what they refer to
    special: Mapping[Path, tuple[str, ...]] = field(default_factory=dict)  # further flags of single sources


def plan(generated: Generated, cpu: Sequence[str]) -> list[Library]:
    """The libraries to build, dependencies first; one without a source is left out."""
    found = group_sources(generated.files)
    single = set(found) if generated.trim else _compiled_one_by_one()
    sources = {name: tuple(files if name in single else together(files)) for name, files in found.items()}
    core, bridge = "phi_core", "phi_torch"
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    flags = (*optimise("-O2"), *strict())
    libraries = [
        Library(core, "lib/libphi_core.so", sources[core], flags, torch=False),
        Library(bridge, "lib/libphi_torch.so", sources[bridge], flags, needs=(core,)),
        Library("_C", f"_C{suffix}", sources["_C"], flags, ("-ltorch_python", "-Wl,-Bsymbolic-functions"), (core, bridge)),
    ]
    for backend in backends():
        name, files = backend.library, sources.get(backend.library, ())
        for capability in cpu if backend.compiler == "cxx" else ():
            flags = (*optimise("-O3"), *strict(), *CPU_FLAGS[capability])
            libraries.append(
                Library(f"{name}_{capability}", f"lib/lib{name}_{capability}.so", files, flags, needs=(core,), torch=False)
            )
        if backend.compiler == "nvcc" and with_cuda():
            links = ("-Wl,-z,defs", f"-L{cuda_toolkit() / 'lib64'}", "-lcudart")
            libraries.append(Library(name, f"lib/lib{name}.so", files, (*optimise("-O3"), *strict()), links, (core, bridge)))
    if generated.trim is not None:
        libraries = [_trimmed(library, generated.trim) for library in libraries]
    kept = {library.name for library in libraries if library.sources}
    return [library for library in libraries if library.name in kept and kept.issuperset(library.needs)]


def _compiled_one_by_one() -> set[str]:
    return {backend.library for backend in backends() if backend.compiler == "nvcc"}


def _trimmed(library: Library, trim: Trim) -> Library:
    """The library in a trimmed build, stripped. What is linked as a whole is compiled in groups, but for what has own flags."""
    linked, lazy = trim.divide(library.sources)
    special = {source: flags for source in (*linked, *lazy) if (flags := trim.flags_of(source))}
    plain = [source for source in linked if source not in special]
    grouped = plain if library.name in _compiled_one_by_one() else together(plain)
    sources = (*grouped, *(source for source in linked if source in special))
    return replace(library, sources=sources, lazy=lazy, links=(*library.links, "-Wl,-s"), special=special)


def compile_libraries(
    libraries: Sequence[Library],
    work: Path,
    package: Path,
    *,
    develop: bool,
    root: Path = ROOT,
    show: Callable[[str], str] | None = None,
    torch: Torch | None = None,
) -> list[Path]:
    """Compiles the libraries below `work` and puts them into the folder `package`, in place of what is there; returns the files.

    They are for the torch that the build runs with, or for the one given. What is below `root`, if all is, may be moved or
    copied together. `show` may change the lines that are printed.
    """
    output = work / ("develop" if develop else "wheel")
    ninja_file = work / f"{output.name}.ninja"  # both in one folder, so that they share ninja's log and the objects
    ldflags = link_flags(develop, package, root)
    write_if_changed(ninja_file, portable(ninja_text(libraries, work, output, ldflags, torch or this_torch()), work, root))
    run_ninja(ninja_file, show=show)
    (package / "lib").mkdir(parents=True, exist_ok=True)
    for stale in {*package.glob("lib/*.so")} - {package / library.file for library in libraries}:
        stale.unlink()
    return [install(output / library.file, package / library.file) for library in libraries]


def ninja_text(libraries: Sequence[Library], work: Path, output: Path, ldflags: Sequence[str], torch: Torch) -> str:
    """The ninja file that compiles `libraries` in the folder `work`: results below `output`."""
    ninja = new_writer()
    ninja.variable("ninja_required_version", "1.5")
    ninja.variable("cxxflags", quote(torch.cxx))
    ninja.variable("ldflags", quote(ldflags))
    if any(source.suffix == ".cu" for library in libraries for source in (*library.sources, *library.lazy)):
        ninja.variable("nvccflags", quote(nvcc_flags()))
    _write_rules(ninja, shutil.which("ccache"))
    objects = work / "objects"
    archives = {library.name: objects / library.name / "lazy.a" for library in libraries if library.lazy}
    for library in libraries:
        write_compilation(ninja, library, work)
        inputs, lazy = (
            [objects / library.name / object_name(source, work) for source in files] for files in (library.sources, library.lazy)
        )
        if lazy:
            ninja.build(str(archives[library.name]), "archive", _texts(lazy), variables={"library": library.name})
            inputs.append(archives[library.name])
        needed = [output / other.file for other in libraries if other.name in library.needs]
        needed += [archives[name] for name in library.needs if name in archives]
        variables = {
            "flags": quote([*(torch.libraries if library.torch else ()), "-Wl,--no-as-needed", *_texts(needed), *library.links]),
            "library": library.name,
            "soname": Path(library.file).name,
        }
        ninja.build(str(output / library.file), "link", _texts(inputs), implicit=_texts(needed), variables=variables)
    return str(ninja.output.getvalue())


def _write_rules(ninja: Any, launcher: str | None) -> None:
    """How to compile and to link; the launcher is a compiler cache."""
    flags, said, cached = "$cxxflags $flags -x c++-header $copy", "$library: $file", f"{launcher} " if launcher else ""
    # g++ knows a header of `#pragma once` by its time, so one that ccache compiled elsewhere would be included again; ccache
    # gets a checksum of the text, since two compilations of a header differ
    checksum = f" && {cxx()} -E -P {flags} | cksum > $out.sum" if launcher else ""
    ninja.rule("pch", f"{cxx()} -MD -MF $out.d {flags} -c -o $out{checksum}", said, **DEPENDENCIES)
    compile_source = f"{cached}{cxx()} -MD -MF $out.d $cxxflags $flags -c $in -o $out"
    ninja.rule("cxx", f"CCACHE_PCH_EXTSUM=1 {compile_source}", said, **DEPENDENCIES)
    ninja.rule("nvcc", f"{cached}{find_nvcc()} -MD -MF $out.d $nvccflags $flags -c $in -o $out", said, **DEPENDENCIES)
    ninja.rule("archive", "rm -f $out && ar rcs $out $in", "archive $library")
    ninja.rule("link", f"{cxx()} $in $ldflags $flags -Wl,-soname,$soname -o $out", "link $library")


def write_compilation(ninja: Any, library: Library, work: Path) -> None:
    """The objects of a library, and its precompiled headers first."""
    folder = work / "objects" / library.name
    sources = (*library.sources, *library.lazy)
    headers = precompiled.headers(sources)
    for header in dict.fromkeys(headers.values()):
        copy, name = folder / header.relative_to(CSRC), str(header.relative_to(CSRC))
        write_if_changed(copy, f"#include <{name}>\n")  # g++ looks for the compiled header beside the one that is included
        variables = {"copy": str(copy), "flags": quote(library.flags), "library": library.name, "file": name}
        ninja.build(f"{copy}.gch", "pch", str(header), variables=variables)
    for source in sources:
        stub = folder / headers[source].relative_to(CSRC) if source in headers else None
        device = needs_nvcc(source)  # which has its own optimisation and warnings
        common = [flag for flag in library.flags if not (device and flag.startswith(("-O", "-W")))]
        common += ["-x", "c++"] if source.suffix == ".cu" and not device else []
        first = ["-Winvalid-pch", "-include", str(stub)] if stub else []
        file = object_name(source, work)
        variables = {
            "flags": quote([*common, *first, *library.special.get(source, ())]),
            "library": library.name,
            "file": file.removesuffix(".o"),
        }
        needed = f"{stub}.gch" if stub else None
        ninja.build(str(folder / file), "nvcc" if device else "cxx", str(source), implicit=needed, variables=variables)


def _texts(paths: Iterable[Path]) -> list[str]:
    return [str(path) for path in paths]


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
