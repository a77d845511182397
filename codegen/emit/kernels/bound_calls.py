"""api/bound_calls_<i>.cc: how the kernels of each signature are bound to their arguments."""

from __future__ import annotations

from ...model.op import OpSet
from ...view.bind import typed_fn
from ...view.dispatcher import has_kernel, is_view
from ..render import render
from ..write import shard

_OPS_PER_FILE = 90


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    found = {
        typed_fn(op, op.kernel.dense): None
        for op in opset.ops
        if op.kernel is not None and op.kernel.dense is not None and (has_kernel(op) or is_view(op))
    }
    parts = shard(found, opset.shards(_OPS_PER_FILE), key=str)
    return {f"api/bound_calls_{i}.cc": render("bound_calls.cc.j2", signatures=part) for i, part in enumerate(parts) if part}
