"""The emulated GPU as something that is switched on: CPU tensors are then its own."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
from collections.abc import Iterator
from pathlib import Path

import torch

ORDERS = ("ascending", "descending", "random")
SANITIZERS = [name for name in os.environ.get("PHI_SANITIZE", "").split(",") if name]  # of the build that is tested
LIBRARY = Path(__file__).resolve().parents[2] / "build" / "-".join(["emulated", *SANITIZERS]) / "libphi_gpu_emulated.so"


def is_current() -> bool:
    """Whether the library was built of what its sources say now."""
    from phi_torch._build import ninja

    return ninja.is_current(LIBRARY.with_name("build.ninja"))


@functools.cache
def library() -> ctypes.CDLL:
    """The library, whose kernels are registered for GPUs when it is loaded."""
    assert LIBRARY.exists(), f"{LIBRARY} is missing: run `make gpu-emulated`"
    torch.ops.load_library(LIBRARY)
    return ctypes.CDLL(str(LIBRARY))


@contextlib.contextmanager
def emulated(order: str = "ascending", processors: int = 132, seed: int = 0) -> Iterator[None]:
    """Kernels for GPUs run on CPU tensors.

    Args:
        order: of the blocks, and of the threads of a block until they wait: one of ORDERS.
        processors: how many the device says it has, on which the number of blocks depends.
        seed: of a random order.
    """
    library().phi_emulate_gpu(ORDERS.index(order), ctypes.c_uint64(seed), processors)
    try:
        yield
    finally:
        library().phi_emulate_nothing()
