"""What a C++ source includes, registers and looks up, read from its text. Kernels and functions are read by `sources`."""

from __future__ import annotations

import re

_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
# a macro that registers, or a variable of a namespace that is made by a call
_ACTS = re.compile(
    r"\b(?:TORCH_LIBRARY(?:_IMPL)?|PD_REGISTER_\w+|PYBIND11_MODULE)\s*\("
    r"|^(?:\[\[[^\]]*\]\] )*(?:(?:static|inline) )*const \w+ \w+(?:\(\{| ?\{| =\s*(?:\[|[\w:]+(?:<[^;={}]*>)?\())",
    re.MULTILINE,
)
_INTERFACE = re.compile(r"struct (\w+) {\s+static constexpr const char\* kName")
_REGISTERED = re.compile(r"\bRegister(?:Primitive|For(?:All)?Types)<(\w+)>")
_OPERATION = re.compile(r"\b\w+Op::k[A-Z]\w*")


def includes(text: str) -> tuple[str, ...]:
    """The names in the include lines."""
    return tuple(_INCLUDE.findall(text))


def acts_when_loaded(text: str) -> bool:
    """Whether a source does something when its library is loaded. Any other matters only if it is referred to."""
    return _ACTS.search(text) is not None


def interfaces(text: str) -> list[str]:
    """The primitives that a header declares."""
    return _INTERFACE.findall(text)


def registered_primitives(text: str) -> list[str]:
    return _REGISTERED.findall(text)


def operations(text: str) -> frozenset[str]:
    """The single operations that a source names, such as `ReduceOp::kSum`."""
    return frozenset(_OPERATION.findall(text))
