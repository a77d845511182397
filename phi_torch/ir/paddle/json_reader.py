"""The text of a `.json` file to a Document."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

from ..._paddle.faults import Faults, ProgramError, near
from ..json_text import JsonText
from . import names
from .check import check
from .document import PARAMETER, VERSIONS, Attr, Block, Document, Op, Region, Result
from .leaves import Leaves, Wrong, fields, integer, one_of, several, text

PARAMETER_FLAGS = ("is_distributed", "is_parameter", "need_clip")  # then the name
PARAMETER_RESULT_FLAGS = ("persistable", "stop_gradient", "trainable")
FLAGS = (Attr("bool", False), Attr("bool", True))
OP_KEYS, OPTIONAL_OP_KEYS = ("#", "I", "O", "A"), ("OA", "regions")
PARAMETER_KEYS, OPTIONAL_PARAMETER_KEYS = ("#", "O", "A"), ("DA", "QA", "OA")
ALL_OP_KEYS = ("#", "I", "O", "A", "OA", "DA", "QA", "regions")


def read_document(data: bytes, source: str = "program") -> Document:
    """The program that `data`, the bytes of a `.json` file, holds; `source` names it in errors.

    Raises:
        ProgramError: the bytes are no program, or one whose parts do not fit together; all faults at once, each with its
            place: `ops[17].A[2]` is the third attribute of the 18th operator, and `ops[3].regions[0].blocks[0].ops[1]` is
            the second operator of a region of the fourth.
    """
    try:
        reader = _Reader(JsonText(data.decode("utf-8"), source), source)
        document = reader.document()
    except UnicodeDecodeError as error:
        raise ProgramError(f"{source}: no UTF-8: {error.reason} at byte {error.start}") from None
    except RecursionError:
        raise ProgramError(f"{source}: it is nested too deeply") from None
    check(document, reader.faults)
    reader.faults.check()
    return document


class _Reader:
    def __init__(self, json: JsonText, source: str) -> None:
        self.json, self.faults, self.leaves = json, Faults(source), Leaves()
        self.path: list[str] = []

    def document(self) -> Document:
        document, region = Document(), Region()
        for key in self.members(("base_code", "program")):
            if key == "base_code":
                self.leaf(key, lambda node: self.base_code(node, document), None)
                continue
            for _ in self.members(("regions",)):
                regions = self.regions()
                if len(regions) == 1 == len(regions[0].blocks):
                    region = regions[0]
                else:
                    counts = [len(one.blocks) for one in regions]
                    self.fault(key, f"its regions have {counts} blocks; expected one region of one block")
        self.json.end()
        document.block = region.blocks[0] if region.blocks else Block()
        return document

    def base_code(self, node: Any, document: Document) -> None:
        magic, version, trainable = fields(node, "magic", "version", optional=("trainable",))
        if magic != "pir":
            raise Wrong(f"expected the magic 'pir', got {magic!r}")
        document.version = integer(version, VERSIONS.start, VERSIONS.stop)
        document.trainable = bool(trainable)

    def regions(self) -> tuple[Region, ...]:
        regions = []
        for _ in self.items("regions"):
            blocks: list[Block] = []
            for key in self.members(("#", "blocks")):
                if key == "#":
                    self.json.leaf()
                    continue
                blocks += [self.block() for _ in self.items("blocks")]
            regions.append(Region(tuple(blocks)))
        return tuple(regions)

    def block(self) -> Block:
        block = Block()
        for key in self.members(("#", "args", "ops"), ("kwargs",)):
            if key == "args":
                block.arguments = self.leaf("args", lambda node: several(node, self.argument), ())
            elif key == "kwargs":
                named = self.leaf("kwargs", lambda node: several(node, self.keyword), ())
                block.keywords = dict(named)
                if len(block.keywords) != len(named):
                    self.fault("kwargs", "a name is there twice")
            elif key == "ops":
                top = self.path == ["regions[0]", "blocks[0]"]
                path, self.path = self.path, [] if top else self.path
                block.ops = [self.op() for _ in self.items("ops")]
                self.path = path
            else:
                self.json.leaf()
        return block

    def op(self) -> Op:
        found: dict[str, Any] = {}
        regions: tuple[Region, ...] = ()
        for key in self.members((), ALL_OP_KEYS):
            if key == "regions":
                found[key] = regions = self.regions()
            else:
                found[key] = self.json.leaf()
        is_parameter = found.get("#") == "p"
        required, optional = (PARAMETER_KEYS, OPTIONAL_PARAMETER_KEYS) if is_parameter else (OP_KEYS, OPTIONAL_OP_KEYS)
        for key in found:
            if key not in required and key not in optional:
                self.fault("", f"it has '{key}', which {'a parameter' if is_parameter else 'an operator'} has not")
        for key in required:
            if key not in found:
                self.fault("", f"it has no '{key}'")
        op = self.parameter(found) if is_parameter else self.operator(found)
        op.regions = regions
        return op

    def operator(self, found: dict[str, Any]) -> Op:
        op = Op(self.read("#", found, op_name, ""))
        op.operands = self.read("I", found, lambda node: several(node, operand), ())
        op.results = self.read("O", found, lambda node: several(node, self.result), ())
        op.attributes = self.attributes("A", found)
        op.result_attributes = self.attributes("OA", found)
        return op

    def parameter(self, found: dict[str, Any]) -> Op:
        op = Op(PARAMETER)
        result = self.read("O", found, self.result, None)
        op.results = () if result is None else (result,)
        *flags, name = self.read("A", found, lambda node: several(node, lambda part: part, 4), (0, 1, 1, ""))
        op.attributes = {"parameter_name": Attr("str", self.check("A[3]", text, name, ""))}
        op.attributes |= self.flags("A", PARAMETER_FLAGS, flags)
        op.attributes |= self.attributes("DA", found) | self.attributes("QA", found)
        if "OA" in found:
            flags = self.read("OA", found, lambda node: several(node, lambda part: part, 3), (1, 1, 1))
            op.result_attributes = self.flags("OA", PARAMETER_RESULT_FLAGS, flags)
        return op

    def flags(self, where: str, keys: tuple[str, ...], values: Any) -> dict[str, Attr]:
        """Bools that are written as 0 and 1."""
        found = {}
        for index, (key, value) in enumerate(zip(keys, values)):
            number = (
                value
                if type(value) is int and value in (0, 1)
                else self.check(f"{where}[{index}]", lambda one: integer(one, 0, 2), value, 0)
            )
            found[key] = FLAGS[number]
        return found

    def attributes(self, where: str, found: dict[str, Any]) -> dict[str, Attr]:
        nodes = self.read(where, found, lambda node: several(node, lambda part: part), ())
        result: dict[str, Attr] = {}
        for index, node in enumerate(nodes):
            try:
                name, value = fields(node, "N", "AT")
                name = sys.intern(text(name))
                name = names.KEYWORDS.get(name, name)
                if name in result:
                    raise Wrong(f"attribute '{name}' is there twice")
                try:
                    result[name] = self.leaves.attribute(value)
                except Wrong as error:
                    raise Wrong(f"attribute '{name}': {error.what}", f".AT{error.where}") from None
            except Wrong as error:
                self.fault(f"{where}[{index}]{error.where}", error.what)
        return result

    def result(self, node: Any) -> Result:
        id, type = fields(node, "%", "TT")
        return self.typed(integer(id, 0, 1 << 63), type)

    def argument(self, node: Any) -> Result:
        id, type = fields(node, "#", "TT")
        return self.typed(integer(id, -(1 << 63), 0), type)

    def keyword(self, node: Any) -> tuple[str, Result]:
        if isinstance(node, tuple) and "key" not in node[::2]:
            raise Wrong("it has no 'key': PaddlePaddle lost the names of keyword arguments when it wrote the file")
        id, type, name = fields(node, "#", "TT", "key")
        return text(name), self.typed(integer(id, -(1 << 63), 0), type)

    def typed(self, id: int, type: Any) -> Result:
        try:
            return Result(id, self.leaves.type(type))
        except Wrong as error:
            raise Wrong(error.what, f".TT{error.where}") from None

    # levels, places and faults

    def members(self, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> Iterator[str]:
        """The keys of the object at the cursor that are expected, each once; faults for others and for those that are missing."""
        if self.json.peek() != "{":
            self.fault("", "expected an object")
            self.json.leaf()
            return
        seen: set[str] = set()
        for key in self.json.members():
            known = key in required or key in optional
            if not known or key in seen:
                others = near(key, (*required, *optional))
                self.fault("", f"'{key}' is there twice" if known else f"unknown key '{key}'{others}")
                self.json.leaf()
                continue
            seen.add(key)
            yield key
        for key in required:
            if key not in seen:
                self.fault("", f"it has no '{key}'")

    def items(self, name: str) -> Iterator[int]:
        if self.json.peek() != "[":
            self.fault(name, "expected a list")
            self.json.leaf()
            return
        for index in self.json.items():
            self.path.append(f"{name}[{index}]")
            yield index
            self.path.pop()

    def leaf(self, where: str, read: Callable[[Any], Any], default: Any) -> Any:
        return self.check(where, read, self.json.leaf(), default)

    def read(self, key: str, found: dict[str, Any], read: Callable[[Any], Any], default: Any) -> Any:
        return self.check(key, read, found[key], default) if key in found else default

    def check(self, where: str, read: Callable[[Any], Any], node: Any, default: Any) -> Any:
        try:
            return read(node)
        except Wrong as error:
            self.fault(where + error.where, error.what)
            return default

    def fault(self, where: str, what: str) -> None:
        self.faults.add(".".join([*self.path, where] if where else self.path), what)


def operand(node: Any) -> int:
    (id,) = fields(node, "%")
    return integer(id, -(1 << 63), 1 << 63)


def op_name(value: Any) -> str:
    """`pd_op.relu` for `1.relu`; a name of another dialect is what it is."""
    id, dot, name = text(value).partition(".")
    if not dot or not id or not name:
        raise Wrong(f"expected a dialect and a name with a dot between them, got {value!r}")
    if id.lstrip("-").isdigit():
        id = names.DIALECTS[one_of(id, names.DIALECTS)]
    return sys.intern(f"{id}.{name}")
