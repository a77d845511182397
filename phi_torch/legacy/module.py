"""A program as a torch module."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor, nn

from .._expect import expect, expect_path
from .._paddle.faults import near
from .._paddle.state_names import add_tensor
from ._compiled import Compiled
from ._definition import definition
from ._signature import signatures
from .description import ProgramDesc, ProgramError
from .executor import Executor
from .files import parameter_faults, read_model


def load(path: str | os.PathLike[str]) -> ProgramModule:
    """The model of a folder (or of the path of its program) as a torch module.

    Raises:
        FileNotFoundError: there is no such model.
        ProgramError: a file is faulty, or nothing runs some of its operators; all of them are named.
        ImportError: protobuf is not installed.
    """
    expect_path("load", "path", path)
    program, parameters = read_model(path)
    return ProgramModule(program, parameters, source=os.fspath(path))


class ProgramModule(nn.Module):
    """Calls a program with its inputs, in their order or by name: one tensor, or a tuple of all outputs. Where no gradient is
    asked for, it runs compiled, if the IR has the program.

    Parameters have the program's names and share the tensors that are given. What an operator writes (the statistics of a
    normalization) and what is not of floating point is a buffer.

    Raises:
        ProgramError: as of an `Executor`, or `parameters` lack one that no operator makes, or hold one that the program has not.

    Attributes:
        program: the description.
        inputs: the names of the inputs.
        outputs: the names of the outputs.
    """

    def __init__(self, program: ProgramDesc, parameters: Mapping[str, Tensor], *, source: str = "program") -> None:
        super().__init__()
        expect("ProgramModule", "parameters", parameters, Mapping)
        self.program = program
        self.executor = Executor(program, {}, source=source)
        self.inputs, self.outputs = program.feeds(), program.fetches()
        written = {name for block in program.blocks for op in block.ops for names in op.outputs.values() for name in names}
        fixed = written | _without_gradient(program)
        _check_parameters(program, parameters, written, source)
        self._source, self._float32 = source, torch.float32
        self._compiled = Compiled(program, source)
        self._places: list[tuple[str, nn.Module, str, dict[str, Any]]] = []
        for name, tensor in parameters.items():
            trains = tensor.is_floating_point() and name not in fixed
            node, last = add_tensor(self, name, tensor, trains)
            self._places.append((name, node, last, node._parameters if trains else node._buffers))

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> ProgramModule:
        """As of any module, `.to(torch.bfloat16)` and its like; what the program makes in float32 follows."""
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        self._compiled = Compiled(self.program, self._source)
        dtype = next((p.dtype for p in self.parameters() if p.is_floating_point()), self._float32)
        if dtype != self._float32:
            self.executor, self._float32 = Executor(self.program, {}, float32=dtype, source=self._source), dtype
        return self

    def forward(self, *args: Tensor, **kwargs: Tensor) -> Any:
        if len(args) > len(self.inputs):
            raise ProgramError(f"expected the inputs {self.inputs}, got {len(args)} tensors")
        if twice := [name for name in self.inputs[: len(args)] if name in kwargs]:
            raise ProgramError(f"input '{twice[0]}': it is given twice, by its place and by its name")
        feed = {**dict(zip(self.inputs, args)), **kwargs}
        # in its dict a tensor is found in a tenth of the time; it is elsewhere where it is parametrized
        parameters = {name: own[last] if last in own else getattr(node, last) for name, node, last, own in self._places}
        found = None
        plainly = self.executor.runs_plainly(parameters, feed) and not self.executor.has_lod(feed)
        if plainly and not self.executor.is_watched():
            found = self._compiled.run(parameters, feed)
        if found is None:
            found = self.executor.execute(parameters, feed)
            for name, _, last, own in self._places:
                if last in own and own[last] is not parameters[name]:  # it has another shape now
                    own[last] = parameters[name]
        return found[0] if len(found) == 1 else tuple(found)

    def extra_repr(self) -> str:
        return f"inputs={self.inputs}, outputs={self.outputs}, {len(self.program.blocks[0].ops)} operators"


def _without_gradient(program: ProgramDesc) -> set[str]:
    """The variables that operators only read where their gradient operators give nothing: the vectors of `spectral_norm`."""
    ops = [op for block in program.blocks for op in block.ops]
    gradients = [f"{type}_grad" for type in {op.type for op in ops}]
    outputs = {one: {name for each in signatures(one) for name in each.outputs} for one in gradients if definition(one)}
    reached, others = set[str](), set[str]()
    for op in ops:
        given = {slot for slot in op.inputs if f"{slot}@GRAD" in outputs.get(f"{op.type}_grad", ())} or set(op.inputs)
        for slot, names in op.inputs.items():
            (reached if slot in given else others).update(names)
    return others - reached


def _check_parameters(program: ProgramDesc, parameters: Mapping[str, Tensor], written: set[str], source: str) -> None:
    saved = program.saved_names()
    faults = parameter_faults(program, parameters, source)
    for name in parameters.keys() - set(saved):
        faults.add(f"parameter '{name}'", f"the program has none{near(name, saved)}")
    for name in saved:
        if name not in parameters and name not in written:
            faults.add(f"parameter '{name}'", f"it is missing{near(name, parameters)}")
    faults.check()
