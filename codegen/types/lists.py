"""Lists of attributes, and IntArray, a list of sizes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .base import Type
from .literals import LiteralError, Value
from .numbers import BOOL, INT64, Integer

_ITEM = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^,"])+|(?<=,)(?=,|$)')


@dataclass(frozen=True, kw_only=True)
class ListType(Type):
    """A list of `element`s; `cpp` is their C++ type in a kernel."""

    element: Type
    cpp: str = ""
    schema_has_defaults: bool = True  # whether torch's schema language has lists of it

    def parse(self, text: str) -> Value:
        if not (text.startswith("{") and text.endswith("}")):
            raise LiteralError("expected a list such as {1, 1}")
        inner = text[1:-1].strip()
        return tuple(self.element.literal(item) for item in _ITEM.findall(inner)) if inner else ()

    def in_schema(self, value: Value) -> str | None:
        items = [self.element.in_schema(item) for item in _items(value)]
        return None if None in items or not self.schema_has_defaults else f"[{', '.join(map(str, items))}]"

    def in_python(self, value: Value) -> str:
        items = _items(value)
        return f"({', '.join(map(self.element.in_python, items))}{',' * (len(items) == 1)})"

    def in_signature(self, value: Value) -> str:
        """inspect.signature drops the comma of a tuple of one."""
        text = self.in_python(value)
        return f"[{text[1:-2]}]" if text.endswith(",)") else text

    def in_cpp(self, value: Value) -> str:
        return f"{{{', '.join(map(self.element.in_cpp, _items(value)))}}}"

    def in_call(self, value: Value) -> str:
        return f"{self.saved}{self.in_cpp(value)}"

    def convert(self, name: str, local: str, default: Value, symbolic: bool) -> tuple[str | None, str]:
        return f'const std::vector<{self.cpp}> {local} = ToVector<{self.cpp}>({name}, "{name}");', local

    def taken_from(self, source: Type) -> str | None:
        if isinstance(self.element, Integer) and isinstance(source, Integer):
            return f"{self.saved}{{{{{{}}}}}}"
        if isinstance(self.element, Integer) and isinstance(source, IntArray):
            return "C10_AS_INTARRAYREF_SLOW({})"
        return super().taken_from(source)


@dataclass(frozen=True, kw_only=True)
class IntArray(ListType):
    """Sizes: they stay symbolic under torch.compile, and tensors may be given."""

    name: str = "IntArray"
    schema: str = "SymInt[]"
    dispatcher: str = "c10::SymIntArrayRef"
    kernel: str = "const IntArray&"
    infer: str = "const IntArrayBase<Dim>&"
    python: str = "Sequence[int]"
    annotation: str = "int | Sequence[int] | None"
    or_tensor: str = "IntArray"
    argument: str = "IntArrayArg"
    saved: str = "std::vector<c10::SymInt>"
    save: str = "{}.vec()"
    example: str = "[0]"
    element: Type = INT64

    def parse(self, text: str) -> Value:
        return super().parse(text) if text.startswith("{") else (self.element.parse(text),)

    def convert(self, name: str, local: str, default: Value, symbolic: bool) -> tuple[str | None, str]:
        if symbolic:
            return f"const IntArrayBase<SymInt> {local}({name}.data(), {name}.size());", local
        return f"const IntArray {local} = ToIntArray({name});", local

    def taken_from(self, source: Type) -> str | None:
        if isinstance(source, IntArray):
            return "{}"
        if isinstance(source, ListType) and isinstance(source.element, Integer):
            return "c10::fromIntArrayRefSlow({})"
        return super().taken_from(source)


def list_of(element: Type, cpp: str, reference: str = "", schema_has_defaults: bool = True) -> ListType:
    """`int[]` of int. `cpp` is an element's type in a kernel, `reference` the dispatcher's type of the list."""
    held = element.saved
    return ListType(
        name=f"{element.name}[]",
        schema=f"{element.schema}[]",
        dispatcher=reference or f"at::ArrayRef<{held}>",
        kernel=f"const std::vector<{cpp}>&",
        python=f"Sequence[{element.python}]",
        annotation="int | Sequence[int] | None" if isinstance(element, Integer) else "",
        argument=f"ListArg<{held}>",
        saved=f"std::vector<{held}>",
        save="" if element is BOOL else "{}.vec()",  # std::vector<bool> is no array
        example=f"[{element.example}]",
        element=element,
        cpp=cpp,
        schema_has_defaults=schema_has_defaults,
    )


def _items(value: Value) -> tuple[Value, ...]:
    assert isinstance(value, tuple)
    return value
