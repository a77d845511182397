"""Operators that run in C++, in a scope: past torch's dispatcher, and so without gradients."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from .. import _C
from ._definition import is_text
from .description import DTYPE_NUMBERS, EMPTY, OpDesc
from .kernels.table import KERNELS, gives_no_scale, meant

if TYPE_CHECKING:
    from ._signature import Signature
    from ._step import Values

DEVICE = "@DEVICE@"  # the variable that holds the device of a running program


class Native:
    """An operator of C++: a class that a library registered, or the kernel that the operator is mapped to."""

    def __init__(
        self, op: OpDesc, key: Callable[[str], str], run_block: Callable[[int, Values], None], float32: torch.dtype
    ) -> None:
        self.op = op
        self.is_registered = is_text(op.type) and op.type in _C.registered_operators()
        self._run_block = run_block
        self.inputs, self.outputs = (
            {slot: [name if name == EMPTY else key(name) for name in names] for slot, names in slots.items()}
            for slots in (op.inputs, op.outputs)
        )
        if gives_no_scale(op):
            self.outputs.pop("OutScale", None)
        attrs = {name: tuple(meant(op, name, attribute)) for name, attribute in op.attrs.items()}
        for name, attribute in op.attrs.items():
            if attribute.type == "VAR":
                attrs[name] = ("VAR", key(attribute.value))
            elif attribute.type == "VARS":
                attrs[name] = ("VARS", [key(one) for one in attribute.value])
        names = [*self.inputs, *self.outputs, *self.op.attrs, *(one for _, one in self.op.names())]
        values = [value for _, value in attrs.values() if not isinstance(value, list)]
        values += [one for _, value in attrs.values() if isinstance(value, list) for one in value]
        self._is_readable = all(map(is_text, [self.op.type, *names, *values]))
        if not self._is_readable:  # names of a file that C++ and Python read differently
            self.inputs, self.outputs, attrs = {}, {}, {}
        self._operator = _C.Operator(op.type if is_text(op.type) else "", self.inputs, self.outputs, attrs, DTYPE_NUMBERS[float32])
        self.call: Callable[..., Any] = self._operator.call
        self._apart = threading.Lock()
        has_tensors = any(name != EMPTY for names in self.inputs.values() for name in names)
        self._runs_alone = has_tensors and not op.blocks
        self.run: Callable[[Any], None] = self._operator.run if self._runs_alone else self._run_with_all

    def fits(self, signature: Signature) -> bool:
        """Whether a kernel takes what the signature says, and means the same by it."""
        differs = signature.kernel in KERNELS and KERNELS[signature.kernel].differs
        return self._is_readable and not differs and not self._operator.misfit(*signature)

    def step(self, scope: Any, last: list[str]) -> Callable[[Any], None] | None:
        """`run` for one scope, that lets go of the variables `last` afterwards; None for an operator that needs more than it."""
        return self._operator.step(scope, last) if self._runs_alone else None

    def _run_with_all(self, scope: Any) -> None:
        self._operator.run(scope, scope.get(DEVICE), self._run_block)

    def run_apart(self, values: Values) -> None:
        """Runs on variables that are in no scope.

        Raises:
            NotImplementedError: a gradient is asked for.
        """
        scope = _C.Scope()
        names = [name for names in (*self.inputs.values(), *self.outputs.values()) for name in names if name in values]
        given = {name: values[name] for name in [*names, DEVICE] if name in values}
        tensors = [value for value in given.values() if isinstance(value, Tensor)]
        if not _C.runs_plainly(tensors):
            raise NotImplementedError(
                "it has no gradient, and cannot be traced: nothing but its kernel is known; "
                "run the program in torch.no_grad(), or register a function for it: phi_torch.legacy.operator"
            )
        scope.update(given)
        with self._apart:
            self.run(scope)
        for name in (name for names in self.outputs.values() for name in names if name in scope):
            values[name] = scope[name]
