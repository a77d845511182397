"""Operators of Paddle 2 that files of PaddlePaddle 3 have: it translates programs, and keeps what it has no other for."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from phi_torch import ir
from phi_torch.ir.paddle import to_program

from .test_paddle_json import data, fetch, op, program, read, tensor
from .test_paddle_lowered import floats, said


def test_an_affine_channel_runs_and_has_gradients():
    inputs = data(1, "x", "float32", [2, 3, 4]), data(2, "scale", "float32", [3]), data(3, "bias", "float32", [3])
    made = op("1.affine_channel", (1, 2, 3), A=said(data_layout=("0.a_str", "NCHW")), O=[{"%": 4, "TT": floats(2, 3, 4)}])
    loaded = to_program(read(program(*inputs, made, fetch(4, floats(2, 3, 4)))), {})
    x, scale, bias = torch.randn(2, 3, 4), torch.randn(3), torch.randn(3)
    expected = x * scale[:, None] + bias[:, None]
    torch.testing.assert_close(ir.compile(loaded)(x, scale, bias)[0], expected)
    leaf = scale.clone().requires_grad_()
    found = ir.to_module(loaded)(x, leaf, bias)
    torch.testing.assert_close(found.detach(), expected)
    found.sum().backward()
    torch.testing.assert_close(leaf.grad, x.sum((0, 2)))


def test_operands_and_results_may_be_absent():
    """A decoding of whole sequences of a length, without labels to be compared with."""
    paths = tensor("0.t_i64", [1, 3])
    length = data(3, "length", "int64", [1, 1])
    made = op("1.crf_decoding", (1, 2, 0, 3), O=[{"%": 4, "TT": paths}])
    inputs = data(1, "emission", "float32", [1, 3, 2]), data(2, "transition", "float32", [4, 2]), length
    loaded = to_program(read(program(*inputs, made, fetch(4, paths))), {})
    emission = torch.tensor([[[2.0, 1.0], [0.0, 3.0], [1.0, 0.0]]])
    (found,) = ir.compile(loaded)(emission, torch.zeros(4, 2), torch.tensor([[3]]))
    assert found.tolist() == [[0, 1, 0]]
    unit = op(
        "1.gru_unit", (1, 2, 3, 0), O=[{"%": 5, "TT": {"#": "NULL"}}, {"%": 6, "TT": {"#": "NULL"}}, {"%": 4, "TT": floats(2, 2)}]
    )
    given = data(1, "x", "float32", [2, 6]), data(2, "h", "float32", [2, 2]), data(3, "w", "float32", [2, 6])
    loaded = to_program(read(program(*given, unit, fetch(4, floats(2, 2)))), {})
    assert ir.compile(loaded)(torch.randn(2, 6), torch.randn(2, 2), torch.randn(2, 6))[0].shape == (2, 2)


def loaded_lists(made: dict[str, Any], results: int, *shapes: tuple[int, ...]) -> ir.Program:
    """A program of an operator that takes a list of tensors as its first operand, the value 10, and gives 20 and on."""
    inputs = [data(at, f"x{at}", "float32", list(shape)) for at, shape in enumerate(shapes, 1)]
    vector = {"#": "0.t_vec", "D": [floats(*shape) for shape in shapes]}
    both = op("0.combine", tuple(range(1, len(shapes) + 1)), O=[{"%": 10, "TT": vector}])
    fetched = [fetch(20 + at, made["O"][at]["TT"]) for at in range(results)]
    return to_program(read(program(*inputs, both, made, *fetched)), {})


@pytest.mark.parametrize("name", ["partial_concat", "partial_sum"])
def test_operators_of_lists(name: str):
    shape = (3, 4) if name == "partial_concat" else (3, 2)
    made = op(f"1.{name}", (10,), A=said(start_index=("0.a_i32", 1), length=("0.a_i32", 2)), O=[{"%": 20, "TT": floats(*shape)}])
    loaded = loaded_lists(made, 1, (3, 4), (3, 4))
    x, y = torch.randn(3, 4), torch.randn(3, 4)
    expected = torch.cat([x[:, 1:3], y[:, 1:3]], 1) if name == "partial_concat" else x[:, 1:3] + y[:, 1:3]
    for found in (ir.compile(loaded)(x, y)[0], ir.to_module(loaded)(x, y)):
        torch.testing.assert_close(found, expected)


def test_attributes_that_had_capital_letters():
    """`post_nms_topN` in Paddle 2."""
    inputs = [data(1, "rois", "float32", [3, 4]), data(2, "scores", "float32", [3, 1]), data(3, "count", "int64", [1])]
    types = floats(3, 4), floats(3, 1), tensor("0.t_i64", [1])
    lists = [op("0.combine", (at,), O=[{"%": 10 + at, "TT": {"#": "0.t_vec", "D": [types[at - 1]]}}]) for at in (1, 2, 3)]
    results: list[dict[str, Any]] = [{"%": 20, "TT": floats(-1, 4)}, {"%": 21, "TT": tensor("0.t_i32", [1])}]
    made = op("1.collect_fpn_proposals", (11, 12, 13), A=said(post_nms_topn=("0.a_i32", 2)), O=results)
    loaded = to_program(read(program(*inputs, *lists, made, fetch(20, results[0]["TT"]))), {})
    rois, scores = torch.randn(3, 4), torch.tensor([[0.1], [0.9], [0.5]])
    (found,) = ir.compile(loaded)(rois, scores, torch.tensor([3]))
    assert torch.equal(found, rois[1:])


def test_gradients_of_a_file():
    """As a training program has them: of what looks ahead in a batch of rows."""
    inputs = data(1, "x", "float32", [2, 4, 3]), data(2, "w", "float32", [2, 3]), data(3, "grad", "float32", [2, 4, 3])
    results: list[dict[str, Any]] = [{"%": 5, "TT": floats(2, 4, 3)}, {"%": 6, "TT": floats(2, 3)}]
    made = [op("1.row_conv", (1, 2), O=[{"%": 4, "TT": floats(2, 4, 3)}]), op("1.row_conv_grad", (1, 2, 3), O=results)]
    fetched = [fetch(4, floats(2, 4, 3)), *(fetch(one["%"], one["TT"]) for one in results)]
    loaded = to_program(read(program(*inputs, *made, *fetched)), {})
    x, w, grad = torch.randn(2, 4, 3, requires_grad=True), torch.randn(2, 3, requires_grad=True), torch.randn(2, 4, 3)
    expected = x * w[0] + torch.nn.functional.pad(x[:, 1:], (0, 0, 0, 1)) * w[1]
    expected.backward(grad)
    found = ir.compile(loaded)(x.detach(), w.detach(), grad)
    for one, other in zip(found, (expected.detach(), x.grad, w.grad)):
        torch.testing.assert_close(one, other)


def test_patches_are_rows():
    inputs = data(1, "x", "float32", [2, 1, 3, 3])
    attrs = said(**{name: ("0.a_array", [{"#": "0.a_i32", "D": one} for one in values]) for name, values in WINDOWS.items()})
    made = op("1.im2sequence", (1, 0), A=attrs, O=[{"%": 2, "TT": floats(-1, 4)}])
    loaded = to_program(read(program(inputs, made, fetch(2, floats(-1, 4)))), {})
    x = torch.randn(2, 1, 3, 3)
    expected = torch.nn.functional.unfold(x, 2).transpose(1, 2).reshape(8, 4)
    for found in (ir.compile(loaded)(x)[0], ir.to_module(loaded)(x)):
        assert torch.equal(found, expected)


WINDOWS = {"kernels": [2, 2], "strides": [1, 1], "paddings": [0, 0, 0, 0], "out_stride": [1, 1]}


def test_what_is_not_as_paddlepaddle_writes_it_is_kept():
    made = op("1.affine_channel", (1,), O=[{"%": 2, "TT": floats(3)}])
    loaded = to_program(read(program(data(1, "x", "float32", [3]), made, fetch(2, floats(3)))), {})
    assert "pd_op.affine_channel" in loaded.counts()


def test_a_reshape_of_paddle_2():
    shape = op("1.full_int_array", A=said(value=("1.a_intarray", [-1, 2])), O=[{"%": 2, "TT": tensor("0.t_i64", [2])}])
    made = op("1.legacy_reshape", (1, 2), O=[{"%": 3, "TT": floats(3, 2)}])
    loaded = to_program(read(program(data(1, "x", "float32", [6]), shape, made, fetch(3, floats(3, 2)))), {})
    x = torch.randn(6)
    assert torch.equal(ir.compile(loaded)(x)[0], x.view(3, 2))


def test_a_list_of_one_tensor_has_all_sizes():
    """As an expand_v2 of Paddle 2 has its slot Shape."""
    sizes = tensor("0.t_i32", [2])
    both = op("0.combine", (2,), O=[{"%": 3, "TT": {"#": "0.t_vec", "D": [sizes]}}])
    made = op("1.expand", (1, 3), O=[{"%": 4, "TT": floats(2, 3)}])
    shape = op("1.data", A=data(2, "shape", "int32", [2])["A"], O=[{"%": 2, "TT": sizes}])
    loaded = to_program(read(program(data(1, "x", "float32", [1, 3]), shape, both, made, fetch(4, floats(2, 3)))), {})
    x, wanted = torch.randn(1, 3), torch.tensor([2, 3], dtype=torch.int32)
    for found in (ir.compile(loaded)(x, wanted)[0], ir.to_module(loaded)(x, wanted)):
        assert torch.equal(found, x.expand(2, 3))


def kept(id: int, name: str, type: dict[str, Any]) -> dict[str, Any]:
    """What an optimizer keeps, as its programs have it."""
    flags = {"N": "persistable", "AT": {"#": "0.a_array", "D": [{"#": "0.a_bool", "D": True}]}}
    dtype = "int64" if type == tensor("0.t_i64", [1]) else "float32"
    return op("1.data", A=data(id, name, dtype, type["D"][1])["A"], O=[{"%": id, "TT": type}], OA=[flags])


def test_a_step_of_an_optimizer_writes_the_lists_that_it_is_given():
    slots, none = ["w", "g", "v", "r"], {"#": "NULL"}
    vector = {"#": "0.t_vec", "D": [floats(3)]}
    inputs = [kept(at, name, floats(3)) if name in "wv" else data(at, name, "float32", [3]) for at, name in enumerate(slots, 1)]
    lists = [op("0.combine", (at,), O=[{"%": 10 + at, "TT": vector}]) for at in range(1, 5)]
    decay = {"N": "lars_weight_decay", "AT": {"#": "0.a_array", "D": [{"#": "0.a_f32", "D": 0.01}]}}
    attributes = [decay, *said(mu=("0.a_f32", 0.5), lars_coeff=("0.a_f32", 0.1))]
    results = [{"%": 20, "TT": vector}, {"%": 21, "TT": vector}, {"%": 0, "TT": none}]
    made = op("1.lars_momentum_", (11, 12, 13, 14, 0), A=attributes, O=results)
    split = op("0.split", (20,), O=[{"%": 30, "TT": floats(3)}])
    w, v, g, r = torch.tensor([1.0, 2.0, 3.0]), torch.ones(3), torch.tensor([0.5, 0.0, 1.0]), torch.full((3,), 0.5)
    loaded = to_program(read(program(*inputs, *lists, made, split, fetch(30, floats(3)))), {"w": w.clone(), "v": v.clone()})
    run = ir.compile(loaded)
    for _ in range(2):
        v = v * 0.5 + r * 0.1 * w.norm() / (g.norm() + 0.01 * w.norm()) * (g + 0.01 * w)
        w = w - v
        torch.testing.assert_close(run(g, r)[0], w)
        torch.testing.assert_close(loaded.weights["v"].data, v)


def test_sums_of_a_parameter_are_written():
    number = tensor("0.t_i64", [1])
    types = {"param": floats(2), **{f"sum_{at}": floats(2) for at in (1, 2, 3)}, **dict.fromkeys(("count", "old", "all"), number)}
    begin = {name: torch.zeros(2) if type == floats(2) else torch.tensor([0]) for name, type in types.items()}
    begin["param"] = torch.tensor([2.0, 3.0])
    inputs = [kept(at, name, type) for at, (name, type) in enumerate(types.items(), 1)]
    results = [{"%": 20 + at, "TT": type} for at, type in enumerate(list(types.values())[1:])]
    windows = said(average_window=("0.a_f32", 1.0), max_average_window=("0.a_i64", 10), min_average_window=("0.a_i64", 2))
    made = op("1.average_accumulates_", tuple(range(1, 8)), A=windows, O=results)
    loaded = to_program(read(program(*inputs, made, fetch(22, floats(2)))), begin)
    run = ir.compile(loaded)
    for third, first, old in ([0, 0], [2, 3], 0), ([4, 6], [0, 0], 2), ([4, 6], [2, 3], 2):
        assert run()[0].tolist() == third
        assert loaded.weights["sum_1"].data.tolist() == first and loaded.weights["old"].data.tolist() == [old]


def test_attributes_that_are_data_types():
    """Random numbers for a batch, of which `shape` tells the other sizes, and the children of nodes of a tree."""
    numbers = said(min=("0.a_f32", 2.0), max=("0.a_f32", 3.0), dtype=("1.a_dtype", "float64"), seed=("0.a_i32", 0))
    sizes = said(shape=("0.a_array", [{"#": "0.a_i32", "D": 9}, {"#": "0.a_i32", "D": 4}]), output_dim_idx=("0.a_i32", 1))
    kind = tensor("0.t_f64", [9, -1])
    made = op("1.uniform_random_batch_size_like", (1,), A=[*sizes, *numbers], O=[{"%": 2, "TT": kind}])
    loaded = to_program(read(program(data(1, "x", "float32", [-1, 3]), made, fetch(2, kind))), {})
    (found,) = ir.compile(loaded)(torch.zeros(5, 3))
    assert found.shape == (9, 5) and found.dtype == torch.float64 and 2 <= found.min() and found.max() <= 3
    children = tensor("0.t_i64", [-1, 1, 2])
    kinds = said(child_nums=("0.a_i32", 2), dtype=("1.a_dtype", "int64"))
    made = op("1.tdm_child", (1, 2), A=kinds, O=[{"%": at, "TT": children} for at in (3, 4)])
    inputs = data(1, "x", "int64", [-1, 1]), data(2, "tree", "int64", [4, 5])
    loaded = to_program(read(program(*inputs, made, fetch(3, children), fetch(4, children))), {})
    tree = torch.tensor([[0, 0, 0, 0, 0], [0, 0, 0, 2, 3], [7, 1, 1, 0, 0], [0, 1, 1, 0, 0]])
    found, is_leaf = ir.compile(loaded)(torch.tensor([[1], [2]]), tree)
    assert found.tolist() == [[[2, 3]], [[0, 0]]] and is_leaf.tolist() == [[[1, 0]], [[0, 0]]]


@pytest.mark.parametrize("number", [9, 3])
def test_a_data_type_by_its_number(number: int):
    """That of PHI, or of a program of Paddle 2."""
    lists = {"neg_samples_num_list": [1, 1], "layer_offset": [0, 2, 6]}
    attributes = [
        {"N": name, "AT": {"#": "0.a_array", "D": [{"#": "0.a_i32", "D": one} for one in some]}} for name, some in lists.items()
    ]
    attributes += said(output_positive=("0.a_bool", True), seed=("0.a_i32", 0), dtype=("0.a_i32", number))
    kind = tensor("0.t_i64", [-1, 4, 1])
    made = op("1.tdm_sampler", (1, 2, 3), A=attributes, O=[{"%": at, "TT": kind} for at in (4, 5, 6)])
    inputs = data(1, "x", "int64", [-1, 1]), data(2, "travel", "int64", [4, 2]), data(3, "layer", "int64", [6, 1])
    run = ir.compile(to_program(read(program(*inputs, made, *(fetch(at, kind) for at in (4, 5, 6)))), {}))
    travel, layer = torch.tensor([[1, 3], [1, 4], [2, 5], [2, 6]]), torch.arange(1, 7).reshape(6, 1)
    found, labels, mask = run(torch.tensor([[2], [0]]), travel, layer)
    assert {one.dtype for one in (found, labels, mask)} == {torch.int64}
    assert labels.flatten(1).tolist() == [[1, 0, 1, 0]] * 2 and mask.all()
    assert found[:, ::2].flatten(1).tolist() == [[2, 5], [1, 3]]


def test_a_tensor_that_shares_its_data_is_that_tensor():
    made = op("1.share_data", (1,), O=[{"%": 2, "TT": floats(3)}])
    x = torch.randn(3)
    assert torch.equal(ir.compile(to_program(read(program(data(1, "x", "float32", [3]), made, fetch(2, floats(3)))), {}))(x)[0], x)
