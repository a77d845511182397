"""ops/compat/op_info.cc: the tables of the operators of programs."""

from __future__ import annotations

from ...model.op import OpSet
from ...model.program_op import ATTRIBUTE_TYPES, Attribute, ProgramOp, Signature, Slot, SlotUse
from ...types.literals import quote
from ..render import render


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    if not opset.program_ops:
        return {}
    grads: dict[str, str] = {}
    for op in opset.program_ops:
        if op.forward is not None:
            grads.setdefault(op.forward, op.name)
    return {"ops/compat/op_info.cc": render("op_info.cc.j2", ops=[_Row(op, grads.get(op.name)) for op in opset.program_ops])}


def _text(value: str | None) -> str:
    return "nullptr" if value is None else quote(value)


def _flags(*flags: bool) -> str:
    return ", ".join(str(flag).lower() for flag in flags)


class _Row:
    """What the template writes for an operator."""

    def __init__(self, op: ProgramOp, grad: str | None) -> None:
        self.name = op.name
        self.inputs = [_slot(slot) for slot in op.inputs]
        self.outputs = [_slot(slot) for slot in op.outputs]
        self.attrs = [_attribute(attr) for attr in op.attrs]
        self.signatures = [_signature(signature) for signature in op.signatures]
        self.head = ", ".join(_text(text) for text in (op.name, op.kernel, op.forward, grad))
        self.by_function = _flags(op.by_function)

    @property
    def tables(self) -> list[tuple[str, str, list[str]]]:
        """(type, name, rows) of each table that has rows."""
        tables = [
            ("SlotInfo", "inputs", self.inputs),
            ("SlotInfo", "outputs", self.outputs),
            ("AttributeInfo", "attrs", self.attrs),
            ("SignatureRow", "signatures", self.signatures),
        ]
        return [table for table in tables if table[2]]

    @property
    def spans(self) -> str:
        named = {name for _, name, _ in self.tables}
        names = ("inputs", "outputs", "attrs", "signatures")
        return ", ".join(f"{self.name}_{name}" if name in named else "{}" for name in names)


def _slot(slot: Slot) -> str:
    return f"{{{quote(slot.name)}, {_flags(slot.is_list, slot.optional, slot.intermediate, slot.extra)}}}"


def _attribute(attr: Attribute) -> str:
    kind = f"OpAttributeType::{ATTRIBUTE_TYPES[attr.type]}"
    marks = _flags(attr.extra, attr.support_tensor)
    return f"{{{quote(attr.name)}, {kind}, {_text(attr.default)}, {marks}, {_text(attr.check)}}}"


def _signature(signature: Signature) -> str:
    def slots(uses: tuple[SlotUse, ...]) -> str:
        return quote(",".join(str(use) for use in uses))

    attrs = quote(",".join("|".join(names) for names in signature.attrs))
    return f"{{{quote(signature.kernel)}, {slots(signature.inputs)}, {attrs}, {slots(signature.outputs)}}}"
