"""Shapes and dtypes of a program's variables, before it runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import torch
from torch import Tensor

from .._expect import expect
from .._paddle.faults import near
from ._native import DEVICE
from ._operators import Operands
from ._prepare import Prepared, Step
from ._shape_rules import GUESS, RULES
from ._sizes import SIZES
from ._step import Values
from .description import ProgramDesc, ProgramError, VarDesc

# what an unknown dimension is taken for, in two runs: a dimension that differs between them is unknown as well
GUESSES = (6, 12)


def infer_shapes(program: ProgramDesc, inputs: Mapping[str, Sequence[int]] | None = None) -> dict[str, VarDesc]:
    """The tensors of a program as InferMeta finds them, -1 for unknown dimensions, from the shapes of the inputs.

    A variable whose operator, or one before it, needs values to know its shape is left out. What a loop changes, or one branch
    has otherwise than the other, is unknown. A variable of another block than the first is `name@block2` if several declare it.

    Args:
        program: what to look at; nothing of it is run.
        inputs: shapes of inputs, by name; those that are left out are the program's own.

    Raises:
        ProgramError: operators do not fit their kernels, or `inputs` are none of the program's or have other dimensions.
    """
    expect("infer_shapes", "program", program, ProgramDesc, "read_program reads a file")
    return shapes_and_why_not(program, inputs or {})[0]


def shapes_and_why_not(program: ProgramDesc, inputs: Mapping[str, Sequence[int]]) -> tuple[dict[str, VarDesc], dict[str, str]]:
    """What `infer_shapes` gives, and by the places of operators why nothing is known of their outputs, which is not said of
    those that read such outputs.
    """
    shapes = _Shapes(program)
    _check_inputs(program, inputs)
    first = shapes.run(inputs, GUESSES[0])
    why_not, shapes.why_not = shapes.why_not, {}
    second = shapes.run(inputs, GUESSES[1])
    found = {}
    for name, tensor in first.items():
        if name in second and tensor.dim() == second[name].dim():
            dims = tuple(one if one == other else -1 for one, other in zip(tensor.shape, second[name].shape))
            found[name] = VarDesc(name, dtype=tensor.dtype, dims=dims)
    return found, {place: why for place, why in why_not.items() if place in shapes.why_not}


def _check_inputs(program: ProgramDesc, inputs: Mapping[str, Sequence[int]]) -> None:
    feeds, known = program.feeds(), program.blocks[0].vars
    for name, sizes in inputs.items():
        if name not in (feeds or known):
            raise ProgramError(
                f"no input '{name}'; the inputs are {feeds}" if feeds else f"no variable '{name}'{near(name, known)}"
            )
        dims = known[name].dims
        if dims is not None and len(dims) != len(sizes):
            raise ProgramError(f"input '{name}': expected {len(dims)} sizes, as of {list(dims)}, got {list(sizes)}")


class _Shapes:
    """Runs a program on tensors without values."""

    def __init__(self, program: ProgramDesc) -> None:
        self.program = program
        self.prepared = Prepared(program, "program", self._run_block)
        self.why_not: dict[str, str] = {}

    def run(self, inputs: Mapping[str, Sequence[int]], guess: int) -> dict[str, Tensor]:
        """The tensors by name, where unknown dimensions are `guess`."""
        values: Values = {DEVICE: torch.device("meta"), SIZES: {}, GUESS: guess}
        for block in self.program.blocks:
            written = {name for op in block.ops for names in op.outputs.values() for name in names}
            for name, var in block.vars.items():
                given = (block.idx == 0 and name in {*inputs, *self.program.feeds()}) or name not in written or var.is_saved
                if given and var.kind == "dense_tensor" and var.dims is not None:
                    shape = [guess if size < 0 else size for size in inputs.get(name, var.dims)]
                    values[self.prepared.key(block.idx, name)] = torch.empty(shape, dtype=var.dtype, device="meta")
        self._run_block(0, values)
        return {name: value for name, value in values.items() if isinstance(value, Tensor)}

    def _run_block(self, block: int, values: Values) -> None:
        for step in self.prepared.blocks[block]:
            try:
                self._run_step(step, values)
            except (RuntimeError, KeyError, NotImplementedError, ValueError, TypeError, IndexError) as error:
                # it needs values, or nothing is known of its operator; a fault of the program shows when it runs
                if not isinstance(error, KeyError):
                    self.why_not.setdefault(step.place, str(error).partition("\n")[0])
                for name in (name for names in step.op.outputs.values() for name in names):
                    values.pop(self.prepared.key(block, name), None)

    def _run_step(self, step: Step, values: Values) -> None:
        if step.is_missing:
            raise NotImplementedError(step.op.type)
        if step.op.type in RULES:
            RULES[step.op.type](Operands(step.op, values, partial(self.prepared.key, step.block), self._run_block))
        else:
            step.traced(values)
