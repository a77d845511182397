"""Arrays of tensors of Paddle 2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import ir
from ..legacy.description import EMPTY, OpDesc
from .from_legacy_blocks import Region, Unknown
from .from_legacy_rules import attr, rule

if TYPE_CHECKING:
    from .from_legacy_program import _Translation


def _array(self: _Translation, name: str, region: Region) -> ir.Value:
    """The array of a variable; one that nobody wrote yet is made where its block begins."""
    value = region.current(name)
    if value is None:
        owner, var = region.of(name), region.variable(name)
        if var is None or var.kind != "tensor_array" or var.dtype is None:
            raise ValueError(f"variable '{name}': expected an array of tensors")
        dtype = str(var.dtype).removeprefix("torch.")
        type = self.program.context.tensor_like("dense_tensor_array", dtype, [])
        value = region.builder.at_start(owner.builder.block).create("pd_op.create_array", [], {"dtype": dtype}, [type]).results[0]
        owner.set(name, value)
    return value


@rule("write_to_array")
def _write_to_array(self: _Translation, op: OpDesc, region: Region) -> None:
    array = _array(self, op.outputs["Out"][0], region)
    operands = [array, region.find(op.inputs["X"][0]), region.find(op.inputs["I"][0])]
    region.builder.create("pd_op.array_write_", operands, {}, [array.type])


@rule("read_from_array")
def _read_from_array(self: _Translation, op: OpDesc, region: Region) -> None:
    if [name for name in op.inputs.get("X_W", []) if name != EMPTY]:
        raise Unknown("slot X_W: gradients of arrays")
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
    if region.of(out) is not region:  # whoever reads it later has the array that was there before
        raise Unknown("an array that a block within another assigns")
    region.set(out, region.builder.create("pd_op.assign_array", [array], {}, [array.type]).results[0])
