"""ir/op_table_<i>.cc: a constant row for each operator of the IR, forward, backward, in place, and of programs only."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...model.category import has_tiles
from ...model.op import Arg, Op, OpSet
from ...types.literals import Symbol, Value, quote
from ...types.numbers import Scalar
from ...types.table import TYPES
from ...view.bind import call_names, knows_tensors
from ...view.dispatcher import is_composite_only
from ...view.ir_op import IrOp, dialect, forms, mutable_attributes
from ...view.vjp import Attribute, Vjp, vjp
from ..render import render
from ..write import shard

_OPS_PER_FILE = 45
# YAML type -> phi::ir::AttributeKind
_KINDS = {
    **{
        "bool": "Bool",
        "int": "Int32",
        "int32_t": "Int32",
        "int64_t": "Int64",
        "long": "Int64",
        "float": "Float",
        "double": "Double",
    },
    **{
        "str": "Str",
        "IntArray": "IntArray",
        "DataType": "DataType",
        "Place": "Place",
        "DataLayout": "DataLayout",
        "Scalar": "Scalar",
    },
}

# `autocast` of the YAML -> a model of phi::ir::Autocast
_AUTOCAST = {"lower": "kLower", "fp32": "kWide", "promote": "kPromote", "none": "kNone"}


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    ops = [*opset.ops, *opset.pir_ops]
    parts = shard(ops, opset.shards(_OPS_PER_FILE), key=lambda op: op.name)
    return {
        f"ir/op_table_{i}.cc": render("ir_op_table.cc.j2", dialect=dialect(opset), ops=[_Row(op, opset) for op in part])
        for i, part in enumerate(parts)
        if part
    }


def attribute_kind(type: str) -> tuple[str, str | None]:
    """(kind, kind of the elements) of an attribute, by its YAML type; a `Scalar(T)` is held as T."""
    if type.endswith("[]"):
        return "Array", attribute_kind(type[:-2])[0]
    form = TYPES[type]
    return _KINDS[form.of.name if isinstance(form, Scalar) and form.of else type], None


def _flags(**flags: bool) -> str:
    return "".join(f", .{name} = true" for name, value in flags.items() if value)


@dataclass(frozen=True)
class _Form:
    """A row of the table: the name of its own constants, the pairs that share memory, its interfaces, its fields."""

    id: str
    shared: list[str]
    interfaces: list[str]
    row: str


class _Row:
    """What the template writes for an op."""

    def __init__(self, op: Op, opset: OpSet) -> None:
        self.name = op.name
        mutable = mutable_attributes(op, opset)
        self.lists: list[tuple[str, str]] = []  # constant lists of literals: name, elements
        self.inputs = [f"{{.name = {quote(a.name)}{_flags(optional=a.optional, is_list=a.is_list)}}}" for a in op.inputs]
        self.inputs += [f"{{.name = {quote(name)}, .is_mutable_attribute = true}}" for name in mutable]
        self.attributes = [self._attribute(a, a.name in mutable) for a in op.attrs]
        self.outputs = [
            f"{{.name = {quote(o.name)}{_flags(optional=o.optional, is_list=o.type == 'Tensor[]', intermediate=o.intermediate)}}}"
            for o in op.outputs
        ]
        self.is_called = op.name in opset  # not in programs only
        self.kernel = _kernel(op)
        self.composite = op.composite and quote(op.composite)
        self.composite_only = str(is_composite_only(op)).lower()
        gradients = {form.name: vjp(form, opset) for form in forms(op)}
        self.vjp = next((_Gradient(found, opset) for found in gradients.values() if found is not None), None)
        self.tiled = self.kernel is not None and has_tiles(op)
        self.forms = [self._form(form, dialect(opset), gradients[form.name] is not None) for form in forms(op)]

    @property
    def tables(self) -> list[tuple[str, str, list[str]]]:
        """(type, name, rows) of each table that has rows."""
        lists = [("Literal", f"{self.name}_{name}", [items]) for name, items in self.lists]
        shared = [("std::pair<int, int>", f"{form.id}_shared", form.shared) for form in self.forms]
        named = [
            ("InputInfo", f"{self.name}_inputs", self.inputs),
            ("AttributeInfo", f"{self.name}_attributes", self.attributes),
            ("OutputInfo", f"{self.name}_outputs", self.outputs),
        ]
        gradient = [("Vjp::AttributeFrom", f"{self.name}_vjp_attributes", self.vjp.attributes)] if self.vjp else []
        return [table for table in (*lists, *named, *shared, *gradient) if table[2]]

    def _attribute(self, arg: Arg, is_mutable: bool) -> str:
        kind, element = attribute_kind(arg.type)
        fields = f".name = {quote(arg.name)}, .kind = AttributeKind::{kind}"
        fields += f", .element = AttributeKind::{element}" if element else ""
        if arg.value is not None:
            fields += f", .default_value = {self._literal(arg.value, f'default_{arg.name}')}"
        return f"{{{fields}{_flags(optional=arg.optional, is_mutable=is_mutable)}}}"

    def _literal(self, value: Value, name: str) -> str:
        if isinstance(value, tuple):
            if not value:
                return "Literal::List({})"
            self.lists.append((name, ", ".join(self._literal(item, name) for item in value)))
            return f"Literal::List({self.name}_{name})"
        return _scalar(value)

    def _form(self, form: IrOp, dialect: str, has_gradient: bool) -> _Form:
        row = [f".name = {quote(f'{dialect}.{form.name}')}", f".place = {quote(form.op.entry)}"]
        for name in ("inputs", "attributes", "outputs"):
            row += [f".{name} = {self.name}_{name}"] if getattr(self, name) else []
        row += [f".traits = {' | '.join(f'Trait::{trait}' for trait in form.traits)}"] if form.traits else []
        shared = [f"{{{a}, {b}}}" for a, b in form.shared]
        identifier = f"form_{form.name}"  # apart from the tables of another op's name
        row += [f".inplace = {identifier}_shared"] if shared else []
        tables = {
            "KernelInfo": (self.kernel is not None, "kernel"),
            "Vjp": (has_gradient, "vjp"),
            "Decompose": (self.composite is not None, "decompose"),
            "TileProgram": (self.tiled and "Inplace" not in form.traits, "tile"),
        }
        interfaces = [f"{{&TypeId::Get<{name}>, &{self.name}_{table}}}" for name, (has, table) in tables.items() if has]
        interfaces += [f"{{&TypeId::Get<Autocast>, &Autocast::{_AUTOCAST[form.op.autocast]}}}"] if self.is_called else []
        row += [f".interfaces = {identifier}_interfaces"] if interfaces else []
        return _Form(identifier, shared, interfaces, ", ".join(row))


@dataclass(frozen=True)
class _Kernel:
    """The kernel for dense tensors, and the places of its arguments among the operands and the attributes of the op."""

    name: str
    inputs: list[int]
    attributes: list[int]


class _Gradient:
    """The model of phi::ir::Vjp."""

    def __init__(self, found: Vjp, opset: OpSet) -> None:
        self.name = f"{dialect(opset)}.{found.op.name}"
        self.operands = [f"{{Vjp::Source::{source.value}, {index}}}" for source, index in found.operands]
        self.attributes = [_attribute_from(one) for one in found.attributes]
        self.results = list(found.results)


def _attribute_from(one: Attribute) -> str:
    if one.source >= 0:
        return f"{{{one.index}, {one.source}}}"
    return (
        f"{{.to = {one.index}, .dtype_of = {one.dtype_of}}}"
        if one.dtype_of >= 0
        else f"{{.to = {one.index}, .value = {_scalar(one.value)}}}"
    )


def _kernel(op: Op) -> _Kernel | None:
    if op.kernel is None or op.kernel.dense is None or not knows_tensors(op):
        return None
    names = call_names(op, op.kernel.param)
    inputs, attributes = [a.name for a in op.inputs], [a.name for a in op.attrs]
    if not {*names} <= {*inputs, *attributes}:
        return None  # a literal in the place of an argument
    taken = [inputs.index(name) for name in names if name in inputs]
    return _Kernel(op.kernel.dense.name, taken, [attributes.index(name) for name in names if name in attributes])


def _scalar(value: Value) -> str:
    if isinstance(value, bool):
        return f"Literal::Bool({str(value).lower()})"
    if isinstance(value, int):
        return f"Literal::Int({value if value > -(2**63) else 'INT64_MIN'})"
    if isinstance(value, float):
        limits = "std::numeric_limits<double>"
        if math.isnan(value):
            return f"Literal::Float({limits}::quiet_NaN())"
        return (
            f"Literal::Float({'-' if value < 0 else ''}{limits}::infinity())" if math.isinf(value) else f"Literal::Float({value!r})"
        )
    if isinstance(value, Symbol):
        return f"Literal::Str({quote(_name(value))})"
    return f"Literal::Str({quote(value)})"


def _name(symbol: Symbol) -> str:
    """A data type, place or layout as programs name it."""
    if symbol.name in ("UNDEFINED", "ALL_DTYPE", "ALL_LAYOUT", "ANY"):
        return "undefined"
    if symbol.kind == "DataType":
        return symbol.name.lower()
    if symbol.kind == "Place":
        device, _, number = symbol.name.removesuffix(")").partition("Place(")
        return {"CPU": "cpu", "GPU": f"gpu:{number or 0}", "GPUPinned": "gpu_pinned"}[device]
    return symbol.name
