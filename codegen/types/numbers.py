"""Numbers: bool, integers, floating point, and Scalar, which is any of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from .base import Type
from .literals import LiteralError, Value, evaluate


@dataclass(frozen=True, kw_only=True)
class Number(Type):
    """A number that C++ has; it travels in the widest type of its kind."""

    can_be_optional: ClassVar[bool] = True

    def taken_from(self, source: Type) -> str | None:
        return f"{{}}.{self.read}()" if isinstance(source, Scalar) else super().taken_from(source)

    @property
    def read(self) -> str:
        """The member of at::Scalar that reads it."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Bool(Number):
    schema: str = "bool"
    dispatcher: str = "bool"
    kernel: str = "bool"
    python: str = "bool"
    argument: str = "BoolArg"
    zero: str = "false"
    example: str = "True"

    def parse(self, text: str) -> Value:
        value = evaluate(text)
        if value in (0, 1) and isinstance(value, int):
            return bool(value)
        raise LiteralError("expected true or false")

    def in_cpp(self, value: Value) -> str:
        return "true" if value else "false"

    @property
    def read(self) -> str:
        return "toBool"


@dataclass(frozen=True, kw_only=True)
class Integer(Number):
    """An integer of `bits` bits; an unsigned one is at most as large as a signed one."""

    schema: str = "int"
    dispatcher: str = "int64_t"
    typed: str = "int64_t"
    python: str = "int"
    argument: str = "IntArg"
    zero: str = "0"
    example: str = "1"
    bits: int = 64
    signed: bool = True

    def parse(self, text: str) -> Value:
        value = evaluate(text)
        limit = 2 ** (self.bits - 1)
        if isinstance(value, float):
            raise LiteralError(f"expected an integer, got {text}")
        if not (-limit if self.signed else 0) <= value < limit:
            raise LiteralError(f"{int(value)} is out of range of {self.name}")
        return int(value)

    def in_cpp(self, value: Value) -> str:
        assert isinstance(value, int)
        if value == -(2**63):
            return "std::numeric_limits<int64_t>::min()"
        return str(value) if -(2**31) < value < 2**31 else f"INT64_C({value})"

    def convert(self, name: str, local: str, default: Value, symbolic: bool) -> tuple[str | None, str]:
        return (f'const int64_t {local} = CheckInt32({name}, "{name}");', local) if self.bits == 32 else (None, name)

    @property
    def read(self) -> str:
        return "toLong"


@dataclass(frozen=True, kw_only=True)
class Float(Number):
    schema: str = "float"
    dispatcher: str = "double"
    typed: str = "double"
    python: str = "float"
    argument: str = "FloatArg"
    zero: str = "0"
    example: str = "1.0"

    def parse(self, text: str) -> Value:
        return float(evaluate(text))

    def in_schema(self, value: Value) -> str | None:
        assert isinstance(value, float)
        return repr(value) if math.isfinite(value) else None

    def in_python(self, value: Value) -> str:
        assert isinstance(value, float)
        return repr(value) if math.isfinite(value) else f'float("{value}")'

    def in_signature(self, value: Value) -> str:
        assert isinstance(value, float)
        return f"{'-' if value < 0 else ''}1e999" if math.isinf(value) else self.in_python(value)

    def in_cpp(self, value: Value) -> str:
        assert isinstance(value, float)
        if math.isfinite(value):
            return repr(value)
        limit = "quiet_NaN" if math.isnan(value) else "infinity"
        return f"{'-' if value < 0 else ''}std::numeric_limits<double>::{limit}()"

    def taken_from(self, source: Type) -> str | None:
        return "static_cast<double>({})" if isinstance(source, Integer) else super().taken_from(source)

    @property
    def read(self) -> str:
        return "toDouble"


@dataclass(frozen=True, kw_only=True)
class Scalar(Type):
    """A number of any kind, or in `Scalar(float)` of one; a tensor of one element may be given."""

    schema: str = "Scalar"
    dispatcher: str = "const at::Scalar&"
    kernel: str = "const Scalar&"
    python: str = "Number"
    or_tensor: str = "Number | Tensor"
    argument: str = "ScalarArg"
    saved: str = "at::Scalar"
    example: str = "1.0"
    of: Number | None = None

    def parse(self, text: str) -> Value:
        return evaluate(text) if self.of is None else self.of.parse(text)

    def in_schema(self, value: Value) -> str | None:
        return _kind(value).in_schema(value)

    def in_python(self, value: Value) -> str:
        return _kind(value).in_python(value)

    def in_signature(self, value: Value) -> str:
        return _kind(value).in_signature(value)

    def in_cpp(self, value: Value) -> str:
        return _kind(value).in_cpp(value)

    def convert(self, name: str, local: str, default: Value, symbolic: bool) -> tuple[str | None, str]:
        return f'const Scalar {local} = ToPhi({name}, "{name}");', local

    def taken_from(self, source: Type) -> str | None:
        return "at::Scalar({})" if isinstance(source, Number) else super().taken_from(source)


BOOL = Bool(name="bool")
INT = Integer(name="int", kernel="int", bits=32)
INT32 = Integer(name="int32_t", kernel="int", bits=32)
INT64 = Integer(name="int64_t", kernel="int64_t")
LONG = Integer(name="long", kernel="int64_t")
SIZE = Integer(name="size_t", kernel="size_t", signed=False)
FLOAT = Float(name="float", kernel="float")
DOUBLE = Float(name="double", kernel="double")
NUMBERS = (BOOL, INT, INT32, INT64, LONG, SIZE, FLOAT, DOUBLE)


def _kind(value: Value) -> Number:
    return BOOL if isinstance(value, bool) else INT64 if isinstance(value, int) else DOUBLE
