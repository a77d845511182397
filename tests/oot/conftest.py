"""C++ sources as a loaded extension."""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import torch

from phi_torch import _C, _build, _load, _paths

HERE = Path(__file__).parent
BuildSources = Callable[[str, Sequence[Path]], list[str]]


@pytest.fixture(scope="session")
def build_sources(tmp_path_factory: pytest.TempPathFactory) -> BuildSources:
    """build_sources(name, sources) compiles and loads an extension; returns the errors of its registrations."""

    def build(name: str, sources: Sequence[Path]) -> list[str]:
        flags = ["-O0", f"-DPHI_EXTENSION_NAME={name}", *_build.cxx_flags()]
        lib = _paths.lib_dir()
        kernels = _load.choose_cpu_library(sorted(lib.glob("libphi_cpu_*.so")), torch.backends.cpu.get_cpu_capability())
        links = [*_build.link_flags(develop=True), str(lib / "libphi_torch.so"), str(kernels), f"-Wl,-rpath,{lib}"]
        base = tmp_path_factory.getbasetemp()
        folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "oot"  # the workers of a run share it
        folder.mkdir(exist_ok=True)
        content = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]
        library = folder / f"{name}-{content}.so"
        with (folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not library.exists():
                command = ["c++", *flags, *map(str, sources), *links, "-o", str(library)]
                subprocess.run(command, check=True)
        torch.ops.load_library(library)
        return _C.take_registration_errors()

    return build
