"""Convolutions of small images and volumes, also transposed ones, and their gradients, beside those of torch in float64."""

import random
from dataclasses import dataclass
from typing import Any

import pytest
import torch

import phi_torch

SEEDS = range(60)


@dataclass
class Case:
    """Attributes that fit each other: those of a transposed convolution of `x` to an image like `out`."""

    groups: int
    strides: list[int]
    paddings: list[int]
    dilations: list[int]
    output_padding: list[int]
    x: torch.Tensor
    out: torch.Tensor
    filter: torch.Tensor


def case(axes: int, seed: int, steps: int = 4) -> Case:
    draw = random.Random(seed)
    while True:
        groups, strides = draw.choice([1, 1, 2, 3]), [draw.randint(1, steps) for _ in range(axes)]
        dilations, kernel = ([draw.randint(1, most) for _ in range(axes)] for most in (2, 4))
        paddings, sizes = [draw.randint(0, 3) for _ in range(2 * axes)], [draw.randint(1, 7) for _ in range(axes)]
        output_padding = [draw.randrange(stride) for stride in strides]
        windows = [d * (k - 1) + 1 for d, k in zip(dilations, kernel)]
        cut = [sum(paddings[2 * i : 2 * i + 2]) for i in range(axes)]
        outs = [(n - 1) * s + w - c + o for n, s, w, c, o in zip(sizes, strides, windows, cut, output_padding)]
        if min(outs) > 0:
            break
    generator = torch.Generator().manual_seed(seed)
    batch, channels, filters = draw.randint(1, 3), groups * draw.randint(1, 6), draw.randint(1, 6)
    shapes = [batch, channels, *sizes], [batch, groups * filters, *outs], [channels, filters, *kernel]
    tensors = [torch.randn(shape, generator=generator, dtype=torch.float64) for shape in shapes]
    return Case(groups, strides, paddings, dilations, output_padding, *tensors)


def transposed(case: Case, x: torch.Tensor, filter: torch.Tensor) -> torch.Tensor:
    axes = len(case.strides)
    call = torch.conv_transpose2d if axes == 2 else torch.conv_transpose3d
    whole = call(x, filter, None, case.strides, 0, 0, case.groups, case.dilations)
    whole = torch.nn.functional.pad(whole, [0, max(case.strides)] * axes)
    for i, size in enumerate(case.out.shape[2:]):
        whole = whole.narrow(2 + i, case.paddings[2 * i], size)
    return whole


TOLERANCES = {torch.float32: (1e-4, 1e-5), torch.float16: (1e-2, 1e-3), torch.bfloat16: (1e-1, 8e-3)}


def close(ours: torch.Tensor, expected: torch.Tensor) -> None:
    atol, rtol = TOLERANCES[ours.dtype]
    torch.testing.assert_close(ours.double(), expected, atol=atol, rtol=rtol)


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("axes", [2, 3])
def test_transposed(axes, dtype):
    op = phi_torch.conv2d_transpose if axes == 2 else phi_torch.conv3d_transpose
    for seed in SEEDS:
        c = case(axes, seed)
        attributes: tuple[Any, ...] = (c.strides, c.paddings, c.output_padding, [], "EXPLICIT", c.groups, c.dilations)
        x, filter = c.x.to(dtype), c.filter.to(dtype)
        close(op(x, filter, *attributes), transposed(c, x.double(), filter.double()))


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("axes", [2, 3])
def test_forward(axes, dtype):
    for seed in SEEDS:
        c = case(axes, seed)
        image, filter = c.out.to(dtype), c.filter.to(dtype)
        sides = [side for i in reversed(range(axes)) for side in c.paddings[2 * i : 2 * i + 2]]
        convolution = torch.conv2d if axes == 2 else torch.conv3d
        padded = torch.nn.functional.pad(image.double(), sides)
        expected = convolution(padded, filter.double(), None, c.strides, 0, c.dilations, c.groups)
        rest = (c.groups, c.dilations) if axes == 3 else (c.dilations, c.groups)
        op = phi_torch.conv2d if axes == 2 else phi_torch.conv3d
        close(op(image, filter, c.strides, c.paddings, "EXPLICIT", *rest), expected)


@pytest.mark.parametrize("dtype", TOLERANCES)
def test_fused(dtype):
    """With a bias, a residual and an activation, which are in the type of the images."""
    tensors = torch.randn(2, 3, 9, 8), torch.randn(6, 3, 3, 3), torch.randn(6), torch.randn(2, 6, 7, 6)
    image, filter, bias, residual = (tensor.to(dtype) for tensor in tensors)
    convolved = torch.conv2d(image.double(), filter.double(), bias.double()) + residual.double()
    close(phi_torch.fused_conv2d_add_act(image, filter, bias, residual, activation="relu")[0], convolved.relu())


@pytest.mark.parametrize("axes", [2, 3])
def test_gradients(axes):
    op = phi_torch.conv2d_transpose if axes == 2 else phi_torch.conv3d_transpose
    for seed in SEEDS:
        c = case(axes, seed)
        x, filter = c.x.float().requires_grad_(), c.filter.float().requires_grad_()
        attributes: tuple[Any, ...] = (c.strides, c.paddings, c.output_padding, [], "EXPLICIT", c.groups, c.dilations)
        ours = torch.autograd.grad(op(x, filter, *attributes), [x, filter], c.out.float())
        leaves = c.x.requires_grad_(), c.filter.requires_grad_()
        for grad, expected in zip(ours, torch.autograd.grad(transposed(c, *leaves), leaves, c.out)):
            close(grad, expected)


@pytest.mark.parametrize("axes", [2, 3])
def test_gradient_of_the_input(axes):
    """That of a convolution is the transposed one, of an image that the windows may not reach the end of."""
    for seed in SEEDS:
        c = case(axes, seed)
        image, filter = c.out.float().requires_grad_(), c.filter.float()
        rest = (c.groups, c.dilations) if axes == 3 else (c.dilations, c.groups)
        op = phi_torch.conv2d if axes == 2 else phi_torch.conv3d
        out = op(image, filter, c.strides, c.paddings, "EXPLICIT", *rest)
        (grad,) = torch.autograd.grad(out, image, c.x.float()[tuple(slice(n) for n in out.shape)])
        close(grad, transposed(c, c.x, c.filter))


def test_more_parts_than_are_kept():
    """A stride with more places than a transposed convolution is divided into, and one without."""
    for strides in ([9, 9], [8, 8], [1, 17]):
        x, filter = torch.randn(1, 2, 3, 3), torch.randn(2, 2, 3, 3)
        expected = torch.conv_transpose2d(x.double(), filter.double(), None, strides)
        close(phi_torch.conv2d_transpose(x, filter, strides), expected)


def test_wide_rows():
    """Rows at and beyond the length of those that are computed at once."""
    for width in (255, 256, 511, 512, 1020, 1030):
        for strides in ([1, 1], [2, 2], [3, 3]):
            x, filter = torch.randn(1, 2, 3, width), torch.randn(2, 5, 2, 3)
            expected = torch.conv_transpose2d(x.double(), filter.double(), None, strides)
            close(phi_torch.conv2d_transpose(x, filter, strides), expected)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("groups", [1, 2])
def test_pixels(dtype, groups):
    """Images of one pixel are multiplied with the whole filter, unless something is cut off or added."""
    x, filter = (torch.randn(shape) for shape in ([3, 4, 1, 1], [4, 5, 4, 2]))
    tolerance: Any = {} if dtype == torch.float32 else {"atol": 0.05, "rtol": 0.05}
    changes: list[Any] = [{}, {"paddings": [1, 0]}, {"strides": [2, 2], "output_padding": [1, 0]}, {"dilations": [1, 2]}]
    for more in changes:
        ours = phi_torch.conv2d_transpose(x.to(dtype), filter.to(dtype), groups=groups, **more)
        torchs: Any = {{"paddings": "padding", "strides": "stride", "dilations": "dilation"}.get(k, k): v for k, v in more.items()}
        expected = torch.nn.functional.conv_transpose2d(x, filter, groups=groups, **torchs)
        torch.testing.assert_close(ours.float(), expected, **tolerance)


@pytest.mark.parametrize("axes", [2, 3])
def test_threads(set_threads, axes):
    """The results do not depend on the number of threads."""
    op = phi_torch.conv2d_transpose if axes == 2 else phi_torch.conv3d_transpose
    x, filter = torch.randn(2, 16, *[9] * axes), torch.randn(16, 16, *[4] * axes)
    results = []
    for n in (1, 2, 3):
        set_threads(n)
        results.append(op(x, filter, [2] * axes, [1] * axes))
    assert results[0].equal(results[1])
    assert results[0].equal(results[2])
