"""Errors that a kernel for GPUs finds: it says what is wrong and stops, and with it the CUDA context of the process."""

import subprocess
import sys
from pathlib import Path

import pytest

from phi_torch import registry
from phi_torch.testing.values import is_found_by_kernel

from . import cases

PROGRAM = """
import torch
from ops import cases
from phi_torch.testing.values import is_found_by_kernel
case = cases.case({op!r}, "cuda")
error = next(error for error in case.errors if is_found_by_kernel(case, error))
case.call(error.sample.make(case.float_dtype, "cuda"))
torch.cuda.synchronize()
"""
OPS = [
    *("cross_entropy_with_softmax", "embedding", "fused_rotary_position_embedding", "gather", "gather_nd", "index_add"),
    *("index_put", "index_sample", "index_select", "nll_loss", "one_hot", "put_along_axis", "scatter", "scatter_nd_add"),
    *("send_u_recv", "send_ue_recv", "take_along_axis"),
]


def test_these_are_all():
    """A composite's are torch's."""
    found = [op for op in cases.names() if any(is_found_by_kernel(cases.case(op), error) for error in cases.case(op).errors)]
    assert [op for op in found if any(kernel.backend == "CPU" for kernel in registry.kernels(op))] == OPS


@pytest.mark.gpu
@pytest.mark.parametrize("op", OPS)
def test_kernel_stops(op: str):
    tests = Path(__file__).resolve().parents[1]
    answer = subprocess.run([sys.executable, "-c", PROGRAM.format(op=op)], cwd=tests, capture_output=True, text=True, timeout=300)
    assert answer.returncode != 0
    assert "CUDA" in answer.stderr
    assert ": expected " in answer.stdout
