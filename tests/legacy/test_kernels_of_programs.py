"""Kernels that only programs name: of quantized networks, and of what follows a network."""

from __future__ import annotations

import itertools

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


@pytest.mark.parametrize("tag", [False, True])
def test_viterbi_decode(tag: bool):
    """Against all paths."""
    generator = torch.Generator().manual_seed(0)
    potentials, transition = torch.randn(3, 4, 4, generator=generator), torch.randn(4, 4, generator=generator)
    lengths = torch.tensor([4, 2, 1])
    inputs = {"Input": potentials, "Transition": transition, "Length": lengths}
    found = legacy.run_op("viterbi_decode", inputs, {"include_bos_eos_tag": tag})
    for row, length in enumerate(lengths.tolist()):

        def score(path: tuple[int, ...], row: int = row) -> float:
            total = sum(potentials[row, i, t] for i, t in enumerate(path)) + sum(
                transition[a, b] for a, b in itertools.pairwise(path)
            )
            return float(total + (transition[-1, path[0]] + transition[-2, path[-1]] if tag else 0))

        best = max(itertools.product(range(4), repeat=length), key=score)
        assert found["Scores"][row].item() == pytest.approx(score(best), abs=1e-4)
        assert found["Path"][row].tolist() == [*best, *[0] * (4 - length)]


def test_multiclass_nms3():
    """The second box of the first class is covered by the first one, the third is apart; the background does not count."""
    boxes = torch.tensor([[[0.0, 0, 10, 10], [1, 1, 10, 10], [20, 20, 30, 30]]])
    scores = torch.tensor([[[0.9, 0.9, 0.9], [0.5, 0.6, 0.3], [0.1, 0.0, 0.8]]])
    attrs = {"score_threshold": 0.2, "nms_top_k": -1, "keep_top_k": -1, "nms_threshold": 0.5, "background_label": 0}
    attrs |= {"normalized": True, "nms_eta": 1.0}
    found = legacy.run_op("multiclass_nms3", {"BBoxes": boxes, "Scores": scores}, attrs)
    rows = [[1, 0.6, 1, 1, 10, 10], [1, 0.3, 20, 20, 30, 30], [2, 0.8, 20, 20, 30, 30]]
    torch.testing.assert_close(found["Out"], torch.tensor(rows))
    assert found["Index"].flatten().tolist() == [1, 2, 2] and found["NmsRoisNum"].tolist() == [3]
    best = legacy.run_op("multiclass_nms3", {"BBoxes": boxes, "Scores": scores}, attrs | {"keep_top_k": 2})
    assert best["Index"].flatten().tolist() == [1, 2] and best["Out"][:, 0].tolist() == [1, 2]
    none = legacy.run_op("multiclass_nms3", {"BBoxes": boxes, "Scores": scores}, attrs | {"score_threshold": 1.0})
    assert none["Out"].shape == (0, 6) and none["NmsRoisNum"].tolist() == [0]
