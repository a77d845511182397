"""Gradients of tables that are rows of these in Paddle 2: in the IR, as in programs of Paddle 3, they are tensors with zeros."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import ir
from ...legacy.description import EMPTY, Attribute, OpDesc
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


_STEPPED = {"Param": "ParamOut", "Moment1": "Moment1Out", "Moment2": "Moment2Out"}  # what a step on rows leaves alone elsewhere


def kind_of(op: OpDesc, name: str, region: Region) -> str:
    """What kind of variable an operator reads or writes."""
    kind = region.kind(name)
    return "dense_tensor" if kind == "selected_rows" and op.type in _ALIKE else kind


def note_rows(self: _Translation, op: OpDesc, region: Region) -> None:
    """Which rows each result has that is rows."""
    given, made = (_rows_of(slots, region) for slots in (op.inputs, op.outputs))
    if not made:
        return
    rows = [self.rows.get(region.key(name), []) for name in given]
    if op.type == "lookup_table_v2_grad":
        rows = [[region.find(op.inputs["Ids"][0])]]
    if len(rows) != len(made):
        rows = [[one for each in rows for one in each]] * len(made)
    self.rows |= {region.key(name): one for name, one in zip(made, rows)}


def _rows_of(slots: dict[str, list[str]], region: Region) -> list[str]:
    names = (name for names in slots.values() for name in names if name != EMPTY)
    return [name for name in names if region.kind(name) == "selected_rows"]


@rule("lookup_table_v2_grad")
def _lookup_table_grad(self: _Translation, op: OpDesc, region: Region) -> None:
    attrs = {**op.attrs, "is_sparse": Attribute("BOOLEAN", False)}
    self.plain(OpDesc(op.type, op.inputs, op.outputs, attrs), region)


@rule("adam")
def _adam(self: _Translation, op: OpDesc, region: Region) -> None:
    """Paddle advances the powers before a step by rows, and after one by a tensor."""
    by_rows = region.kind(op.inputs["Grad"][0]) == "selected_rows"
    if by_rows and not attr(op, "use_global_beta_pow", False):
        if op.inputs.get("Beta1Tensor") or op.inputs.get("Beta2Tensor"):
            raise Unknown("a step by rows whose decay is a tensor's")
        for slot, name, default in (("Beta1Pow", "beta1", 0.9), ("Beta2Pow", "beta2", 0.999)):
            (power,) = op.inputs[slot]
            by = {"scale": attr(op, name, default)}
            region.set(power, region.builder.create("pd_op.scale", [region.find(power), None], by).results[0])
        op = OpDesc(op.type, op.inputs, op.outputs, {**op.attrs, "use_global_beta_pow": Attribute("BOOLEAN", True)})
    if by_rows and attr(op, "lazy_mode", False):
        _step_on_rows(self, op, region)
    else:
        self.plain(op, region)


def _step_on_rows(self: _Translation, op: OpDesc, region: Region) -> None:
    """A step after which the rows that the gradient does not have are as they were."""
    if op.inputs.get("MasterParam"):
        raise Unknown("a step by rows alone with a master parameter")
    build = region.builder.create
    before = {slot: build("pd_op.assign", [region.find(op.inputs[slot][0])]).results[0] for slot in _STEPPED}
    self.plain(op, region)
    is_there = _is_there(self.rows[region.key(op.inputs["Grad"][0])], before["Param"], region)
    for slot, out in _STEPPED.items():
        (name,) = op.outputs[out]
        region.set(name, build("pd_op.where", [is_there, region.find(name), before[slot]]).results[0])


def _is_there(rows: list[ir.Value], param: ir.Value, region: Region) -> ir.Value:
    """For each element of a table whether its row is one of these."""
    assert param.type is not None
    build, sizes = region.builder.create, param.type.shape
    flat = [
        build("pd_op.reshape", [build("pd_op.cast", [one], {"dtype": "int64"}).results[0], None], {"shape": [-1]}) for one in rows
    ]
    (joined,) = build("builtin.combine", [one.results[0] for one in flat]).results
    (indices,) = build("pd_op.concat", [joined, None], {"axis": 0}).results
    (none,) = build("pd_op.full", [], {"shape": [sizes[0], 1], "value": 0.0, "dtype": "float32"}).results
    (column,) = build("pd_op.unsqueeze", [indices, None], {"axis": [1]}).results
    (ones,) = build("pd_op.full_like", [column, None], {"value": 1.0, "dtype": "float32"}).results
    (found,) = build("pd_op.scatter", [none, indices, ones], {"overwrite": True}).results
    (mask,) = build("pd_op.cast", [found], {"dtype": "bool"}).results
    (mask,) = build("pd_op.reshape", [mask, None], {"shape": [sizes[0]] + [1] * (len(sizes) - 1)}).results
    return build("pd_op.expand", [mask, None], {"shape": list(sizes)}).results[0]


@rule("merge_selected_rows", "get_tensor_from_selected_rows")
def _rows(self: _Translation, op: OpDesc, region: Region) -> None:
    """Each row of the table is there once; the rows alone have no other use than a norm."""
    (x,) = op.inputs["X"]
    merged = [one for block in self.desc.blocks for one in block.ops if one.type == "merge_selected_rows"]
    if op.type != "merge_selected_rows" and not any(x in one.outputs["Out"] for one in merged):
        raise Unknown("rows that may be there more than once, one after the other")
    region.set(op.outputs["Out"][0], region.find(x))
