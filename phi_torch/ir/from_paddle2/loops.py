"""Loops of Paddle 2. Those of their gradients: loop_gradients.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ... import ir
from ...legacy.description import OpDesc
from ..guessed_types import is_guessed
from .arrays import length_of, make_array, write
from .blocks import AFTER, FIRST, Key, Region, as_single, is_like, joined, number_of, stand_in
from .liveness import is_read_later
from .rules import rule

if TYPE_CHECKING:
    from .program import _Translation

Body = Callable[[ir.Builder, Sequence[ir.Value]], tuple[ir.Value, list[ir.Value]]]  # what goes on, and what the next round takes


@dataclass
class Steps:
    """What the steps of a loop held, in all of its runs: an array for each variable, and the type of what is in it."""

    arrays: dict[Key, tuple[ir.Value, ir.Type]] = field(default_factory=dict)

    def note(self, self_: _Translation, builder: ir.Builder, key: Key, value: ir.Value, at: ir.Value) -> None:
        assert value.type is not None
        sizes = [-1] * len(value.type.shape) if is_guessed(value) else value.type.shape
        array = self.arrays[key][0] if key in self.arrays else make_array(self_, value.type.dtype)
        self.arrays[key] = array, self_.program.context.dense_tensor(value.type.dtype, sizes)
        write(builder, array, value, at)

    def count(self, builder: ir.Builder) -> ir.Value:
        """How many steps there are so far."""
        array, _ = next(iter(self.arrays.values()))
        return length_of(builder, array)


def _given(region: Region, value: ir.Value, argument: ir.Value, end: ir.Value, is_kept: bool) -> ir.Value:
    """What a loop starts with: where no round reads that, it may be a number for what the rounds make of another type.

    And anything may be there if nothing after the loop reads the variable.
    """
    number = number_of(value) if is_kept else 0
    if argument.uses or number is None or end.type is None or is_like(value.type, end.type):
        return region.variables.defined(region.builder, value, end.type)
    return stand_in(region.builder, 0 if value in region.variables.undefined else number, end.type)


def loop(region: Region, condition: ir.Value, names: Mapping[str, bool], first: list[ir.Value], body: Body) -> list[ir.Value]:
    """A loop that carries what these variables begin with, each of which something reads after it or not.

    Its types are found by rounds, each of which widens one at least.
    """
    variables, context = region.variables, region.builder.program.context
    types = [value.type for value in first]
    for _ in range(2 + sum(len(type.shape) + 1 for type in types if type is not None)):
        made = region.builder.create("pd_op.while", [condition, *first], {}, types, 1)
        block = made.regions[0].add_block(types)
        undefined = {argument for value, argument in zip(first, block.arguments) if variables.may_be_undefined(value)}
        variables.undefined |= undefined
        inner = region.builder.at_end(block)
        goes_on, ends = body(inner, block.arguments)
        inner.create("cf.yield", [goes_on, *ends], {}, [])
        given = [_given(region, *each) for each in zip(first, block.arguments, ends, names.values())]
        given = [as_single(region.builder, value, end.type) for value, end in zip(given, ends)]
        known = [type if value == old else value.type for type, value, old in zip(types, given, first)]
        wider = [joined(context, name, type, end.type) for name, type, end in zip(names, known, ends)]
        if wider == types:
            return made.results
        variables.undefined -= undefined
        made.erase()
        first, types = given, list(wider)
    raise ValueError("the types of its variables change from round to round")


@rule("while")
def _while(self: _Translation, op: OpDesc, region: Region) -> None:
    (condition,), body = op.inputs["Condition"], op.attrs["sub_block"].value
    names, variables = self.variables.assigned(body), self.variables
    first = [variables.defined(region.builder, region.current(name), self.declared(region, name)) for name in names]
    own, read = variables.kept(body), list(_read(op, region, body, names))
    steps = self.loops.setdefault(body, Steps()) if variables.gradients(body) else None

    def step(builder: ir.Builder, arguments: Sequence[ir.Value]) -> tuple[ir.Value, list[ir.Value]]:
        inner = Region(variables, builder, body, region)
        inner.values |= {region.key(name): argument for name, argument in zip(names, arguments)}
        at = None
        if steps is not None:
            at = steps.count(builder)
            for key in read:
                value = inner.at(key)
                if value is not None:
                    steps.note(self, builder, key, value, at)
            steps.note(self, builder, (body, FIRST), at, at)
        self.block(inner)
        for key in own:
            value = self.shapes.get(key) or inner.values.get(key)
            if steps is not None and at is not None and value is not None:
                steps.note(self, builder, key, value, at)
        return inner.find(condition), [inner.find(name) for name in names]

    if steps is not None:
        steps.arrays.setdefault((body, FIRST), (make_array(self, "int64"), self.program.context.dense_tensor("int64", [1])))
        region.values[body, FIRST] = steps.count(region.builder)
    results = loop(region, region.find(condition), {name: is_read_later(region, op, name) for name in names}, first, step)
    if steps is not None:
        region.values[body, AFTER] = steps.count(region.builder)
    for name, result in zip(names, results):
        region.set(name, result)


def _read(op: OpDesc, region: Region, body: int, assigned: Sequence[str]) -> Iterator[Key]:
    """The variables around a loop that its gradient reads as a step began with them, as PaddlePaddle copies them.

    It copies neither parameters nor what an operator of the block changes in place.
    """
    variables, inside, found = region.variables, set(region.variables.within(body)), set[Key]()
    in_place = set[str]()
    for inner in variables.desc.blocks[body].ops:
        written = {name for names in inner.outputs.values() for name in names}
        in_place |= {name for names in inner.inputs.values() for name in names if name in written}
    for name, key, var in variables.read_by_gradients(body):
        if key in found or key[0] in inside or name in in_place or name not in op.inputs.get("X", []):
            continue
        found.add(key)
        is_copied = var is not None and var.kind == "dense_tensor" and not var.is_parameter
        if is_copied and key == region.key(name) and (name in assigned or variables.times_assigned(key) > 1):
            yield key
