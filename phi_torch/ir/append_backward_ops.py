"""Gradients as operations of a program, which then trains without autograd."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .. import ir
from .._expect import expect

PARAMETER = "builtin.parameter"
_IDENTITIES = ("builtin.to_tensor", "builtin.to_vtensor", "builtin.shadow_output", "pd_op.fetch")


def append_backward(
    program: ir.Program, loss: ir.Value, wanted: Sequence[ir.Value] | None = None
) -> list[tuple[ir.Value, ir.Value | None]]:
    """Adds to the program what computes the gradients of `loss`, a tensor of one element, by the backward operators.

    Several gradients of a value are added. A result of which its operation says `stop_gradient` passes none on. Of a `pd_op.if`
    the branch that ran is computed again in a `pd_op.if` of the gradients.

    Args:
        wanted: values to differentiate by; by default the weights that train, in the program's order.

    Returns:
        Each of them with its gradient, of its type; None where `loss` does not depend on it.

    Raises:
        ValueError: `loss` is no value of the program's top block, or has several elements.
        NotImplementedError: an operator on the way has no gradient; the message names the operation.
        VerifyError: the program is not well-formed.
    """
    expect("append_backward", "program", program, ir.Program)
    expect("append_backward", "loss", loss, ir.Value)
    program.verify()
    if loss.owner_block.parent_op != program.module:
        raise ValueError("append_backward: argument 'loss': expected a value of the program's top block")
    type = loss.type
    if type is None or type.kind != "dense_tensor" or "float" not in type.dtype or any(size not in (1, -1) for size in type.shape):
        raise ValueError(f"append_backward: argument 'loss': expected one element of floating point, got {type}")
    if wanted is None:
        wanted = [op.results[0] for op in program.block.operations if op.name == PARAMETER and _trains(op)]
    builder = ir.Builder(program)
    flows = _depending(program.block, set(wanted))
    gradients = _Gradients(builder, flows)
    gradients.add(loss, builder.create("pd_op.full_like", [loss, None], {"value": 1.0}).results[0])
    _differentiate(list(program.block.operations), gradients)
    return [(value, gradients.total(value)) for value in wanted]


def _trains(op: ir.Operation) -> bool:
    type = op.results[0].type
    is_float = type is not None and type.kind == "dense_tensor" and "float" in type.dtype
    return is_float and op.attributes.get("trainable", True) and op.attributes.get("stop_gradient") is not True


def _depending(block: ir.Block, values: set[ir.Value]) -> set[ir.Value]:
    """The values in the block, and in its regions, through which gradients flow to `values`."""
    found = set(values)
    for op in block.operations:
        inner = {value for region in op.regions for one in region.blocks for value in _depending(one, found)}
        found |= inner
        used = [one for one in op.operands if one is not None]
        yields = [one for region in op.regions for b in region.blocks for one in b.operations[-1].operands if one is not None]
        stops = op.attributes.get("stop_gradient", [])
        for i, result in enumerate(op.results):
            is_stopped = stops is True or (isinstance(stops, list) and i < len(stops) and stops[i])
            if any(one in found for one in (*used, *yields)) and not is_stopped and _is_real(result.type):
                found.add(result)
    return found


def _is_real(type: ir.Type | None) -> bool:
    if type is None:
        return False
    if type.kind == "vector":
        return any(_is_real(element) for element in type.elements)
    return "float" in type.dtype or "complex" in type.dtype


class _Gradients:
    """What is known of the gradients of values, at one place of the program."""

    def __init__(self, builder: ir.Builder, flows: set[ir.Value]) -> None:
        self.builder, self.flows = builder, flows
        self._parts: dict[ir.Value, list[ir.Value]] = {}

    def add(self, value: ir.Value | None, gradient: ir.Value | None) -> None:
        if value is not None and gradient is not None and value in self.flows:
            self._parts.setdefault(value, []).append(gradient)

    def total(self, value: ir.Value) -> ir.Value | None:
        """The sum of what was added; None if nothing was."""
        parts = self._parts.get(value, [])
        while len(parts) > 1:
            parts[:2] = [self._sum(value, parts[0], parts[1])]
        return parts[0] if parts else None

    def _sum(self, value: ir.Value, x: ir.Value, y: ir.Value) -> ir.Value:
        if value.type is None or value.type.kind != "vector":
            return self.builder.create("pd_op.add", [x, y]).results[0]
        pairs = zip(self.elements(x), self.elements(y))
        return self.combined([self.builder.create("pd_op.add", pair).results[0] for pair in pairs])

    def elements(self, value: ir.Value) -> list[ir.Value]:
        return self.builder.create("builtin.split", [value]).results

    def combined(self, values: Sequence[ir.Value]) -> ir.Value:
        return self.builder.create("builtin.combine", values).results[0]

    def or_zeros(self, value: ir.Value, gradient: ir.Value | None) -> ir.Value:
        if gradient is not None:
            return gradient
        return self.builder.create("pd_op.full_like", [value, None], {"value": 0.0}).results[0]


def _differentiate(operations: Sequence[ir.Operation], gradients: _Gradients) -> None:
    for op in reversed(operations):
        incoming = [gradients.total(result) if result in gradients.flows else None for result in op.results]
        if op.regions:
            outside = [value for value in _captured(op) if value in gradients.flows]
        else:
            outside = [value for value in op.operands if value is not None and value in gradients.flows]
        if outside and any(one is not None for one in incoming):
            _visit(op, incoming, gradients)


def _visit(op: ir.Operation, incoming: list[ir.Value | None], gradients: _Gradients) -> None:
    first = incoming[0] if incoming else None
    if op.name in _IDENTITIES:
        gradients.add(op.operands[0], first)
    elif op.name == "builtin.combine":
        assert first is not None
        for element, gradient in zip(op.operands, gradients.elements(first)):
            gradients.add(element, gradient)
    elif op.name in ("builtin.split", "builtin.slice"):
        (whole,) = op.operands
        assert whole is not None
        parts: list[ir.Value | None] = incoming
        if op.name == "builtin.slice":
            parts = [None] * len(whole.type.elements)  # type: ignore[union-attr]
            parts[op.attributes["index"]] = first
        each = gradients.elements(whole)
        gradients.add(whole, gradients.combined([gradients.or_zeros(one, part) for one, part in zip(each, parts)]))
    elif op.name == "pd_op.if":
        _branches(op, incoming, gradients)
    elif op.info.gradient is None:
        _derived(op, incoming, gradients)
    else:
        wanted = [value is not None and value in gradients.flows for value in op.operands]
        for operand, found in zip(op.operands, gradients.builder.differentiate(op, incoming, wanted)):
            gradients.add(operand, found)


def _derived(op: ir.Operation, incoming: list[ir.Value | None], gradients: _Gradients) -> None:
    """The gradients of an operator of which the gradient operator is PaddlePaddle's alone."""
    from .derived_vjp import differentiate  # which needs what runs programs of Paddle 2

    is_tensor = [one in gradients.flows and one.type is not None and one.type.kind == "dense_tensor" for one in op.results]
    whole = [gradients.or_zeros(one, of) if is_one else of for one, of, is_one in zip(op.results, incoming, is_tensor)]
    found = differentiate(gradients.builder, op, whole, [one is not None and one in gradients.flows for one in op.operands])
    if found is None:
        where = f" at {op.location}" if op.location else ""
        raise NotImplementedError(f"append_backward: {op.name}{where} has no gradient; say stop_gradient of its result")
    for operand, one in zip(op.operands, found):
        gradients.add(operand, one)


def _captured(op: ir.Operation) -> list[ir.Value]:
    """The values around an operation that its regions use."""
    inner = list(_inside(op))
    used = [x for one in inner for x in one.operands if x is not None]
    own = {result for one in inner for result in one.results}
    arguments = {x for one in (op, *inner) for region in one.regions for block in region.blocks for x in block.arguments}
    return list(dict.fromkeys(x for x in used if x not in own and x not in arguments))


def _inside(op: ir.Operation) -> Iterator[ir.Operation]:
    for region in op.regions:
        for block in region.blocks:
            for one in block.operations:
                yield one
                yield from _inside(one)


def _branches(op: ir.Operation, incoming: list[ir.Value | None], gradients: _Gradients) -> None:
    """Another `pd_op.if`, whose regions compute the branch again, and then the gradients of what it uses from around it."""
    for one in _inside(op):
        if one.has_trait("Random"):
            raise NotImplementedError(f"append_backward: {one.name} in a branch would draw other numbers when it is computed again")
    outside = [value for value in _captured(op) if value in gradients.flows]
    made = gradients.builder.create("pd_op.if", [op.operands[0]], {}, [value.type for value in outside], 2)
    for region, theirs in zip(op.regions, made.regions):
        builder = gradients.builder.at_end(theirs.add_block())
        values: dict[ir.Value, ir.Value] = {}
        (block,) = region.blocks
        copied = [_copy(one, builder, values) for one in block.operations[:-1]]
        yielded = [values.get(x, x) if x is not None else None for x in block.operations[-1].operands]
        copies = {values.get(x, x) for x in gradients.flows}
        inner = _Gradients(builder, copies | gradients.flows)
        for value, gradient in zip(yielded, incoming):
            inner.add(value, gradient)
        _differentiate(copied, inner)
        builder.create("cf.yield", [inner.or_zeros(value, inner.total(value)) for value in outside], result_types=[])
    for value, gradient in zip(outside, made.results):
        gradients.add(value, gradient)


def _copy(op: ir.Operation, builder: ir.Builder, values: dict[ir.Value, ir.Value]) -> ir.Operation:
    operands = [values.get(x, x) if x is not None else None for x in op.operands]
    attributes = {name: op.attribute(name) for name in op.attributes}
    types = [result.type for result in op.results]
    made = builder.create(op.name, operands, attributes, types, len(op.regions), op.location, undeclared=True)
    for region, theirs in zip(op.regions, made.regions):
        for block in region.blocks:
            inner = theirs.add_block([x.type for x in block.arguments])
            values.update(zip(block.arguments, inner.arguments))
            for one in block.operations:
                _copy(one, builder.at_end(inner), values)
    values.update(zip(op.results, made.results))
    return made
