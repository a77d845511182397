"""Operations that call an operator of torch from a list of tensors to a list of tensors, `phi_programs::operator` and its like."""

from __future__ import annotations

from collections.abc import Sequence

from .. import ir


def call_of_list(
    builder: ir.Builder,
    target: str,
    call: str,
    operands: Sequence[ir.Value | None],
    types: Sequence[ir.Type | None],
    location: str = "",
) -> list[ir.Value]:
    """The results, of these types, of the call that the text `call` describes."""
    given = builder.create("builtin.combine", operands, location=location).results
    said = {"target": target, "inputs": ["operands"], "call": call}
    vector = builder.program.context.vector(types)
    made = builder.create("torch.call", given, said, [vector], 0, location, undeclared=True).results
    return list(builder.create("builtin.split", made, result_types=types, location=location).results)
