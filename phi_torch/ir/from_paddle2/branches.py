"""Blocks of Paddle 2 that run on a condition, and those of their gradients, as branches; and blocks that always run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ... import ir
from ...legacy.description import EMPTY, OpDesc
from .blocks import AFTER, FIRST, Key, Region, Unknown, as_single, joined, stand_in, type_of
from .calls import constant
from .liveness import is_read_later
from .rules import attr, rule

if TYPE_CHECKING:
    from .program import _Translation


def _condition(op: OpDesc, region: Region) -> ir.Value:
    """The condition; where it is no scalar it is not read, and the block runs if none of its inputs is empty."""
    if attr(op, "is_scalar_condition", False):
        return region.find(op.inputs["Cond"][0])
    builder = region.builder
    count = constant(builder, [1], [], torch.int64)
    for name in op.inputs.get("Input", []):
        value = region.find(name)
        if value.type is None or value.type.kind != "dense_tensor":
            raise Unknown(f"slot Input: expected tensors, which may be empty, got {value.type}")
        elements = builder.create("pd_op.numel", [value], {}).results[0]
        count = builder.create("pd_op.minimum", [count, elements], {}).results[0]
    return builder.create("pd_op.greater_than", [count, constant(builder, [0], [], torch.int64)], {}).results[0]


def _branch(self: _Translation, op: OpDesc, region: Region, types: list[ir.Type]) -> tuple[ir.Operation, Region, ir.Builder]:
    """A branch that gives these types, its one side with what the block holds, and what makes the other side."""
    made = region.builder.create("pd_op.if", [_condition(op, region)], {}, types, 2)
    inner = region.builder.at_end(made.regions[0].add_block())
    then = Region(self.variables, inner, op.attrs["sub_block"].value, region)
    self.block(then)
    return made, then, region.builder.at_end(made.regions[1].add_block())


@rule("conditional_block", "conditional_block_infer")
def _conditional_block(self: _Translation, op: OpDesc, region: Region) -> None:
    """What its block assigns, and what the block of its gradient reads of it."""
    body, context = op.attrs["sub_block"].value, self.program.context
    assigned, inner = self.variables.assigned(body), self.variables.kept(body)
    names = [name for name in assigned if _keeps_rank(self, region, name) or is_read_later(region, op, name)]
    types = [self.declared(region, name) for name in names]
    types += [kept_type(self, key) for key in inner]
    made, then, otherwise = _branch(self, op, region, types)
    ends, kept = [then.find(name) for name in names], list[ir.Value]()
    for name, end in zip(names, ends):
        assert end.type is not None
        other = self.variables.defined(otherwise, region.current(name), end.type)
        kept.append(as_single(otherwise, other, end.type))
    for key, type in zip(inner, types[len(names) :]):
        value = self.shapes.get(key) or then.values.get(key)  # of what notes a shape that has it
        ends.append(stand_in(then.builder, 0, type) if value is None else value)
        end_type = ends[-1].type
        assert end_type is not None
        kept.append(stand_in(otherwise, 0, end_type))
    for name, end, other, result in zip([*names, *(name for _, name in inner)], ends, kept, made.results):
        result.type = joined(context, name, end.type, other.type)
    then.builder.create("cf.yield", ends, {}, [])
    otherwise.create("cf.yield", kept, {}, [])
    for name, result in zip(names, made.results):
        region.set(name, result)
    for key, result in zip(inner, made.results[len(names) :]):
        if key in self.shapes:
            self.shapes[key] = result
        region.values[key] = result


def _keeps_rank(self: _Translation, region: Region, name: str) -> bool:
    """Whether a variable that a block assigns may be what it is already; `to_static` gives those of one block a number before."""
    value = region.current(name)
    if value is None or value.type is None or value.type.kind != "dense_tensor":
        return True
    return len(value.type.dims) == len(self.declared(region, name).dims)


@rule("conditional_block_grad")
def _conditional_block_grad(self: _Translation, op: OpDesc, region: Region) -> None:
    """Gradients of what the block read; zeros if it did not run."""
    wanted = [(x, grad) for x, grad in zip(op.inputs["Input"], op.outputs.get("Input@GRAD", [])) if grad != EMPTY]
    values = [region.find(x) for x, _ in wanted]
    types = [value.type for value in values if value.type is not None and value.type.kind == "dense_tensor"]
    if len(types) < len(wanted):
        raise Unknown("gradients of arrays")
    made, then, otherwise = _branch(self, op, region, types)
    ends = [then.values.get(then.key(f"{x}@GRAD")) for x, _ in wanted]
    ends = [zeros_like(then.builder, value) if end is None else end for end, value in zip(ends, values)]
    zeros = [zeros_like(otherwise, value) for value in values]
    for (x, _), end, other, result in zip(wanted, ends, zeros, made.results):
        assert end is not None
        result.type = joined(self.program.context, f"{x}@GRAD", end.type, other.type)
    then.builder.create("cf.yield", ends, {}, [])
    otherwise.create("cf.yield", zeros, {}, [])
    for (_, grad), result in zip(wanted, made.results):
        region.set(grad, result)


def _inlined(self: _Translation, number: int, region: Region) -> Region:
    """The operators of a block in the place of the one that runs it. What it declares is known behind it, for gradients."""
    inner = Region(self.variables, region.builder, number, region)
    self.block(inner)
    region.values |= inner.values
    return inner


@rule("pylayer")
def _pylayer(self: _Translation, op: OpDesc, region: Region) -> None:
    """What a function computes; its gradient is the second block."""
    inner = _inlined(self, op.attrs["blocks"].value[0], region)
    for name in op.outputs["Out"]:
        region.set(name, inner.find(name))


@rule("pylayer_grad")
def _pylayer_grad(self: _Translation, op: OpDesc, region: Region) -> None:
    inner = _inlined(self, op.attrs["backward_block"].value, region)
    for x, grad in zip(op.inputs["Input"], op.outputs.get("Input@GRAD", [])):
        if grad != EMPTY:
            region.set(grad, inner.find(f"{x}@GRAD"))


def kept_type(self: _Translation, key: Key) -> ir.Type:
    (block, name), context = key, self.program.context
    if name in (FIRST, AFTER):
        return context.dense_tensor("int64", [1])
    return type_of(context, name, self.desc.blocks[block].vars[name])


def zeros_like(builder: ir.Builder, like: ir.Value) -> ir.Value:
    assert like.type is not None
    zero = builder.create("pd_op.full", [], {"shape": [], "value": 0.0, "dtype": like.type.dtype}).results[0]
    return builder.create("pd_op.full_like", [like, zero], {}).results[0]


@rule("select_output")
def _select_output(self: _Translation, op: OpDesc, region: Region) -> None:
    """The gradient of `select_input`: any of these variables may have it, as only the one that was chosen is read."""
    names = [name for name in op.outputs["Out"] if name != EMPTY]
    if any(region.current(name) is not None for name in names):
        raise Unknown("a choice of what keeps another value")
    for name in names:
        region.set(name, region.find(op.inputs["X"][0]))
