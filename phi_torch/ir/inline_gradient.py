"""A gradient operator of PaddlePaddle 3 as the operations of what Paddle 2's of the same kernel is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from .. import ir
from ..legacy._definition import definition
from ..legacy.kernels.table import KERNELS
from .derived_gradients import ATTRIBUTES, Gradient
from .gradient_call import TARGET, described
from .guessed_types import gives_guesses
from .inline_composite import NoTrace, Traced, replaced
from .list_call import call_of_list
from .paddle.names import DTYPES, torch_dtype

GRADIENT_OF = "@GRAD"


def inline_gradient(op: ir.Operation, gradient: Gradient) -> bool:
    """Puts these operations in the place of `op`, or a call of the whole where their sizes cannot be told, or are a
    guess. False, and nothing has changed, where neither can be."""
    try:
        call = _Gradients(op, gradient)
    except NoTrace:
        return False
    return (not gives_guesses(op) and replaced(op, lambda: call)) or call.as_one_operation()


class _Gradients(Traced):
    """A run of the operator with what an operation has."""

    differentiates = True

    def __init__(self, op: ir.Operation, gradient: Gradient) -> None:
        super().__init__(op)
        self.gradient = gradient
        operands = _einsum_operands(op) if op.name == "pd_op.einsum_grad" else op.operands
        self.slots = [(slot, value) for slot, value in zip(gradient.inputs, operands) if slot is not None and value is not None]
        for _, value in self.slots:
            self.input(value)
        self.attrs = self._attributes(operands[len(gradient.inputs) :])
        like = {f"{slot}{GRADIENT_OF}": value.type for slot, value in self.slots}  # which PaddlePaddle's files may say otherwise
        said = [(slot, one, one.type) for slot, one in zip(gradient.outputs, op.results) if one.type is not None]
        self.wanted = [(slot, one, like.get(slot) or type) for slot, one, type in said]
        self.counts = {slot: _count(type) for slot, _, type in self.wanted}
        node = self.values.call(self._run, *[self._tensors(value) for _, value in self.slots])
        made = {one: self.values.call(_item, node, index) for index, (_, one, _) in enumerate(self.wanted)}
        self.values.graph.output(tuple([made.get(one) for one in op.results]))

    def _run(self, *tensors: Any) -> list[Any]:
        inputs = {slot: one for (slot, _), one in zip(self.slots, tensors)}
        found = self.gradient.run(inputs, self.attrs, {slot: count or 1 for slot, count in self.counts.items()})
        return [[found[slot]] if count == 1 else found[slot] for slot, count in self.counts.items()]

    def as_one_operation(self) -> bool:
        """Puts `torch.call` of the whole in the place of the operation."""
        op, builder = self.op, ir.Builder(self.op.program).before(self.op)
        flat: list[ir.Value | None] = []
        slots: list[tuple[str, int | None]] = []
        for slot, value in self.slots:
            elements = _elements(value)
            flat += [value] if elements is None else elements
            slots.append((slot, None if elements is None else len(elements)))
        types = [one for _, _, type in self.wanted for one in (type.elements if type.kind == "vector" else [type])]
        if None in flat or None in types:
            return False
        try:
            text = described(self.gradient, slots, self.attrs, self.counts)
        except TypeError:  # a number that only a run tells
            return False
        parts = call_of_list(builder, TARGET, text, flat, types, op.location)
        for _, old, type in self.wanted:
            new, parts = (
                (parts[0], parts[1:]) if type.kind != "vector" else (parts[: len(type.elements)], parts[len(type.elements) :])
            )
            old.replace_all_uses_with(builder.create("builtin.combine", new).results[0] if isinstance(new, list) else new)
        program, is_as_said = op.program, all(old.type == type for _, old, type in self.wanted)
        op.erase()
        if not is_as_said:
            program.refine_types()
        return True

    def _tensors(self, value: ir.Value) -> Any:
        known = self.values.known(value)
        return [self.values.as_tensor(one) for one in known] if isinstance(known, list) else self.values.as_tensor(known)

    def _is_constant(self, value: ir.Value) -> bool:
        try:
            self.constant(value)
        except NoTrace:
            return False
        return True

    def _attributes(self, numbers: Sequence[ir.Value | None]) -> dict[str, Any]:
        """By their names in Paddle 2, which spells some otherwise; those that are operands come last among these.

        Raises:
            NoTrace: they are not those of the operator.
        """
        given = {bare(name): value for name, value in self.op.attributes.items()}
        said = {name: bare(ATTRIBUTES.get(name, name)) for name in self.gradient.attrs}
        attrs = {name: _value(given[plain]) for name, plain in said.items() if plain in given}
        others = [name for name in self.gradient.attrs if name not in attrs]
        if len(others) != len(numbers):
            raise NoTrace
        for name, value in zip(others, numbers):
            if value is not None and not self._is_constant(value) and name in self.gradient.tensors:
                self.slots.append((self.gradient.tensors[name], value))
                self.input(value)
            elif value is not None:
                self.constant(value)
                read = self.values.numbers if _is_list(self.gradient, name) else self.values.number
                attrs[name] = read(value)
        return attrs


def _count(type: ir.Type) -> int | None:
    return len(type.elements) if type.kind == "vector" else None


def _elements(value: ir.Value) -> list[ir.Value | None] | None:
    """Of a list."""
    assert value.type is not None
    if value.type.kind != "vector":
        return None
    assert value.defining_op is not None  # what makes lists of operands
    return value.defining_op.operands


def _einsum_operands(op: ir.Operation) -> list[ir.Value | None]:
    """Of the operator that made what the gradient reads: here it keeps nothing for it."""
    made: ir.Operation | None = op
    for name in ("builtin.combine", "builtin.split", "pd_op.einsum"):
        first = made.operands[0] if made is not None and made.operands else None
        made = first.defining_op if first is not None else None
        if made is None or made.name != name:
            raise NoTrace
    assert made is not None
    return [made.operands[0], *op.operands[1:]]


def _is_list(gradient: Gradient, attribute: str) -> bool:
    if not gradient.type:
        arguments = KERNELS[gradient.kernel].schema.arguments
        return any("List" in str(one.type) for one in arguments if one.name == attribute)
    defined = definition(gradient.type)
    declared = defined.attrs.get(attribute) if defined is not None else None
    return declared is None or declared.type.endswith("S")


def bare(name: str) -> str:
    return name.replace("_", "").lower()


def _value(value: Any) -> Any:
    return torch_dtype(value) if isinstance(value, str) and value in DTYPES else value


def _item(found: Sequence[Any], index: int) -> torch.Tensor | list[torch.Tensor]:
    return found[index]  # type: ignore[no-any-return]
