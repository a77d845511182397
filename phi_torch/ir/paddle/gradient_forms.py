"""Gradient operators that take other operands in PaddlePaddle's files than here."""

from __future__ import annotations

from collections.abc import Sequence

from ... import ir

# operator -> its operands that PaddlePaddle has not
_OURS = {
    "pd_op.cross_entropy_with_softmax_grad": (3,),
    "pd_op.memory_efficient_attention_grad": (6, 7),
    "pd_op.warpctc_grad": (1, 3),
}
# those of them that the operator has too that made an operand: gradient -> (operator, which operand)
_OF_FORWARD = {"pd_op.warpctc_grad": ("pd_op.warpctc", 2)}


def from_file(name: str, operands: list[ir.Value | None]) -> tuple[str, list[ir.Value | None]]:
    """An operator and its operands as they are here."""
    if name == "pd_op.set_value_grad" and len(operands) == 1:
        return "pd_op.assign", operands  # which is all that PaddlePaddle does
    info, ours = ir.op_info(name), _OURS.get(name, ())
    if not ours or info is None or len(operands) != len(info.inputs) - len(ours):
        return name, operands
    type, index = _OF_FORWARD.get(name, ("", 0))
    made = next((value.defining_op for value in operands[index : index + 1] if value is not None), None)
    forward = made.operands if made is not None and made.name == type else []
    given = iter(operands)
    return name, [(forward[at] if at < len(forward) else None) if at in ours else next(given) for at, _ in enumerate(info.inputs)]


def to_file(name: str, operands: Sequence[ir.Value | None]) -> list[ir.Value | None]:
    """The operands as PaddlePaddle has them; those that are given and that it has not stay."""
    ours, known = _OURS.get(name, ()), name in _OF_FORWARD
    return [value for at, value in enumerate(operands) if at not in ours or not (known or value is None)]
