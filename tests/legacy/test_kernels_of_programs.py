"""Kernels that only programs name: those of quantized networks."""

from __future__ import annotations

import pytest
import torch

from phi_torch import legacy

SCALES = {-1: torch.tensor([2.0]), 0: torch.tensor([0.5, 2.0]), 1: torch.tensor([1.0, 2.0, 4.0])}


@pytest.mark.parametrize("axis", SCALES)
@pytest.mark.parametrize("round_type", [0, 1])
def test_quantize_and_dequantize(axis: int, round_type: int):
    x = torch.tensor([[-3.0, 0.01, 0.4], [1.0, 2.5, -0.7]])
    inputs = {"Scale": SCALES[axis], "ZeroPoint": torch.zeros(1)}
    attrs = {"quant_axis": axis, "bit_length": 8, "round_type": round_type, "is_test": True}
    steps = legacy.run_op("quantize_linear", {"X": x, **inputs}, attrs)["Y"]
    scale = SCALES[axis].reshape([-1 if i == axis else 1 for i in range(2)]).double()
    exact = x.double() / scale * 127
    assert torch.equal(steps, steps.round()) and steps.max() <= 127
    assert (steps - exact.clamp(-127 if round_type else -128, 127)).abs().max() <= 0.5 + 1e-6
    back = legacy.run_op("dequantize_linear", {"X": steps, **inputs}, attrs)["Y"]
    torch.testing.assert_close(back, (steps.double() * scale / 127).float())


def test_ties_of_quantization():
    x, inputs = torch.tensor([0.5, 1.5, 2.5, -2.5]), {"Scale": torch.tensor([127.0]), "ZeroPoint": torch.zeros(1)}
    attrs = {"quant_axis": -1, "bit_length": 8, "is_test": True}
    found = [legacy.run_op("quantize_linear", {"X": x, **inputs}, attrs | {"round_type": kind})["Y"].tolist() for kind in (0, 1)]
    assert found == [[0, 2, 2, -2], [1, 2, 3, -3]]


def test_programs_without_qmax_have_the_steps_of_their_bits():
    x, inputs = torch.tensor([0.5, 3.0, -3.0]), {"Scale": torch.ones(1), "ZeroPoint": torch.zeros(1)}
    attrs = {"quant_axis": -1, "bit_length": 4, "is_test": True}
    steps = legacy.run_op("quantize_linear", {"X": x, **inputs}, attrs)["Y"]
    assert steps.tolist() == [4, 7, -8]
    back = legacy.run_op("dequantize_linear", {"X": steps, **inputs}, attrs)["Y"]
    torch.testing.assert_close(back, steps / 7)


def test_training_observes():
    inputs = {"Scale": torch.ones(1), "ZeroPoint": torch.zeros(1), "InAccum": torch.ones(1), "InState": torch.ones(1)}
    attrs = {"quant_axis": -1, "bit_length": 8, "is_test": False}
    outputs = {"Y": 1, "OutState": 1, "OutAccum": 1, "OutScale": 1}
    found = legacy.run_op("quantize_linear", {"X": torch.tensor([1.1, -2.9]), **inputs}, attrs, outputs)
    torch.testing.assert_close(
        {name: found[name].item() for name in outputs if name != "Y"}, {"OutState": 1.9, "OutAccum": 3.8, "OutScale": 2.0}
    )
    assert found["Y"].tolist() == [70, -128]
