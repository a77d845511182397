"""Expressions of rewrites: `add(matmul(x, w, transpose_x = false), b)`, in Python's grammar."""

from __future__ import annotations

import ast
from collections.abc import Callable

from ..model.op import Loc
from ..model.rewrite import FUNCTIONS, Term
from .nodes import Span

_CONSTANTS = {"true": True, "false": False, "none": None}
_BINARY: dict[type[ast.AST], str] = {
    **{ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%"},
    **{ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in"},
    **{ast.And: "and", ast.Or: "or"},
}
# (message, place, characters, what to do)
Report = Callable[[str, Loc, int, str], None]


class _Malformed(Exception):
    def __init__(self, node: ast.AST, message: str, help: str) -> None:
        super().__init__(message)
        self.node, self.message, self.help = node, message, help


def parse_pattern(span: Span, dialect: str, report: Report) -> Term | None:
    """The term of a text; operators without a dialect are of `dialect`. None, and a report, where it is none."""
    text = f"({span.text}\n)"
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line, column = getattr(error, "lineno", 1) or 1, getattr(error, "offset", 1) or 1
        loc, _ = _Reader(span, dialect).place(line, column - 1)
        report("malformed expression", loc, 1, "write op(x, attribute = 1), or a condition such as rank(x) == 2")
        return None
    reader = _Reader(span, dialect)
    try:
        return reader.read(tree.body)
    except _Malformed as error:
        loc, length = reader.span_of(error.node)
        report(error.message, loc, length, error.help)
    except RecursionError:
        report("the expression is nested too deep", span.loc, 1, "split the rewrite")
    return None


class _Reader:
    def __init__(self, span: Span, dialect: str) -> None:
        self.span, self.dialect = span, dialect
        self.lines = [0]
        for line in span.text.split("\n"):
            self.lines.append(self.lines[-1] + len(line) + 1)

    def place(self, line: int, column: int) -> tuple[Loc, int]:
        """Of a character in the parenthesised text."""
        index = self.lines[min(line, len(self.lines)) - 1] + column - (line == 1)
        index = min(max(index, 0), max(len(self.span.text) - 1, 0))
        return self.span.source.loc(self.span.start + index), index

    def span_of(self, node: ast.AST) -> tuple[Loc, int]:
        loc, index = self.place(getattr(node, "lineno", 1), getattr(node, "col_offset", 0))
        _, end = self.place(getattr(node, "end_lineno", 1) or 1, getattr(node, "end_col_offset", 1) or 1)
        return loc, max(end - index, 1)

    def read(self, node: ast.AST) -> Term:
        kind, text, value, children = self._parts(node)
        loc, length = self.span_of(node)
        return Term(kind, text, value, tuple(children), loc, length)  # type: ignore[arg-type]

    def _parts(self, node: ast.AST) -> tuple[str, str, bool | int | float, list[Term]]:
        if isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id in _CONSTANTS):
            return (*self._constant(node, node.value if isinstance(node, ast.Constant) else _CONSTANTS[node.id]), [])
        if isinstance(node, ast.Name):
            return "Name", node.id, 0, []
        if isinstance(node, (ast.List, ast.Tuple)):
            return "List", "", 0, [self.read(item) for item in node.elts]
        if isinstance(node, ast.Attribute):
            return "Field", node.attr, 0, [self.read(node.value)]
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Not)):
            term = self.read(node.operand)
            if isinstance(node.op, ast.USub) and term.kind in ("Int", "Real"):
                return term.kind, "", -term.value, []
            return "Operator", "-" if isinstance(node.op, ast.USub) else "not", 0, [term]
        if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            return "Operator", _BINARY[type(node.op)], 0, [self.read(node.left), self.read(node.right)]
        if isinstance(node, ast.BoolOp):
            return "Operator", _BINARY[type(node.op)], 0, [self.read(value) for value in node.values]
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _BINARY:
            return "Operator", _BINARY[type(node.ops[0])], 0, [self.read(node.left), self.read(node.comparators[0])]
        help = "there are calls, names, numbers, texts, lists, + - * / // %, comparisons, and, or, not"
        raise _Malformed(node, "this is nothing that a rewrite may have", help)

    @staticmethod
    def _constant(node: ast.AST, value: object) -> tuple[str, str, bool | int | float]:
        if value is None:
            return "None", "", 0
        if isinstance(value, bool):
            return "Bool", "", value
        if isinstance(value, int) and -(2**63) <= value < 2**63:
            return "Int", "", value
        if isinstance(value, float):
            return "Real", "", value
        if isinstance(value, str):
            return "Text", value, 0
        raise _Malformed(node, "this is no number, text or none", 'write 64-bit integers, 1.5 or "text"')

    def _operator(self, name: str) -> str:
        return name if "." in name or name in FUNCTIONS else f"{self.dialect}.{name}"

    def _call(self, node: ast.Call) -> tuple[str, str, int, list[Term]]:
        text, children = "", []
        if isinstance(node.func, ast.Name):
            text = self._operator(node.func.id)
        elif isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            text = f"{node.func.value.id}.{node.func.attr}"
        elif isinstance(node.func, ast.Subscript) and isinstance(node.func.value, ast.Name):
            children.append(self._choice(node.func, node.func.value.id))
        else:
            raise _Malformed(node.func, "this is no operator", "write op(x), dialect.op(x), or name[op, other](x)")
        children += [self.read(argument) for argument in node.args]
        for keyword in node.keywords:
            loc, length = self.span_of(keyword)
            if keyword.arg is not None:
                children.append(Term("Keyword", keyword.arg, 0, (self.read(keyword.value),), loc, length))
            elif isinstance(keyword.value, ast.Name):
                children.append(Term("Rest", keyword.value.id, 0, (), loc, length))
            else:
                raise _Malformed(keyword.value, "`**` stands before a name", "write **rest")
        return "Call", text, 0, children

    def _choice(self, node: ast.Subscript, name: str) -> Term:
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        names = []
        for item in items:
            if not isinstance(item, ast.Name):
                raise _Malformed(item, "this is no operator", "write name[op, other](x)")
            names.append(Term("Text", self._operator(item.id), 0, (), *self.span_of(item)))
        return Term("OneOf", name, 0, tuple(names), *self.span_of(node))
