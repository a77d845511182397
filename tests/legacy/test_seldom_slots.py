"""Slots, shapes and kinds that programs of PaddlePaddle 2.6.2 have seldom."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from phi_torch import ir, legacy
from phi_torch.legacy import Attribute, BlockDesc, LoDTensor, OpDesc, ProgramDesc, VarDesc
from phi_torch.legacy._read import read_program
from phi_torch.legacy._write import write_program

X = torch.arange(12.0).reshape(3, 4)


def test_gradients_of_sequences_where_none_are_recorded():
    given = {"X": LoDTensor(X, [[0, 2], [0, 0, 3]]), "Out@GRAD": LoDTensor(torch.ones(2, 4), [[0, 2]])}
    with torch.no_grad():
        found = legacy.run_op("sequence_pool_grad", given, {"pooltype": "AVERAGE"})["X@GRAD"]
    torch.testing.assert_close(found + 0, torch.full((3, 4), 1 / 3))


def test_flattening_to_a_matrix():
    """Its gradient knows the shape by XShape alone; a number becomes one in a vector."""
    given = {"XShape": torch.empty(0, 3, 2, 2), "Out@GRAD": X}
    assert torch.equal(legacy.run_op("flatten2_grad", given, {"axis": 1})["X@GRAD"], X.reshape(3, 2, 2))
    assert legacy.run_op("flatten2", {"X": torch.tensor(2.0)}, {"axis": 0})["Out"].tolist() == [2.0]


def test_the_probability_of_an_ignored_label_is_zero():
    given = {"X": torch.full((2, 3), 1 / 3), "Label": torch.tensor([[1], [2]])}
    found = legacy.run_op("cross_entropy2", given, {"ignore_index": 2}, {"Y": 1, "MatchX": 1})
    torch.testing.assert_close(found["MatchX"].flatten(), torch.tensor([1 / 3, 0]))


def test_the_gradient_of_a_crop_to_the_shape_of_another():
    found = legacy.run_op("crop_grad", {"X": X, "Out@GRAD": torch.ones(1, 2)}, {"offsets": [1, 2], "shape": []})["X@GRAD"]
    assert found.nonzero().tolist() == [[1, 2], [1, 3]]


def test_the_gradients_of_a_grid_have_two_names(tmp_path: Path):
    names = {"X": ["x", "y"], "outputs@GRAD": ["dx", "dy"]}
    op = OpDesc("meshgrid_grad", names, {"X@GRAD": ["xg", "yg"]})
    variables = [VarDesc(name, dtype=torch.float32, dims=(-1,)) for name in ("x", "y", "xg", "yg")]
    variables += [VarDesc(name, dtype=torch.float32, dims=(-1, -1)) for name in ("dx", "dy")]
    written = ProgramDesc([BlockDesc(vars={var.name: var for var in variables}, ops=[op])])
    legacy.write_model(tmp_path / "grid", written, {})
    program = legacy.read_program(tmp_path / "grid.pdmodel")
    feed = {"x": torch.zeros(3), "y": torch.zeros(4), "dx": X, "dy": torch.zeros(3, 4)}
    first, second = legacy.Executor(program, {}).run(feed, ["xg", "yg"])
    assert torch.equal(first, X.sum(1)) and not second.any()


def test_the_sums_of_rows_without_a_scale_give_it_no_gradient():
    given = {"X": X, "Means": torch.zeros(4), "Scales": torch.ones(4), "scale_w": torch.ones(4), "Y@GRAD": X}
    found = legacy.run_op("data_norm_grad", given, {"enable_scale_and_shift": False}, ["X@GRAD", "scale_w@GRAD"])
    assert torch.equal(found["X@GRAD"], X) and found["scale_w@GRAD"].tolist() == [0] * 4


def test_the_gradient_of_a_padding_with_a_value_of_a_variable():
    names = ("x", "v", "dx")
    variables = [VarDesc(name, dtype=torch.float32, dims=(-1,) * rank) for name, rank in zip(names, (2, 0, 2))]
    attrs = {"paddings": Attribute("INTS", [0, 1, 2, 0]), "pad_value": Attribute("VAR", "v")}
    op = OpDesc("pad_grad", {"Out@GRAD": ["x"]}, {"X@GRAD": ["dx"]}, attrs)
    program = ProgramDesc([BlockDesc(vars={var.name: var for var in variables}, ops=[op])])
    (found,) = legacy.Executor(program, {}).run({"x": X, "v": torch.tensor(1.0)}, ["dx"])
    assert torch.equal(found, X[:2, 2:])


def test_the_gradient_of_the_gradient_of_a_size_of_a_number():
    """Its slot is `x` in Paddle 2."""
    variables = [VarDesc(name, dtype=torch.float32, dims=(-1, 4)) for name in ("x", "ddx", "ddy")]
    op = OpDesc("abs_double_grad", {"x": ["x"], "grad_x@GRAD": ["ddx"]}, {"grad_out@GRAD": ["ddy"]})
    program = read_program(write_program(ProgramDesc([BlockDesc(vars={var.name: var for var in variables}, ops=[op])])))
    (found,) = legacy.Executor(program, {}).run({"x": X - 2, "ddx": X}, ["ddy"])
    assert torch.equal(found, (X - 2).sign() * X)


def test_the_gradient_of_a_maximum_along_axes_that_a_variable_holds():
    variables = [VarDesc(name, dtype=torch.float32, dims=(-1,) * rank) for name, rank in (("x", 2), ("y", 1), ("dy", 1), ("dx", 2))]
    variables.append(VarDesc("axes", dtype=torch.int64, dims=(1,)))
    inputs = {"X": ["x"], "Out": ["y"], "Out@GRAD": ["dy"]}
    op = OpDesc("reduce_max_grad", inputs, {"X@GRAD": ["dx"]}, {"dim": Attribute("VAR", "axes")})
    program = ProgramDesc([BlockDesc(vars={var.name: var for var in variables}, ops=[op])])
    y, at = X.max(1)
    feed = {"x": X, "y": y, "dy": torch.ones(3), "axes": torch.tensor([1])}
    (found,) = legacy.Executor(program, {}).run(feed, ["dx"])
    assert torch.equal(found, torch.nn.functional.one_hot(at, 4).float())


def several_steps() -> tuple[ProgramDesc, dict[str, Tensor]]:
    """`merged_adam` of two parameters, without what only some programs have."""
    state = {"Param": 2.0, "Moment1": 0.0, "Moment2": 0.0, "Beta1Pow": 0.9, "Beta2Pow": 0.999}
    values = {f"{name}{at}": torch.full((1,), value) for name, value in state.items() for at in range(2)}
    values["rate"] = torch.tensor([0.5])
    both = {name: [f"{name}0", f"{name}1"] for name in state}
    inputs = {**both, "Grad": ["x", "x"], "LearningRate": ["rate", "rate"], "MasterParam": []}
    step = OpDesc("merged_adam", inputs, {f"{name}Out": names for name, names in both.items()})
    feed = OpDesc("feed", {"X": ["feed"]}, {"Out": ["x"]}, {"col": Attribute("INT", 0)})
    variables = [VarDesc(name, dtype=torch.float32, dims=(1,), persistable=name != "x") for name in (*values, "x")]
    block = BlockDesc(vars={var.name: var for var in (*variables, VarDesc("feed", "feed_list"))}, ops=[feed, step])
    return ProgramDesc([block]), values


@pytest.mark.parametrize("way", ["scope", "functions", "ir"])
def test_steps_of_several_parameters(way: str):
    program, values = several_steps()
    gradient = torch.ones(1, requires_grad=way == "functions")
    if way == "ir":
        (found,) = ir.compile(ir.from_legacy(program, values, fetch=["Param1"]))(gradient)
    else:
        (found,) = legacy.Executor(program, values).run({"x": gradient}, ["Param1"])
    torch.testing.assert_close(found.detach(), torch.tensor([1.5]))


def test_the_gradient_of_a_median_where_paddle_2_gives_no_result():
    nan = float("nan")
    x = torch.tensor([[1, nan, 3, 2], [5, 6, 4, 1], [1, 2, 3, 2], [nan, nan, nan, nan]])
    found = legacy.run_op("nanmedian", {"X": x}, {"axis": [1]}, {"Out": 1, "MedianIndex": 1})
    given = {"X": x, "MedianIndex": found["MedianIndex"], "Out@GRAD": torch.ones(4, 1)}
    expected = [[0, 0, 0, 1], [0.5, 0, 0.5, 0], [0, 0.5, 0, 0.5], [0, 0, 0, 0]]
    assert legacy.run_op("nanmedian_grad", given, {"axis": [1]})["X@GRAD"].tolist() == expected


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize(
    ("type", "slots", "attrs"),
    [
        ("angle", "X", {}),
        ("channel_shuffle", "X", {"groups": 2}),
        ("digamma", "X", {}),
        ("erfinv", "X", {}),
        ("fake_dequantize_max_abs", "X Scale", {"max_range": 127.0}),
        ("huber_loss", "X Y", {"delta": 0.5}),
        ("lgamma", "X", {}),
        ("pixel_unshuffle", "X", {"downscale_factor": 2}),
        ("shuffle_channel", "X", {"group": 2}),
        ("temporal_shift", "X", {"seg_num": 2, "shift_ratio": 0.25}),
        ("unfold", "X", {"kernel_sizes": [2, 2], "strides": [1, 1], "paddings": [0] * 4, "dilations": [1, 1]}),
    ],
)
def test_half_precision_of_what_paddle_has_on_devices_alone(type: str, slots: str, attrs: dict[str, Any], dtype: torch.dtype):
    sizes = {"Scale": (1,)}
    given = {slot: torch.rand(sizes.get(slot, (4, 4, 2, 2))).to(dtype) for slot in slots.split()}
    found = legacy.run_op(type, given, attrs)
    expected = legacy.run_op(type, {slot: one.float() for slot, one in given.items()}, attrs)
    out = next(slot for slot in ("Out", "out", "Y") if slot in found)
    assert found[out].dtype == dtype
    torch.testing.assert_close(found[out].float(), expected[out], rtol=1e-2, atol=1e-2)


def test_a_random_order_of_half_precision():
    found = legacy.run_op("randperm", {}, {"n": 9, "dtype": Attribute("INT", 4)})["Out"]
    assert found.dtype == torch.float16 and sorted(found.tolist()) == [*range(9)]


def test_ranks_of_columns_and_of_vectors():
    label, left, right = torch.rand(3), torch.rand(3, 1), torch.rand(3)
    slots = {"Label": label, "Left": left, "Right": right}
    out = legacy.run_op("rank_loss", slots)["Out"]
    torch.testing.assert_close(out, torch.nn.functional.softplus(left[:, 0] - right) - label * (left[:, 0] - right))
    found = legacy.run_op("rank_loss_grad", {**slots, "Out@GRAD": torch.ones(3)})
    assert found["Left@GRAD"].shape == (3, 1) and found["Right@GRAD"].shape == (3,)
    torch.testing.assert_close(found["Left@GRAD"][:, 0], torch.sigmoid(left[:, 0] - right) - label)


def test_counts_of_boxes_in_a_column():
    boxes, scores, settings = torch.rand(6, 2, 4), torch.rand(6, 2), {"score_threshold": 0.1, "nms_top_k": -1, "keep_top_k": -1}
    counts = torch.tensor([4, 2], dtype=torch.int32)
    column, vector = (
        legacy.run_op("multiclass_nms3", {"BBoxes": boxes, "Scores": scores, "RoisNum": one}, settings)
        for one in (counts[:, None], counts)
    )
    assert column["NmsRoisNum"].tolist() == vector["NmsRoisNum"].tolist() and column["Out"].equal(vector["Out"])


def test_sizes_of_nothing_are_not_those_of_the_operand():
    x, y = torch.empty(3, 0, 2), torch.empty(6, 5)
    assert legacy.run_op("flatten2", {"X": x}, {"axis": 2}, ["Out"])["Out"].shape == (0, 2)
    grad = legacy.run_op("flatten2_grad", {"XShape": torch.empty(0, 3, 0, 2), "Out@GRAD": torch.empty(0, 2)}, {"axis": 2})
    assert grad["X@GRAD"].shape == (3, 0, 2)
    columns = {"x_num_col_dims": 2, "y_num_col_dims": 1}
    given = {"X": torch.empty(3, 0, 6), "Y": y}
    assert legacy.run_op("mul", given, columns)["Out"].shape == (3, 0, 5)
    grads = legacy.run_op("mul_grad", given | {"Out@GRAD": torch.empty(3, 0, 5)}, columns)
    assert grads["X@GRAD"].shape == (3, 0, 6) and grads["Y@GRAD"].equal(torch.zeros(6, 5))
    out = {"Out@GRAD": torch.empty(2, 0, 4, 4)}
    assert legacy.run_op("channel_shuffle_grad", out, {"groups": 2})["X@GRAD"].shape == (2, 0, 4, 4)
