"""Products by way of float, of half types, and in one thread: small ones."""

import os
import subprocess
import sys

import pytest
import torch

import phi_torch


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("size", [1, 16, 63, 200])  # the last one is large for bfloat16
def test_half_types_are_rounded_once(dtype, size):
    x, y = (torch.randn(2, size, size + 1).to(dtype) for _ in range(2))
    for left, right, trans_x, trans_y in ((x, y, False, True), (x, y[0], True, False), (x[1], y[1:], False, True)):
        a, b = left.mT if trans_x else left, right.mT if trans_y else right
        expected = a.double() @ b.double()
        actual = phi_torch.matmul(left, right, trans_x, trans_y)
        step = torch.finfo(dtype).eps
        torch.testing.assert_close(actual.double(), expected, rtol=step, atol=1e-4)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_no_elements(dtype):
    x, y = torch.ones(3, 0, dtype=dtype), torch.ones(0, 2, dtype=dtype)
    assert torch.equal(phi_torch.matmul(x, y), torch.zeros(3, 2, dtype=dtype))
    assert phi_torch.matmul(y, x[:, :0].new_ones(2, 3)).shape == (0, 3)


# threads begin with the first work that is divided, and stay
THREADS = """
import os, torch, phi_torch

def added(size):
    x, before = torch.empty(size, size), len(os.listdir("/proc/self/task"))
    phi_torch.matmul(x, x)
    return len(os.listdir("/proc/self/task")) - before

torch.set_num_threads(2)
print(added(40), added(600))  # nothing but the product is divided
"""


@pytest.mark.skipif(not torch.backends.mkl.is_available(), reason="other libraries choose by themselves")
@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="no /proc")
def test_small_products_start_no_threads():
    said = subprocess.run([sys.executable, "-c", THREADS], check=True, capture_output=True, text=True).stdout
    small, large = map(int, said.split())
    assert (small, large > 0) == (0, True)
