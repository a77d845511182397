"""Rewrites of your own: a pattern of operators, conditions, and what takes its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar, get_args

from .._build import generator  # noqa: F401  what follows imports `codegen`
from .._paddle.faults import near
from ._core import OpInfo, Program, apply_rewrites, op_info, op_names
from .passes import Pass

if TYPE_CHECKING:
    from codegen.check.rewrites import Signature
    from codegen.model.rewrite import Rewrite as Model
    from codegen.model.rewrite import Term

Row = tuple[int, str, int, float, int]
Rows = tuple[str, int, list[list[Row]]]


class Rewrite(Pass):
    """A pass that is one rewrite: where `match` fits and all of `where` is true, `to` takes its place.

    The texts are those of yaml/rewrites.yaml (docs/rewrites.md). Operators stand without a dialect where it is `pd_op`::

        class ReluOfScale(ir.Rewrite):
            match = "relu(scale(x, scale = s, bias = 0.0))"
            where = "s > 0"
            to = "scale(relu(x), scale = s)"

    Raises, when it is made:
        ValueError: a text is malformed, or names what does not exist; with the place and what was meant.
    """

    level: ClassVar[int] = 2
    match: ClassVar[str]
    where: ClassVar[str | Iterable[str]] = ()
    let: ClassVar[Mapping[str, str]] = {}
    to: ClassVar[str]
    optional: ClassVar[Iterable[str]] = ()  # variables that may stand for an absent operand

    def __init__(self) -> None:
        cls = type(self)
        if "name" not in {name for base in cls.__mro__ for name in base.__dict__}:
            cls.name = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
        known = [*Rewrite.__annotations__, "name"]
        for key, value in vars(cls).items():
            if key not in known and not key.startswith("_") and isinstance(value, (str, list, tuple, dict)):
                raise ValueError(f"{cls.__name__}.{key}: a rewrite has no such key{near(key, known)}")
        self._rows = rows_of(_model(self))

    def run(self, program: Program) -> Mapping[str, int]:
        return apply_rewrites(program, [], [self._rows])


def rows_of(rewrite: Model) -> Rows:
    """A rewrite as C++ takes it."""
    from codegen.model.rewrite import Kind

    kinds = get_args(Kind)

    def row(term: Term) -> Row:
        is_real = term.kind == "Real"
        return (
            kinds.index(term.kind),
            term.text,
            0 if is_real else int(term.value),
            float(term.value) if is_real else 0.0,
            len(term.children),
        )

    return rewrite.name, rewrite.level, [[row(part) for part in term.walk()] for term in rewrite.tables.values()]


def _model(given: Rewrite) -> Model:
    from codegen.check.rewrites import check_rewrite
    from codegen.model.diagnose import Diagnostics
    from codegen.model.rewrite import Rewrite as Model
    from codegen.model.rewrite import Term
    from codegen.read.nodes import Source, Span
    from codegen.read.pattern import parse_pattern

    diag = Diagnostics()

    def span(key: str, text: object) -> Span:
        if not isinstance(text, str) or not text.strip():
            raise ValueError(f"{type(given).__name__}.{key}: expected an expression, got {text!r}")
        source = Source(f"{type(given).__name__}.{key}", text)
        diag.add_source(source.name, text)
        return Span(source, 0, len(text))

    def parse(part: Span) -> Term:
        found = parse_pattern(part, "pd_op", lambda message, loc, length, help: diag.error("PHI060", loc, message, help, length))
        return found or Term("None")

    def parse_all(key: str, texts: str | Iterable[str]) -> tuple[Term, ...]:
        parts = span(key, texts).split(",") if isinstance(texts, str) else [span(key, text) for text in texts]
        return tuple(parse(part) for part in parts)

    model = Model(
        name=given.name,
        level=given.level,
        match=parse(span("match", getattr(given, "match", None))),
        where=parse_all("where", given.where),
        let=tuple(Term("Keyword", key, 0, (parse(span(f"let[{key}]", text)),)) for key, text in given.let.items()),
        to=parse(span("to", getattr(given, "to", None))),
        optional=parse_all("optional", given.optional),
    )
    if not diag:
        check_rewrite(model, _signature, op_names(), diag)
    if diag:
        raise ValueError(diag.render())
    return model


def _signature(name: str) -> Signature | None:
    info: OpInfo | None = op_info(name)
    if info is None:
        return None
    from codegen.check.rewrites import Signature

    mutable = [a.name for a in info.inputs if a.is_mutable_attribute]
    return Signature(
        inputs=tuple(a.name for a in info.inputs if not a.is_mutable_attribute),
        optional=frozenset(a.name for a in info.inputs if a.optional),
        attributes=tuple(a.name for a in info.attributes),
        required=frozenset(a.name for a in info.attributes if not a.has_default and not a.optional and a.name not in mutable),
        outputs=tuple(o.name for o in info.outputs),
    )
