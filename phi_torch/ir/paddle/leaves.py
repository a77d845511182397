"""Types and attributes of a file, from what `JsonText.leaf` gives."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..json_text import compact
from . import names
from .document import Attr, Opaque, ScalarType, TensorType, Type, VectorType

MAX_RANK, MAX_DEPTH = 9, 64
FLOAT32_MAX = 3.4028235677973366e38  # halfway to what would be the next one


class Wrong(Exception):
    """What is wrong, and where below the leaf: `.D[2]`."""

    def __init__(self, what: str, where: str = "") -> None:
        super().__init__(what)
        self.what, self.where = what, where


def below(where: str, read: Callable[..., Any], *arguments: Any) -> Any:
    """What `read` gives; what it finds wrong stands below `where`."""
    try:
        return read(*arguments)
    except Wrong as error:
        error.where = where + error.where
        raise


def fields(node: Any, *keys: str, optional: tuple[str, ...] = ()) -> list[Any]:
    """The values of an object that has these keys, and no others; None for an optional one that it lacks."""
    if type(node) is tuple and node[::2] == keys:  # nearly all
        return [*node[1::2], *(None for _ in optional)]
    if not isinstance(node, tuple):
        raise Wrong(f"expected an object with {', '.join(keys)}, got {shown(node)}")
    found = dict(zip(node[::2], node[1::2]))
    for key in found:
        if key not in keys and key not in optional:
            raise Wrong(f"unknown key '{key}'; expected {', '.join((*keys, *optional))}")
    for key in keys:
        if key not in found:
            raise Wrong(f"it has no '{key}'")
    return [found.get(key) for key in (*keys, *optional)]


def shown(value: Any) -> str:
    text = "an object" if isinstance(value, tuple) else "a list" if isinstance(value, list) else compact(value)
    return text if len(text) < 40 else text[:36] + " ..."


def integer(value: Any, least: int, above: int) -> int:
    if type(value) is not int or not least <= value < above:
        raise Wrong(f"expected an integer from {least} to {above - 1}, got {shown(value)}")
    return value


def number(value: Any) -> float:
    if type(value) not in (int, float) or abs(value) == math.inf or abs(value) > 1.7976931348623157e308:
        raise Wrong(f"expected a finite number, got {shown(value)}")
    return float(value)


def text(value: Any) -> str:
    if type(value) is not str:
        raise Wrong(f"expected text, got {shown(value)}")
    return value


def several(value: Any, read: Callable[[Any], Any], length: int | None = None) -> tuple[Any, ...]:
    if not isinstance(value, list) or length not in (None, len(value)):
        raise Wrong(f"expected a list{f' of {length}' if length is not None else ''}, got {shown(value)}")
    result = []
    for index, one in enumerate(value):
        try:
            result.append(read(one))
        except Wrong as error:
            error.where = f"[{index}]{error.where}"
            raise
    return tuple(result)


def one_of(value: Any, allowed: Any) -> str:
    if text(value) not in allowed:
        raise Wrong(f"expected one of {', '.join(sorted(allowed))}, got {shown(value)}")
    return str(value)


def layout(value: Any) -> str:
    return "undefined" if value == names.UNDEFINED_LAYOUT else one_of(value, names.LAYOUTS)


def dtype(value: Any) -> str:
    return "undefined" if value == names.UNDEFINED_DTYPE else one_of(value, names.DTYPES)


def dims(value: Any) -> tuple[int, ...]:
    if isinstance(value, list) and len(value) > MAX_RANK:
        raise Wrong(f"{len(value)} dimensions; expected at most {MAX_RANK}")
    # Paddle multiplies sizes that are not known, too: the statistics of instance_norm have -8, of 8 channels
    found = several(value, lambda size: max(integer(size, -(1 << 63), 1 << 63), -1))
    if math.prod(size for size in found if size > 0) >= 1 << 63:
        raise Wrong(f"{list(found)} has too many elements")
    return found


class Leaves:
    """Reads types and attributes; equal ones are one object, and read once, so that a document is small."""

    def __init__(self) -> None:
        self.types: dict[str, Type] = {}
        self.attributes: dict[str, Attr] = {}

    def type(self, node: Any) -> Type:
        return self._once(node, 0, self.types, self._type)

    def attribute(self, node: Any) -> Attr:
        return self._once(node, 0, self.attributes, self._attribute)

    def _once(self, node: Any, depth: int, known: dict[str, Any], read: Callable[[Any, int], Any]) -> Any:
        if type(node) is tuple and len(node) == 4 and type(node[3]) is list and len(node[3]) > 8:
            return read(node, depth)
        key = repr(node)  # tells 1 from True and from 1.0
        found = known.get(key)
        if found is None:
            found = known[key] = read(node, depth)
        return found

    def _type(self, node: Any, depth: int) -> Type:
        name, data = fields(node, "#", "D") if type(node) is tuple and len(node) == 4 else fields(node, "#", optional=("D",))
        if text(name) == names.NULL and data is None:
            return None
        if depth > MAX_DEPTH:
            raise Wrong(f"it is nested more than {MAX_DEPTH} levels deep")
        if name in SCALARS and data is None:
            return SCALARS[name]
        if name == names.VECTOR:
            elements = below(".D", several, data, lambda one: self._type(one, depth + 1))
            return self._opaque(name, data) if any(isinstance(one, Opaque) for one in elements) else VectorType(elements)
        if name in names.TENSOR_TYPES:
            return below(".D", self._tensor, name, data)
        return self._opaque(name, data)

    def _tensor(self, name: str, data: Any) -> Type:
        kind = names.TENSOR_TYPES[name]
        if not isinstance(data, list) or len(data) != (3 if kind == "dense_tensor_array" else 5):
            raise Wrong(f"expected a list of a dtype, sizes and more, got {shown(data)}")
        if data[3:] not in ([], [[], 0]):  # levels of detail, and an offset
            return self._opaque(name, data)
        element = below("[0]", self._type, data[0], 0)
        if not isinstance(element, ScalarType):
            raise Wrong(f"expected the type of an element, got {shown(data[0])}", "[0]")
        return TensorType(kind, element.dtype, below("[1]", dims, data[1]), below("[2]", layout, data[2]))

    def _opaque(self, name: str, data: Any) -> Opaque:
        return Opaque(name, None if data is None else compact(data))

    def _attribute(self, node: Any, depth: int) -> Attr:
        name, data, void = fields(node, "#", optional=("D", "VD"))
        kind = names.ATTRIBUTES.get(text(name))
        if depth > MAX_DEPTH:
            raise Wrong(f"it is nested more than {MAX_DEPTH} levels deep")
        if void is not None:
            if kind not in ("f32", "f64") or data is not None:
                raise Wrong(f"'VD' of {shown(name)}; expected it of 0.a_f32 and 0.a_f64 without 'D' alone")
            return Attr(kind, names.VOID[one_of(void, names.VOID)])
        if name == names.NULL and data is None:
            return Attr("null", None)
        if kind is None:
            return Attr("opaque", self._opaque(name, data))
        return below(".D", self._array, data, depth) if kind == "array" else Attr(kind, below(".D", self._value, kind, data))

    def _array(self, data: Any, depth: int) -> Attr:
        kind = names.ATTRIBUTES.get(_name_of_each(data), "")
        if kind in READERS:
            read = READERS[kind]
            return Attr(f"array<{kind}>", several(data, lambda one: below(".D", read, one[3])))
        items = several(data, lambda one: self._once(one, depth + 1, self.attributes, self._attribute))
        if any(item.kind == "opaque" for item in items):
            return Attr("opaque", self._opaque(names.ATTRIBUTE_NAMES["array"], data))
        kinds = {item.kind for item in items}
        if len(kinds) == 1 and kinds <= READERS.keys():
            return Attr(f"array<{items[0].kind}>", tuple([item.value for item in items]))
        return Attr("array", items)

    def _value(self, kind: str, data: Any) -> Any:
        return self.type(data) if kind == "type" else READERS[kind](data)


def _name_of_each(data: Any) -> str:
    """The name that the attributes of a list share; "" if they do not."""
    first = data[0] if isinstance(data, list) and data else None
    name = first[1] if type(first) is tuple and len(first) == 4 else None
    head = ("#", name, "D")
    return name if type(name) is str and all(type(one) is tuple and one[:3] == head and len(one) == 4 for one in data) else ""


def boolean(data: Any) -> bool:
    if type(data) is not bool:
        raise Wrong(f"expected true or false, got {shown(data)}")
    return data


def integer_of(bits: int) -> Callable[[Any], int]:
    return lambda data: integer(data, -(1 << bits - 1), 1 << bits - 1)


def float32(data: Any) -> float:
    found = number(data)
    if abs(found) >= FLOAT32_MAX:
        raise Wrong(f"{found} is beyond what float32 holds")
    return found


def complex_of(data: Any) -> complex:
    return complex(*several(data, number, 2))


def place(data: Any) -> tuple[int, int, str]:
    kind, device, name = several(data, lambda part: part, 3)
    return integer(kind, -128, 128), integer(device, -128, 128), text(name)


def scalar(data: Any) -> tuple[str, Any]:
    if not isinstance(data, list) or not 2 <= len(data) <= 3:
        raise Wrong(f"expected a list of a dtype and a number, got {shown(data)}")
    name = below("[0]", dtype, data[0])
    if name.startswith("complex"):
        return name, complex_of(data[1:])
    if len(data) != 2:
        raise Wrong(f"{len(data) - 1} numbers for a {name}; expected one")
    read = boolean if name == "bool" else number if name in ("float32", "float64") else unsigned
    return name, below("[1]", read, data[1])


def unsigned(data: Any) -> int:
    return integer(data, -(1 << 63), 1 << 64)


SCALARS = {name: ScalarType(dtype) for name, dtype in names.SCALAR_TYPES.items()}
READERS: dict[str, Callable[[Any], Any]] = {
    **{"bool": boolean, "i32": integer_of(32), "i64": integer_of(64), "index": integer_of(64), "f32": float32, "f64": number},
    **{"c64": complex_of, "c128": complex_of, "str": text, "tensor": text, "dtype": dtype, "layout": layout},
    **{"intarray": lambda data: several(data, READERS["i64"]), "place": place, "scalar": scalar},
}
