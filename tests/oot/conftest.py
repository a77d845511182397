"""C++ sources as a loaded extension, compiled once for all tests of a run."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import phi_torch
from phi_torch.extension import RegistrationError


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The cache of `phi_torch.load`; the workers of a run share it."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "extensions"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PHI_TORCH_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="session")
def build_sources(cache: Path) -> Callable[..., list[str]]:
    """build_sources(name, sources) compiles and loads an extension; returns the errors of its registrations."""
    failed: dict[str, list[str]] = {}

    def build(name: str, sources: list[Path], **options: Any) -> list[str]:
        if name not in failed:
            try:
                phi_torch.load(name, sources=sources, cxx_flags=["-O0"], **options)
            except RegistrationError as error:
                failed[name] = error.errors
        return failed.get(name, [])

    return build
