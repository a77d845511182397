"""Operators that change an array of tensors, which is a list that nobody changes in a module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import ir
from . import run
from .values import Values

if TYPE_CHECKING:
    from .graph import _Module


def write_array(self: _Module, op: ir.Operation, values: Values) -> None:
    array, value, *index = op.operands
    assert array is not None
    at = values.number(index[0]) if index and index[0] is not None else op.attributes["i"]
    node = values.call(run.write_array, values.tensor(array), values.tensor(value), at)
    values[op.results[0]] = node
    self.write(array, node, values)


def pop_array(self: _Module, op: ir.Operation, values: Values) -> None:
    (array,) = op.operands
    assert array is not None
    self.unpack(op, values.call(run.pop_array, values.tensor(array), op.attributes["index"]), values)
    self.write(array, values.known(op.results[0]), values)
