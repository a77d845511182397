"""Which results stop gradients: PaddlePaddle says it of every one. A program of ours says it where a rule would not."""

from __future__ import annotations

from .document import PARAMETER, Attr, Op

STOP, KEPT = "stop_gradient", "persistable"


class Stops:
    """A result stops gradients if every operand does, unless its operator has regions or is an input of the program.

    Operators are given in the order of the program.
    """

    def __init__(self) -> None:
        self.stopped: set[int] = set()

    def rule(self, op: Op, results: int | None = None) -> dict[str, Attr]:
        """What follows for so many results; without a number for those of `op`."""
        count = len(op.results) if results is None else results
        if not count:
            return {}
        stops = op.name != "pd_op.data" and not op.regions and all(id in self.stopped for id in op.operands)
        kept = {KEPT: Attr("array<bool>", (True,))} if op.name == "pd_op.fetch" else {}
        return kept | {STOP: Attr("array<bool>", (stops,) * count)}

    def odd(self, op: Op, declared: int) -> dict[str, Attr]:
        """What an operator says of its results and the rule does not, neither for those that the file holds nor for those that
        the operator declares.
        """
        rules = [self.rule(op)]
        if declared != len(op.results):
            rules.append(self.rule(op, declared))
        self.define(op, rules[0])
        said = op.result_attributes.items()
        return {name: value for name, value in said if all(rule.get(name) != value for rule in rules)}

    def complete(self, op: Op) -> None:
        """Adds to what an operator says of its results what follows from the rule."""
        rule = self.rule(op)
        op.result_attributes = rule | op.result_attributes
        self.define(op, rule)

    def define(self, op: Op, rule: dict[str, Attr]) -> None:
        """Notes which results stop gradients, by what `op` says, or else by its rule; a parameter has none."""
        standard = Attr("bool", False) if op.name == PARAMETER else rule.get(STOP, Attr("array<bool>", ()))
        said = op.result_attributes.get(STOP, standard)
        values = (said.value,) if op.name == PARAMETER else said.value if said.kind == "array<bool>" else ()
        self.stopped |= {result.id for result, stops in zip(op.results, values) if stops and result.id}
        self.stopped.add(0)
