"""The default values of attributes: C++ literals read once, then written as torch schema, Python or C++."""

from __future__ import annotations

import ast
import json
import math
import operator
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Union

from .model import Arg


class LiteralError(ValueError):
    """The text is no literal of the type; the message says why."""


@dataclass(frozen=True)
class Symbol:
    """A named C++ value: `DataType::FLOAT32` is Symbol("DataType", "FLOAT32")."""

    kind: str  # "DataType", "DataLayout" or "Place"
    name: str


PythonValue = Union[None, bool, int, float, str, Symbol, tuple["PythonValue", ...]]  # noqa: UP007

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
_ANY_LAYOUT = ("ALL_LAYOUT", "ANY", "UNDEFINED")
LAYOUTS = ("NCHW", "NHWC", "NCDHW", "NDHWC", "ONEDNN", "SPARSE_COO", "SPARSE_CSR", "STRIDED", *_ANY_LAYOUT)
_PLACES = {"CPUPlace": "cpu", "GPUPlace": "cuda", "GPUPinnedPlace": "cpu"}
_UNDEFINED = {"DataType": ("UNDEFINED", "ALL_DTYPE"), "Place": ("UNDEFINED",)}

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
_ITEM = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^,"])+|(?<=,)(?=,|$)')
_BINARY = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
}
_INTEGERS: dict[str, tuple[int, int]] = {
    "int": (-(2**31), 2**31 - 1),
    "int32_t": (-(2**31), 2**31 - 1),
    "int64_t": (-(2**63), 2**63 - 1),
    "long": (-(2**63), 2**63 - 1),
    "size_t": (0, 2**63 - 1),
}


def parse_default(text: str, type: str) -> PythonValue:
    """The value of a default of a YAML type; raises LiteralError when it is none."""
    text = text.strip()
    if not text:
        raise LiteralError("the default is empty")
    if type.endswith("[]"):
        return _list(text, type[:-2])
    if type == "IntArray":
        return _list(text, "int64_t") if text.startswith("{") else (_number(text, "int64_t"),)
    if type == "str":
        return _string(text)
    if type in ("DataType", "DataLayout"):
        return _enumerator(text, type)
    if type == "Place":
        return _place(text)
    if type.startswith("Scalar"):
        return _number(text, type[7:-1] if type != "Scalar" else "Scalar")
    return _number(text, type)


def _list(text: str, element: str) -> tuple[PythonValue, ...]:
    if not (text.startswith("{") and text.endswith("}")):
        raise LiteralError("expected a list such as {1, 1}")
    inner = text[1:-1].strip()
    if not inner:
        return ()
    return tuple(parse_default(item, element) for item in _ITEM.findall(inner))


def _string(text: str) -> str:
    match = re.fullmatch(r'(?:std::string\s*\(\s*)?("(?:[^"\\\n]|\\.)*")(?(1)\s*\)?)', text)
    if match is None:
        raise LiteralError('expected a string in double quotes, such as "NCHW"')
    try:
        value = ast.literal_eval(match[1])
    except (SyntaxError, ValueError) as error:
        raise LiteralError(f"not a string literal: {text}") from error
    return str(value)


def _enumerator(text: str, type: str) -> Symbol:
    match = re.fullmatch(rf"(?:phi::|paddle::)?{type}::(\w+)", text)
    names = [*DATA_TYPES, "UNDEFINED"] if type == "DataType" else list(LAYOUTS)
    if match is None:
        raise LiteralError(f"expected {type}::{names[0]} or the like")
    if match[1] not in names and match[1] not in _UNDEFINED.get(type, ()):
        raise LiteralError(f"unknown {type} '{match[1]}'; expected one of {', '.join(names)}")
    return Symbol(type, match[1])


def _place(text: str) -> Symbol:
    if text == "{}" or re.fullmatch(r"(?:phi::|paddle::)?Place\s*(\(\s*\)|\{\s*\})", text):
        return Symbol("Place", "UNDEFINED")
    match = re.fullmatch(r"(?:phi::|paddle::)?(\w+)\s*\(\s*(\d*)\s*\)", text)
    if match is None or match[1] not in _PLACES:
        raise LiteralError("expected {}, Place(), CPUPlace() or GPUPlace()")
    return Symbol("Place", f"{match[1]}({match[2]})")


def _number(text: str, type: str) -> bool | int | float:
    value = _evaluate(text)
    if type == "Scalar":
        return value
    if type == "bool":
        if value in (0, 1) and isinstance(value, int):
            return bool(value)
        raise LiteralError("expected true or false")
    if type in ("float", "double"):
        return float(value)
    if type in _INTEGERS:
        low, high = _INTEGERS[type]
        if isinstance(value, float):
            raise LiteralError(f"expected an integer, got {text}")
        if not low <= value <= high:
            raise LiteralError(f"{int(value)} is out of range of {type}")
        return int(value)
    raise LiteralError(f"an argument of type {type} takes no default")


def _evaluate(text: str) -> bool | int | float:
    """A C++ constant expression of numbers."""
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


def default_value(arg: Arg) -> PythonValue:
    """The value of an argument's default; None for an optional argument without one."""
    if arg.default is None or (arg.optional and arg.default in ("paddle::none", "none", "nullptr", "{}")):
        return None
    return parse_default(arg.default, arg.type)


def has_default(arg: Arg) -> bool:
    return arg.default is not None or arg.optional


def schema_default(arg: Arg) -> str | None:
    """The default in torch's schema language; None where there is none, or where the language has no word for it."""
    if not has_default(arg):
        return None
    value = default_value(arg)
    if arg.type in ("str[]", "Scalar[]") and value is not None:
        return None
    return _schema(value)


def schema_defaults(args: Sequence[Arg]) -> list[str | None]:
    """`schema_default` of each argument, without those that a later argument without default rules out."""
    defaults = [schema_default(a) for a in args]
    for i in range(len(args) - 2, -1, -1):
        if defaults[i + 1] is None:
            defaults[i] = None
    return defaults


def _schema(value: PythonValue) -> str | None:
    if isinstance(value, tuple):
        items = [_schema(v) for v in value]
        return None if None in items else f"[{', '.join(str(i) for i in items)}]"
    if isinstance(value, Symbol):
        if value.kind == "DataLayout":
            return _quote("ALL_LAYOUT" if value.name in _ANY_LAYOUT else value.name)
        if value.name in _UNDEFINED[value.kind]:
            return "None"
        return str(DATA_TYPES[value.name][1]) if value.kind == "DataType" else _quote(_device(value))
    if isinstance(value, str):
        return _quote(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return repr(value)


def python_default(arg: Arg) -> str | None:
    """The default as Python source; None where there is none."""
    return _python(default_value(arg)) if has_default(arg) else None


def _python(value: PythonValue) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(_python(v) for v in value)}{',' if len(value) == 1 else ''})"
    if isinstance(value, Symbol):
        if value.kind == "DataLayout":
            return _quote("ALL_LAYOUT" if value.name in _ANY_LAYOUT else value.name)
        if value.name in _UNDEFINED[value.kind]:
            return "None"
        return f"torch.{DATA_TYPES[value.name][0]}" if value.kind == "DataType" else f'torch.device("{_device(value)}")'
    if isinstance(value, str):
        return _quote(value)
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    return repr(value)


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _device(place: Symbol) -> str:
    name, _, index = place.name.partition("(")
    return _PLACES[name] + (f":{index[:-1]}" if index[:-1] and name == "GPUPlace" else "")


def cpp_default(arg: Arg, none: str = "paddle::none") -> str | None:
    """The default as a C++ expression inside namespace phi; `none` is the empty optional."""
    return _cpp(default_value(arg), none) if has_default(arg) else None


def _cpp(value: PythonValue, none: str = "paddle::none") -> str:
    if value is None:
        return none
    if isinstance(value, tuple):
        return f"{{{', '.join(_cpp(v) for v in value)}}}"
    if isinstance(value, Symbol):
        if value.kind == "Place":
            return "Place()" if value.name in _UNDEFINED["Place"] else value.name
        return f"{value.kind}::{value.name}"
    if isinstance(value, str):
        return _quote(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if math.isfinite(value):
            return repr(value)
        limit = "quiet_NaN" if math.isnan(value) else "infinity"
        return f"{'-' if value < 0 else ''}std::numeric_limits<double>::{limit}()"
    if value == -(2**63):
        return "std::numeric_limits<int64_t>::min()"
    return str(value) if -(2**31) < value < 2**31 else f"INT64_C({value})"
