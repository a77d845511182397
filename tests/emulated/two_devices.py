"""A process in which torch has two emulated GPUs, `emulated:0` and `emulated:1`, whose memory the host cannot touch.

A process that has them once keeps them, and one that touches their memory in the wrong place ends: it is another one.
"""

from __future__ import annotations

import ctypes
import faulthandler
import functools
import multiprocessing
import types
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import pytest
import torch
from torch.utils.backend_registration import rename_privateuse1_backend

from .device import ORDERS, library


def run(function: Callable[..., Any], *args: Any) -> Any:
    """What a function of a module returns, or raises, in that process. A test that it skips is skipped here.

    Raises:
        BrokenProcessPool: it ended the process. The next call gets another one.
    """
    try:
        result, skipped = _process().submit(_result, function, *args).result()
    except BrokenProcessPool:
        _process.cache_clear()
        raise
    if skipped:
        pytest.skip(skipped)
    return result


def _result(function: Callable[..., Any], *args: Any) -> tuple[Any, str]:
    """What a function returns, or why it skips: pytest's exception does not travel between processes."""
    try:
        return function(*args), ""
    except pytest.skip.Exception as skip:
        return None, str(skip)


@functools.cache
def _process() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), add_devices, (torch.get_num_threads(),))


def add_devices(threads: int = 1) -> None:
    """Gives this process the devices; the first is current."""
    from phi_torch import _build_info

    faulthandler.enable()
    torch.set_num_threads(threads)
    library().phi_emulate_devices(ORDERS.index("ascending"), ctypes.c_uint64(0), 132)
    rename_privateuse1_backend("emulated")
    module: Any = types.ModuleType("torch.emulated")
    module._lazy_init = lambda: None
    module.is_initialized = lambda: True
    module.current_device = current
    torch._register_device_module("emulated", module)
    _build_info.backends["privateuseone"] = _build_info.backends["cuda"]


def current() -> int:
    """The index of the current device."""
    return int(library().phi_current_device())


def make_current(index: int) -> None:
    library().phi_set_device(index)
