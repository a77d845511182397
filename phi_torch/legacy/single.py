"""One operator of Paddle, without a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .. import _C
from .._expect import expect, expect_integer, expect_names
from .._paddle.faults import near
from . import _callee
from ._adjusted import adjusted, mixes
from ._definition import Definition, attribute_fault, definition, faults, unknown_attributes
from ._lod_rules import carried, makes_lod
from ._native import DEVICE, Native
from ._operators import OPERATORS, Operands, function_of, no_block
from ._signature import signature
from ._step import Run, bind
from .description import DTYPE_NUMBERS, Attribute, OpDesc, ProgramError
from .lod import LoDTensor

Inputs = Mapping[str, Tensor | Sequence[Tensor]]
INT32 = range(-(1 << 31), 1 << 31)


def run_op(
    type: str,
    inputs: Inputs,
    attrs: Mapping[str, Any] | None = None,
    outputs: Mapping[str, int] | Sequence[str] | None = None,
) -> dict[str, Any]:
    """What an operator gives, by slot: `run_op("elementwise_add", {"X": x, "Y": y}, {"axis": 1})["Out"]`.

    Args:
        type: the operator, as programs name it: a forward or a gradient operator.
        inputs: a tensor for each slot, or a list of tensors.
        attrs: the attributes; those that are left out have the operator's defaults. A dtype may be torch's, and an `Attribute`
            says its type as well.
        outputs: the slots that are wanted, or how many tensors each of them has.

    Raises:
        ProgramError: there is no such operator, or it does not fit; an error of its kernel is raised as it is.
    """
    return create_op(type, inputs, attrs, outputs)(inputs)


def create_op(
    type: str,
    inputs: Inputs,
    attrs: Mapping[str, Any] | None = None,
    outputs: Mapping[str, int] | Sequence[str] | None = None,
) -> Operator:
    """An operator that is mapped once: call it with inputs of the same slots and kinds, where a `LoDTensor` is one. Arguments as
    in `run_op`.
    """
    return Operator(type, inputs, {} if attrs is None else attrs, outputs)


class Operator:
    """An operator with its attributes, mapped to its kernel."""

    def __init__(
        self,
        type: str,
        inputs: Inputs,
        attrs: Mapping[str, Any],
        outputs: Mapping[str, int] | Sequence[str] | None,
    ) -> None:
        expect("run_op", "type", type, str)
        expect(f"operator {type!r}", "inputs", inputs, Mapping, "give a tensor, or a list of them, for each slot")
        expect(f"operator {type!r}", "attrs", attrs, Mapping)
        if outputs is not None and not isinstance(outputs, Mapping):
            expect_names(f"operator {type!r}", "outputs", outputs)
        for slot, count in outputs.items() if isinstance(outputs, Mapping) else ():
            expect_integer(f"operator {type!r}", f"outputs[{slot!r}]", count, least=0)
        self.op = OpDesc(type, {slot: _names(slot, given) for slot, given in inputs.items()})
        self._defined = definition(type)
        self.op.attrs = {name: _typed(self._defined, name, attribute_of(type, name, value)) for name, value in attrs.items()}
        self._kinds = {
            name: _kind(one) for slot, given in inputs.items() for name, one in zip(_names(slot, given), _list(slot, given))
        }
        self._dtypes = {name: one.dtype for name, one in inputs.items() if isinstance(one, Tensor)}
        self._lists = [slot for slot, given in inputs.items() if not isinstance(given, Tensor)]
        wanted = self._default_outputs() if outputs is None else outputs
        counts = wanted if isinstance(wanted, Mapping) else dict.fromkeys(wanted, 1)
        self.op.outputs = {slot: [f"out {slot} {index}" for index in range(count)] for slot, count in counts.items()}
        self._single = [(slot, names[0]) for slot, names in self.op.outputs.items() if len(names) == 1]
        self._only = self._single[0] if len(self.op.outputs) == len(self._single) == 1 else None
        self._several = [(slot, names) for slot, names in self.op.outputs.items() if len(names) != 1]
        self._on_device = False
        self._kernel: Callable[[Inputs], dict[str, Any] | None] = _no_kernel
        self._run = self._bound()
        if any(isinstance(one, LoDTensor) for slot, given in inputs.items() for one in _list(slot, given)) or makes_lod(self.op):
            self._kernel, self._run = _no_kernel, carried(self.op, self._run, str)

    def __call__(self, inputs: Inputs) -> dict[str, Any]:
        """The outputs by slot."""
        try:
            found = None if is_dynamo_compiling() else self._kernel(inputs)
        except KeyError:
            self._expect_slots(inputs)
            raise
        return self._by_function(inputs) if found is None else found

    def _by_kernel(self, call: Callable[..., dict[str, Any] | None]) -> Callable[[Inputs], dict[str, Any] | None]:
        """A function of the inputs alone; None where a call does more than run the kernel."""
        if self._only is not None and not self._on_device:
            return call

        def run(inputs: Inputs) -> dict[str, Any] | None:
            found = call(inputs, torch.get_default_device()) if self._on_device else call(inputs)
            return None if found is None else {slot: found[slot] for slot in self.op.outputs if slot in found}

        return run

    def _expect_slots(self, inputs: Inputs) -> None:
        """Raises a TypeError for other slots than those that the operator was made with."""
        if not isinstance(inputs, Mapping) or inputs.keys() != self.op.inputs.keys():
            given = list(inputs) if isinstance(inputs, Mapping) else type(inputs).__name__
            slots = list(self.op.inputs)
            raise TypeError(f"operator '{self.op.type}': expected tensors for the slots {slots} that it was made for, got {given}")

    def _by_function(self, inputs: Inputs) -> dict[str, Any]:
        self._expect_slots(inputs)
        values: dict[str, Any] = {**inputs}
        for slot in self._lists:
            values.update(zip(self.op.inputs[slot], inputs[slot]))
        if self._on_device:
            values[DEVICE] = torch.get_default_device()
        self._run(values)
        if self._only is not None:
            slot, name = self._only
            return {slot: values[name]} if name in values else {}
        found = {slot: values[name] for slot, name in self._single if name in values}
        for slot, names in self._several:
            found[slot] = [values[name] for name in names]
        return found

    def _default_outputs(self) -> list[str]:
        if self._defined is not None and self._defined.outputs:
            return [slot for slot, one in self._defined.outputs.items() if not (one.intermediate or one.extra)]
        found = signature(self.op, self._kind_of)
        return [] if found is None else list(found.outputs)

    def _check(self) -> None:
        """Raises what of the slots and attributes is not as the operator's definition says."""
        found = [f"{where}: {what}" for where, what in faults(self.op)]
        found += [f"{where}: {what}" for where, what in unknown_attributes(self.op)]
        if self._defined is not None:
            single = [slot for slot in self.op.inputs if slot not in self._lists]
            lists = [slot for slot in single if slot in self._defined.inputs and self._defined.inputs[slot].is_list]
            found += [f"slot {slot}: expected a list of tensors, got a tensor" for slot in lists]
        if found:
            raise ProgramError(f"operator '{self.op.type}', " + "; ".join(found))

    def _kind_of(self, name: str) -> str:
        return self._kinds.get(name, "dense_tensor")

    def _bound(self) -> Run:
        op = self.op
        if (function := function_of(op)) is not None:
            self._check()
            return lambda values: function(Operands(op, values, str, no_block))
        if op.type in _C.registered_operators():
            native = Native(op, str, no_block, torch.float32)
            self._kernel = self._by_kernel(native.call)
            return native.run_apart
        self._check()
        try:
            found = signature(op, self._kind_of)
        except ValueError as error:
            raise ProgramError(f"operator '{op.type}': {error}") from None
        if found is None:
            raise ProgramError(f"operator '{op.type}': there is none{near(op.type, [*OPERATORS, *_C.program_op_types()])}")
        native, callee = Native(op, str, no_block, torch.float32), _callee.find(found.kernel)
        self._on_device = not op.inputs or (callee is not None and callee.device is not None)
        is_list = callee is not None and any(callee.lists)  # whose length is that of the result
        if native.fits(found) and not mixes(op, self._dtypes.get) and not is_list:
            self._kernel = self._by_kernel(native.call)
        elif callee is None:
            raise ProgramError(f"operator '{op.type}': nothing runs {found}{near(found.kernel, _callee.known())}")
        if callee is None:
            return native.run_apart
        defined = self._defined.defaults if self._defined is not None else {}
        try:
            run = bind(op, found, callee, str, defined, whole_lists=True)
        except ValueError as error:
            raise ProgramError(f"operator '{op.type}', {error}") from None
        return adjusted(run, op, str, self._dtypes.get)


def _list(slot: str, given: Tensor | Sequence[Tensor]) -> Sequence[Tensor]:
    """The tensors of a slot.

    Raises:
        TypeError: it is given neither a tensor nor a list of tensors.
    """
    if isinstance(given, Tensor):
        return [given]
    if not isinstance(given, (list, tuple)) or not all(isinstance(one, Tensor) for one in given):
        raise TypeError(f"slot {slot}: expected a tensor or a list of tensors, got {given!r:.60}")
    return given


def _names(slot: str, given: Tensor | Sequence[Tensor]) -> list[str]:
    return [slot] if isinstance(given, Tensor) else [f"{slot}[{index}]" for index, _ in enumerate(_list(slot, given))]


def _kind(tensor: Tensor) -> str:
    if tensor.layout is torch.sparse_coo:
        return "selected_rows" if tensor.sparse_dim() == 1 else "sparse_coo"
    return "sparse_csr" if tensor.layout is torch.sparse_csr else "dense_tensor"


def _no_kernel(inputs: Inputs) -> None:
    """Of an operator that functions alone run."""


def _typed(defined: Definition | None, name: str, attribute: Attribute) -> Attribute:
    """The attribute with the type of its definition, if its value may be of that."""
    known = defined.attrs.get(name) if defined is not None else None
    if known is None or attribute.type == known.type or attribute_fault(known, attribute) is not None:
        return attribute
    value = attribute.value
    if known.type.startswith("FLOAT"):
        value = [float(one) for one in value] if isinstance(value, list) else float(value)
    return Attribute(known.type, [value] if known.type.endswith("S") and not isinstance(value, list) else value)


def attribute_of(type: str, name: str, value: Any) -> Attribute:
    """A Python value as the attribute that a program would hold.

    Raises:
        ProgramError: programs hold no such values.
    """
    if isinstance(value, Attribute):
        return value
    if isinstance(value, torch.dtype):
        return Attribute("INT", DTYPE_NUMBERS[value])
    if isinstance(value, (list, tuple)):
        kinds = {attribute_of(type, name, one).type for one in value}
        for kind, many in (("STRING", "STRINGS"), ("FLOAT", "FLOATS"), ("LONG", "LONGS"), ("INT", "INTS"), ("BOOLEAN", "BOOLEANS")):
            if kind in kinds:
                return Attribute(many, list(value))
        return Attribute("INTS", [])
    for python, kind in ((bool, "BOOLEAN"), (float, "FLOAT"), (str, "STRING"), (complex, "SCALAR")):
        if isinstance(value, python):
            return Attribute(kind, value)
    if isinstance(value, int):
        return Attribute("INT" if value in INT32 else "LONG", value)
    raise ProgramError(f"operator '{type}', attribute '{name}': expected a number, a string or a list of them, got {value!r}")
