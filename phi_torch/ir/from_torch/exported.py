"""Programs of torch.export as programs."""

from __future__ import annotations

import logging
import os
import re
import zipfile
from pathlib import Path
from typing import Any

import sympy
import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind, OutputKind
from torch.utils._sympy.symbol import SymT, symbol_is_type
from torch.utils._sympy.value_ranges import ValueRanges

from ... import ir
from ..._expect import expect_path
from ..._paddle.faults import ProgramError
from .exported_grad import with_detached_regions
from .exported_guards import guards_of
from .graph import Conversion
from .nodes import GraphError, Weight


def from_exported(exported: ExportedProgram | str | os.PathLike[str]) -> ir.Program:
    """The program of an exported one, or of a file that `torch.export.save` wrote; its parameters and buffers are the weights.

    Inputs have the names of the arguments. Buffers that the model writes are weights that are mutable. Sizes that were exported
    as dynamic are symbols, with the ranges that torch checks; other conditions on them are asserted. See `from_fx` for what
    becomes of the operators.

    Raises:
        ProgramError: the file is none of `torch.export.save`.
        GraphError: a node is no call of an operator on tensors, an input is no tensor, or the model writes to an input.
    """
    if not isinstance(exported, ExportedProgram):
        exported = _loaded(str(expect_path("from_exported", "exported", exported, "an ExportedProgram")))
    plain = with_detached_regions(exported).run_decompositions({})  # nothing is in place any more
    signature = plain.graph_signature
    state: dict[str, Any] = {**plain.constants, **plain.state_dict}
    names_of = _names_of_parameters(plain)
    weights, names = {}, {}
    for i, spec in enumerate(signature.input_specs):
        if spec.kind == InputKind.USER_INPUT:
            names[i] = getattr(spec.arg, "name", str(i))
        elif spec.kind == InputKind.TOKEN:
            continue
        elif spec.target is None or not isinstance(state.get(spec.target), torch.Tensor):
            raise GraphError(f"input '{spec.target}': expected a tensor, got {spec.kind.name}")
        else:
            tensor = state[spec.target]
            in_state = names_of.get(spec.target, [spec.target] if spec.target in plain.state_dict else [])
            name = in_state[0] if in_state else spec.target
            weights[i] = Weight(name, tensor, spec.kind == InputKind.PARAMETER, in_state)
    written = {}
    for number, spec in enumerate(signature.output_specs):
        if spec.kind == OutputKind.BUFFER_MUTATION:
            written[number] = str(spec.target)
        elif spec.kind == OutputKind.USER_INPUT_MUTATION:
            raise GraphError(
                f"input '{spec.target}': the model writes to it, and a program to none of its inputs; return its new value"
            )
        elif spec.kind.name == "PARAMETER_MUTATION":  # which is not in all versions
            raise GraphError(
                f"parameter '{spec.target}': the model writes to it, and what a program writes does not train; make it a buffer, "
                'or run the model by torch.compile(backend="phi")'
            )
        elif spec.kind not in (OutputKind.USER_OUTPUT, OutputKind.TOKEN):
            raise GraphError(f"output '{getattr(spec.arg, 'name', spec.arg)}': {spec.kind.name} is no result of a program")
    return Conversion(plain.graph_module, weights, names, written, _ranges(plain), guards=tuple(guards_of(exported, plain))).program


def _loaded(path: str) -> ExportedProgram:
    if not Path(path).is_file():
        raise FileNotFoundError(f"{path}: no such file")
    if not zipfile.is_zipfile(path):
        raise ProgramError(f"{path}: no file of torch.export.save, which is an archive (zip)")
    log, refusals = logging.getLogger(torch.export.__name__), _Refusals()
    log.addFilter(refusals)
    try:
        return torch.export.load(path)
    except OSError:
        raise
    except Exception as error:  # of any class, as the damage is
        why = str(refusals.errors[-1] if refusals.errors else error)
        if found := re.search(r"resolve torch\.ops\.(\w+)\.(\w+)", why):
            raise ProgramError(
                f"{path}: no operator {found[1]}::{found[2]} is registered; import the extension that has it first "
                "(in a shell --extension MODULE)"
            ) from None
        raise ProgramError(f"{path}: no program that torch.export.load reads: {why}") from None
    finally:
        log.removeFilter(refusals)


class _Refusals(logging.Filter):
    """Keeps the errors that torch logs of a file, which it goes on without: what it raises in the end does not say them."""

    def __init__(self) -> None:
        super().__init__()
        self.errors: list[BaseException | None] = []

    def filter(self, record: logging.LogRecord) -> bool:
        if not record.exc_info:
            return True
        self.errors.append(record.exc_info[1])
        return False


def _ranges(exported: ExportedProgram) -> dict[Any, ValueRanges[Any]]:
    """Of the sizes. Tracing takes a dynamic one to be at least 2, but torch runs what it has exported with 0 and 1 as well."""
    return {
        size: ValueRanges(0, known.upper) if symbol_is_type(size, SymT.SIZE) and known.lower <= 2 else known
        for size, known in exported.range_constraints.items()
        if isinstance(size, sympy.Symbol)  # another size follows from these
    }


def _names_of_parameters(exported: ExportedProgram) -> dict[str, list[str]]:
    """Of each parameter all names, of which `named_parameters` of the model gives the first."""
    names: dict[tuple[Any, ...], list[str]] = {}
    for name, tensor in exported.state_dict.items():
        if isinstance(tensor, torch.nn.Parameter):
            names.setdefault(_memory(tensor) if tensor.numel() else (name,), []).append(name)
    parameters = {name: exported.state_dict[name] for name in exported.graph_signature.parameters}
    return {name: names.get(_memory(tensor), [name]) for name, tensor in parameters.items()}


def _memory(tensor: torch.Tensor) -> tuple[Any, ...]:
    return tensor.data_ptr(), tensor.dtype, tensor.shape, tensor.stride()
