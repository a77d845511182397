"""Literals of C++ in the YAML: what they mean, and names of torch for them."""

from __future__ import annotations

import ast
import json
import math
import operator
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Union


class LiteralError(ValueError):
    """The text is no literal of the type; the message says why."""


@dataclass(frozen=True)
class Symbol:
    """A named C++ value: `DataType::FLOAT32` is Symbol("DataType", "FLOAT32")."""

    kind: str  # "DataType", "DataLayout" or "Place"
    name: str


Value = Union[None, bool, int, float, str, Symbol, tuple["Value", ...]]  # noqa: UP007

# PHI's DataType -> (name in torch, code of c10::ScalarType)
DATA_TYPES: dict[str, tuple[str, int]] = {
    "UINT8": ("uint8", 0),
    "INT8": ("int8", 1),
    "INT16": ("int16", 2),
    "INT32": ("int32", 3),
    "INT64": ("int64", 4),
    "FLOAT16": ("float16", 5),
    "FLOAT32": ("float32", 6),
    "FLOAT64": ("float64", 7),
    "COMPLEX64": ("complex64", 9),
    "COMPLEX128": ("complex128", 10),
    "BOOL": ("bool", 11),
    "BFLOAT16": ("bfloat16", 15),
    "FLOAT8_E5M2": ("float8_e5m2", 23),
    "FLOAT8_E4M3FN": ("float8_e4m3fn", 24),
    "UINT16": ("uint16", 27),
    "UINT32": ("uint32", 28),
    "UINT64": ("uint64", 29),
}
LAYOUTS = ("NCHW", "NHWC", "NCDHW", "NDHWC", "ONEDNN", "SPARSE_COO", "SPARSE_CSR", "STRIDED", "ALL_LAYOUT", "ANY", "UNDEFINED")

_FLOAT_MAX = 3.4028234663852886e38
_CONSTANTS: dict[str, int | float] = {
    "true": True,
    "false": False,
    "INT64_MAX": 2**63 - 1,
    "INT64_MIN": -(2**63),
    "LLONG_MAX": 2**63 - 1,
    "INT32_MAX": 2**31 - 1,
    "INT32_MIN": -(2**31),
    "INT_MAX": 2**31 - 1,
    "INT_MIN": -(2**31),
    "FLT_MAX": _FLOAT_MAX,
    "DBL_MAX": 1.7976931348623157e308,
    "FLT_EPSILON": 2.0**-23,
    "DBL_EPSILON": 2.0**-52,
    "INFINITY": math.inf,
    "NAN": math.nan,
    "M_PI": math.pi,
}
_LIMITS: dict[str, dict[str, int | float]] = {
    "float": {"max": _FLOAT_MAX, "lowest": -_FLOAT_MAX, "infinity": math.inf, "quiet_NaN": math.nan, "epsilon": 2**-23},
    "double": {
        "max": 1.7976931348623157e308,
        "lowest": -1.7976931348623157e308,
        "infinity": math.inf,
        "quiet_NaN": math.nan,
        "epsilon": 2.0**-52,
    },
    "int": {"max": 2**31 - 1, "min": -(2**31), "lowest": -(2**31)},
    "int32_t": {"max": 2**31 - 1, "min": -(2**31), "lowest": -(2**31)},
    "int64_t": {"max": 2**63 - 1, "min": -(2**63), "lowest": -(2**63)},
}
_TOKEN = re.compile(
    r"\s*(?:std::numeric_limits\s*<\s*(?P<limit>\w+)\s*>\s*::\s*(?P<which>\w+)\s*\(\s*\)"
    r"|(?P<hex>0[xX][0-9a-fA-F]+)[uUlL]*"
    r"|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?P<suffix>[fFuUlL]*)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<op><<|>>|[-+*/%~()|&^]))"
)
_BINARY = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
}


def enumerator(text: str, type: str, names: Sequence[str], also: Sequence[str] = ()) -> Symbol:
    """`DataType::FLOAT32`; `also` are names that messages do not list."""
    match = re.fullmatch(rf"(?:phi::|paddle::)?{type}::(\w+)", text)
    if match is None:
        raise LiteralError(f"expected {type}::{names[0]} or the like")
    if match[1] not in (*names, *also):
        raise LiteralError(f"unknown {type} '{match[1]}'; expected one of {', '.join(names)}")
    return Symbol(type, match[1])


def quote(text: Value) -> str:
    return json.dumps(text, ensure_ascii=False)


def evaluate(text: str) -> bool | int | float:
    """The value of a C++ constant expression of numbers."""
    tokens, pos = [], 0
    names: dict[str, int | float] = {}
    text = text.strip()
    while pos < len(text):
        match = _TOKEN.match(text, pos)
        if match is None:
            raise LiteralError(f"'{text[pos:].strip()[:20]}' is not part of a number")
        pos = match.end()
        tokens.append(match["op"] or f"v{len(names)}")
        if not match["op"]:
            names[f"v{len(names)}"] = _atom(match)
    try:
        return _fold(ast.parse(" ".join(tokens), mode="eval").body, names)
    except (SyntaxError, ValueError, TypeError, ArithmeticError, RecursionError, MemoryError) as error:
        reason = str(error) if isinstance(error, LiteralError) else f"'{text[:40]}' is not a number"
        raise LiteralError(reason) from None


def _atom(match: re.Match[str]) -> int | float:
    if match["limit"]:
        value = _LIMITS.get(match["limit"], {}).get(match["which"])
        if value is None:
            raise LiteralError(f"unknown constant '{match[0].strip()}'")
        return value
    if match["name"]:
        if match["name"] not in _CONSTANTS:
            raise LiteralError(f"unknown constant '{match['name']}'")
        return _CONSTANTS[match["name"]]
    if match["hex"]:
        return int(match["hex"], 16)
    digits = match["number"]
    if re.search(r"[.eE]", digits) or "f" in match["suffix"].lower():
        return float(digits)
    if len(digits) > 20:
        raise LiteralError("the number has more than 64 bits")
    return int(digits, 8 if len(digits) > 1 and digits.startswith("0") else 10)


def _fold(node: ast.expr, names: dict[str, int | float]) -> bool | int | float:
    if isinstance(node, ast.Name):
        return names[node.id]
    if isinstance(node, ast.UnaryOp):
        value = _fold(node.operand, names)
        if isinstance(node.op, ast.Invert):
            return ~int(value)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp):
        left, right = _fold(node.left, names), _fold(node.right, names)
        if isinstance(node.op, (ast.LShift, ast.RShift)):
            if not 0 <= right < 64:
                raise LiteralError("shift by more than 63 bits")
            return int(left) << int(right) if isinstance(node.op, ast.LShift) else int(left) >> int(right)
        if isinstance(node.op, (ast.Div, ast.Mod)):
            if isinstance(left, float) or isinstance(right, float):
                return left / right if isinstance(node.op, ast.Div) else math.fmod(left, right)
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)  # C++ truncates
            return quotient if isinstance(node.op, ast.Div) else left - quotient * right
        if type(node.op) in _BINARY:
            result: int | float = _BINARY[type(node.op)](left, right)
            return result
    raise LiteralError("not a constant expression")
