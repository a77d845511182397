"""What a composite's expression does with arguments that are no plain tensors: a list goes only where a list is taken, and
nothing is asked of a tensor that may be None."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass

from ..model.op import Op

# The overloads of a function of `torch`, `aten`, `phi` or the extension; None where it is not known.
OverloadsOf = Callable[[str, str], "Sequence[Sequence[Parameter]] | None"]
_NUMBERS = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult)  # lists do not have them, as they have + and *
# what an expression calls beside the functions of torch
BUILTINS = frozenset({"abs", "bool", "float", "int", "len", "list", "max", "min", "range", "tuple", "wide"})


@dataclass(frozen=True)
class Parameter:
    name: str
    type: str  # "Tensor", "Tensor[]", "Tensor?", "int"

    @property
    def takes_list(self) -> bool:
        return self.type.startswith("Tensor") and "[]" in self.type

    @property
    def takes_none(self) -> bool:
        return self.type.endswith("?")


@dataclass(frozen=True)
class _Kinds:
    """The names that stand for a list, and those that may be None, at one place of an expression."""

    lists: frozenset[str]
    absent: frozenset[str]

    def without(self, names: Iterable[str]) -> _Kinds:
        """Where names mean something else."""
        return _Kinds(self.lists - set(names), self.absent - set(names))

    def knowing(self, present: Set[str]) -> _Kinds:
        return _Kinds(self.lists, self.absent - present)


def misused(op: Op, modules: Set[str], overloads_of: OverloadsOf) -> list[tuple[str, str]]:
    """What is wrong with the op's composite, and what to do; `modules` are the names that functions are taken from."""
    tree = ast.parse(op.composite or "", mode="eval").body
    lists = frozenset(a.name for a in op.args if a.type == "Tensor[]")
    absent = frozenset(a.name for a in op.args if a.is_tensor and a.optional)
    reader = _Reader(modules, overloads_of)
    if lists or absent:
        try:
            reader.read(tree, _Kinds(lists, absent))
        except RecursionError:
            return [("is nested too deep to be read", "name a function of a module: module:function")]
    return list(dict.fromkeys(reader.found))


class _Reader:
    def __init__(self, modules: Set[str], overloads_of: OverloadsOf) -> None:
        self.modules = modules
        self.overloads_of = overloads_of
        self.found: list[tuple[str, str]] = []

    def read(self, node: ast.AST, kinds: _Kinds) -> None:
        if isinstance(node, ast.IfExp):
            yes, no = _present(node.test)
            self.read(node.test, kinds)
            self.read(node.body, kinds.knowing(yes))
            self.read(node.orelse, kinds.knowing(no))
            return
        if isinstance(node, ast.BoolOp):
            for value in node.values:
                self.read(value, kinds)
                kinds = kinds.knowing(_present(value)[0 if isinstance(node.op, ast.And) else 1])
            return
        if isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)):
            bound = {n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
            for generator in node.generators:
                self._computed(generator.iter, kinds, lists=False)
            inner = kinds.without(bound)
            for child in ast.iter_child_nodes(node):
                self.read(child, inner)
            return
        if isinstance(node, ast.Lambda):
            kinds = kinds.without(a.arg for a in node.args.args)
        elif isinstance(node, ast.Attribute):
            self._attribute(node, kinds)
        elif isinstance(node, ast.Subscript):
            self._computed(node.value, kinds, lists=False)
        elif isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
            self._computed(node.operand, kinds)
        elif isinstance(node, ast.BinOp):
            for operand in (node.left, node.right):
                self._computed(operand, kinds, lists=isinstance(node.op, _NUMBERS))
        elif isinstance(node, ast.Call):
            self._call(node, kinds)
        for child in ast.iter_child_nodes(node):
            self.read(child, kinds)

    def _computed(self, node: ast.expr, kinds: _Kinds, lists: bool = True) -> None:
        """A name is computed with: it must be a tensor."""
        if isinstance(node, ast.Name):
            if lists and node.id in kinds.lists:
                self._list(node.id, f"computes with '{node.id}', which is a list of tensors")
            if node.id in kinds.absent:
                self._none(node.id, f"computes with '{node.id}', which may be None")

    def _attribute(self, node: ast.Attribute, kinds: _Kinds) -> None:
        if not isinstance(node.value, ast.Name) or node.value.id in self.modules:
            return
        name = node.value.id
        if name in kinds.lists:
            self._list(name, f"takes {name}.{node.attr} of '{name}', which is a list of tensors")
        if name in kinds.absent:
            self._none(name, f"takes {name}.{node.attr} of '{name}', which may be None")

    def _call(self, node: ast.Call, kinds: _Kinds) -> None:
        overloads, called = self._overloads(node.func)
        if overloads is None:
            return
        before = next((i for i, a in enumerate(node.args) if isinstance(a, ast.Starred)), len(node.args))
        given: list[tuple[int | str, ast.expr]] = [*enumerate(node.args[:before])]
        given += [(k.arg, k.value) for k in node.keywords if k.arg]
        for where, value in given:
            if not isinstance(value, ast.Name):
                continue
            taken = [p for overload in overloads for p in overload if p.name == where]
            if isinstance(where, int):
                taken = [overload[where] for overload in overloads if where < len(overload)]
            if value.id in kinds.lists and taken and not any(p.takes_list for p in taken):
                self._list(value.id, f"gives '{value.id}', which is a list of tensors, to {called}, which takes none")
            if value.id in kinds.absent and taken and not any(p.takes_none for p in taken):
                self._none(value.id, f"gives '{value.id}', which may be None, to {called}, which takes a tensor")

    def _overloads(self, function: ast.expr) -> tuple[Sequence[Sequence[Parameter]] | None, str]:
        """The overloads of what is called, without the tensor before the dot of a method, and how it is written."""
        if isinstance(function, ast.Name):
            overloads = None if function.id in BUILTINS else self.overloads_of("torch", function.id)
            return overloads, f"torch.{function.id}"
        if not isinstance(function, ast.Attribute):
            return None, ""
        if isinstance(function.value, ast.Name) and function.value.id in self.modules:
            return self.overloads_of(function.value.id, function.attr), f"{function.value.id}.{function.attr}"
        root = function.value
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name) and root.id in self.modules:
            return None, ""  # of torch.nn.functional nothing is known
        overloads = self.overloads_of("aten", function.attr)
        return None if overloads is None else [overload[1:] for overload in overloads], f"a tensor's {function.attr}"

    def _list(self, name: str, message: str) -> None:
        self.found.append((message, f"take each, [f(t) for t in {name}], or make one tensor of them: torch.stack({name})"))

    def _none(self, name: str, message: str) -> None:
        self.found.append((message, f"write `... if {name} is not None else ...`"))


def _present(test: ast.expr) -> tuple[frozenset[str], frozenset[str]]:
    """The names that are not None if `test` is true, and if it is false."""
    nothing: frozenset[str] = frozenset()
    if isinstance(test, ast.Name):
        return frozenset({test.id}), nothing
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _present(test.operand)[::-1]
    if isinstance(test, ast.BoolOp):
        both = [_present(value) for value in test.values]
        if isinstance(test.op, ast.And):
            return nothing.union(*(yes for yes, _ in both)), nothing
        return nothing, nothing.union(*(no for _, no in both))
    if isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and len(test.ops) == 1:
        right = test.comparators[0]
        if isinstance(right, ast.Constant) and right.value is None:
            names = frozenset({test.left.id})
            return (names, nothing) if isinstance(test.ops[0], ast.IsNot) else (nothing, names)
    return nothing, nothing
