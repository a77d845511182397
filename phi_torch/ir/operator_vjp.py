"""The gradients of an operator of Paddle 2 that is one operation, by its gradient operator, as another one."""

from __future__ import annotations

from .. import ir, legacy
from ..legacy._definition import definition
from ..legacy.description import EMPTY, Attribute, OpDesc
from .from_paddle2.whole import attributes_of, counts_of
from .gradient_call import said_by
from .list_call import call_of_list
from .operator_call import TARGET, described

GRAD = "@GRAD"
Elements = list[ir.Value | None]


def differentiate_call(builder: ir.Builder, op: ir.Operation, incoming: Elements) -> ir.Value | None:
    """The gradients of the list of operands; None where the operator has none.

    Args:
        incoming: the gradients of the results, one after the other.
    """
    made = op.operands[0].defining_op if op.operands and op.operands[0] is not None else None
    if op.attributes.get("target") != TARGET or made is None or made.name != "builtin.combine":
        return None
    operands = made.operands
    said = said_by(op.attributes["call"], operands, "type")  # type: ignore[arg-type]  # of which it wants the number
    attrs = {name: Attribute(one["type"], one["value"]) for name, one in said["attrs"].items()}
    forward = OpDesc(said["type"], _named(said["slots"], "operand"), _named(said["results"], "result"), attrs)
    read, given = ([name for names in slots.values() for name in names] for slots in (forward.inputs, forward.outputs))
    values = dict(zip(read, operands))
    given = [given[at] for at in said.get("wanted", range(len(given)))]
    values |= zip(given, builder.create("builtin.split", [op.results[0]]).results)
    values |= zip((name + GRAD for name in given), incoming)
    try:
        backward = legacy.grad_op(forward, {name + GRAD for name in read if not _has_gradient(values[name])})
    except legacy.ProgramError:
        return None
    flat = [name for names in backward.inputs.values() for name in names]
    names = [name for names in backward.outputs.values() for name in names]
    wanted = [at for at, name in enumerate(names) if name != EMPTY]
    if not wanted or not values.keys() >= {*flat}:
        return None
    defined, counts = definition(backward.type), {slot: len(some) for slot, some in backward.outputs.items()}
    only = wanted if len(wanted) < len(names) else None
    text = described(
        backward.type,
        counts_of(backward.inputs, defined),
        attributes_of(backward, defined),
        counts,
        _real(values, names, wanted),
        only,
    )
    types = [_type(values[names[at].removesuffix(GRAD)]) for at in wanted]
    found = dict(zip((names[at] for at in wanted), call_of_list(builder, TARGET, text, [values[name] for name in flat], types)))
    gradients = [found.get(name + GRAD) or _zeros(builder, values[name]) for name in read]
    return builder.create("builtin.combine", gradients).results[0]


def _named(slots: dict[str, int | None], what: str) -> dict[str, list[str]]:
    return {slot: [f"{what} {slot} {at}" for at in range(1 if count is None else count)] for slot, count in slots.items()}


def _type(value: ir.Value | None) -> ir.Type | None:
    return None if value is None else value.type


def _has_gradient(value: ir.Value | None) -> bool:
    type = _type(value)
    return type is not None and ("float" in type.dtype or "complex" in type.dtype)


def _real(values: dict[str, ir.Value | None], names: list[str], wanted: list[int]) -> list[int]:
    """Which of the gradients are of what is real."""
    types = [_type(values[names[at].removesuffix(GRAD)]) for at in wanted]
    return [at for at, type in enumerate(types) if type is not None and "complex" not in type.dtype]


def _zeros(builder: ir.Builder, like: ir.Value | None) -> ir.Value:
    return builder.create("pd_op.full_like", [like, None], {"value": 0.0}).results[0]
