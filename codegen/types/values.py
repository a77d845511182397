"""Attributes that are neither numbers nor lists: text, places, layouts, data types."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import ClassVar

from .base import Type
from .literals import DATA_TYPES, LAYOUTS, LiteralError, Symbol, Value, enumerator, quote

_ANY_LAYOUT = ("ALL_LAYOUT", "ANY", "UNDEFINED")
_PLACES = ("CPUPlace", "GPUPlace", "GPUPinnedPlace")
_NO_DATA_TYPE = ("UNDEFINED", "ALL_DTYPE")


@dataclass(frozen=True, kw_only=True)
class Text(Type):
    name: str = "str"
    schema: str = "str"
    dispatcher: str = "std::string_view"
    kernel: str = "const std::string&"
    python: str = "str"
    argument: str = "StringArg"
    saved: str = "std::string"
    save: str = "std::string({})"
    example: str = '""'

    def parse(self, text: str) -> Value:
        match = re.fullmatch(r'(?:std::string\s*\(\s*)?("(?:[^"\\\n]|\\.)*")(?(1)\s*\)?)', text)
        if match is None:
            raise LiteralError('expected a string in double quotes, such as "NCHW"')
        try:
            value = ast.literal_eval(match[1])
        except (SyntaxError, ValueError) as error:
            raise LiteralError(f"not a string literal: {text}") from error
        return str(value)

    def in_schema(self, value: Value) -> str | None:
        return quote(value)

    def in_python(self, value: Value) -> str:
        return quote(value)

    def in_cpp(self, value: Value) -> str:
        return quote(value)

    def convert(self, name: str, local: str, default: Value, symbolic: bool) -> tuple[str | None, str]:
        return f"const std::string {local}({name});", local


@dataclass(frozen=True, kw_only=True)
class DataLayout(Type):
    name: str = "DataLayout"
    schema: str = "str"
    dispatcher: str = "std::string_view"
    kernel: str = "DataLayout"
    python: str = "str"
    argument: str = "StringArg"
    saved: str = "std::string"
    save: str = "std::string({})"
    example: str = '"NCHW"'

    can_be_optional: ClassVar[bool] = True

    def parse(self, text: str) -> Value:
        return enumerator(text, self.name, LAYOUTS)

    def in_schema(self, value: Value) -> str | None:
        return self.in_python(value)

    def in_python(self, value: Value) -> str:
        assert isinstance(value, Symbol)
        return quote("ALL_LAYOUT" if value.name in _ANY_LAYOUT else value.name)

    def in_cpp(self, value: Value) -> str:
        assert isinstance(value, Symbol)
        return f"DataLayout::{value.name}"

    def in_call(self, value: Value) -> str:
        return self.in_python(value)

    def initial(self, value: Value) -> str:
        return f"({self.in_python(value)})"

    def convert(self, name: str, local: str, default: Value, symbolic: bool) -> tuple[str | None, str]:
        return f"const DataLayout {local} = StringToDataLayout(std::string({name}));", local


@dataclass(frozen=True, kw_only=True)
class Place(Type):
    """Torch calls it `device`, and None is the operator's own default."""

    name: str = "Place"
    schema: str = "Device?"
    dispatcher: str = "std::optional<at::Device>"
    kernel: str = "const Place&"
    python: str = "Device | None"
    annotation: str = "Device"
    argument: str = "PlaceArg"
    example: str = '"cpu"'
    parameter: str = "device"

    can_be_optional: ClassVar[bool] = True
    takes_none: ClassVar[bool] = True

    def parse(self, text: str) -> Value:
        if text == "{}" or re.fullmatch(r"(?:phi::|paddle::)?Place\s*(\(\s*\)|\{\s*\})", text):
            return Symbol("Place", "UNDEFINED")
        match = re.fullmatch(r"(?:phi::|paddle::)?(\w+)\s*\(\s*(\d*)\s*\)", text)
        if match is None or match[1] not in _PLACES:
            raise LiteralError("expected {}, Place(), CPUPlace() or GPUPlace()")
        return Symbol("Place", f"{match[1]}({match[2]})")

    def in_schema(self, value: Value) -> str | None:
        return "None"

    def in_python(self, value: Value) -> str:
        return "None"

    def in_cpp(self, value: Value) -> str:
        assert isinstance(value, Symbol)
        return "Place()" if value.name == "UNDEFINED" else value.name

    def in_call(self, value: Value) -> str:
        return "std::nullopt"

    def initial(self, value: Value) -> str:
        return ""

    def convert(self, name: str, local: str, default: Value, symbolic: bool) -> tuple[str | None, str]:
        none = "Place()" if default is None else self.in_cpp(default)
        device = name if symbolic else f"WithIndex({name})"
        return f"const Place {local} = ToPhi({device}, {none});", local


@dataclass(frozen=True, kw_only=True)
class DataType(Type):
    """None is the operator's own default; an argument without a default is `RequiredDataType`."""

    name: str = "DataType"
    schema: str = "ScalarType?"
    dispatcher: str = "std::optional<at::ScalarType>"
    kernel: str = "DataType"
    python: str = "dtype | None"
    annotation: str = "torch.dtype | None"
    argument: str = "DataTypeArg"
    example: str = "torch.float32"

    can_be_optional: ClassVar[bool] = True
    takes_none: ClassVar[bool] = True

    def form(self, optional: bool, has_default: bool) -> Type:
        return self if has_default else RequiredDataType()

    def parse(self, text: str) -> Value:
        return enumerator(text, self.name, [*DATA_TYPES, "UNDEFINED"], also=_NO_DATA_TYPE)

    def in_schema(self, value: Value) -> str | None:
        assert isinstance(value, Symbol)
        return "None" if value.name in _NO_DATA_TYPE else str(DATA_TYPES[value.name][1])

    def in_python(self, value: Value) -> str:
        assert isinstance(value, Symbol)
        return "None" if value.name in _NO_DATA_TYPE else f"torch.{DATA_TYPES[value.name][0]}"

    def in_signature(self, value: Value) -> str:
        return "None"

    def in_cpp(self, value: Value) -> str:
        assert isinstance(value, Symbol)
        return f"DataType::{value.name}"

    def in_call(self, value: Value) -> str:
        code = self.in_schema(value)
        return "std::nullopt" if code == "None" else f"static_cast<at::ScalarType>({code})"

    def initial(self, value: Value) -> str:
        return ""

    def convert(self, name: str, local: str, default: Value, symbolic: bool) -> tuple[str | None, str]:
        none = "DataType::UNDEFINED" if default is None else self.in_cpp(default)
        return f"const DataType {local} = ToPhi({name}, {none});", local

    def taken_from(self, source: Type) -> str | None:
        return "{}" if isinstance(source, DataType) and source.takes_none <= self.takes_none else None


@dataclass(frozen=True, kw_only=True)
class RequiredDataType(DataType):
    schema: str = "ScalarType"
    dispatcher: str = "at::ScalarType"
    unwrap: str = "ToTorch({})"
    annotation: str = "torch.dtype"
    argument: str = "RequiredDataTypeArg"
    zero: str = "at::ScalarType::Undefined"

    takes_none: ClassVar[bool] = False

    def form(self, optional: bool, has_default: bool) -> Type:
        return self

    def convert(self, name: str, local: str, default: Value, symbolic: bool) -> tuple[str | None, str]:
        return f"const DataType {local} = ToPhi({name});", local
