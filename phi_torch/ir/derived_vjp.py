"""The gradient operation, as PaddlePaddle 3 has it, of an operator whose gradient is no operator here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import ir
from ..legacy._signature import Signature
from .derived_gradients import ATTRIBUTES, DIALECT, GRADIENT, Gradient, gradient_of
from .inline_gradient import GRADIENT_OF, bare
from .operator_vjp import differentiate_call

# the operator that gives the gradient, with the same attributes
_LINEAR = {"pd_op.as_complex": "pd_op.as_real", "pd_op.as_real": "pd_op.as_complex", "pd_op.reverse": "pd_op.reverse"}
# the slots that PaddlePaddle 3 reads, where those of Paddle 2 are others
_READ = {"pd_op.einsum": ("XShape", "InnerCache", f"Out{GRADIENT_OF}")}

Values = list[ir.Value | None]


def differentiate(builder: ir.Builder, op: ir.Operation, incoming: Values, wanted: Sequence[bool]) -> Values | None:
    """The gradients of the operands, by an operation that `ir.compile` and `ir.to_module` know; None where there is no such.

    Args:
        incoming: the gradients of the results.
        wanted: which operands one is wanted of.
    """
    if op.name in _LINEAR:
        said = {name: value for name, value in op.attributes.items() if name in {one.name for one in op.info.attributes}}
        made = builder.create(_LINEAR[op.name], [incoming[0], *op.operands[1:]], said)
        return [made.results[0], *[None] * (len(op.operands) - 1)]
    if op.name == "torch.call":
        (whole,) = incoming
        elements = builder.create("builtin.split", [whole]).results if whole is not None and _is_list(whole) else []
        found_whole = differentiate_call(builder, op, [*elements]) if elements else None
        return None if found_whole is None else [found_whole]
    gradient = gradient_of(op.name + GRADIENT)
    forward = _signature(op, gradient) if gradient is not None else None
    if gradient is None or forward is None:
        return None
    slots = {**dict(zip(forward.inputs, op.operands)), **dict(zip(forward.outputs, op.results))}
    slots |= {f"{slot}{GRADIENT_OF}": one for slot, one in zip(forward.outputs, incoming)}
    read = _READ.get(op.name, gradient.inputs)
    if not {slot for slot in read if slot is not None} <= slots.keys():
        return None
    places = [forward.inputs.index(slot.removesuffix(GRADIENT_OF)) for slot in gradient.outputs]
    asked = [at < len(op.operands) and wanted[at] for at in places]
    types = [op.operands[at].type if is_asked else None for at, is_asked in zip(places, asked)]  # type: ignore[union-attr]
    attributes, numbers = _attributes(op, gradient)
    operands = [_as_elements(builder, slots[slot]) if slot is not None else None for slot in read]
    made = builder.create(op.name + GRADIENT, [*operands, *numbers], attributes, types, undeclared=True)
    found: Values = [None] * len(op.operands)
    for at, result in zip(places, made.results):
        if at < len(found) and wanted[at]:
            found[at] = result
    return found


def _is_list(value: ir.Value) -> bool:
    return value.type is not None and value.type.kind == "vector"


def _as_elements(builder: ir.Builder, value: ir.Value | None) -> ir.Value | None:
    """A list that an operation gives, made of its elements anew, as programs of PaddlePaddle hand it on."""
    if value is None or not _is_list(value):
        return value
    if value.defining_op is not None and value.defining_op.name == "builtin.combine":
        return value
    return builder.create("builtin.combine", builder.create("builtin.split", [value]).results).results[0]


def _signature(op: ir.Operation, gradient: Gradient) -> Signature | None:
    """What programs of Paddle 2 call the operator's tensors, in their order."""
    from .. import legacy

    rows = legacy.signatures(gradient.type.removesuffix(GRADIENT)) if gradient.type else []
    return next((one for one in rows if one.kernel in (op.name.removeprefix(DIALECT), op.info.kernel)), None)


def _attributes(op: ir.Operation, gradient: Gradient) -> tuple[dict[str, Any], Values]:
    """The attributes of the gradient, and those that are operands."""
    values = {one.name: op.attribute(one.name) for one in op.info.attributes if one.name in op.attributes}  # with their kinds
    tensors = {bare(one.name): value for one, value in zip(op.info.inputs, op.operands) if one.is_mutable_attribute}
    read = [bare(ATTRIBUTES.get(name, name)) for name in gradient.attrs]
    operands = {name: tensors[name] for name in read if tensors.get(name) is not None}
    kept = {name: one for name, one in values.items() if bare(name) in read and bare(name) not in operands}
    return kept, [*operands.values()]
