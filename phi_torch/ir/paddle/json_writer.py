"""A Document to the text of a `.json` file."""

from __future__ import annotations

import json
import math
from typing import Any

from . import names
from .document import PARAMETER, Attr, Block, Document, Op, Opaque, Region, Result, ScalarType, TensorType, Type, VectorType
from .json_reader import PARAMETER_FLAGS, PARAMETER_RESULT_FLAGS

DISTRIBUTED, QUANTIZED = ("op_dist_attr", "op_role"), ("struct_name",)  # that stand apart in a parameter


def write_document(document: Document) -> bytes:
    """The bytes of a file that `read_document` reads as the same document, and PaddlePaddle 3.3.1 as a program."""
    writer = _Writer(document.trainable)
    program = {"regions": [writer.region(Region((document.block,)))]}
    base = {"magic": "pir", "trainable": document.trainable, "version": document.version}
    whole = {"base_code": base, "program": program}
    return json.dumps(whole, separators=(",", ":"), allow_nan=False, ensure_ascii=False).encode()


class _Writer:
    def __init__(self, trainable: bool) -> None:
        self.trainable = trainable
        self.regions = self.blocks = 0

    def region(self, region: Region) -> dict[str, Any]:
        self.regions += 1
        return {"#": f"region_{self.regions - 1}", "blocks": [self.block(block) for block in region.blocks]}

    def block(self, block: Block) -> dict[str, Any]:
        self.blocks += 1
        written: dict[str, Any] = {"#": f"block_{self.blocks - 1}"}
        written["args"] = [{"#": value.id, "TT": type_of(value.type)} for value in block.arguments]
        if block.keywords:
            written["kwargs"] = [{"#": value.id, "TT": type_of(value.type), "key": name} for name, value in block.keywords.items()]
        written["ops"] = [self.op(op) for op in block.ops]
        return written

    def op(self, op: Op) -> dict[str, Any]:
        if op.name == PARAMETER:
            return self.parameter(op)
        dialect, _, name = op.name.partition(".")
        written: dict[str, Any] = {"#": f"{names.DIALECT_IDS.get(dialect, dialect)}.{name}"}
        written["A"] = attributes(op.attributes)
        written["I"] = [{"%": id} for id in op.operands]
        written["O"] = [result(one) for one in op.results]
        if self.trainable or op.result_attributes:
            written["OA"] = attributes(op.result_attributes)
        if op.regions:
            written["regions"] = [self.region(region) for region in op.regions]
        return written

    def parameter(self, op: Op) -> dict[str, Any]:
        flags = [int(op.attributes[name].value) for name in PARAMETER_FLAGS]
        distributed, quantized = (
            attributes({name: value for name, value in op.attributes.items() if name in apart})
            for apart in (DISTRIBUTED, QUANTIZED)
        )
        written: dict[str, Any] = {"#": "p", "A": [*flags, op.attributes["parameter_name"].value], "DA": distributed}
        written["O"] = result(op.results[0])
        if op.result_attributes:
            written["OA"] = [int(op.result_attributes[name].value) for name in PARAMETER_RESULT_FLAGS]
        written["QA"] = quantized
        return written


def result(value: Result) -> dict[str, Any]:
    return {"%": value.id, "TT": type_of(value.type)}


def attributes(values: dict[str, Attr]) -> list[dict[str, Any]]:
    return [{"AT": attribute(value), "N": names.KEYWORD_NAMES.get(name, name)} for name, value in values.items()]


def type_of(type: Type) -> dict[str, Any]:
    if type is None:
        return {"#": names.NULL}
    if isinstance(type, ScalarType):
        return {"#": names.SCALAR_TYPE_NAMES[type.dtype]}
    if isinstance(type, VectorType):
        return {"#": names.VECTOR, "D": [type_of(element) for element in type.elements]}
    if isinstance(type, TensorType):
        data = [type_of(ScalarType(type.dtype)), list(type.dims), layout(type.layout)]
        rest: list[Any] = [] if type.kind == "dense_tensor_array" else [[], 0]  # levels of detail, and an offset
        return {"#": names.TENSOR_TYPE_NAMES[type.kind], "D": data + rest}
    return opaque(type)


def opaque(value: Opaque) -> dict[str, Any]:
    return {"#": value.name} if value.data is None else {"#": value.name, "D": json.loads(value.data)}


def layout(value: str) -> str:
    return names.UNDEFINED_LAYOUT if value == "undefined" else value


def attribute(attr: Attr) -> dict[str, Any]:
    kind, value = attr
    if kind == "null":
        return {"#": names.NULL}
    if kind == "opaque":
        return opaque(value)
    if kind == "array":
        return {"#": names.ATTRIBUTE_NAMES["array"], "D": [attribute(one) for one in value]}
    if kind.startswith("array<"):
        return {"#": names.ATTRIBUTE_NAMES["array"], "D": [attribute(Attr(kind[6:-1], one)) for one in value]}
    if kind in ("f32", "f64") and not math.isfinite(value):
        void = "NAN" if math.isnan(value) else "INF" if value > 0 else "-INF"  # PaddlePaddle writes NaN, which it does not read
        return {"#": names.ATTRIBUTE_NAMES[kind], "VD": void}
    return {"#": names.ATTRIBUTE_NAMES[kind], "D": _data(kind, value)}


def _data(kind: str, value: Any) -> Any:
    if kind == "type":
        return type_of(value)
    if kind in ("c64", "c128"):
        return [value.real, value.imag]
    if kind == "dtype":
        return names.UNDEFINED_DTYPE if value == "undefined" else value
    if kind == "layout":
        return layout(value)
    if kind == "scalar":
        dtype, number = value
        return [dtype, number.real, number.imag] if isinstance(number, complex) else [dtype, number]
    return list(value) if isinstance(value, tuple) else value
