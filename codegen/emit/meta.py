"""torch/meta_*.cc: the functions behind the key Meta, InferMeta over symbolic sizes."""

from __future__ import annotations

from collections.abc import Iterator

from ..bind import attribute, call_names, target_of, wanted
from ..dispatcher import Kind, Overload, has_kernel, overloads
from ..model import OpSet
from ..write import shard
from .api import Function, meta_pointer, promotion, return_results
from .render import render

SHARDS = 3


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    files = {}
    with_kernel = (op for op in opset.ops if has_kernel(op))
    for i, ops in enumerate(shard(with_kernel, opset.shards(SHARDS), key=lambda op: opset.root(op).name)):
        functions = [_function(o) for op in ops for o in overloads(op) if o.kind is not Kind.TENSOR]
        files[f"torch/meta_{i}.cc"] = render(
            "meta.cc.j2", ns=opset.namespace, headers=opset.infer_meta_headers, functions=functions
        )
    return files


def _function(overload: Overload) -> Function:
    op = overload.op
    return Function(
        entry=op.entry,
        prelude=(),
        ret=overload.cpp_return,
        name=overload.symbol,
        params=", ".join(f"[[maybe_unused]] {p.cpp} {p.name}" for p in overload.params),
        body=tuple(_body(overload)),
        schema_name=overload.full_name,
    )


def _body(overload: Overload) -> Iterator[str]:
    op = overload.op
    assert op.infer_meta is not None
    yield "PHI_OP_TRY"
    yield from promotion(overload, "meta")
    names = call_names(op, op.infer_meta.param)
    attributes = {p.arg.name: attribute(p, True) for p in overload.params if p.arg and not p.arg.is_tensor and p.arg.name in names}
    yield from (a.setup for a in attributes.values() if a.setup)
    for arg in op.inputs:
        if arg.name in names:
            cls = "SymInputList" if arg.is_list else "SymInput"
            strided = "true" if arg.name in op.strided else "false"
            yield f"const {cls} {arg.name}_in({arg.name}, {strided});"
    for output in op.outputs:
        if output.type == "Tensor[]":
            yield f"SymOutputList {output.name}_out({output.size});"
        else:
            yield f"SymOutput {output.name}_out;"
            yield f"MetaTensor<SymInt> {output.name}_meta = {output.name}_out.meta();"
    metas = {a.name: f"{a.name}_in.{'metas' if a.is_list else 'meta'}()" for a in op.inputs}
    values = {name: a.value for name, a in attributes.items()}
    args = [(metas | values).get(n, n) for n in names]
    args += [meta_pointer(overload, i) for i in range(len(op.outputs))]
    yield f"{op.infer_meta.func}<SymInt>({', '.join(args)});"
    yield from _results(overload)
    yield f'PHI_OP_CATCH("{overload.qualified}")'


def _results(overload: Overload) -> Iterator[str]:
    results = []
    for i, output in enumerate(overload.op.outputs):
        target = target_of(overload, output)
        condition = wanted(overload, i)
        if target is None:
            results.append(f"{condition} ? {output.name}_out.Make() : at::Tensor()" if condition else f"{output.name}_out.Make()")
            continue
        check = "Resize" if overload.kind is Kind.OUT else "CheckInplace"
        tensor = f"*{target.name}" if target.arg is not None and target.arg.optional else target.name
        statement = f'{output.name}_out.{check}({tensor}, "{target.name}");'
        yield f"if ({condition}) {statement}" if condition else statement
        if any(r.output is output for r in overload.returns):
            results.append(target.name)
    yield from return_results(overload, results)
