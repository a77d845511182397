"""The pass that puts composites in the place of operators."""

from __future__ import annotations

from collections.abc import Iterable

from .. import _namespaces
from .._expect import expect_names
from .._op_info import OpInfo
from ._core import Program, op_info
from .derived_gradients import expand, gradient_of
from .guessed_types import gives_guesses
from .passes import Pass
from .torch_names import op_info_of


class Decompose(Pass):
    """Operators become those of their composites, which are traced at the types that an operation has.

    An operator that has no kernel but its composite is decomposed wherever this runs, another one where it is named. An
    operation stays where it writes or draws random numbers; where what it computes depends on a size that is not known, or on
    a number that only a run tells; where its composite calls the operator itself; and where a kernel would become `torch.call`.
    One that has no kernel and would stay becomes `torch.call` of the operator, unless it writes.

    Args:
        ops: names of operators, `["softmax", "mine::scaled"]`; or "all".

    Raises:
        ValueError: there is no operator of that name, or it has no composite.
    """

    name = "decompose"
    level = 0

    def __init__(self, ops: Iterable[str] = ()) -> None:
        names = [ops] if isinstance(ops, str) else list(ops) if isinstance(ops, Iterable) else ops
        expect_names("Decompose", "ops", names)
        self._all = ops == "all"
        self._ops = frozenset() if self._all else frozenset(map(_decomposable, names))

    def is_needed(self, program: Program) -> bool:
        """Whether the program has operators that this runs on, such as those without a kernel."""
        return any(gradient_of(name) is not None or self._wanted(name) is not None for name in program.counts())

    def run(self, program: Program) -> dict[str, int]:
        derived = expand(program)
        wanted = {name: info for name in program.counts() if (info := self._wanted(name)) is not None}
        if not wanted:
            return derived
        from .inline_composite import call_torch, inline  # which need torch.fx

        count = called = 0
        for op in program.walk():
            if op.name not in wanted or op.effects.written:
                continue
            info = wanted[op.name]
            if not op.effects.is_random and not gives_guesses(op) and inline(op, info):
                count += 1
            elif info.composite_only:
                called += call_torch(op, info)
        found = {"operators decomposed": count, "calls of torch": called}
        return derived | {what: number for what, number in found.items() if number}

    def _wanted(self, name: str) -> OpInfo | None:
        declared, info = op_info(name), op_info_of(name)
        if declared is None or declared.composite is None or info is None:
            return None
        return info if self._all or declared.composite_only or info.full_name in self._ops else None


def _decomposable(name: str) -> str:
    try:
        info = _namespaces.find(name)
    except KeyError as error:
        raise ValueError(f"argument 'ops': {error.args[0]}") from None
    if info.composite is None:
        raise ValueError(f"argument 'ops': the operator '{name}' has no composite ({info.loc})")
    return info.full_name
