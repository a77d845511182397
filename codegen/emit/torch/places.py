"""torch/places.cc: the line of each entry, for messages. No other generated C++ names a line."""

from __future__ import annotations

from ...model.op import OpSet
from ...view.dispatcher import overloads
from ..render import render


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    places = {overload.qualified: op.place for op in opset.ops for overload in overloads(op)}
    return {"torch/places.cc": render("places.cc.j2", places=places)}
