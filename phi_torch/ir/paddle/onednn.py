"""Operators of `onednn_op`, which Paddle Inference puts in the place of others on CPUs, as those."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from ... import ir
from ..._paddle import fused as forms
from .document import Op
from .lowered import Call

ONEDNN, PLAIN = "onednn_op.", "pd_op."
_OF_LIBRARY = frozenset(
    (*forms.NEUTRAL, "data_format", "fuse_with_relu", "is_test", "mkldnn_data_type", "onednn_data_type", "use_quantizer")
)


def plain(op: Op, declared: Callable[[str], Collection[str] | None]) -> Op:
    """The same operator of `pd_op`, of whose attributes those stay that are declared; `op` itself where there is none."""
    name = PLAIN + op.name.removeprefix(ONEDNN)
    attributes = declared(name)
    if attributes is None or not forms.is_neutral({key: attr.value for key, attr in op.attributes.items()}):
        return op
    kept = {key: attr for key, attr in op.attributes.items() if key in attributes or key not in _OF_LIBRARY}
    return replace(op, name=name, attributes=kept)


def fused(call: Call) -> list[ir.Value | None] | None:
    """The results of an operator to which others were fused; None for another one."""
    kind = call.name.removeprefix(ONEDNN)
    if kind == "batch_norm_":
        return _batch_norm(call)
    found = forms.made(kind, call)
    return None if found is None else [found]


def _batch_norm(call: Call) -> list[ir.Value | None] | None:
    """With a relu, if there is one."""
    if not call.attributes.get("fuse_with_relu", False):
        return None
    names = ("is_test", "momentum", "epsilon", "data_format", "use_global_stats", "trainable_statistics")
    said = forms.said(call, *names)
    out, *others = call.builder.create("pd_op.batch_norm_", call.operands, said, call.types, 0, call.location).results
    return [call.made("relu", out), *others]
