"""A program's executable, where that can stand for the executor."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

from torch import Tensor

from .._errors import OF_INPUT
from .._paddle.faults import Faults
from .description import ProgramDesc
from .files import parameter_faults

if TYPE_CHECKING:
    from .. import ir


class Compiled:
    """The executable of a program, compiled when it is first asked for, and again when parameters are in other memory.

    It computes nothing ahead from the values of parameters, so that a run sees whatever was written to them.
    """

    def __init__(self, desc: ProgramDesc, source: str) -> None:
        self._desc, self._source = desc, source
        self._program: ir.Program | None = None
        self._executable: ir.Executable | None = None
        self._inputs: list[str] = []
        self._is_possible = True
        self._lock = threading.Lock()

    def run(self, parameters: Mapping[str, Tensor], feed: Mapping[str, Tensor]) -> list[Tensor] | None:
        """The outputs; None for what is left to the executor: a program that the IR does not have, or that writes parameters,
        inputs of other names, dtypes or sizes than it declares, and what fails, of which the executor says where.
        """
        try:
            with self._lock:
                executable = self._of(parameters)
            if executable is None or feed.keys() != set(self._inputs):
                return None
            return list(executable(*(feed[name] for name in self._inputs)))
        except OF_INPUT:
            return None

    def _of(self, parameters: Mapping[str, Tensor]) -> ir.Executable | None:
        if not self._is_possible:
            return None
        if self._program is None:
            self._is_possible = False  # unless nothing of this fails
            self._program = self._translated(parameters)
            self._take(self._program, parameters)
            self._compile(self._program)
            self._is_possible = True
        elif not self._program.weights.hold(parameters):
            self._executable = None
            self._take(self._program, parameters)
        elif self._executable is None:  # they stayed for two calls
            self._compile(self._program)
        return self._executable

    def _translated(self, parameters: Mapping[str, Tensor]) -> ir.Program:
        from ..ir.from_paddle2.program import _Translation

        translation = _Translation(self._desc, parameters, Faults(self._source))
        translation.run(None)
        weights = translation.program.weights
        if written := [name for name in weights if weights[name].is_mutable]:
            raise NotImplementedError(f"the program writes parameters: {written}")
        return translation.program

    def _take(self, program: ir.Program, parameters: Mapping[str, Tensor]) -> None:
        parameter_faults(self._desc, parameters, self._source).check()
        for name, tensor in parameters.items():
            program.weights.set(name, tensor, is_mutable=True)

    def _compile(self, program: ir.Program) -> None:
        from .. import ir

        self._executable = ir.compile(program)
        self._inputs = [name for name, _ in self._executable.inputs]
