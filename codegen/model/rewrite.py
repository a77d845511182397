"""A rewrite of programs as data: expressions over operators, and what the tests of one are made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from .op import Loc

NOWHERE = Loc("", 1)
Kind = Literal["None", "Bool", "Int", "Real", "Text", "Name", "List", "Call", "OneOf", "Keyword", "Rest", "Field", "Operator"]
# function of an expression -> (arguments, what they are, what it means); more arguments of the same kind where it is negative
FUNCTIONS: dict[str, tuple[int, str, str]] = {
    "const": (-1, "values", "each is the same in all runs: a weight that nobody writes, or what follows from such"),
    "absent": (-1, "values", "no operand is there"),
    "rank": (1, "values", "the number of dimensions"),
    "dim": (2, "values", "the size of one dimension; a negative one counts from the end"),
    "shape": (1, "values", "the list of all sizes"),
    "numel": (1, "values", "the number of elements"),
    "same_shape": (-2, "values", "all have the same sizes"),
    "dtype": (1, "values", 'such as "float32"'),
    "number": (1, "values", "what an operand is filled with"),
    "close": (2, "constants", "two numbers agree to five digits"),
}


@dataclass(frozen=True)
class Term:
    """A part of an expression. `text` and `children` are what phi::ir::TermKind says of each kind."""

    kind: Kind
    text: str = ""
    value: bool | int | float = 0
    children: tuple[Term, ...] = ()
    loc: Loc = field(default=NOWHERE, compare=False)
    length: int = field(default=1, compare=False)

    def walk(self) -> Iterator[Term]:
        """Children before what they are children of: the order of the table."""
        for child in self.children:
            yield from child.walk()
        yield self

    @property
    def call(self) -> Term:
        """The call whose result this is."""
        return self.children[0] if self.kind == "Field" else self

    @property
    def choice(self) -> Term | None:
        """Of a call: the operators that it may be of, where it is not one."""
        return self.children[0] if self.children and self.children[0].kind == "OneOf" else None

    @property
    def arguments(self) -> tuple[Term, ...]:
        return self.children[1:] if self.choice is not None else self.children


@dataclass(frozen=True)
class Rewrite:
    """Where `match` fits and all of `where` is true, `to` takes its place."""

    name: str
    level: int
    match: Term
    where: tuple[Term, ...]
    let: tuple[Term, ...]  # Keywords
    to: Term
    optional: tuple[Term, ...] = ()  # Names
    doc: str = ""
    sample: tuple[tuple[str, str], ...] = ()  # variable -> what it is in a test
    refuse: tuple[tuple[tuple[str, str], ...], ...] = ()  # changes of the sample, each of which breaks a condition
    text: tuple[tuple[str, str], ...] = ()  # key -> as it is written, for documentation
    loc: Loc = NOWHERE

    @property
    def tables(self) -> dict[str, Term]:
        """The fields of phi::ir::RewriteRow."""
        return {
            "match": self.match,
            "where": Term("List", children=self.where),
            "let": Term("List", children=self.let),
            "to": self.to,
            "optional": Term("List", children=self.optional),
        }
