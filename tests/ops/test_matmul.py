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


@pytest.mark.parametrize("with_onednn", (True, False))
@pytest.mark.parametrize(
    "x, y, transposed",
    (
        ((300, 400), (400, 300), (False, False)),
        ((400, 300), (310, 400), (True, True)),
        ((5, 200, 201), (5, 201, 202), (False, False)),
        ((2, 1, 130, 512), (3, 513, 512), (False, True)),
        ((130, 5, 100), (100, 600), (False, False)),
    ),
)
def test_large_products(x, y, transposed, with_onednn):
    """Which another library may compute, and their gradients."""
    torch.manual_seed(0)
    given = [torch.randn(shape, dtype=torch.float64) for shape in (x, y)]
    results = []
    with torch.backends.mkldnn.flags(enabled=with_onednn):
        for dtype in (torch.float32, torch.float64):
            leaves = [t.to(dtype).requires_grad_() for t in given]
            out = phi_torch.matmul(leaves[0], leaves[1], *transposed)
            results.append([out, *torch.autograd.grad(out.square().sum(), leaves)])
    for single, double in zip(*results, strict=True):
        torch.testing.assert_close(single.double(), double, rtol=1e-4, atol=1e-5 * double.abs().max().item())


@pytest.mark.parametrize("trans_x, trans_y", ((False, False), (True, False), (False, True), (True, True)))
@pytest.mark.parametrize("rows, depth, columns", ((16, 512, 16), (17, 257, 129), (65, 32, 64), (520, 33, 70), (1030, 300, 16)))
def test_products_in_blocks(set_threads, rows, depth, columns, trans_x, trans_y):
    """Blocks filled with zeros: what is infinite stays in its row or column, whatever the number of threads."""
    x, y = torch.randn(depth, rows) if trans_x else torch.randn(rows, depth), torch.randn(2, depth, columns)
    (x.T if trans_x else x)[rows - 1, depth - 1] = torch.inf
    y[1, 0, columns - 1] = torch.nan
    expected = (x.T if trans_x else x).double() @ y.double()
    given = y.mT.contiguous() if trans_y else y
    for count in (1, 2):
        set_threads(count)
        found = phi_torch.matmul(x, given, trans_x, trans_y)
        torch.testing.assert_close(found.double(), expected, rtol=1e-4, atol=1e-4, equal_nan=True)
    added = phi_torch.addmm(torch.ones(rows, columns), x.T if trans_x else x, y[0], 2.0, 0.5)
    torch.testing.assert_close(added.double(), 0.5 * expected[0] + 2, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("with_onednn", (True, False))
def test_a_large_product_of_a_part(with_onednn):
    """Strides that no library takes as they are."""
    x, y = torch.randn(300, 800)[:, ::2], torch.randn(2, 400, 600)[1, :, 1::2]
    with torch.backends.mkldnn.flags(enabled=with_onednn):
        found = phi_torch.matmul(x, y)
    torch.testing.assert_close(found.double(), x.double() @ y.double(), rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("with_onednn", (True, False))
@pytest.mark.parametrize("padding", (0, 4))
@pytest.mark.parametrize("rows, depth, columns", ((130, 513, 65), (2, 128, 64), (65, 129, 130), (1, 200, 100)))
def test_fc_in_blocks(rows, depth, columns, padding, with_onednn):
    """The last block of rows, of columns, or of both is smaller."""
    x, weight, bias = torch.randn(rows, depth), torch.randn(depth + padding, columns + padding), torch.randn(columns)
    with torch.backends.mkldnn.flags(enabled=with_onednn):
        found = phi_torch.fc(x, weight, bias, 1, "relu", padding > 0)
    expected = (x.double() @ weight[:depth, :columns].double() + bias).relu()
    torch.testing.assert_close(found.double(), expected, rtol=1e-4, atol=1e-4)
