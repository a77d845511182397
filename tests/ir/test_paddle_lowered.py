"""Operators of PaddlePaddle that an import makes of several."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from phi_torch import ir
from phi_torch.ir.paddle.exporter import to_document
from phi_torch.ir.paddle.importer import to_program

from .test_paddle_json import data, fetch, op, program, read, tensor


def said(**values: tuple[str, Any]) -> list[dict[str, Any]]:
    return [{"N": name, "AT": {"#": kind, "D": value}} for name, (kind, value) in values.items()]


def floats(*sizes: int) -> dict[str, Any]:
    return tensor("0.t_f32", list(sizes))


@pytest.mark.parametrize(
    ("start", "end", "step", "expected"),
    [(0, 5, 2, [0, 2, 4]), (5, 0, -2, [5, 3, 1]), (0, 5, 1, [0, 1, 2, 3, 4, 5]), (1, 0, 1, []), (2, 2, 1, [2])],
)
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_a_range_with_its_end(start: int, end: int, step: int, expected: list[int], dtype: str):
    """As `paddle.range` writes it, of tensors."""
    numbers = [data(id, name, dtype, []) for id, name in ((1, "a"), (2, "b"), (3, "c"))]
    kind = tensor("0.t_f32" if dtype == "float32" else "0.t_i64", [len(expected)])
    made = op(
        "1.range_v2", (1, 2, 3), A=said(dtype=("1.a_dtype", dtype), place=("1.a_place", [0, 0, ""])), O=[{"%": 4, "TT": kind}]
    )
    given = [torch.tensor(number, dtype=getattr(torch, dtype)) for number in (start, end, step)]
    (found,) = ir.compile(to_program(read(program(*numbers, made, fetch(4, kind))), {}))(*given)
    assert found.dtype == getattr(torch, dtype) and found.tolist() == expected


def test_a_range_with_its_end_counts_in_its_own_dtype():
    """Not in that of the numbers, of which 0.7 / 0.1 is below 7."""
    numbers = []
    for id in (1, 2, 3):
        numbers.append(data(id, f"x{id}", "float64", []))
        numbers[-1]["O"][0]["TT"] = tensor("0.t_f64", [])
    made = op("1.range_v2", (1, 2, 3), A=said(dtype=("1.a_dtype", "float32")), O=[{"%": 4, "TT": floats(-1)}])
    run = ir.compile(to_program(read(program(*numbers, made, fetch(4, floats(-1)))), {}))
    for start, end, step, count in ((0.0, 0.7, 0.1, 8), (0.0, 1.0, 0.3, 4), (1.0, 2.0, 0.25, 5), (-3.0, 3.0, 0.2, 31)):
        (found,) = run(*(torch.tensor(one, dtype=torch.float64) for one in (start, end, step)))
        torch.testing.assert_close(found, torch.arange(count) * step + start)


@pytest.mark.parametrize("declared", ["int64", "float32"])
def test_a_quotient_of_integers_is_what_the_file_says(declared: str):
    """An integer, cut off towards 0, in older programs: PaddlePaddle's own functions make numbers of floating point first."""
    x, y = torch.tensor([7, -7, 7, -7, 6, 0, -1]), torch.tensor([2, 2, -2, -2, -3, 5, 4])
    kind = tensor("0.t_i64" if declared == "int64" else "0.t_f32", [7])
    made = op("1.divide", (1, 2), O=[{"%": 3, "TT": kind}])
    loaded = to_program(read(program(data(1, "x", "int64", [7]), data(2, "y", "int64", [7]), made, fetch(3, kind))), {})
    expected = torch.tensor([3, -3, -3, 3, -2, 0, 0]) if declared == "int64" else x / y
    for found in (ir.compile(loaded)(x, y)[0], ir.to_module(loaded)(x, y)):
        torch.testing.assert_close(found, expected)


def test_a_quotient_of_bool():
    kind = tensor("0.t_bool", [2])
    made = op("1.divide", (1, 2), O=[{"%": 3, "TT": kind}])
    loaded = to_program(read(program(data(1, "x", "bool", [2]), data(2, "y", "bool", [2]), made, fetch(3, kind))), {})
    x, y = torch.tensor([True, False]), torch.tensor([True, True])
    for run in (lambda *inputs: ir.compile(loaded)(*inputs)[0], ir.to_module(loaded)):
        torch.testing.assert_close(run(x, y), x)
        with pytest.raises((ValueError, ZeroDivisionError), match="zero|0"):
            run(y, x)


@pytest.mark.parametrize(("axes", "sizes"), [([1], [2]), ([], [])])
def test_a_sum_without_what_is_no_number(axes: list[int], sizes: list[int]):
    """As `paddle.nansum` writes it where there is a GPU, with the axes in the file, and its gradient."""
    axis, flags = said(axis=("1.a_intarray", axes)), said(keepdim=("0.a_bool", False))
    forward = op(
        "1.nansum", (1,), A=[*axis, *flags, *said(dtype=("1.a_dtype", "Undefined(ALL_DTYPE)"))], O=[{"%": 3, "TT": floats(*sizes)}]
    )
    flags += said(reduce_all=("0.a_bool", False))
    back = op("1.nansum_grad", (1, 2), A=[*axis, *flags], O=[{"%": 4, "TT": floats(2, 3)}])
    inputs = data(1, "x", "float32", [2, 3]), data(2, "dy", "float32", sizes)
    loaded = to_program(read(program(*inputs, forward, back, fetch(3, floats(*sizes)), fetch(4, floats(2, 3)))), {})
    x = torch.tensor([[1.0, float("nan"), 2.0], [-3.0, 0.5, float("nan")]], requires_grad=True)
    expected, dy = torch.nansum(x, axes or None), torch.randn(sizes)
    expected.backward(dy)
    found, gradient = ir.compile(loaded)(x.detach(), dy)
    torch.testing.assert_close(found, expected.detach())
    torch.testing.assert_close(gradient, x.grad)


@pytest.mark.parametrize("padding", [-1, 2])
def test_an_embedding_whose_gradients_are_means(padding: int):
    """As `paddle.nn.Embedding(scale_grad_by_freq=True)` writes it, whose paddings are zeros, and its gradient."""
    ids, weight = torch.tensor([[1, 1, 2, 5], [1, 2, 0, 5]]), torch.randn(6, 3)
    padded = said(padding_idx=("0.a_i64", padding))
    lookup = op("1.embedding_with_scaled_gradient", (1, 2), A=padded, O=[{"%": 3, "TT": floats(2, 4, 3)}])
    back = op("1.embedding_with_scaled_gradient_grad", (1, 2, 4), A=padded, O=[{"%": 5, "TT": floats(6, 3)}])
    inputs = data(1, "ids", "int64", [2, 4]), data(2, "w", "float32", [6, 3]), data(4, "dy", "float32", [2, 4, 3])
    loaded = to_program(read(program(*inputs, lookup, back, fetch(3, floats(2, 4, 3)), fetch(5, floats(6, 3)))), {})
    dy = torch.randn(2, 4, 3)
    leaf = weight.clone().requires_grad_()
    expected = torch.nn.functional.embedding(ids, leaf, scale_grad_by_freq=True) * (ids != padding).unsqueeze(-1)
    expected.backward(dy)
    found, gradient = ir.compile(loaded)(ids, weight, dy)
    torch.testing.assert_close(found, expected.detach())
    torch.testing.assert_close(gradient, leaf.grad)
    again = weight.clone().requires_grad_()
    ir.to_module(loaded)(ids, again, dy)[0].backward(dy)
    torch.testing.assert_close(again.grad, leaf.grad)


@pytest.mark.parametrize("name", ["max", "min"])
@pytest.mark.parametrize("keepdim", [False, True])
@pytest.mark.parametrize("dim", [1, -2, 0])
def test_an_extreme_with_its_index(name: str, keepdim: bool, dim: int):
    """As `paddle.compat.max` and `min` write it, and its gradient, which goes where the index says."""
    x = torch.randn(3, 4, 5)
    expected = getattr(torch, name)(x, dim, keepdim)
    of_values, of_x = floats(*expected.values.shape), floats(3, 4, 5)
    of_indices = tensor("0.t_i64", list(expected.values.shape))
    attributes = said(dim=("0.a_i64", dim), keepdim=("0.a_bool", keepdim), flatten=("0.a_bool", False))
    made = op(f"1.{name}_with_index", (1,), A=attributes, O=[{"%": 3, "TT": of_values}, {"%": 4, "TT": of_indices}])
    backward = op(f"1.{name}_with_index_grad", (1, 3, 4, 2), A=attributes[:2], O=[{"%": 5, "TT": of_x}])
    inputs = data(1, "x", "float32", [3, 4, 5]), data(2, "g", "float32", list(expected.values.shape))
    fetched = fetch(3, of_values), fetch(4, of_indices), fetch(5, of_x)
    grad = torch.randn(expected.values.shape)
    found = ir.compile(to_program(read(program(*inputs, made, backward, *fetched)), {}))(x, grad)
    (x_grad,) = torch.autograd.grad(getattr(torch, name)(leaf := x.clone().requires_grad_(), dim, keepdim).values, leaf, grad)
    for one, other in zip(found, (*expected, x_grad)):
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize("transposed", [False, True])
def test_the_gradient_of_a_linear_layer_of_one_operator(transposed: bool):
    sizes = {1: [2, 5, 3], 2: [4, 3] if transposed else [3, 4], 3: [4], 4: [2, 5, 4]}
    inputs = [data(id, name, "float32", sizes[id]) for id, name in enumerate(("x", "weight", "bias", "g"), 1)]
    results = [{"%": id + 4, "TT": floats(*sizes[id])} for id in (1, 2, 3)]
    made = op("1.linear_v2_grad", (1, 2, 3, 4), A=said(transpose_weight=("0.a_bool", transposed)), O=results)
    file = program(*inputs, made, *(fetch(id + 4, floats(*sizes[id])) for id in (1, 2, 3)))
    *given, grad = (torch.randn(one) for one in sizes.values())
    found = ir.compile(to_program(read(file), {}))(*given, grad)
    x, weight, bias = leaves = [one.clone().requires_grad_() for one in given]
    y = torch.nn.functional.linear(x, weight if transposed else weight.T, bias)
    for one, other in zip(found, torch.autograd.grad(y, leaves, grad)):
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize("name", ["var", "std"])
@pytest.mark.parametrize(("axis", "keepdim", "correction"), [([1], False, 1.0), ([], True, 0.0), ([-1, 0], False, 2.0)])
def test_the_gradient_of_the_spread_of_one_operator(name: str, axis: list[int], keepdim: bool, correction: float):
    axes = ("0.a_array", [{"#": "0.a_i64", "D": one} for one in axis])
    attributes = said(axis=axes, keepdim=("0.a_bool", keepdim), correction=("0.a_f64", correction))
    x = torch.randn(3, 4, 5)
    x[0] = 1.5  # where a deviation along the last dimension is 0
    expected = getattr(torch, name)(leaf := x.clone().requires_grad_(), axis or None, correction=correction, keepdim=keepdim)
    grad = torch.randn(expected.shape)
    (of_x,) = torch.autograd.grad(expected, leaf, grad)
    given = [x, expected.detach(), grad] if name == "std" else [x, grad]
    inputs = [data(id, f"x{id}", "float32", list(one.shape)) for id, one in enumerate(given, 1)]
    made = op(f"1.{name}_grad", tuple(range(1, len(given) + 1)), A=attributes, O=[{"%": 9, "TT": floats(3, 4, 5)}])
    (found,) = ir.compile(to_program(read(program(*inputs, made, fetch(9, floats(3, 4, 5)))), {}))(*given)
    torch.testing.assert_close(found, of_x)


@pytest.mark.parametrize("name", ["range_v2", "max_with_index", "linear_v2", "var", "std", "std_grad"])
@pytest.mark.parametrize("operands", [(), (1, 1, 1, 1, 1)])
def test_an_operator_with_another_number_of_operands_stays_as_it_is(name: str, operands: tuple[int, ...]):
    made = op(f"1.{name}", operands, A=said(dim=("0.a_i64", 0)), O=[{"%": 9, "TT": floats(3)}])
    loaded = to_program(read(program(data(1, "x", "float32", [3]), made, fetch(9, floats(3)))), {})
    assert [one.name for one in loaded.walk()] == ["pd_op.data", f"pd_op.{name}", "pd_op.fetch"]
    with pytest.raises(NotImplementedError, match=f"pd_op.{name}, 1 times"):
        ir.compile(loaded)


@pytest.mark.parametrize(
    ("name", "attributes"),
    [
        ("max_with_index", {}),
        ("max_with_index", {"dim": ("0.a_str", "0")}),
        ("min_with_index", {"dim": ("0.a_i64", 1)}),
        ("max_with_index", {"dim": ("0.a_i64", 0), "keepdim": ("0.a_str", "no")}),
        ("var", {"axis": ("0.a_i64", 0)}),
        ("std", {"axis": ("0.a_array", [{"#": "0.a_i64", "D": -2}])}),
        ("var", {"correction": ("0.a_str", "one")}),
    ],
)
def test_an_operator_with_attributes_of_another_kind_stays_as_it_is(name: str, attributes: dict[str, Any]):
    made = op(f"1.{name}", (1,), A=said(**attributes), O=[{"%": 9, "TT": floats(3)}])
    loaded = to_program(read(program(data(1, "x", "float32", [3]), made, fetch(9, floats(3)))), {})
    assert [one.name for one in loaded.walk()] == ["pd_op.data", f"pd_op.{name}", "pd_op.fetch"]


def test_what_an_optimizer_leaves_as_it_is_has_its_sizes():
    """PaddlePaddle says no sizes of the mean that `rmsprop_` keeps where it is centered alone, though the operand is there."""
    floats3 = floats(3)
    names = ("param", "mean_square", "grad", "moment", "rate", "mean_grad")
    inputs = [data(id, name, "float32", [1 if name == "rate" else 3]) for id, name in enumerate(names, 1)]
    numbers = said(epsilon=("0.a_f32", 0.0), decay=("0.a_f32", 0.75), momentum=("0.a_f32", 0.0))
    flags = said(centered=("0.a_bool", False), multi_precision=("0.a_bool", False))
    results = [{"%": id, "TT": floats3} for id in (7, 8, 9)] + [{"%": 10, "TT": floats()}, {"%": 11, "TT": {"#": "NULL"}}]
    made = op("1.rmsprop_", (1, 2, 3, 4, 5, 6, 0), A=[*numbers, *flags], O=results)
    given = {name: torch.full((3,), 4.0) for name in names} | {"rate": torch.full((1,), 0.5)}
    program_ = to_program(read(program(*inputs, made, fetch(7, floats3), fetch(10, floats3))), {})
    param, mean = ir.compile(program_)(*given.values())
    square = 0.75 * 4.0 + 0.25 * 16.0
    torch.testing.assert_close(param, torch.full((3,), 4.0 - 0.5 * 4.0 / square**0.5))
    assert mean.tolist() == [4.0] * 3


def test_the_gradient_of_a_logarithm_of_a_determinant():
    x = torch.eye(3) * 2 + torch.ones(3, 3)
    of_x, of_out = floats(3, 3), floats(2)
    made = op("1.slogdet", (1,), O=[{"%": 3, "TT": of_out}])
    backward = op("1.slogdet_grad", (1, 3, 2), O=[{"%": 4, "TT": of_x}])
    inputs = data(1, "x", "float32", [3, 3]), data(2, "g", "float32", [2])
    (found,) = ir.compile(to_program(read(program(*inputs, made, backward, fetch(4, of_x))), {}))(x, torch.tensor([0.0, 2.0]))
    torch.testing.assert_close(found, 2 * torch.linalg.inv(x).T)


@pytest.mark.parametrize("method", ["bilinear", "bicubic"])
@pytest.mark.parametrize(("size", "scale"), [((3, 5), []), ((-1, -1), [0.5, 0.75])])
def test_images_that_are_scaled_without_aliasing(method: str, size: tuple[int, int], scale: list[float]):
    x = torch.randn(1, 2, 8, 8, requires_grad=True)
    way = {"size": size} if not scale else {"scale_factor": scale}
    expected = torch.nn.functional.interpolate(x, mode=method, antialias=True, **way)
    of_x, of_out = floats(*x.shape), floats(*expected.shape)
    sizes = said(out_d=("0.a_i32", -1), out_h=("0.a_i32", size[0]), out_w=("0.a_i32", size[1]), align_mode=("0.a_i32", 1))
    scales = said(scale=("0.a_array", [{"#": "0.a_f64", "D": one} for one in scale]), align_corners=("0.a_bool", False))
    names = said(data_format=("0.a_str", "NCHW"), interp_method=("0.a_str", method))
    attributes = [*sizes, *scales, *names]
    made = op("1.interp_antialias", (1, 0, 0, 0), A=attributes, O=[{"%": 3, "TT": of_out}])
    backward = op("1.interp_antialias_grad", (1, 0, 0, 0, 2), A=attributes, O=[{"%": 4, "TT": of_x}])
    inputs = data(1, "x", "float32", [*x.shape]), data(2, "g", "float32", [*expected.shape])
    loaded = to_program(read(program(*inputs, made, backward, fetch(3, of_out), fetch(4, of_x))), {})
    grad = torch.randn(expected.shape)
    found, found_grad = ir.compile(loaded)(x.detach(), grad)
    (x_grad,) = torch.autograd.grad(expected, x, grad)
    torch.testing.assert_close(found, expected.detach())
    torch.testing.assert_close(found_grad, x_grad)


def test_weights_of_a_network_in_a_row():
    """As PaddlePaddle's recurrent networks write it."""
    shapes = [4, 3], [4]
    of_both = {"#": "0.t_vec", "D": [floats(*shape) for shape in shapes]}
    inputs = [data(id, name, "float32", shape) for id, name, shape in zip((1, 2), "ab", shapes)]
    combine = op("0.combine", (1, 2), O=[{"%": 3, "TT": of_both}])
    numbers = said(dtype=("1.a_dtype", "float32"), copy_data=("0.a_bool", True), use_align=("0.a_bool", False))
    made = op("1.coalesce_tensor", (3,), A=numbers, O=[{"%": 4, "TT": of_both}, {"%": 5, "TT": floats(16)}])
    split = op("0.split", (4,), O=[{"%": id, "TT": floats(*shape)} for id, shape in zip((6, 7), shapes)])
    fetched = fetch(5, floats(16)), fetch(6, floats(4, 3)), fetch(7, floats(4))
    a, b = torch.randn(4, 3), torch.randn(4)
    row, *found = ir.compile(to_program(read(program(*inputs, combine, made, split, *fetched)), {}))(a, b)
    assert torch.equal(row, torch.cat([a.flatten(), b])) and all(torch.equal(x, y) for x, y in zip(found, (a, b)))


@pytest.mark.parametrize("settings", [{"copy_data": True}, {"set_constant": True, "constant": 2.0}, {}])
def test_tensors_in_one_memory(settings: dict[str, Any]):
    """As PaddlePaddle writes it of the weights of an RNN that trains."""
    kinds = {bool: "0.a_bool", float: "0.a_f32"}
    attributes = {name: (kinds[type(value)], value) for name, value in settings.items()}
    inputs = [data(id, name, "float32", sizes) for id, name, sizes in ((1, "a", [2, 3]), (2, "b", [4]))]
    parts = {"#": "0.t_vec", "D": [floats(2, 3), floats(4)]}
    combine = op("0.combine", (1, 2), O=[{"%": 3, "TT": parts}])
    said_of_it = said(dtype=("1.a_dtype", "float32"), use_align=("0.a_bool", False), **attributes)
    made = op("1.coalesce_tensor", (3,), A=said_of_it, O=[{"%": 4, "TT": parts}, {"%": 5, "TT": floats()}])
    split = op("0.split", (4,), O=[{"%": 6, "TT": floats(2, 3)}, {"%": 7, "TT": floats(4)}])
    fetches = [fetch(6, floats(2, 3)), fetch(7, floats(4)), fetch(5, floats(-1))]
    for column, one in enumerate(fetches):
        one["A"] = said(name=("0.a_str", f"y{column}"), col=("0.a_i32", column))
    run = ir.compile(to_program(read(program(*inputs, combine, made, split, *fetches)), {}))
    given = [torch.randn(2, 3), torch.randn(4)]
    expected = given if "copy_data" in settings else [torch.full_like(one, settings.get("constant", 0.0)) for one in given]
    a, b, whole = run(*given)
    assert torch.equal(a, expected[0]) and torch.equal(b, expected[1])
    assert torch.equal(whole, torch.cat([one.flatten() for one in expected]))


def test_a_function_with_a_gradient_of_its_own():
    """As a PyLayer of PaddlePaddle is saved: what it computes is there, what it differentiates to is not."""
    kind = floats(3)
    inner = [op("1.tanh", (1,), O=[{"%": 3, "TT": kind}]), op("2.yield", (3,))]
    made = op("1.pylayer", (1,), A=said(backward_function_id=("0.a_i32", 345)), O=[{"%": 2, "TT": kind}])
    made["regions"] = [{"#": "region_0", "blocks": [{"#": "block_0", "args": [], "ops": inner}]}]
    loaded = to_program(read(program(data(1, "x", "float32", [3]), made, fetch(2, kind))), {})
    x = torch.tensor([-1.0, 0.5, 2.0], requires_grad=True)
    torch.testing.assert_close(ir.compile(loaded)(x.detach())[0], x.detach().tanh())
    torch.testing.assert_close(ir.to_module(loaded)(x), x.tanh())


def test_outputs_of_scopes_are_none_beside_those_that_are_fetched():
    kind = floats(3)
    made = op("1.tanh", (1,), O=[{"%": 2, "TT": kind}])
    named = op("0.shadow_output", (2,), A=said(output_name=("0.a_str", "out")), O=[])
    x = torch.tensor([-1.0, 0.5, 2.0])
    for last, count in (((named, fetch(2, kind)), 1), ((named,), 1), ((named, named), 2)):
        loaded = to_program(read(program(data(1, "x", "float32", [3]), made, *last)), {})
        assert len(ir.compile(loaded)(x)) == count


COMPUTED_IN = [  # by PaddlePaddle 3.3
    *(("bfloat16", "float32", "float32"), ("float16", "float32", "float32"), ("float64", "float32", "float32")),
    *(("float16", "float64", "float64"), ("float32", "float64", "float64"), ("int64", "float32", "float32")),
    *(("float32", "int64", "int64"), ("complex64", "float64", "complex128"), ("float64", "complex64", "complex128")),
]


@pytest.mark.parametrize(("x_dtype", "y_dtype", "dtype"), COMPUTED_IN)
def test_a_product_of_two_data_types_is_of_the_second(x_dtype: str, y_dtype: str, dtype: str):
    """Whatever the file says of it, and of what is computed from it."""
    short = {"bfloat16": "bf16", "float16": "f16", "float32": "f32", "float64": "f64", "int64": "i64"}
    short |= {"complex64": "c64", "complex128": "c128"}
    x_kind, y_kind = (tensor(f"0.t_{short[one]}", [2, 2]) for one in (x_dtype, y_dtype))
    inputs = [data(1, "x", x_dtype, [2, 2]), data(2, "y", y_dtype, [2, 2])]
    inputs[0]["O"][0]["TT"], inputs[1]["O"][0]["TT"] = x_kind, y_kind
    flags = said(transpose_x=("0.a_bool", True), transpose_y=("0.a_bool", False))
    both = {"#": "0.t_vec", "D": [x_kind, x_kind]}
    ops = [
        op("1.matmul", (1, 2), A=flags, O=[{"%": 3, "TT": x_kind}]),
        op("1.square", (3,), O=[{"%": 4, "TT": x_kind}]),
        op(
            "1.transpose",
            (4,),
            A=said(perm=("0.a_array", [{"#": "0.a_i32", "D": 1}, {"#": "0.a_i32", "D": 0}])),
            O=[{"%": 5, "TT": x_kind}],
        ),
        op("0.combine", (4, 5), O=[{"%": 6, "TT": both}]),
        op("1.add_n", (6,), O=[{"%": 7, "TT": x_kind}]),
    ]
    loaded = to_program(read(program(*inputs, *ops, fetch(7, x_kind))), {})
    kind = getattr(torch, dtype)
    x, y = (
        torch.tensor([[1.0, -2.0], [3.0, 0.5]]).to(getattr(torch, x_dtype)),
        torch.tensor([[2.0, 1.0], [-1.5, 3.0]]).to(getattr(torch, y_dtype)),
    )
    expected = (x.to(kind).mT @ y.to(kind)).square()
    expected = expected + expected.mT
    for found in (ir.compile(loaded)(x, y)[0], ir.compile(loaded, passes=[])(x, y)[0], ir.to_module(loaded)(x, y)):
        torch.testing.assert_close(found, expected)


@pytest.mark.parametrize(("of_sequence", "of_values"), [("float32", "float64"), ("float64", "float32"), ("int64", "float32")])
def test_sequences_are_searched_for_values_of_another_data_type(of_sequence: str, of_values: str):
    inputs = [data(1, "s", of_sequence, [3]), data(2, "x", of_values, [4])]
    kinds = {"float32": "f32", "float64": "f64", "int64": "i64"}
    for one, dtype in zip(inputs, (of_sequence, of_values)):
        one["O"][0]["TT"] = tensor(f"0.t_{kinds[dtype]}", one["O"][0]["TT"]["D"][1])
    flags = said(right=("0.a_bool", True), out_int32=("0.a_bool", False))
    found = op("1.searchsorted", (1, 2), A=flags, O=[{"%": 3, "TT": tensor("0.t_i64", [4])}])
    run = ir.compile(to_program(read(program(*inputs, found, fetch(3, tensor("0.t_i64", [4])))), {}))
    sequence, values = torch.tensor([-1, 0, 2]), torch.tensor([-2.0, -0.5, 0.0, 7.0])
    result = run(sequence.to(getattr(torch, of_sequence)), values.to(getattr(torch, of_values)))[0]
    assert result.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("height", [3, 4])
def test_a_filter_whose_channels_are_last_as_those_of_the_images(height: int):
    """As PaddlePaddle's pass for layouts leaves it: it moves the channels of all operands."""
    images, filter = torch.randn(2, 7, 8, 3), torch.randn(6, height, 2, 3)
    pairs = {
        name: ("0.a_array", [{"#": "0.a_i32", "D": one}] * 2) for name, one in (("strides", 1), ("paddings", 0), ("dilations", 1))
    }
    texts = {
        name: ("0.a_str", one) for name, one in (("padding_algorithm", "EXPLICIT"), ("data_format", "NHWC"), ("activation", "relu"))
    }
    kind = floats(2, 8 - height, 7, 6)
    results = [{"%": 4, "TT": kind}, {"%": 5, "TT": {"#": "0.t_vec", "D": []}}]
    made = op("1.fused_conv2d_add_act", (1, 2, 3, 0), A=said(**pairs, **texts, split_channels=("0.a_array", [])), O=results)
    inputs = [data(1, "x", "float32", [2, 7, 8, 3]), data(2, "w", "float32", [6, height, 2, 3]), data(3, "b", "float32", [6])]
    loaded = to_program(read(program(*inputs, made, fetch(4, kind))), {})
    bias = torch.randn(6)
    expected = torch.conv2d(images.permute(0, 3, 1, 2), filter.permute(0, 3, 1, 2), bias).relu().permute(0, 2, 3, 1)
    torch.testing.assert_close(ir.compile(loaded)(images, filter, bias)[0], expected)
    again = to_document(loaded)
    assert [one.name for one in again.block.ops] == ["pd_op.data"] * 3 + ["pd_op.fused_conv2d_add_act", "pd_op.fetch"]
    torch.testing.assert_close(ir.compile(to_program(again, {}))(images, filter, bias)[0], expected)


def test_a_filter_whose_channels_are_first_is_moved_in_a_file():
    builder = ir.Builder()
    sizes = {"x": [2, 7, 8, 3], "w": [6, 3, 3, 2]}
    operands = [
        builder.create("pd_op.data", attributes={"name": name, "shape": dims, "dtype": "float32"}).results[0]
        for name, dims in sizes.items()
    ]
    made = builder.create("pd_op.fused_conv2d_add_act", [*operands, None, None], {"data_format": "NHWC"})
    builder.create("pd_op.fetch", made.results[:1], {"name": "y", "col": 0})
    given = [torch.randn(dims) for dims in sizes.values()]
    document = to_document(builder.program)
    assert [one.name for one in document.block.ops] == [
        "pd_op.data",
        "pd_op.data",
        "pd_op.transpose",
        "pd_op.fused_conv2d_add_act",
        "pd_op.fetch",
    ]
    found, expected = (ir.compile(one)(*given)[0] for one in (to_program(document, {}), builder.program))
    torch.testing.assert_close(found, expected)
