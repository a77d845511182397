"""Loops of gradients of Paddle 2, which go through the steps of a loop backward."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ... import ir
from ...legacy.description import EMPTY, OpDesc
from .arrays import add_to, array_like, shifted
from .blocks import AFTER, FIRST, Key, Region, Unknown
from .branches import zeros_like
from .loops import Steps, loop
from .rules import attr, rule

if TYPE_CHECKING:
    from .program import _Translation


@dataclass
class _Gradients:
    """What goes from a step to the one before it: a gradient that steps read and write does; others are added up from zeros on."""

    passed: dict[str, str]  # of what the loop makes: the gradient's name around its block, and inside
    wanted: dict[str, str]  # of what the loop reads: the variable's name, and its gradient's
    arrays: dict[str, ir.Value] = field(default_factory=dict)  # of gradients that are arrays, by their names
    carried: dict[str, ir.Value] = field(default_factory=dict)  # of all others, as the loop begins
    others: list[str] = field(default_factory=list)  # variables around the loop that its block assigns

    def begin(self, self_: _Translation, region: Region) -> None:
        for grad, name in self.passed.items():
            of = name.removesuffix("@GRAD")
            if region.kind(of) == "tensor_array":
                self.arrays[grad] = region.current(grad) or array_like(self_, region, of)
            else:
                self.carried[grad] = region.current(grad) or zeros_like(region.builder, region.find(of))
        for x, grad in self.wanted.items():
            if grad not in self.passed and region.kind(x) == "tensor_array":
                self.arrays[grad] = array_like(self_, region, x)
            elif grad not in self.passed:
                self.carried[grad] = zeros_like(region.builder, region.find(x))

    def carry_others(self, self_: _Translation, region: Region, body: int, steps: Steps) -> None:
        inner = Region(region.variables, region.builder, body, region)
        passed = {inner.key(grad) for grad in (*self.passed, *self.passed.values())}
        for name in region.variables.assigned(body):
            if _is_around(inner.key(name), steps, region) and inner.key(name) not in passed:
                self.others.append(name)
                declared = self_.declared(inner, name)
                self.carried[f"{name} "] = region.variables.defined(region.builder, region.current(name), declared)

    def enter(self, inner: Region, held: dict[str, ir.Value]) -> None:
        """What a step begins with."""
        inner.values |= {inner.key(name): held[f"{name} "] for name in self.others}
        for grad, name in self.passed.items():
            inner.values[inner.key(grad)] = inner.values[inner.key(name)] = held.get(grad) or self.arrays[grad]

    def leave(self, self_: _Translation, inner: Region, held: dict[str, ir.Value]) -> None:
        """What it hands on, put into `held`."""
        for x, grad in self.wanted.items():
            found = inner.current(f"{x}@GRAD")
            if grad in self.arrays:
                _array_end(self_, inner, x, self.arrays[grad], grad in self.passed)
            elif grad in self.passed:
                held[grad] = found or held[grad]
            elif found is not None:
                held[grad] = inner.builder.create("pd_op.add", [held[grad], found], {}).results[0]
        for grad in self.passed:
            if grad not in self.arrays and grad not in self.wanted.values():
                held[grad] = inner.find(grad)
        held |= {f"{name} ": inner.find(name) for name in self.others}


@rule("while_grad")
def _while_grad(self: _Translation, op: OpDesc, region: Region) -> None:
    """Runs the block of gradients for each step, the last one first, with what was noted of the step."""
    variables, body = self.variables, op.attrs["sub_block"].value
    forward = variables.desc.blocks[body].forward_block_idx
    steps, first, after = self.loops.get(forward), region.at((forward, FIRST)), region.at((forward, AFTER))
    if steps is None or first is None or after is None:
        raise Unknown("a loop that does not run before its gradient")
    _check_arrays(region, body, forward)
    wanted = {x: grad for x, grad in zip(op.inputs["X"], op.outputs["X@GRAD"]) if grad != EMPTY}
    grads = _Gradients(_passed(op), wanted)
    grads.begin(self, region)
    grads.carry_others(self, region, body, steps)

    def step(builder: ir.Builder, arguments: Sequence[ir.Value]) -> tuple[ir.Value, list[ir.Value]]:
        before, held = arguments[0], dict(zip(grads.carried, arguments[1:]))
        at, inner = shifted(builder, before, -1), Region(variables, builder, body, region)
        shapes = dict(self.shapes)
        for key, (array, type) in steps.arrays.items():
            inner.values[key] = builder.create("pd_op.array_read", [array, at], {}, [type]).results[0]
            if key in shapes:
                self.shapes[key] = inner.values[key]
        grads.enter(inner, held)
        self.block(inner)
        self.shapes = shapes
        grads.leave(self, inner, held)
        return builder.create("pd_op.greater_than", [at, first], {}).results[0], [at, *held.values()]

    is_any = region.builder.create("pd_op.greater_than", [after, first], {}).results[0]
    names = dict.fromkeys(["steps", *grads.carried], True)
    _, *results = loop(region, is_any, names, [after, *grads.carried.values()], step)
    for name, result in zip(grads.carried, results):
        region.set(name.removesuffix(" "), result)
    for name, array in grads.arrays.items():
        region.set(name, array)


def _passed(op: OpDesc) -> dict[str, str]:
    outside, inside = op.inputs.get("Out@GRAD", []), attr(op, "original_output_grad", [])
    if len(inside) != len(outside) or not all(isinstance(name, str) for name in inside):
        raise ValueError(f"attribute original_output_grad: expected {len(outside)} names of variables, got {inside!r:.60}")
    passed = dict(zip(outside, inside))
    passed.pop(EMPTY, None)
    return passed


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
