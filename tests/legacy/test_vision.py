"""Operators of older networks that PaddlePaddle 2.6.2 has no kernel for, or none for CPUs."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

from phi_torch import legacy

MODES = {"constant": "constant", "reflect": "reflect", "edge": "replicate"}


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("by_tensor", [False, True])
def test_pad2d(mode: str, layout: str, by_tensor: bool):
    x, paddings = torch.rand(2, 3, 4, 5, dtype=torch.float64, requires_grad=True), [1, 2, 3, 0]
    value = {"value": 0.5} if mode == "constant" else {}
    expected = F.pad(x, (3, 0, 1, 2), mode=MODES[mode], **value)
    inputs = {"X": x.permute(0, 2, 3, 1) if layout == "NHWC" else x}
    tensor = {"Paddings": torch.tensor(paddings, dtype=torch.int32)} if by_tensor else {}
    attrs = {"paddings": [] if by_tensor else paddings, "mode": mode, "pad_value": 0.5, "data_format": layout}
    found = legacy.run_op("pad2d", {**inputs, **tensor}, attrs)["Out"]
    assert torch.equal(found.permute(0, 3, 1, 2) if layout == "NHWC" else found, expected)
    grad = torch.rand_like(found)
    given = {"X": inputs["X"].detach(), **tensor, "Out@GRAD": grad}
    (x_grad,) = torch.autograd.grad(found, inputs["X"], grad)
    torch.testing.assert_close(legacy.run_op("pad2d_grad", given, attrs)["X@GRAD"], x_grad)


def test_a_reflection_stays_in_the_image():
    with pytest.raises(ValueError, match="attribute paddings: expected less than the 2 that are reflected"):
        legacy.run_op("pad2d", {"X": torch.rand(1, 1, 2, 2)}, {"paddings": [2, 0, 0, 0], "mode": "reflect"})


@pytest.mark.parametrize(("pad", "kernel", "most", "stride1", "stride2"), [(2, 1, 2, 1, 1), (3, 1, 2, 2, 2), (3, 3, 2, 1, 2)])
def test_correlation(pad: int, kernel: int, most: int, stride1: int, stride2: int):
    x, y = (torch.rand(2, 3, 5, 6, dtype=torch.float64) for _ in range(2))
    attrs = {"pad_size": pad, "kernel_size": kernel, "max_displacement": most, "stride1": stride1, "stride2": stride2}
    found = legacy.run_op("correlation", {"Input1": x, "Input2": y}, attrs)["Output"]
    radius, steps = (kernel - 1) // 2, range(-(most // stride2) * stride2, most + 1, stride2)
    padded = [F.pad(one, [pad + kernel] * 4) for one in (x, y)]
    border = radius + most
    height, width = (-(-(size + 2 * pad - 2 * border) // stride1) for size in (5, 6))
    assert found.shape == (2, len(steps) ** 2, height, width)

    def window(image: torch.Tensor, top: int, left: int) -> torch.Tensor:
        top, left = top + kernel, left + kernel
        return image[:, :, top - radius : top + radius + 1, left - radius : left + radius + 1]

    for i in range(height):
        for j in range(width):
            row, column = i * stride1 + most, j * stride1 + most
            pairs = [
                (window(padded[0], row, column) * window(padded[1], row + dy, column + dx)).flatten(1).sum(1)
                for dy in steps
                for dx in steps
            ]
            torch.testing.assert_close(found[:, :, i, j], torch.stack(pairs, 1) / (3 * kernel**2))
    grad = torch.rand_like(found)
    grads = legacy.run_op("correlation_grad", {"Input1": x, "Input2": y, "Output@GRAD": grad}, attrs)
    leaves = x.requires_grad_(), y.requires_grad_()
    expected = torch.autograd.grad(legacy.run_op("correlation", {"Input1": x, "Input2": y}, attrs)["Output"], leaves, grad)
    torch.testing.assert_close([grads["Input1@GRAD"], grads["Input2@GRAD"]], [*expected])


@pytest.mark.parametrize("type", ["nearest_interp", "bilinear_interp", "nearest_interp_v2", "bilinear_interp_v2"])
@pytest.mark.parametrize(("scale", "size"), [(0.9, 9), (0.7, 7), (1.4, 14), (1.3, 13), (0.35, 3), (2.0, 20)])
def test_a_scale_of_float32_is_the_number_that_was_written(type: str, scale: float, size: int):
    """10 * 0.9 is 9, while 10 times the double of the float32 that a program holds is below."""
    held = torch.tensor(scale).item()
    attrs = {"scale": [held, held] if type.endswith("_v2") else held, "interp_method": type.partition("_")[0]}
    for trains in (False, True):  # by a kernel of C++, and by torch's operators
        x = torch.randn(1, 2, 10, 10, requires_grad=trains)
        out = legacy.run_op(type, {"X": x}, attrs | {"align_corners": False})["Out"]
        assert out.shape == (1, 2, size, size)
        if trains:
            assert torch.autograd.grad(out.sum(), x)[0].shape == x.shape


def test_a_product_of_float32_is_rounded_to_a_whole_number():
    """In float64 100 * 0.29 is below 29."""
    held = torch.tensor(0.29).item()
    attrs = {"scale": [held, 1.0], "align_corners": False, "interp_method": "nearest"}
    out = legacy.run_op("nearest_interp_v2", {"X": torch.randn(1, 1, 100, 1)}, attrs)["Out"]
    assert out.shape == (1, 1, 29, 1)


def test_scales_of_dimensions_that_an_image_has_not():
    """PaddlePaddle does not read them."""
    x, attrs = torch.randn(1, 1, 4), {"align_corners": False, "interp_method": "linear"}
    found = [legacy.run_op("linear_interp_v2", {"X": x}, {"scale": scale, **attrs})["Out"] for scale in ([2.0], [2.0, 3.0])]
    assert found[0].shape == (1, 1, 8) and torch.equal(*found)
