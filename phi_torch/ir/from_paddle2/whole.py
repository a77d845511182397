"""Operators of Paddle 2 that the IR has none for, as calls of what runs them in programs of Paddle 2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...legacy import _callee
from ...legacy._definition import FORMER, Definition, definition
from ...legacy._lod_rules import makes_lod
from ...legacy._operators import OPERATORS
from ...legacy._signature import signature
from ...legacy.description import EMPTY, Attribute, OpDesc
from ...legacy.kernels.table import KERNELS
from ..list_call import call_of_list
from ..operator_call import TARGET, described
from .blocks import Region, Unknown
from .calls import Call

if TYPE_CHECKING:
    from .program import _Translation

Slots = dict[str, list[str]]

# what is no function of its tensors, as of sequences or of what does not run
_OTHERS = (
    *("rpn_target_assign", "retinanet_target_assign", "select_input", "select_output", "print", "assert"),
    "check_numerics",
    *("beam_search", "beam_search_decode", "split_lod_tensor", "merge_lod_tensor", "merge_lod_tensor_infer"),
)
_KEPT = {"data_norm_grad": ("BatchSize", "BatchSum", "BatchSquareSum")}  # slots of what the executor leaves as it is


def takes_fewer(call: Call) -> bool:
    """Whether programs give a kernel fewer tensors than the operator of its name needs, and a function runs these."""
    last = [index for index, one in enumerate(_callee.of_operator(call.operator).tensors) if "Optional" not in one.type]
    return call.signature.kernel in KERNELS and bool(last) and len(call.signature.inputs) <= last[-1]


def whole(self: _Translation, op: OpDesc, region: Region, why: str) -> None:
    """An operator that is a function of dense tensors.

    Raises:
        Unknown: `why` the IR has no other for it, as it is none.
    """
    defined, kept = definition(op.type), _KEPT.get(op.type, ())
    known = defined.inputs if defined is not None else None
    inputs = {slot: names for slot, names in op.inputs.items() if names != [EMPTY] and names and (not known or slot in known)}
    gives = defined.outputs if defined is not None and defined.outputs else op.outputs
    outputs = {slot: names for slot, names in op.outputs.items() if {*names} - {EMPTY} and slot in gives and slot not in kept}
    if not inputs or not outputs or not _is_function(op, inputs, outputs, region):
        raise Unknown(why)
    values = [region.find(name) for names in inputs.values() for name in names]
    flat = [name for names in outputs.values() for name in names]
    wanted = [index for index, name in enumerate(flat) if name != EMPTY]
    types = [self.declared(region, flat[index]) for index in wanted]
    x = values[0].type if values[0] is not None else None
    for at, type in enumerate(types):  # a shape says nothing by its data type, and is declared as any
        if x is not None and x.kind == type.kind and flat[wanted[at]] in outputs.get("XShape", ()):
            types[at] = self.program.context.dense_tensor(x.dtype, type.shape)
    real = [at for at, type in enumerate(types) if op.type.endswith("_grad") and "complex" not in type.dtype]
    counts = {slot: len(names) for slot, names in outputs.items()}
    text = described(
        op.type, counts_of(inputs, defined), attributes_of(op, defined), counts, real, wanted if len(wanted) < len(flat) else None
    )
    for index, value in zip(wanted, call_of_list(region.builder, TARGET, text, values, types)):
        region.set(flat[index], value)


def counts_of(inputs: Slots, defined: Definition | None) -> dict[str, int | None]:
    """How many tensors are in a slot; None for one that takes no list."""
    lists = {slot for slot, one in defined.inputs.items() if one.is_list} if defined is not None else set()
    return {slot: len(names) if slot in lists or len(names) > 1 else None for slot, names in inputs.items()}


def attributes_of(op: OpDesc, defined: Definition | None) -> dict[str, Attribute]:
    """Without those that any operator has, which say where it is from."""
    if defined is not None and defined.attrs:
        known = {one for name in defined.attrs for one in (name, *FORMER.get(name, ()))}
        return {name: one for name, one in op.attrs.items() if name in known}
    return {name: one for name, one in op.attrs.items() if not name.startswith(("op_", "with_quant"))}


def _is_function(op: OpDesc, inputs: Slots, outputs: Slots, region: Region) -> bool:
    """Whether what an operator gives is told by tensors alone: by no levels of sequences, no rows, no arrays, no blocks."""
    reads_levels = op.type.startswith("sequence_") and not makes_lod(op)
    if op.blocks or reads_levels or op.type in _OTHERS or _keeps_state(op):
        return False
    if makes_lod(op) and region.outer is not None:  # in a loop, what reads the levels may stand before it
        return False
    if any(one.type in ("VAR", "VARS") for one in op.attrs.values()):
        return False
    given, made = ([name for names in slots.values() for name in names] for slots in (inputs, outputs))
    variables = [region.variable(name) for name in (*given, *(name for name in made if name != EMPTY))]
    without_levels = variables[: len(given)] if makes_lod(op) else variables
    if any(one is None or one.kind != "dense_tensor" for one in variables):
        return False
    if any(one is not None and one.lod_level for one in without_levels):
        return False
    if op.type in OPERATORS:
        return _is_ours(op.type)
    found = signature(op, region.kind)
    return found is not None and _callee.find(found.kernel) is not None


def _keeps_state(op: OpDesc) -> bool:
    """Whether an operator reads what the last run left in a variable that it writes."""
    return op.type == "fake_quantize_range_abs_max" and not (op.attrs["is_test"].value if "is_test" in op.attrs else False)


def _is_ours(type: str) -> bool:
    """Whether no user wrote what runs an operator, which may do more than it gives."""
    function = OPERATORS[type]
    return getattr(function, "func", function).__module__.startswith(f"{_callee.__package__}.")
