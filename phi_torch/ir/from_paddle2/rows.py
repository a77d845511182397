"""Gradients of tables that are rows of these in Paddle 2: in the IR, as in programs of Paddle 3, they are tensors with zeros."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...legacy.description import Attribute, OpDesc
from .blocks import Region, Unknown
from .rules import attr, rule

if TYPE_CHECKING:
    from .program import _Translation

# operators that give for rows what they give for a tensor with zeros elsewhere
_ALIKE = frozenset(
    (
        *("adagrad", "adam", "lamb", "momentum", "rmsprop", "sgd"),
        *("check_finite_and_unscale", "clip_by_norm", "elementwise_mul", "squared_l2_norm", "sum", "update_loss_scaling"),
    )
)


def kind_of(op: OpDesc, name: str, region: Region) -> str:
    """What kind of variable an operator reads or writes."""
    kind = region.kind(name)
    is_alike = op.type in _ALIKE and not attr(op, "lazy_mode", False)
    return "dense_tensor" if kind == "selected_rows" and is_alike else kind


@rule("lookup_table_v2_grad")
def _lookup_table_grad(self: _Translation, op: OpDesc, region: Region) -> None:
    attrs = {**op.attrs, "is_sparse": Attribute("BOOLEAN", False)}
    self.plain(OpDesc(op.type, op.inputs, op.outputs, attrs), region)


@rule("adam")
def _adam(self: _Translation, op: OpDesc, region: Region) -> None:
    """Paddle advances the powers before a step by rows, and after one by a tensor."""
    advances = kind_of(op, op.inputs["Grad"][0], region) != region.kind(op.inputs["Grad"][0])
    if advances and not attr(op, "use_global_beta_pow", False):
        if op.inputs.get("Beta1Tensor") or op.inputs.get("Beta2Tensor"):
            raise Unknown("a step by rows whose decay is a tensor's")
        for slot, name, default in (("Beta1Pow", "beta1", 0.9), ("Beta2Pow", "beta2", 0.999)):
            (power,) = op.inputs[slot]
            by = {"scale": attr(op, name, default)}
            region.set(power, region.builder.create("pd_op.scale", [region.find(power), None], by).results[0])
        op = OpDesc(op.type, op.inputs, op.outputs, {**op.attrs, "use_global_beta_pow": Attribute("BOOLEAN", True)})
    self.plain(op, region)


@rule("merge_selected_rows", "get_tensor_from_selected_rows")
def _rows(self: _Translation, op: OpDesc, region: Region) -> None:
    """Each row of the table is there once; the rows alone have no other use than a norm."""
    (x,) = op.inputs["X"]
    merged = [one for block in self.desc.blocks for one in block.ops if one.type == "merge_selected_rows"]
    if op.type != "merge_selected_rows" and not any(x in one.outputs["Out"] for one in merged):
        raise Unknown("rows that may be there more than once, one after the other")
    region.set(op.outputs["Out"][0], region.find(x))
