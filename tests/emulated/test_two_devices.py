"""Two emulated GPUs as devices of torch: which one a call runs on, and that nothing else touches their memory."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest
import torch

import phi_torch
from phi_torch import flags

from . import two_devices
from .device import library

pytestmark = pytest.mark.emulated
FIRST, SECOND = "emulated:0", "emulated:1"


def run_kernel(name: str, out: torch.Tensor, threads: int = 64) -> str:
    """Launches a kernel of faults.cu on the current device; returns the error, "" if there is none."""
    function = library().phi_run_fault
    function.restype = ctypes.c_char_p
    return function(name.encode(), 1, 1, 1, threads, ctypes.c_void_p(out.data_ptr())).decode()


def creates_on_current_device():
    for device in (0, 1):
        two_devices.make_current(device)
        made = [
            phi_torch.full([2], 1.0, place="emulated"),
            phi_torch.arange(0, 3, place="emulated"),
            phi_torch.empty([2], place="emulated"),
            phi_torch.uniform([2], place="emulated"),
            phi_torch.gaussian([2], place="emulated"),
            phi_torch.full_like(torch.zeros(2), 1.0, place="emulated"),
        ]
        assert [t.device.index for t in made] == [device] * len(made)
    two_devices.make_current(0)


def runs_on_device_of_tensors():
    x = torch.linspace(-1, 1, 6)
    for device in (FIRST, SECOND):
        out = phi_torch.relu(x.to(device))
        assert str(out.device) == device
        assert out.cpu().equal(x.relu())
        assert two_devices.current() == 0


def refuses_tensors_of_two_devices():
    with pytest.raises(ValueError, match=r"argument 'y': expected a tensor on gpu:0 like the others, got one on gpu:1"):
        phi_torch.add(torch.ones(3, device=FIRST), torch.ones(3, device=SECOND))


def copies_to_kernels_of_the_cpu():
    x = torch.arange(6).reshape(2, 3)
    with flags(cpu_fallback="silent"):
        out = phi_torch.matmul(x.to(SECOND), x.t().to(SECOND))
    assert str(out.device) == SECOND
    assert out.cpu().equal(x @ x.t())
    with flags(cpu_fallback="error"), pytest.raises(NotImplementedError, match="GPU"):
        phi_torch.matmul(x.to(SECOND), x.t().to(SECOND))


def launches_on_current_device():
    out = torch.zeros(64, dtype=torch.int32, device=SECOND)
    two_devices.make_current(1)
    assert run_kernel("Reverse", out) == ""
    two_devices.make_current(0)
    assert out.tolist() == list(range(63, -1, -1))


def makes_gradients_with_dropout():
    """What the forward kernel says of its random numbers is read on the host."""
    q, k, v = (torch.rand(2, 8, 2, 4, dtype=torch.float64, device=SECOND, requires_grad=True) for _ in range(3))
    out = phi_torch.flash_attn(q, k, v, dropout=0.5)[0]
    out.sum().backward()
    # the sum is linear in v: its gradient says which weights were kept
    assert str(v.grad.device) == SECOND
    torch.testing.assert_close((v.grad * v).sum().cpu(), out.sum().detach().cpu())


@pytest.mark.parametrize(
    "function",
    [
        creates_on_current_device,
        runs_on_device_of_tensors,
        refuses_tensors_of_two_devices,
        copies_to_kernels_of_the_cpu,
        launches_on_current_device,
        makes_gradients_with_dropout,
    ],
)
def test_two_devices(function):
    two_devices.run(function)


def custom_op_on_device_of_tensors(folder):
    """The first one may be a number on the CPU."""
    with mock.patch.dict(os.environ, PHI_TORCH_CACHE=folder):
        phi_torch.load("on_gpu", sources=[Path(__file__).with_name("zeros_on_gpu.cc")], cxx_flags=["-O0"])
    for device in (FIRST, SECOND):
        assert str(torch.ops.on_gpu.zeros_on_gpu(torch.ones(1), torch.ones(3, device=device)).device) == device
        assert two_devices.current() == 0


def test_custom_op(tmp_path):
    two_devices.run(custom_op_on_device_of_tensors, str(tmp_path))


START = """
import ctypes, torch, phi_torch
from emulated import two_devices
from emulated.test_two_devices import run_kernel
two_devices.add_devices()
x = torch.zeros(64, dtype=torch.int32, device="emulated:1")
"""


@pytest.mark.parametrize(
    "program, message",
    [
        ("ctypes.string_at(x.data_ptr(), 4)", "read or wrote a block, while nothing runs on its device, of 256 bytes of device 1"),
        ("run_kernel('Reverse', x)", "read or wrote a block, while nothing runs on its device, of 256 bytes of device 1"),
        ("two_devices.make_current(1); run_kernel('Reverse', x[1:])", "read or wrote behind a block of 256 bytes of device 1"),
        (
            "x = x[:63].clone(); two_devices.make_current(1); run_kernel('Reverse', x); del x",
            "bytes around a block of 252 bytes were written",
        ),
    ],
    ids=["host", "other device", "behind", "close behind"],
)
def test_memory_is_out_of_reach(program, message):
    tests = Path(__file__).resolve().parents[1]
    answer = subprocess.run([sys.executable, "-c", START + program], cwd=tests, capture_output=True, text=True, timeout=300)
    assert answer.returncode != 0
    assert f"emulated GPU: {message}\n" in answer.stderr
