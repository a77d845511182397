"""Arrays of tensors of Paddle 2, and those of their gradients, which begin with zeros."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ... import ir
from ...legacy.description import EMPTY, OpDesc, VarDesc
from .blocks import Region, Unknown
from .branches import zeros_like
from .rules import attr, rule

if TYPE_CHECKING:
    from .program import _Translation


def make_array(self: _Translation, dtype: str) -> ir.Value:
    """An array where the program begins, so that each block sees it."""
    return _create_array(self, ir.Builder(self.program).at_start(self.program.block), dtype)


def _array(self: _Translation, name: str, region: Region) -> ir.Value:
    """The array of a variable; one that nobody wrote yet is made where its block begins, or is zeros if it holds gradients."""
    value = region.current(name)
    if value is None:
        owner, var = region.of(name), region.variable(name)
        if var is None or var.kind != "tensor_array" or var.dtype is None:
            raise ValueError(f"variable '{name}': expected an array of tensors")
        if owner.block != region.key(name)[0]:
            raise Unknown(f"the array '{name}' of the block whose gradients these are")
        of, is_gradient, _ = name.partition("@GRAD")
        if is_gradient and region.kind(of) == "tensor_array":
            if owner is not region:
                raise Unknown("gradients of arrays that a block within another assigns")
            value = array_like(self, region, of)
        else:
            value = _create_array(self, region.builder.at_start(owner.builder.block), str(var.dtype).removeprefix("torch."))
        owner.set(name, value)
    return value


def shifted(builder: ir.Builder, number: ir.Value, by: int) -> ir.Value:
    return builder.create("pd_op.scale", [number, None], {"scale": 1.0, "bias": float(by)}).results[0]


def _each(builder: ir.Builder, array: ir.Value, do: Callable[[ir.Builder, ir.Value], None]) -> None:
    """Does something with each index of an array."""
    zero, length = _zero(builder), length_of(builder, array)
    made = builder.create("pd_op.while", [_is_less(builder, zero, length), zero], {}, [zero.type], 1)
    block = made.regions[0].add_block([zero.type])
    inner = builder.at_end(block)
    do(inner, block.arguments[0])
    after = shifted(inner, block.arguments[0], 1)
    inner.create("cf.yield", [_is_less(inner, after, length), after], {}, [])


def _zero(builder: ir.Builder) -> ir.Value:
    return builder.create("pd_op.full", [], {"shape": [1], "value": 0, "dtype": "int64", "place": "cpu"}).results[0]


def length_of(builder: ir.Builder, array: ir.Value) -> ir.Value:
    return builder.create("pd_op.array_length", [array]).results[0]


def _is_less(builder: ir.Builder, x: ir.Value, y: ir.Value) -> ir.Value:
    return builder.create("pd_op.less_than", [x, y], {}).results[0]


def _create_array(self: _Translation, builder: ir.Builder, dtype: str) -> ir.Value:
    type = self.program.context.tensor_like("dense_tensor_array", dtype, [])
    return builder.create("pd_op.create_array", [], {"dtype": dtype}, [type]).results[0]


def write(builder: ir.Builder, array: ir.Value, value: ir.Value, at: ir.Value) -> None:
    builder.create("pd_op.array_write_", [array, value, at], {}, [array.type])


def _element(self: _Translation, builder: ir.Builder, var: VarDesc | None, array: ir.Value, at: ir.Value) -> ir.Value:
    """What an array has at an index; a variable says of which rank."""
    if var is None or var.dims is None or array.type is None:
        raise ValueError("expected an array of tensors of a known rank")
    type = self.program.context.dense_tensor(array.type.dtype, [-1] * len(var.dims))
    return builder.create("pd_op.array_read", [array, at], {}, [type]).results[0]


def array_like(self: _Translation, region: Region, name: str) -> ir.Value:
    """An array of zeros like what a variable's array has so far."""
    like, var = region.find(name), region.variable(name)
    assert like.type is not None
    made = _create_array(self, region.builder, like.type.dtype)

    def zero(builder: ir.Builder, at: ir.Value) -> None:
        write(builder, made, zeros_like(builder, _element(self, builder, var, like, at)), at)

    _each(region.builder, like, zero)
    return made


def add_to(self: _Translation, builder: ir.Builder, array: ir.Value, found: ir.Value, var: VarDesc | None) -> None:
    """Adds to each tensor of an array what another one has in its place."""

    def add(inner: ir.Builder, at: ir.Value) -> None:
        both = [_element(self, inner, var, one, at) for one in (array, found)]
        write(inner, array, inner.create("pd_op.add", both, {}).results[0], at)

    _each(builder, found, add)


@rule("sum")
def _sum(self: _Translation, op: OpDesc, region: Region) -> None:
    names, (out,) = [name for name in op.inputs["X"] if name != EMPTY], op.outputs["Out"]
    if not any(region.kind(name) == "tensor_array" for name in names):
        self.plain(op, region)
        return
    arrays = [_array(self, name, region) for name in names]
    made = region.builder.create("pd_op.assign_array", arrays[:1], {}, [arrays[0].type]).results[0]
    for name, one in zip(names[1:], arrays[1:]):
        add_to(self, region.builder, made, one, region.variable(name))
    _assign_array(out, made, region)


def _assign_array(out: str, made: ir.Value, region: Region) -> None:
    if region.of(out) is not region:  # whoever reads it later has the array that was there before
        raise Unknown("an array that a block within another assigns")
    region.set(out, made)


@rule("tensor_array_to_tensor_grad")
def _array_to_tensor_grad(self: _Translation, op: OpDesc, region: Region) -> None:
    """The parts of a gradient that its tensors have, one after the other along an axis."""
    (name,), (out,) = op.inputs["X"], op.outputs["X@GRAD"]
    if out == EMPTY:
        return
    array, grad, var = _array(self, name, region), region.find(op.inputs["Out@GRAD"][0]), region.variable(name)
    assert array.type is not None and var is not None and grad.type is not None
    axis, stacks = attr(op, "axis", 0), attr(op, "use_stack", False)
    axis = axis + len(grad.type.shape) if axis < 0 else axis
    made = _create_array(self, region.builder, array.type.dtype)
    ends = make_array(self, "int64")  # where the part of each tensor ends

    def part(builder: ir.Builder, at: ir.Value) -> None:
        create, scalar = builder.create, self.program.context.dense_tensor("int64", [1])
        shape = create("pd_op.shape64", [_element(self, builder, var, array, at)]).results[0]
        start = create("pd_op.array_read", [ends, at], {}, [scalar]).results[0]
        size = shifted(builder, start, 1)
        if not stacks:
            along = {"axes": [0], "starts": [axis], "ends": [axis + 1], "infer_flags": [1], "decrease_axis": []}
            (own,) = create("pd_op.slice", [shape, None, None], along).results
            size = create("pd_op.add", [start, own], {}).results[0]
        write(builder, ends, size, shifted(builder, at, 1))
        said = {"axes": [axis], "infer_flags": [-1], "decrease_axis": []}
        (found,) = create("pd_op.slice", [grad, start, size], said).results
        write(builder, made, create("pd_op.reshape", [found, shape], {}).results[0], at)

    zero = _zero(region.builder)
    write(region.builder, ends, zero, zero)
    _each(region.builder, array, part)
    _assign_array(out, made, region)


@rule("write_to_array")
def _write_to_array(self: _Translation, op: OpDesc, region: Region) -> None:
    array = _array(self, op.outputs["Out"][0], region)
    write(region.builder, array, region.find(op.inputs["X"][0]), region.find(op.inputs["I"][0]))


@rule("read_from_array")
def _read_from_array(self: _Translation, op: OpDesc, region: Region) -> None:
    (out,) = op.outputs["Out"]
    operands = [_array(self, op.inputs["X"][0], region), region.find(op.inputs["I"][0])]
    region.set(out, region.builder.create("pd_op.array_read", operands, {}, [self.declared(region, out)]).results[0])


@rule("lod_array_length")
def _array_length(self: _Translation, op: OpDesc, region: Region) -> None:
    found = region.builder.create("pd_op.array_length", [_array(self, op.inputs["X"][0], region)])
    region.set(op.outputs["Out"][0], found.results[0])


@rule("tensor_array_to_tensor")
def _array_to_tensor(self: _Translation, op: OpDesc, region: Region) -> None:
    names = [op.outputs[slot][0] for slot in ("Out", "OutIndex")]
    said = {"axis": attr(op, "axis", 0), "use_stack": attr(op, "use_stack", False)}
    types = [self.declared(region, name) for name in names]
    found = region.builder.create("pd_op.array_to_tensor", [_array(self, op.inputs["X"][0], region)], said, types)
    self.assign(op, found, [[name] for name in names], region)


@rule("slice")
def _slice(self: _Translation, op: OpDesc, region: Region) -> None:
    (name,), (out,) = op.inputs["Input"], op.outputs["Out"]
    if region.kind(name) != "tensor_array":
        self.plain(op, region)
        return
    array = _array(self, name, region)
    starts, ends = (_place(op, which, region) for which in ("Starts", "Ends"))
    if attr(op, "decrease_axis", []):
        found = region.builder.create("pd_op.slice_array_dense", [array, starts], {}, [self.declared(region, out)])
    else:
        found = region.builder.create("pd_op.slice_array", [array, starts, ends], {}, [array.type])
    region.set(out, found.results[0])


def _place(op: OpDesc, which: str, region: Region) -> ir.Value:
    """Where a part of an array starts or ends: one number."""
    given = [name for slot in (f"{which}Tensor", f"{which}TensorList") for name in op.inputs.get(slot, []) if name != EMPTY]
    if given:
        return region.find(given[0])
    said = {"value": attr(op, which.lower(), []), "dtype": "int64", "place": "cpu"}
    return region.builder.create("pd_op.full_int_array", [], said).results[0]


@rule("assign")
def _assign(self: _Translation, op: OpDesc, region: Region) -> None:
    (name,), (out,) = op.inputs["X"], op.outputs["Out"]
    if region.kind(name) != "tensor_array":
        self.plain(op, region)
        return
    array = _array(self, name, region)
    if region.current(out) == array:
        return
    _assign_array(out, region.builder.create("pd_op.assign_array", [array], {}, [array.type]).results[0], region)
