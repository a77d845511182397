"""Rewrites against the operators that they name: arguments, results, variables, and whether each has a sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ..model.diagnose import Diagnostics, did_you_mean
from ..model.op import Loc, Op, OpSet
from ..model.rewrite import FUNCTIONS, Rewrite, Term
from ..view.ir_op import dialect, form_names, mutable_attributes

_Kind = Literal["value", "constant", "rest"]
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "in", "and", "or", "not")


@dataclass(frozen=True)
class Signature:
    """An operator as rewrites see it. Arguments without names are its tensors, then its attributes."""

    inputs: tuple[str, ...]
    optional: frozenset[str]
    attributes: tuple[str, ...]
    required: frozenset[str]  # the attributes without a default
    outputs: tuple[str, ...]


# by its name with its dialect; None for an operator that nobody knows
Lookup = Callable[[str], "Signature | None"]


def signatures(opset: OpSet) -> dict[str, Signature]:
    """Those of all operators of the tree, in place too."""
    return {f"{dialect(opset)}.{name}": _signature(op, opset) for op in (*opset.ops, *opset.pir_ops) for name in form_names(op)}


def _signature(op: Op, opset: OpSet) -> Signature:
    mutable = mutable_attributes(op, opset)
    return Signature(
        inputs=tuple(a.name for a in op.inputs),
        optional=frozenset(a.name for a in op.inputs if a.optional),
        attributes=tuple(a.name for a in op.attrs),
        required=frozenset(a.name for a in op.attrs if a.value is None and not a.optional and a.name not in mutable),
        outputs=tuple(o.name for o in op.outputs),
    )


def check_rewrites(opset: OpSet, rewrites: Sequence[Rewrite], diag: Diagnostics) -> None:
    known = signatures(opset)
    seen: dict[str, Loc] = {}
    for rewrite in rewrites:
        if rewrite.name in seen:
            message = f"the rewrite '{rewrite.name}' has an entry already, at {seen[rewrite.name]}"
            diag.error_at("PHI020", rewrite.loc, "rewrite", message, "rename one of them")
        seen.setdefault(rewrite.name, rewrite.loc)
        if check_rewrite(rewrite, known.get, known, diag):
            _check_sample(rewrite, diag)


def check_rewrite(rewrite: Rewrite, lookup: Lookup, names: Iterable[str], diag: Diagnostics) -> bool:
    """Whether it has no faults; `names` are those that a misspelt one is compared with."""
    before = len(diag.errors)
    _Checker(rewrite, lookup, names, diag).run()
    return len(diag.errors) == before


def variables(rewrite: Rewrite) -> dict[str, _Kind]:
    """What `match` binds, but the names of operators."""
    found: dict[str, _Kind] = {}
    _collect(rewrite.match.call, found)
    return found


def _collect(call: Term, found: dict[str, _Kind]) -> None:
    for argument in call.arguments:
        inner = argument.children[0] if argument.kind == "Keyword" else argument
        if argument.kind == "Rest":
            found[argument.text] = "rest"
        elif inner.kind == "Name" and inner.text != "_":
            # an operand is a tensor; whether a keyword names one is the checker's question
            found.setdefault(inner.text, "constant" if argument.kind == "Keyword" else "value")
        elif inner.call.kind == "Call":
            _collect(inner.call, found)


def _check_sample(rewrite: Rewrite, diag: Diagnostics) -> None:
    given = dict(rewrite.sample)
    bound = variables(rewrite)
    for name, kind in bound.items():
        if kind != "rest" and name not in given and name not in {term.text for term in rewrite.optional}:
            help = f"write `{name} : f32[2,3]`, or a number, below `sample`"
            diag.error_at("PHI062", rewrite.loc, "rewrite", f"'{rewrite.name}' has no sample of '{name}'", help)
    for name in {*given, *(name for change in rewrite.refuse for name, _ in change)} - set(bound):
        help = did_you_mean(name, bound) or f"variables: {', '.join(bound)}"
        diag.error_at("PHI062", rewrite.loc, "rewrite", f"'{rewrite.name}' has a sample of '{name}', which it does not bind", help)


class _Checker:
    def __init__(self, rewrite: Rewrite, lookup: Lookup, names: Iterable[str], diag: Diagnostics) -> None:
        self.rewrite, self.lookup, self.names, self.diag = rewrite, lookup, names, diag
        self.bound: dict[str, _Kind] = {}
        self.rests: dict[str, tuple[str, ...]] = {}  # attributes
        self.uses: Counter[str] = Counter()

    def error(self, term: Term, message: str, help: str) -> None:
        self.diag.error("PHI061", term.loc, f"{message}, in '{self.rewrite.name}'", help, term.length)

    def run(self) -> None:
        rewrite = self.rewrite
        if rewrite.match.call.kind != "Call":
            self.error(rewrite.match, "`match` is no operator", "write op(x)")
            return
        before = len(self.diag.errors)
        self.pattern(rewrite.match)
        if len(self.diag.errors) > before:
            return  # what follows names what is bound there
        for condition in rewrite.where:
            if self.kind(condition, operators=False) == "value":
                self.error(condition, "a condition is true or false", "compare numbers, or write const(x)")
        for let in rewrite.let:
            kind = self.kind(let.children[0])
            if let.text in self.bound:
                self.error(let, f"`let` gives '{let.text}' a second meaning", "use another name")
            self.bound.setdefault(let.text, kind or "constant")
        if self.kind(rewrite.to) not in ("value", None):
            self.error(rewrite.to, "`to` is no tensor", "write op(x)")
        for name in rewrite.optional:
            self.known(name)
        for term in rewrite.match.walk():
            if term.kind in ("Name", "Rest") and term.text != "_" and self.uses[term.text] == 1:
                self.error(term, f"nothing uses '{term.text}'", "write `_`, or `attribute = _` for any value")

    # what is matched

    def bind(self, term: Term, kind: _Kind) -> None:
        if term.text == "_":
            return
        self.uses[term.text] += 1
        if self.bound.setdefault(term.text, kind) != kind:
            self.error(term, f"'{term.text}' is a {self.bound[term.text]} and a {kind}", "use two names")

    def pattern(self, term: Term) -> None:
        call = term.call
        operators = self.operators(call)
        if not operators:
            return
        first = operators[0]
        if term.kind == "Field":
            self.one_of(term, term.text, first.outputs, "result")
        if call.choice is not None:
            self.bound[call.choice.text] = "constant"
        said, position = [], 0
        for argument in call.arguments:
            if argument.kind == "Rest":
                self.bind(argument, "rest")
                self.rests[argument.text] = first.attributes
            elif argument.kind != "Keyword":
                if position >= len(first.inputs):
                    self.error(argument, f"more tensors than the {len(first.inputs)} of the operator", "name attributes: a = 1")
                    return
                said.append(first.inputs[position])
                self.operand(argument)
                position += 1
            elif self.one_of(argument, argument.text, (*first.inputs, *first.attributes), "argument"):
                said.append(argument.text)
                if argument.text in first.inputs:
                    self.operand(argument.children[0])
                elif argument.children[0].kind == "Name":
                    self.bind(argument.children[0], "constant")
                else:
                    self.kind(argument.children[0], operators=False)
        missing = [name for name in first.inputs if name not in said and name not in first.optional]
        if not any(argument.kind == "Rest" for argument in call.arguments):
            missing += [name for name in first.attributes if name in first.required and name not in said]
        if missing:
            self.error(call, f"the operator needs {', '.join(missing)}", f"write {missing[0]} = _")

    def operand(self, term: Term) -> None:
        if term.kind == "Name":
            self.bind(term, "value")
        elif term.call.kind == "Call":
            self.pattern(term)
        elif term.kind != "None":
            self.error(term, "an operand is a variable, an operator or none", "name it, and write number(x) == 1 in `where`")

    def operators(self, call: Term) -> list[Signature]:
        names = [call] if call.choice is None else list(call.choice.children)
        found = []
        for name in names:
            if name.text in FUNCTIONS:
                self.error(name, f"'{name.text}' is a condition and no operator", "write it below `where`")
                continue
            signature = self.lookup(name.text)
            if signature is None:
                close = did_you_mean(name.text, self.names) or "python -m phi_torch list names the operators"
                self.error(name, f"there is no operator '{name.text.removeprefix('pd_op.')}'", close.replace("'pd_op.", "'"))
            else:
                found.append(signature)
        return found if len(found) == len(names) else []

    def one_of(self, term: Term, name: str, names: Sequence[str], what: str) -> bool:
        if name not in names:
            help = did_you_mean(name, names) or f"{what}s: {', '.join(names) or 'none'}"
            self.error(term, f"the operator has no {what} '{name}'", help)
        return name in names

    # what is computed

    def known(self, term: Term) -> _Kind | None:
        """What a variable is; None, and an error, where there is none."""
        self.uses[term.text] += 1
        if term.text not in self.bound:
            help = did_you_mean(term.text, self.bound) or f"variables: {', '.join(self.bound) or 'none'}"
            self.error(term, f"there is no variable '{term.text}'", help)
        return self.bound.get(term.text)

    def kind(self, term: Term, operators: bool = True) -> _Kind | None:
        """Of an expression; `operators`: whether it may create some."""
        if term.kind == "Name":
            return self.known(term)
        if term.kind == "Field" and term.children[0].kind == "Name":
            rest = term.children[0]
            if self.known(rest) not in ("rest", None):
                self.error(term, f"'{rest.text}' has no attributes", f"bind them: **{rest.text}")
            elif rest.text in self.rests:
                self.one_of(term, term.text, self.rests[rest.text], "attribute")
            return "constant"
        if term.call.kind == "Call":
            return self.called(term, operators)
        kinds = [self.kind(child, operators) for child in term.children]
        if term.kind != "Operator" or "value" not in kinds:
            return "constant"
        if term.text in _COMPARISONS or not operators:
            self.error(term, f"'{term.text}' of tensors", "compare shape(x), rank(x) or number(x)")
            return "constant"
        if term.text not in ("+", "-", "*", "/"):
            self.error(term, f"'{term.text}' is not for tensors", "write an operator")
        return "value"

    def called(self, term: Term, operators: bool) -> _Kind:
        call = term.call
        if call.text in FUNCTIONS:
            self.function(call)
            return "constant"
        found = self.operators(call)
        if not operators:
            self.error(call, "a condition has no operators", f"functions: {', '.join(FUNCTIONS)}")
        if not found or call.choice is not None:
            return "value"
        if term.kind == "Field":
            self.one_of(term, term.text, found[0].outputs, "result")
        self.created(call, found[0])
        return "value"

    def created(self, call: Term, op: Signature) -> None:
        arguments, position, said, has_rest = (*op.inputs, *op.attributes), 0, [], False
        for argument in call.arguments:
            if argument.kind == "Rest":
                has_rest = True
                if self.known(argument) not in ("rest", None):
                    self.error(argument, f"'{argument.text}' is no rest", f"bind it in `match`: **{argument.text}")
                continue
            name, value = argument.text, argument
            if argument.kind == "Keyword":
                value = argument.children[0]
                if not self.one_of(argument, name, arguments, "argument"):
                    continue
            elif position < len(arguments):
                name = arguments[position]
                position += 1
            else:
                self.error(argument, f"more arguments than the {len(arguments)} of the operator", "remove it")
                return
            said.append(name)
            kind = self.kind(value)
            is_operand = name in op.inputs
            if kind is not None and is_operand != (kind == "value") and value.kind != "None":
                self.error(
                    value, f"'{name}' takes {'a tensor' if is_operand else 'no tensor'}", f"arguments: {', '.join(arguments)}"
                )
        missing = [name for name in op.inputs if name not in said and name not in op.optional]
        missing += [] if has_rest else [name for name in op.attributes if name in op.required and name not in said]
        if missing:
            self.error(call, f"the operator needs {', '.join(missing)}", f"write {missing[0]} = ...")

    def function(self, call: Term) -> None:
        count, takes, _ = FUNCTIONS[call.text]
        if len(call.children) != count and not (count < 0 and len(call.children) >= -count):
            self.error(call, f"'{call.text}' takes {abs(count)} argument{'s' * (abs(count) > 1)}", "see docs/rewrites.md")
            return
        for i, argument in enumerate(call.children):
            is_value = takes == "values" and (count < 0 or i == 0)
            if self.kind(argument, operators=False) not in ("value" if is_value else "constant", None):
                self.error(
                    argument, f"'{call.text}' is asked of {'a tensor' if is_value else 'numbers'}", "name a variable of `match`"
                )
