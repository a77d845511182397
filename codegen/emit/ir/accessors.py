"""ir/ops/<op>.h: a typed view of each operator of the IR, for authors of passes: `MatmulOp(op).transpose_x()`."""

from __future__ import annotations

from dataclasses import dataclass

from ...model.op import Op, OpSet
from ...view.ir_op import IrOp, dialect, forms, mutable_attributes
from ..render import render
from .op_table import attribute_kind

# kind of an attribute -> its class, and the C++ type of its value; without one, the attribute itself is the value
_VALUES = {
    "Bool": "bool",
    "Int32": "int32_t",
    "Int64": "int64_t",
    "Float": "float",
    "Double": "double",
    "Str": "const std::string&",
    "IntArray": "const std::vector<int64_t>&",
    "DataType": "DataType",
    "Place": "Place",
    "DataLayout": "DataLayout",
}


@dataclass(frozen=True)
class _Accessor:
    result: str
    name: str
    value: str  # C++: an expression


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    ops = [*opset.ops, *opset.pir_ops]
    return {f"ir/ops/{op.name}.h": render("ir_accessors.h.j2", views=[_View(form, opset) for form in forms(op)]) for op in ops}


class _View:
    """The class of one form of an op."""

    def __init__(self, form: IrOp, opset: OpSet) -> None:
        op = form.op
        self.name = form.name
        self.place = op.entry
        self.full_name = f"{dialect(opset)}.{form.name}"
        self.cls = "".join(part.capitalize() for part in form.name.removesuffix("_").split("_"))
        self.cls += ("_" if form.name.endswith("_") else "") + "Op"
        mutable = mutable_attributes(op, opset)
        self.inputs = [_Accessor("Value", a.name, f"OperandAt({i})") for i, a in enumerate(op.inputs)]
        self.inputs += [_Accessor("Value", f"{name}_operand", f"OperandAt({len(op.inputs) + i})") for i, name in enumerate(mutable)]
        self.attributes = [_attribute(op, i, mutable) for i in range(len(op.attrs))]
        taken = {one.name for one in (*self.inputs, *self.attributes)}
        self.results = [
            _Accessor("Value", f"{o.name}_result" if o.name in taken else o.name, f"op_->result({i})")
            for i, o in enumerate(op.outputs)
        ]


def _attribute(op: Op, index: int, mutable: tuple[str, ...]) -> _Accessor:
    arg = op.attrs[index]
    kind, _ = attribute_kind(arg.type)
    found = f"op_->declared_attributes()[{index}].dyn_cast<{kind}Attribute>()"
    if arg.name in mutable or arg.optional:  # null, where an operand is in its place
        return _Accessor(f"{kind}Attribute", arg.name, found)
    if kind not in _VALUES:
        return _Accessor(f"{kind}Attribute", arg.name, f"AttributeAt<{kind}Attribute>({index})")
    return _Accessor(_VALUES[kind], arg.name, f"AttributeAt<{kind}Attribute>({index}).data()")
