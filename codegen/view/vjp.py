"""How the gradient of an op is called in the IR: what its operands, attributes and results are of those of the op."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from ..model.op import Op, OpSet
from ..types.literals import Value
from .derivative import Names, backward_of, names
from .ir_op import IrOp, mutable_attributes


class Source(Enum):
    """Values of phi::ir::Vjp::Source."""

    INPUT = "Input"
    OUTPUT = "Output"
    GRADIENT = "Gradient"  # that of an output
    NONE = "None"


@dataclass(frozen=True)
class Attribute:
    """An attribute of the gradient: one of the op, a value, or the dtype of an input of the op."""

    index: int
    source: int = -1
    value: Value = None
    dtype_of: int = -1


@dataclass(frozen=True)
class Vjp:
    """Operands and inputs of the op count its mutable attributes, after its tensors."""

    op: Op  # the gradient
    operands: tuple[tuple[Source, int], ...]
    attributes: tuple[Attribute, ...]
    results: tuple[int, ...]  # the inputs that they are the gradients of


def vjp(form: IrOp, opset: OpSet) -> Vjp | None:
    """None for an op without `backward`, and for an in-place form whose gradient needs what it has overwritten."""
    backward = backward_of(form.op, opset)
    if backward is None or (backward.invoke is not None and backward.invoke.func not in opset):
        return None
    known = names(form.op, backward)
    gradient, texts = backward, {a.name: a.name for a in backward.args}  # the texts without what has its default
    while gradient.invoke is not None and gradient.invoke.func in opset:  # zeros_like has no kernel, full_like has one
        inner = opset[gradient.invoke.func]
        outer = {a.name for a in gradient.args}
        given = zip((a.name for a in inner.args), gradient.invoke.args)
        texts = {name: texts[text] if text in texts else text for name, text in given if text in texts or text not in outer}
        gradient = inner
    call = _Call(form.op, opset, known)
    attributes = [a.name for a in gradient.attrs]
    operands = [call.operand(texts.get(a.name)) for a in gradient.inputs]
    for name in mutable_attributes(gradient, opset):
        operands.append(call.mutable(texts.get(name)))
    overwritten = {operand for operand, _ in form.shared} if "Inplace" in form.traits else set()
    read = [operand for a, operand in zip(gradient.inputs, operands) if a.name not in backward.no_need_buffer]
    if any(source is Source.INPUT and i in overwritten for source, i in read):
        return None
    return Vjp(
        op=gradient,
        operands=tuple(operands),
        attributes=tuple(
            one
            for a in gradient.attrs
            if (one := call.attribute(attributes.index(a.name), texts.get(a.name), gradient)) is not None
        ),
        results=tuple(call.inputs.index(_argument(known, o.name.removesuffix("_grad"))) for o in backward.outputs),
    )


def _argument(known: Names, name: str) -> str:
    """The name in the op of what its gradient calls `name`."""
    param = known.params.get(name)
    return param.arg.name if param is not None and param.arg is not None else name


class _Call:
    def __init__(self, op: Op, opset: OpSet, known: Names) -> None:
        self.known = known
        self.inputs = [a.name for a in op.inputs]
        self.attributes = [a.name for a in op.attrs]
        self.outputs = [o.name for o in op.outputs]
        self.operands = [*self.inputs, *mutable_attributes(op, opset)]

    def operand(self, name: str | None) -> tuple[Source, int]:
        if name is None:
            return Source.NONE, -1
        if name in self.known.params:
            return Source.INPUT, self.inputs.index(_argument(self.known, name))
        if name in self.known.outputs:
            return Source.OUTPUT, self.outputs.index(self.known.outputs[name].name)
        output = self.known.grad_of(name)
        return (Source.GRADIENT, self.outputs.index(output.name)) if output is not None else (Source.NONE, -1)

    def mutable(self, name: str | None) -> tuple[Source, int]:
        argument = None if name is None else _argument(self.known, name)
        return (Source.INPUT, self.operands.index(argument)) if argument in self.operands else (Source.NONE, -1)

    def attribute(self, index: int, text: str | None, gradient: Op) -> Attribute | None:
        """None where it is at its default."""
        if text is None:
            return None
        argument = _argument(self.known, text)
        if argument in self.attributes:
            return Attribute(index, source=self.attributes.index(argument))
        dtype_of = re.fullmatch(r"(\w+)\.dtype\(\)", text)
        if dtype_of is not None:
            return Attribute(index, dtype_of=self.inputs.index(_argument(self.known, dtype_of[1])))
        attr = gradient.attrs[index]
        return None if text == attr.name else Attribute(index, value=attr.form.literal(text))
