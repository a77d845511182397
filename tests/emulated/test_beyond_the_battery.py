"""What kernels for GPUs do beyond the battery: memory of 2 GB, what only programs call, windows without elements."""

from __future__ import annotations

import mmap

import pytest
import torch

import phi_torch
from phi_torch.legacy import run_op

from .device import ORDERS, emulated

pytestmark = pytest.mark.emulated
FAR = 2**31
# shape and strides: the first dimension is cut, or all but the last, or one that the output spans least, or the first of as many
# as there can be, of which none continues another and the last is of groups that are loaded at once
PLACES = [
    ((17,), (FAR // 16,)),
    ((16,), (FAR // 15,)),
    ((3,), (FAR // 2,)),
    ((2, 5), (FAR, 1)),
    ((5, 2), (1, FAR)),
    ((2, 3, 16), (1, FAR // 2, 3)),
    ((2,) * 8 + (16,), (FAR, *(16 * 3**i for i in range(7, 0, -1)), 1)),
]


def elements_far_apart() -> None:
    """An elementwise kernel gets those in parts whose distance 32 bits do not hold."""
    memory = torch.frombuffer(mmap.mmap(-1, FAR + 2**16), dtype=torch.int8)  # pages that nobody touches do not exist
    for shape, strides in PLACES:
        values = torch.arange(torch.Size(shape).numel(), dtype=torch.int8).view(shape)
        x = memory.as_strided(shape, strides)
        x.copy_(values)
        assert phi_torch.add(x, values).equal(values * 2), (shape, strides)


def sums_over_an_operand() -> None:
    """No element is read after another thread has written it."""
    x = torch.arange(1200.0)  # 300 groups: the last block of a thread's items ends within
    y = torch.ones(1200)
    assert phi_torch.add_(x, y).equal(torch.arange(1.0, 1201))


def transposed_copies() -> None:
    """A program's, of runs and of tiles; in torch it is a view."""
    for dtype in (torch.uint8, torch.float16, torch.float32, torch.float64, torch.complex128):
        for shape in ((3, 5, 8), (3, 5, 7), (9, 40, 48)):
            x = torch.arange(torch.Size(shape).numel()).reshape(shape).to(dtype)
            for perm in ((1, 0, 2), (0, 2, 1), (2, 1, 0)):
                with phi_torch.flags(use_stride_kernel=False):
                    out = run_op("transpose2", {"X": x}, {"axis": list(perm)})["Out"]
                assert out.equal(x.permute(perm)), (dtype, shape, perm)


def windows_without_elements() -> None:
    """Their maxima are nowhere."""
    x = torch.rand(1, 1, 4, 4, requires_grad=True)
    out = phi_torch.pool2d(x, [1, 1], [2, 2], [0, 0], ceil_mode=True)
    assert out.shape == (1, 1, 3, 3)
    assert out[..., :2, :2].equal(x[..., ::2, ::2])
    assert out[..., 2, :].eq(-torch.inf).all()
    (grad,) = torch.autograd.grad(out, x, torch.ones_like(out))
    assert grad.flatten().nonzero().flatten().tolist() == [0, 2, 8, 10]

    # nor where the elements beside the window are what its maximum is said to be
    volume = torch.full((1, 1, 2, 2, 2), -torch.inf, requires_grad=True)
    out = phi_torch.pool3d(volume, [1, 1, 1], [1, 1, 1], [1, 0, 0], pooling_type="max")
    assert out.shape == (1, 1, 4, 2, 2)
    (grad,) = torch.autograd.grad(out, volume, torch.ones_like(out))
    assert grad.eq(1).all()


def gradients_of_wrong_rows() -> None:
    """The gradient of a lookup finds an id that is no row, as the lookup does."""
    weight, grad = torch.ones(3, 2), torch.ones(2, 2)
    for rows in ([0, 3], [-1, 0]):
        with pytest.raises(IndexError, match=r"'x': expected indices in \[0, 3\)"):
            torch.ops.phi.embedding_grad(torch.tensor(rows), weight, grad)
    for rows in ([0, 3], [-4, 0]):
        with pytest.raises(IndexError, match=r"'index': expected indices in \[-3, 3\)"):
            torch.ops.phi.gather_grad(weight, torch.tensor(rows), grad)


def gradients_of_images_with_channels_last() -> None:
    """A convolution of a library whose gradient is a view of these images."""
    x = torch.rand(1, 4, 7, 6, dtype=torch.float64)
    filter = torch.rand(6, 4, 3, 3, dtype=torch.float64, requires_grad=True)
    grads = []
    for images in (x, x.to(memory_format=torch.channels_last)):
        leaf = images.detach().requires_grad_()
        out = phi_torch.fused_conv2d_add_act(leaf, filter, None, None, activation="tanh")[0]
        grads.append(torch.autograd.grad(out, [leaf, filter], torch.ones_like(out)))
    torch.testing.assert_close(*grads)


CALLS = [
    elements_far_apart,
    sums_over_an_operand,
    transposed_copies,
    windows_without_elements,
    gradients_of_wrong_rows,
    gradients_of_images_with_channels_last,
]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("call", CALLS)
def test_call(call, order):
    with emulated(order):
        call()
