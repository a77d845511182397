"""Operators of Paddle 2 that are no calls of a kernel, or that take other arguments: constants, sizes, choices."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch

from ... import ir
from ...legacy.description import DTYPES, EMPTY, OpDesc
from ...legacy.kernels.fused import CHANNELS_FIRST, has_channels_last
from .blocks import UNDEFINED, Region, Unknown, as_single, joined
from .calls import constant

if TYPE_CHECKING:
    from .program import _Translation

Rule = Callable[["_Translation", OpDesc, Region], None]
RULES: dict[str, Rule] = {}


def rule(*types: str) -> Callable[[Rule], Rule]:
    def add(function: Rule) -> Rule:
        RULES.update(dict.fromkeys(types, function))
        return function

    return add


def attr(op: OpDesc, name: str, default: Any) -> Any:
    """The value of an attribute, or of one that is not there."""
    return op.attrs[name].value if name in op.attrs else default


@rule("feed")
def _feed(self: _Translation, op: OpDesc, region: Region) -> None:
    pass  # made before all others


@rule("fetch", "fetch_v2")
def _fetch(self: _Translation, op: OpDesc, region: Region) -> None:
    (name,) = op.inputs["X"]
    self.outputs.append((op.attrs["col"].value, name, fetched(region, name)))


def fetched(region: Region, name: str) -> ir.Value:
    """What a program gives of a variable."""
    if region.kind(name) == "selected_rows":
        raise ValueError(f"variable '{name}': expected a tensor to fetch, got rows of one, which the IR does not keep")
    return region.find(name)


@rule("assign_value")
def _assign_value(self: _Translation, op: OpDesc, region: Region) -> None:
    kinds = ("values", "fp32_values", "fp64_values", "int32_values", "int64_values", "int8_values", "bool_values")
    values: list[Any] = next((found for kind in kinds if (found := attr(op, kind, None))), [])
    value = constant(region.builder, values, attr(op, "shape", []), DTYPES[op.attrs["dtype"].value])
    region.set(op.outputs["Out"][0], value)
    if len(values) == 1 and not isinstance(values[0], complex) and math.isclose(values[0], UNDEFINED, rel_tol=1e-6):
        self.variables.undefined.add(value)


@rule("fill_constant")
def _fill_constant(self: _Translation, op: OpDesc, region: Region) -> None:
    value = [name for name in op.inputs.get("ValueTensor", []) if name != EMPTY]
    shape = _shape_names(op)
    if not shape and not value:
        self.plain(op, region)
        return
    dtype = str(DTYPES[attr(op, "dtype", 5)]).removeprefix("torch.")
    sizes = _sizes(op, shape, region)
    number = float(attr(op, "str_value", "") or attr(op, "value", 0.0))
    real = "float64" if dtype.startswith("complex") else dtype
    said = {"shape": [1], "value": number, "dtype": real, "place": "cpu"}
    filled = region.find(value[0]) if value else region.builder.create("pd_op.full", [], said).results[0]
    made = region.builder.create("pd_op.full_with_tensor", [filled, sizes], {"dtype": dtype})
    region.set(op.outputs["Out"][0], made.results[0])


def _shape_names(op: OpDesc) -> list[str]:
    return [name for slot in ("ShapeTensor", "ShapeTensorList") for name in op.inputs.get(slot, []) if name != EMPTY]


def _sizes(op: OpDesc, names: list[str], region: Region) -> ir.Value:
    """The shape that an operator's tensors say, or its attribute."""
    if not names:
        said = {"value": attr(op, "shape", []), "dtype": "int64"}
        return region.builder.create("pd_op.full_int_array", [], said).results[0]
    sizes = [region.find(name) for name in names]
    return joined_sizes(region, sizes) if len(sizes) > 1 or op.inputs.get("ShapeTensorList") else sizes[0]


@rule("uniform_random")
def _uniform_random(self: _Translation, op: OpDesc, region: Region) -> None:
    dtype = str(DTYPES[attr(op, "dtype", 5)]).removeprefix("torch.")

    def number(name: str, default: float) -> ir.Value:
        value = attr(op, name, default)
        if isinstance(value, str):  # the name of a variable
            return region.find(value)
        said = {"shape": [1], "value": float(value), "dtype": "float32", "place": "cpu"}
        return region.builder.create("pd_op.full", [], said).results[0]

    operands = [_sizes(op, _shape_names(op), region), number("min", -1.0), number("max", 1.0)]
    (name,) = op.outputs["Out"]
    # of bounds that only a run tells nothing follows
    types = [self.declared(region, name)] if any(isinstance(attr(op, one, 0.0), str) for one in ("min", "max")) else None
    said = {"dtype": dtype, "seed": attr(op, "seed", 0)}
    drawn = region.builder.create("pd_op.uniform", operands, said, types).results[0]
    count = attr(op, "diag_num", 0)
    region.set(name, _with_diagonal(op, drawn, operands[0], count, dtype, region) if count > 0 else drawn)


def _with_diagonal(op: OpDesc, matrix: ir.Value, sizes: ir.Value, count: int, dtype: str, region: Region) -> ir.Value:
    """The elements of the first `count` rows that are `diag_step` apart are `diag_val`."""
    if matrix.type is not None and len(matrix.type.dims) != 2:
        raise Unknown(f"attribute diag_num: expected 0 for what is no matrix, got {count}")
    create, step = region.builder.create, attr(op, "diag_step", 0)
    places = constant(region.builder, [row * (step + 1) for row in range(count)], [count], torch.int64)
    said = {"shape": [count], "value": float(attr(op, "diag_val", 1.0)), "dtype": dtype}
    flat = create("pd_op.reshape", [matrix, None], {"shape": [-1]}).results[0]
    flat = create("pd_op.scatter", [flat, places, create("pd_op.full", [], said).results[0]], {"overwrite": True}).results[0]
    return create("pd_op.reshape", [flat, sizes], {}).results[0]


@rule("seed")
def _seed(self: _Translation, op: OpDesc, region: Region) -> None:
    """A random one if it is 0."""
    if seed := attr(op, "seed", 0):
        region.set(op.outputs["Out"][0], constant(region.builder, [seed], [1], torch.int32))
        return
    said = {"low": 1, "high": 2**31 - 1, "dtype": "int32", "shape": [1]}
    region.set(op.outputs["Out"][0], region.builder.create("pd_op.randint", [None], said).results[0])


@rule("randint")
def _randint(self: _Translation, op: OpDesc, region: Region) -> None:
    if attr(op, "seed", 0):
        raise Unknown("attribute seed: expected 0, the numbers of other seeds are those of `phi_torch.legacy`")
    dtype = str(DTYPES[attr(op, "dtype", 3)]).removeprefix("torch.")
    said = {"low": attr(op, "low", 0), "high": attr(op, "high", 0), "dtype": dtype}
    made = region.builder.create("pd_op.randint", [_sizes(op, _shape_names(op), region)], said)
    region.set(op.outputs["Out"][0], made.results[0])


_NUMBERS = {"range": ("pd_op.arange", ("Start", "End", "Step")), "linspace": ("pd_op.linspace", ("Start", "Stop", "Num"))}


@rule(*_NUMBERS)
def _numbers(self: _Translation, op: OpDesc, region: Region) -> None:
    name, slots = _NUMBERS[op.type]
    operands, (out,) = [region.find(op.inputs[slot][0]) for slot in slots], op.outputs["Out"]
    type = self.declared(region, out)
    region.set(out, region.builder.create(name, operands, {"dtype": type.dtype, "place": "cpu"}, [type]).results[0])


@rule("tril_triu")
def _tril_triu(self: _Translation, op: OpDesc, region: Region) -> None:
    name = "pd_op.tril" if attr(op, "lower", True) else "pd_op.triu"
    made = region.builder.create(name, [region.find(op.inputs["X"][0])], {"diagonal": attr(op, "diagonal", 0)})
    region.set(op.outputs["Out"][0], made.results[0])


@rule("matmul")
def _matmul(self: _Translation, op: OpDesc, region: Region) -> None:
    operands = [region.find(op.inputs[slot][0]) for slot in ("X", "Y")]
    transposes = [attr(op, name, False) for name in ("transpose_X", "transpose_Y")]
    for at, shape in enumerate(([-1, 1], [1, -1])):  # a transposed vector is a column, or a row
        type = operands[at].type
        if transposes[at] and type is not None and len(type.shape) == 1:
            operands[at] = region.builder.create("pd_op.reshape", [operands[at], None], {"shape": shape}).results[0]
            transposes[at] = False
    said = dict(zip(("transpose_x", "transpose_y"), transposes))
    (found,) = region.builder.create("pd_op.matmul", operands, said).results
    if (alpha := attr(op, "alpha", 1.0)) != 1.0:
        (found,) = region.builder.create("pd_op.scale", [found, None], {"scale": alpha}).results
    region.set(op.outputs["Out"][0], found)


@rule("fused_conv2d_add_act")
def _conv2d_add_act(self: _Translation, op: OpDesc, region: Region) -> None:
    if has_channels_last(op):
        (filter,) = op.inputs["Filter"]
        made = region.builder.create("pd_op.transpose", [region.find(filter)], {"perm": CHANNELS_FIRST})
        first = f"{filter}, channels first"
        region.set(first, made.results[0])
        op = dataclasses.replace(op, inputs={**op.inputs, "Filter": [first]})
    self.plain(op, region)


@rule("mul")
def _mul(self: _Translation, op: OpDesc, region: Region) -> None:
    x, y = (region.find(op.inputs[slot][0]) for slot in ("X", "Y"))
    if y.type is None or len(y.type.shape) != 2 or attr(op, "y_num_col_dims", 1) != 1:
        raise Unknown(f"slot Y: expected a matrix, got {y.type}")
    said = {"in_num_col_dims": attr(op, "x_num_col_dims", 1)}
    region.set(op.outputs["Out"][0], region.builder.create("pd_op.fc", [x, y, None], said).results[0])


@rule("mul_grad")
def _mul_grad(self: _Translation, op: OpDesc, region: Region) -> None:
    x, y, grad = (region.find(op.inputs[slot][0]) for slot in ("X", "Y", "Out@GRAD"))
    if y.type is None or len(y.type.shape) != 2 or attr(op, "y_num_col_dims", 1) != 1:
        raise Unknown(f"slot Y: expected a matrix, got {y.type}")

    def rows(value: ir.Value, columns: int) -> ir.Value:
        if value.type is not None and len(value.type.shape) == 2:
            return value
        return region.builder.create("pd_op.reshape", [value, None], {"shape": [-1, columns]}).results[0]

    flat = rows(x, y.type.shape[0])
    made = region.builder.create("pd_op.matmul_grad", [flat, y, rows(grad, y.type.shape[1])], {}).results
    if flat != x:
        made[0] = region.builder.create("pd_op.reshape_grad", [x, made[0]], {}).results[0]
    for slot, found in zip(("X@GRAD", "Y@GRAD"), made):
        for name in op.outputs.get(slot, []):
            if name != EMPTY:
                region.set(name, found)


@rule("hierarchical_sigmoid")
def _hierarchical_sigmoid(self: _Translation, op: OpDesc, region: Region) -> None:
    """`W_Out` is the weight, most often the same variable."""
    outputs = {slot: names for slot, names in op.outputs.items() if slot != "W_Out"}
    self.plain(OpDesc(op.type, op.inputs, outputs, op.attrs), region)
    for name in op.outputs.get("W_Out", []):
        if name not in (EMPTY, *op.inputs["W"]):
            region.set(name, region.find(op.inputs["W"][0]))


@rule("one_hot_v2")
def _one_hot(self: _Translation, op: OpDesc, region: Region) -> None:
    if attr(op, "allow_out_of_range", False) or [name for name in op.inputs.get("depth_tensor", []) if name != EMPTY]:
        raise Unknown("attribute allow_out_of_range: expected false, and a depth that is known")
    create, dtype = region.builder.create, str(DTYPES[attr(op, "dtype", 5)]).removeprefix("torch.")
    hot = create("pd_op.one_hot", [region.find(op.inputs["X"][0]), None], {"num_classes": attr(op, "depth", -1)})
    region.set(op.outputs["Out"][0], create("pd_op.cast", hot.results, {"dtype": dtype}).results[0])


@rule("sequence_mask")
def _sequence_mask(self: _Translation, op: OpDesc, region: Region) -> None:
    most = [region.find(name) for name in op.inputs.get("MaxLenTensor", []) if name != EMPTY]
    (out,), x = op.outputs["Y"], region.find(op.inputs["X"][0])
    said = {"max_len": attr(op, "maxlen", -1), "out_dtype": str(DTYPES[op.attrs["out_dtype"].value]).removeprefix("torch.")}
    operands = [x, most[0] if most else None]
    region.set(out, region.builder.create("pd_op.sequence_mask", operands, said, [self.declared(region, out)]).results[0])


def joined_sizes(region: Region, sizes: list[ir.Value]) -> ir.Value:
    """Sizes, each a tensor of one element, as one tensor."""
    create = region.builder.create
    flat = [
        create("pd_op.reshape", [create("pd_op.cast", [one], {"dtype": "int64"}).results[0], None], {"shape": []}) for one in sizes
    ]
    return create("pd_op.stack", [_list(region, [one.results[0] for one in flat])], {"axis": 0}).results[0]


def _list(region: Region, values: list[ir.Value]) -> ir.Value:
    return region.builder.create("builtin.combine", values).results[0]


@rule("shape")
def _shape(self: _Translation, op: OpDesc, region: Region) -> None:
    found = region.builder.create("pd_op.shape64", [region.find(op.inputs["Input"][0])]).results[0]
    region.set(op.outputs["Out"][0], region.builder.create("pd_op.cast", [found], {"dtype": "int32"}).results[0])


@rule("matrix_rank")
def _matrix_rank(self: _Translation, op: OpDesc, region: Region) -> None:
    """Paddle 2 counts in int32, Paddle 3 in int64, and the variable says which."""
    self.plain(op, region)
    (name,) = op.outputs["Out"]
    found, dtype = region.find(name), self.declared(region, name).dtype
    if found.type is not None and found.type.dtype != dtype:
        region.set(name, region.builder.create("pd_op.cast", [found], {"dtype": dtype}).results[0])


@rule("share_data")
def _share_data(self: _Translation, op: OpDesc, region: Region) -> None:
    found = region.builder.create("pd_op.share_data_", [region.find(op.inputs["X"][0])])
    region.set(op.outputs["Out"][0], found.results[0])


@rule("select_input")
def _select_input(self: _Translation, op: OpDesc, region: Region) -> None:
    (out,) = op.outputs["Out"]
    given = [region.find(name) for name in op.inputs["X"]]
    if any(value.type is not None and value.type.kind == "dense_tensor_array" for value in given):
        if len(set(given)) > 1:
            raise Unknown("a choice of arrays")
        region.set(out, given[0])  # what both sides of a branch append to
        return
    defined = next((value for value in given if value not in self.variables.undefined), given[0])
    given = [self.variables.defined(region.builder, value, defined.type) for value in given]
    type = max((value.type for value in given), key=lambda type: len(type.dims) if type is not None else 0)
    given = [as_single(region.builder, value, type) for value in given]
    for one in given:
        type = joined(self.program.context, out, type, one.type)
    mask = region.find(op.inputs["Mask"][0])
    region.set(out, region.builder.create("pd_op.select_input", [mask, *given], {}, [type]).results[0])


@rule("print")
def _print(self: _Translation, op: OpDesc, region: Region) -> None:
    said = {name: one.value for name, one in op.attrs.items() if name in ("first_n", "message", "summarize", "print_phase")}
    found = region.builder.create("pd_op.print", [region.find(op.inputs["In"][0])], {"message": "", **said})
    region.set(op.outputs["Out"][0], found.results[0])


@rule("assert")
def _assert(self: _Translation, op: OpDesc, region: Region) -> None:
    data = _list(region, [region.find(name) for name in op.inputs.get("Data", [])])
    said = {"summarize": attr(op, "summarize", -1)}
    region.builder.create("pd_op.assert", [region.find(op.inputs["Cond"][0]), data], said, [])


@rule("einsum")
def _einsum(self: _Translation, op: OpDesc, region: Region) -> None:
    """What it keeps for its gradient are the operands."""
    self.plain(op, region)
    for slot in ("InnerCache", "XShape"):
        for name, operand in zip(op.outputs.get(slot, []), op.inputs["Operands"]):
            region.set(name, region.find(operand))
