"""torch/ir/infer_type_<i>.cc: the model of the interface InferType for each operator with an InferMeta function."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...model.op import Op, OpSet
from ...view.bind import call_names, gradient_of
from ...view.ir_op import dialect, forms, mutable_attributes
from ..render import render
from ..write import shard

_OPS_PER_FILE = 180


@dataclass(frozen=True)
class _Row:
    """The forms of an op in the IR, its function, and where the arguments and the results of that come from."""

    name: str
    forms: list[str]
    func: str
    arguments: list[str]
    results: list[str]


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    rows = [_row(op, opset) for op in opset.ops if op.infer_meta is not None]
    shards = shard(rows, opset.shards(_OPS_PER_FILE), key=lambda row: row.func)
    return {
        f"torch/ir/infer_type_{i}.cc": render(
            "ir_infer_type.cc.j2", ns=opset.namespace, dialect=dialect(opset), headers=opset.infer_meta_headers, rows=part
        )
        for i, part in enumerate(shards)
        if part
    }


def _row(op: Op, opset: OpSet) -> _Row:
    assert op.infer_meta is not None
    inputs, attributes = [a.name for a in op.inputs], [a.name for a in op.attrs]
    operands = [*inputs, *mutable_attributes(op, opset)]

    def argument(name: str) -> str:
        operand = operands.index(name) if name in operands else -1
        return f"{{{operand}, {attributes.index(name) if name in attributes else -1}}}"

    def result(index: int) -> str:
        output = op.outputs[index]
        source = gradient_of(op, output) or next((op.arg(a) for a, out in op.inplace if out == output.name), None)
        needs = inputs.index(source.name) if source is not None and source.optional else -1
        counted = re.sub(r"\.size\(\)$", "", output.size or "")
        list_operand = inputs.index(counted) if counted in inputs else -1
        return f"{{{needs}, {list_operand}, {attributes.index(counted) if counted in attributes else -1}}}"

    return _Row(
        name=op.name,
        forms=[form.name for form in forms(op)],
        func=op.infer_meta.func,
        arguments=[argument(name) for name in call_names(op, op.infer_meta.param)],
        results=[result(i) for i in range(len(op.outputs))],
    )
