"""The rows of aten_compat.yaml against the operators that they name."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..model.aten_compat import FUNCTIONS, RESULT, AtenRow
from ..model.diagnose import Diagnostics, did_you_mean
from ..model.op import Op, OpSet

ALLOWED = (
    *(ast.Expression, ast.Name, ast.Load, ast.Constant, ast.List, ast.Call, ast.keyword, ast.Attribute, ast.IfExp),
    *(ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.Compare, ast.unaryop, ast.operator, ast.boolop, ast.cmpop),
)


def check_aten_compat(opset: OpSet, rows: Sequence[AtenRow], diag: Diagnostics) -> None:
    """Every name is an argument, an operator or a function, and calls have arguments that the operator has."""
    seen: dict[str, bool] = {}
    for row in rows:
        if seen.get(row.overload):
            message = f"no call comes to this row: one without `when` for '{row.overload}' is before it"
            diag.error_at("PHI070", row.loc, "aten", message, "move the row before the other")
        seen[row.overload] = not row.when
        for key in ("when", "let", "to"):
            before = len(diag.errors)
            for text in getattr(row, key):
                _Expression(opset, row, f"{key}.{text}", diag).check(ast.parse(text, mode="eval"), operators=key != "when")
            if key == "let" and len(diag.errors) > before:
                break  # `to` would have the same ones


class _Expression:
    def __init__(self, opset: OpSet, row: AtenRow, place: str, diag: Diagnostics) -> None:
        self.opset, self.row, self.place, self.diag = opset, row, place, diag

    def error(self, code: str, message: str, help: str) -> None:
        self.diag.error_at(code, self.row.loc, self.place, f"'{self.row.overload}' {message}", help)

    def check(self, tree: ast.Expression, operators: bool) -> None:
        called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        for node in ast.walk(tree):
            if not isinstance(node, ALLOWED):
                help = "write calls, names, literals, lists, arithmetic and comparisons"
                self.error("PHI071", f"has an expression of another kind: {ast.unparse(node)}", help)  # type: ignore[arg-type]
            elif isinstance(node, ast.Name) and id(node) not in called:
                self._name(node.id)
            elif isinstance(node, ast.Call):
                self._call(node, operators)
            elif isinstance(node, ast.Attribute):
                self._attribute(node)

    def _name(self, name: str) -> None:
        known = (*self.row.arguments, RESULT)
        if name not in known:
            self.error("PHI071", f"names '{name}', which is no argument of it", did_you_mean(name, known) or _list(known))

    def _call(self, node: ast.Call, operators: bool) -> None:
        name = node.func.id if isinstance(node.func, ast.Name) else ast.unparse(node.func)
        if name in self.opset and operators:  # also where an argument has its name
            self._operator(node, self.opset[name])
        elif name in self.row.arguments:
            self.error("PHI071", f"calls '{name}', which is an argument of it", "there is another function or operator for it")
        elif name not in FUNCTIONS:
            known = [*FUNCTIONS, *((op.name for op in self.opset.ops) if operators else ())]
            if name not in self.diag.broken:
                self.error("PHI071", f"calls '{name}', which is not there", did_you_mean(name, known) or _list(FUNCTIONS))
        elif len(node.args) not in FUNCTIONS[name] or node.keywords:
            counts = " or ".join(map(str, FUNCTIONS[name]))
            self.error("PHI072", f"calls '{name}' with {len(node.args)} arguments", f"it takes {counts}")

    def _operator(self, node: ast.Call, op: Op) -> None:
        names = [arg.name for arg in op.args]
        if len(node.args) > len(names):
            self.error("PHI072", f"calls '{op.name}' with {len(node.args)} arguments", _list(names))
        given = [*names[: len(node.args)], *(keyword.arg or "" for keyword in node.keywords)]
        for name in given:
            if name not in names:
                help = did_you_mean(name, names) or _list(names)
                self.error("PHI072", f"calls '{op.name}' with '{name}', which it has not", help)
            elif given.count(name) > 1:
                self.error("PHI072", f"gives '{name}' of '{op.name}' twice", "remove one of them")
        for arg in op.args:
            if not arg.has_default and arg.name not in given:
                self.error("PHI072", f"calls '{op.name}' without its argument '{arg.name}'", _list(names))

    def _attribute(self, node: ast.Attribute) -> None:
        call = node.value
        name = call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ""
        if name not in self.opset:
            self.error("PHI071", f"takes '.{node.attr}' of what is no operator", "a result is named after a call of an operator")
            return
        outputs = [output.name for output in self.opset[name].outputs]
        if node.attr not in outputs:
            help = did_you_mean(node.attr, outputs) or _list(outputs)
            self.error("PHI071", f"takes '{node.attr}' of '{name}', which it does not give", help)


def _list(names: Sequence[str] | dict[str, tuple[int, ...]]) -> str:
    return f"there are: {', '.join(names) or 'none'}"
