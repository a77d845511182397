"""Loops of Paddle 2, and those of their gradients, which go through the steps backward."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ... import ir
from ...legacy.description import EMPTY, OpDesc
from .arrays import add_to, array_like, length_of, make_array, shifted, write
from .blocks import AFTER, FIRST, Key, Region, Unknown, as_single, is_like, joined, number_of, stand_in
from .branches import zeros_like
from .liveness import is_read_later
from .rules import attr, rule

if TYPE_CHECKING:
    from .program import _Translation

Body = Callable[[ir.Builder, Sequence[ir.Value]], tuple[ir.Value, list[ir.Value]]]  # what goes on, and what the next round takes


@dataclass
class Steps:
    """What the steps of a loop held, in all of its runs: an array for each variable, and the type of what is in it."""

    arrays: dict[Key, tuple[ir.Value, ir.Type]] = field(default_factory=dict)

    def note(self, self_: _Translation, builder: ir.Builder, key: Key, value: ir.Value, at: ir.Value) -> None:
        assert value.type is not None
        is_guessed = value.defining_op is not None and "unproven_types" in value.defining_op.attributes
        sizes = [-1] * len(value.type.shape) if is_guessed else value.type.shape
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


def _loop(region: Region, condition: ir.Value, names: Mapping[str, bool], first: list[ir.Value], body: Body) -> list[ir.Value]:
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
    results = _loop(region, region.find(condition), {name: is_read_later(region, op, name) for name in names}, first, step)
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


@rule("while_grad")
def _while_grad(self: _Translation, op: OpDesc, region: Region) -> None:
    """Runs the block of gradients for each step, the last one first, with what was noted of the step.

    A gradient that steps read and write goes from one to the next; the others are added up from zeros on.
    """
    variables, body = self.variables, op.attrs["sub_block"].value
    forward = variables.desc.blocks[body].forward_block_idx
    steps, first, after = self.loops.get(forward), region.at((forward, FIRST)), region.at((forward, AFTER))
    if steps is None or first is None or after is None:
        raise Unknown("a loop that does not run before its gradient")
    _check_arrays(region, body, forward)
    outside, inside = op.inputs.get("Out@GRAD", []), attr(op, "original_output_grad", [])
    if len(inside) != len(outside) or not all(isinstance(name, str) for name in inside):
        raise ValueError(f"attribute original_output_grad: expected {len(outside)} names of variables, got {inside!r:.60}")
    passed = dict(zip(outside, inside))
    passed.pop(EMPTY, None)
    wanted = {x: grad for x, grad in zip(op.inputs["X"], op.outputs["X@GRAD"]) if grad != EMPTY}
    arrays, carried = dict[str, ir.Value](), dict[str, ir.Value]()
    for grad, name in passed.items():
        of = name.removesuffix("@GRAD")
        if region.kind(of) == "tensor_array":
            arrays[grad] = region.current(grad) or array_like(self, region, of)
        else:
            carried[grad] = region.current(grad) or zeros_like(region.builder, region.find(of))
    for x, grad in wanted.items():
        if grad not in passed and region.kind(x) == "tensor_array":
            arrays[grad] = array_like(self, region, x)
        elif grad not in passed:
            carried[grad] = zeros_like(region.builder, region.find(x))
    of_grad = Region(variables, region.builder, body, region)
    others = [name for name in variables.assigned(body) if _is_around(of_grad.key(name), steps, region)]
    others = [name for name in others if of_grad.key(name) not in {of_grad.key(grad) for grad in (*passed, *passed.values())}]
    for name in others:
        declared = self.declared(of_grad, name)
        carried[f"{name} "] = variables.defined(region.builder, region.current(name), declared)

    def step(builder: ir.Builder, arguments: Sequence[ir.Value]) -> tuple[ir.Value, list[ir.Value]]:
        before, held = arguments[0], dict(zip(carried, arguments[1:]))
        at, inner = shifted(builder, before, -1), Region(variables, builder, body, region)
        shapes = dict(self.shapes)
        for key, (array, type) in steps.arrays.items():
            inner.values[key] = builder.create("pd_op.array_read", [array, at], {}, [type]).results[0]
            if key in shapes:
                self.shapes[key] = inner.values[key]
        inner.values |= {inner.key(name): held[f"{name} "] for name in others}
        for grad, name in passed.items():
            inner.values[inner.key(grad)] = inner.values[inner.key(name)] = held.get(grad) or arrays[grad]
        self.block(inner)
        self.shapes = shapes
        for x, grad in wanted.items():
            found = inner.current(f"{x}@GRAD")
            if grad in arrays:
                _array_end(self, inner, x, arrays[grad], grad in passed)
            elif grad in passed:
                held[grad] = found or held[grad]
            elif found is not None:
                held[grad] = builder.create("pd_op.add", [held[grad], found], {}).results[0]
        for grad in passed:
            if grad not in arrays and grad not in wanted.values():
                held[grad] = inner.find(grad)
        held |= {f"{name} ": inner.find(name) for name in others}
        return builder.create("pd_op.greater_than", [at, first], {}).results[0], [at, *held.values()]

    is_any = region.builder.create("pd_op.greater_than", [after, first], {}).results[0]
    _, *results = _loop(region, is_any, dict.fromkeys(["steps", *carried], True), [after, *carried.values()], step)
    for name, result in zip(carried, results):
        region.set(name.removesuffix(" "), result)
    for name, array in arrays.items():
        region.set(name, array)


def _is_around(key: Key, steps: Steps, region: Region) -> bool:
    """Whether what a block of gradients assigns stays when a step ends: a step's own variables, and what it held, do not."""
    declaring: Region | None = region
    while declaring is not None and declaring.block != key[0]:
        declaring = declaring.outer
    return key not in steps.arrays and declaring is not None


def _array_end(self: _Translation, step: Region, x: str, array: ir.Value, is_passed: bool) -> None:
    found = step.current(f"{x}@GRAD")
    if not is_passed and found is not None:
        add_to(self, step.builder, array, found, step.variable(x))
    elif is_passed and found != array:
        raise Unknown("gradients of an array that are another array after each step")


def _check_arrays(region: Region, body: int, forward: int) -> None:
    """Nothing notes the arrays that each step has of its own."""
    inside = set(region.variables.within(forward))
    for name, key, var in region.variables.read_by_gradients(forward):
        if key[0] in inside and var is not None and var.kind == "tensor_array":
            raise Unknown(f"gradients of the array '{name}' that each step of the loop makes")
