"""The functors of a generated kernel, read from their header: what they are called with, and what they are made of."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..model.op import Functor, Op
from ..read.declarations import call_args
from ..read.sources import Sources

_ACCESS = re.compile(r"\b(?:public|private|protected)\s*:(?!:)")
_NO_MEMBER = re.compile(r"\s*(?:using|static|typedef|template|friend|enum|struct|class)\b")


@dataclass(frozen=True)
class Struct:
    """A struct that can be a functor. What a base brings is not known."""

    place: str
    calls: tuple[int, ...]  # the operands of each `operator()`; none where one takes any number
    constructors: tuple[tuple[int, int], ...]  # the least and the most arguments of each
    members: tuple[str, ...]
    with_default: int  # of these
    has_base: bool

    def takes(self, count: int) -> bool:
        """Whether it can be made of so many attributes."""
        if self.constructors:
            return any(least <= count <= most for least, most in self.constructors)
        unknown = self.has_base or any("[" in member for member in self.members)
        return unknown or len(self.members) - self.with_default <= count <= len(self.members)


def attributes(op: Op) -> list[str]:
    """The attributes that the functors of an op are made of; `axis` of a gradient says how its inputs were broadcast."""
    return [a.name for a in op.attrs if not (op.category == "binary_grad" and a.name == "axis")]


def difference(op: Op, functor: Functor, sources: Sources) -> tuple[str, str] | None:
    """How a functor does not fit, and what to do; None when it does, or when its struct cannot be read."""
    name = (functor.name or "").rpartition("::")[2]
    struct = find_struct(name, sources)
    if struct is None:
        return None
    given, made = list(functor.args), attributes(op)
    if struct.calls and len(given) not in struct.calls:
        operands = ", ".join(f"V {arg}" for arg in given)
        help = f"write operator()({operands}), or say what it takes: `functor : {name}(...)`"
        counts = " or ".join(map(str, sorted(set(struct.calls))))
        return f"takes {counts} operand{'s' * (counts != '1')}, expected {len(given)} ({', '.join(given)}): {struct.place}", help
    if struct.takes(len(made)):
        return None
    help = f"an attribute of '{op.name}' is a member, in the order of the YAML, or an argument of the constructor"
    expected = f"expected one for each attribute, {', '.join(made)}" if made else "but the entry has no attributes"
    what = "a constructor of other arguments" if struct.constructors else f"members {', '.join(struct.members)}"
    if not (struct.constructors or struct.members):
        what = "no members"
    return f"has {what}, {expected}: {struct.place}", help


def find_struct(name: str, sources: Sources) -> Struct | None:
    """The struct of a name in the headers; of one that is a base's twin, or an alias, that one."""
    file = sources.header_of(name)
    if file is None:
        return None
    text = sources.texts[file]
    if alias := re.search(rf"\busing\s+{name}\s*=\s*(?:\w+::)*(\w+)", text):
        return find_struct(alias[1], sources) if alias[1] != name else None
    head = re.search(rf"\b(?:struct|class)\s+{name}\b\s*(?:final\b\s*)?(:[^:{{;][^{{;]*)?\{{", text)
    if head is None:
        return None
    body = _without_blocks(text, head.end())
    place = f"{file}:{text.count(chr(10), 0, head.start()) + 1}"
    base = re.search(r"(\w+)\s*(?:<.*>)?\s*$", head[1]) if head[1] else None
    operands = [_params(body, m.end()) for m in re.finditer(r"\boperator\s*\(\s*\)\s*\(", body)]
    calls = () if any("..." in p for params in operands for p in params) else tuple(map(len, operands))
    if not operands and base is not None and base[1] != name:
        inherited = find_struct(base[1], sources)
        calls = inherited.calls if inherited is not None else ()
    made = [_params(body, m.end()) for m in re.finditer(rf"(?<![\w~:]){name}\s*\(", body)]
    constructors = tuple((sum("=" not in p for p in params), len(params)) for params in made if not _copies(params, name))
    members = [m for statement in _ACCESS.sub("", body).split(";") for m in _members(statement)]
    return Struct(
        place=place,
        calls=calls,
        constructors=constructors,
        members=tuple(m.partition("=")[0].strip() for m in members),
        with_default=sum("=" in m for m in members),
        has_base=base is not None,
    )


def _params(text: str, start: int) -> list[str]:
    return [p for p in call_args(text, start) if p not in ("", "void")]


def _copies(params: list[str], name: str) -> bool:
    return len(params) == 1 and re.match(rf"(?:const\s+)?{name}\b", params[0]) is not None


def _members(statement: str) -> list[str]:
    """The members of `T a` or `T a, b = 1`, with their defaults."""
    statement = re.sub(r"(=[^,(]*)\([^()]*\)", r"\1", statement)
    if "(" in statement or _NO_MEMBER.match(statement):
        return []
    found = re.fullmatch(r"\s*(?:const\s+)?[\w:]+(?:\s*<[^;]*>)?(?:::\w+)?[\s*&]+(\w.*)", statement, re.DOTALL)
    return [] if found is None else [" ".join(part.split()) for part in found[1].split(",")]


def _without_blocks(text: str, start: int) -> str:
    """The body of the struct whose brace opens before `start`; `=;` stands for what is in braces, which may be a default."""
    depth, kept = 0, []
    for c in text[start:]:
        if c == "{":
            depth += 1
        elif c == "}":
            if depth == 0:
                break
            depth -= 1
            if depth == 0:
                kept.append("=;")
        elif depth == 0:
            kept.append(c)
    return "".join(kept)
