"""Gradients of tables that are selected rows, and the steps of optimizers on them."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from phi_torch import legacy

IDS = torch.tensor([[1, 4], [1, 2]])
TABLE = torch.arange(15.0).reshape(5, 3) / 10
OUT_GRAD = torch.linspace(-1, 1, 12).reshape(2, 2, 3)


def gradient(table: Tensor = TABLE) -> tuple[Tensor, Tensor]:
    """As rows, and as a tensor."""
    inputs = {"W": table, "Ids": IDS, "Out@GRAD": OUT_GRAD}
    return tuple(legacy.run_op("lookup_table_v2_grad", inputs, {"is_sparse": sparse})["W@GRAD"] for sparse in (True, False))


def test_a_gradient_has_a_row_for_each_index():
    rows, dense = gradient()
    assert rows.layout == torch.sparse_coo and rows._indices().tolist() == [[1, 4, 1, 2]]
    torch.testing.assert_close(rows.to_dense(), dense)
    first = {"W": TABLE, "Ids": IDS[:, :, None], "Out@GRAD": OUT_GRAD}
    torch.testing.assert_close(legacy.run_op("lookup_table_grad", first, {"is_sparse": True})["W@GRAD"].to_dense(), dense)
    merged = legacy.run_op("merge_selected_rows", {"X": rows})["Out"]
    assert merged._indices().tolist() == [[1, 2, 4]]
    assert torch.equal(legacy.run_op("get_tensor_from_selected_rows", {"X": merged})["Out"], dense[[1, 2, 4]])
    scaled = legacy.run_op("elementwise_mul", {"X": rows, "Y": torch.tensor([0.5])}, {"axis": -1})["Out"]
    torch.testing.assert_close(scaled.to_dense(), dense / 2)
    both = legacy.run_op("sum", {"X": [rows, rows]})["Out"]
    torch.testing.assert_close(both.to_dense(), 2 * dense)
    torch.testing.assert_close(legacy.run_op("sum", {"X": [TABLE, rows]})["Out"], TABLE + dense)
    clipped = legacy.run_op("clip_by_norm", {"X": rows}, {"max_norm": 0.5})["Out"]
    torch.testing.assert_close(clipped.to_dense(), dense * 0.5 / dense.norm())
    with pytest.raises(ValueError, match="slot Y: expected one element"):
        legacy.run_op("elementwise_mul", {"X": rows, "Y": torch.ones(3)}, {"axis": -1})


def state(type: str) -> dict[str, Tensor]:
    rate = {"Param": TABLE.clone(), "LearningRate": torch.tensor([0.1])}
    if type == "sgd":
        return rate
    if type == "momentum":
        return {**rate, "Velocity": torch.full_like(TABLE, 0.2)}
    moments = {"Moment1": torch.full_like(TABLE, 0.2), "Moment2": torch.full_like(TABLE, 0.3)}
    return {**rate, **moments, "Beta1Pow": torch.tensor([0.9]), "Beta2Pow": torch.tensor([0.99])}


ATTRS = {"sgd": {}, "momentum": {"mu": 0.9}, "adam": {"beta2": 0.99}}


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("type", ATTRS)
def test_a_step_on_rows(type: str, lazy: bool):
    """It is the step of all rows with the powers that follow; a lazy one leaves the other rows alone."""
    if lazy and "adam" not in type:
        return
    rows, dense = gradient()
    attrs, given, expected = {**ATTRS[type], **({"lazy_mode": True} if lazy else {})}, state(type), state(type)
    found = legacy.run_op(type, {**given, "Grad": rows}, attrs)
    if "adam" in type:
        expected["Beta1Pow"] *= 0.9
        expected["Beta2Pow"] *= 0.99
        attrs = {**ATTRS[type], "use_global_beta_pow": True}
    after = legacy.run_op(type, {**expected, "Grad": dense}, attrs)
    touched = torch.tensor([1, 2, 4]) if lazy else torch.arange(5)
    others = torch.tensor([0, 3]) if lazy else torch.tensor([], dtype=torch.int64)
    for slot in set(after) & set(found):
        name = slot.removesuffix("Out")
        if after[slot].shape != TABLE.shape:
            torch.testing.assert_close(found[slot], after[slot])
            continue
        torch.testing.assert_close(found[slot][touched], after[slot][touched])
        assert torch.equal(found[slot][others], state(type)[name][others])


def test_full_with_the_size_of_a_batch():
    attrs = {"shape": [-1, 3], "value": 2.0, "dtype": torch.float64, "input_dim_idx": 1, "output_dim_idx": 0}
    out = legacy.run_op("fill_constant_batch_size_like", {"Input": torch.ones(2, 4)}, attrs)["Out"]
    assert torch.equal(out, torch.full((4, 3), 2.0, dtype=torch.float64))
