"""Operators of older networks that PaddlePaddle 2.6.2 declares but has no kernel for."""

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
