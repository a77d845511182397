"""torch/meta_*.cc: the functions behind the key Meta, InferMeta over symbolic sizes. They are for dense tensors alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...model.op import Arg, Op, OpSet
from ...types.kinds import DENSE, TensorKind
from ...view.bind import attribute, call_names, meta_value, target_of, wanted
from ...view.dispatcher import Kind, Overload, has_kernel, overloads
from ...view.given import checks
from ..render import render
from ..write import shard
from .api import (
    Function,
    data_format,
    deciding_lists,
    list_size,
    made,
    meta_pointer,
    promotion,
    real_numbers,
    return_results,
)
from .overlap import binding, may_resize, overlap_checks

OPS_PER_FILE = 90


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    files = {}
    with_kernel = (op for op in opset.ops if has_kernel(op) and op.kernel is not None and op.kernel.dense is not None)
    for i, ops in enumerate(shard(with_kernel, opset.shards(OPS_PER_FILE), key=lambda op: opset.root(op).name)):
        dependent, known = ([op for op in ops if op.is_data_dependent is flag] for flag in (True, False))
        files[f"torch/meta_{i}.cc"] = render(
            "meta.cc.j2",
            ns=opset.namespace,
            headers=opset.infer_meta_headers,
            functions=[_function(o, opset) for op in known for o in overloads(op) if not o.reads_tensors],
            checks=[_check(o, opset) for op in dependent for o in overloads(op) if o.kind is Kind.FUNCTIONAL],
        )
    return files


def _function(overload: Overload, opset: OpSet) -> Function:
    body = (*_inference(overload, opset), *_results(overload))
    return _named(overload, overload.cpp_return, overload.symbol, body, overload.full_name)


def _check(overload: Overload, opset: OpSet) -> Function:
    """What InferMeta refuses of an op whose sizes are found in values; its composite says the shapes of the results."""
    return _named(overload, "void", f"{overload.symbol}_check", tuple(_inference(overload, opset)), f"{overload.name}.check")


def _named(overload: Overload, ret: str, name: str, body: tuple[str, ...], schema_name: str) -> Function:
    params = ", ".join(f"[[maybe_unused]] {p.cpp} {p.name}" for p in overload.params)
    guarded = ("PHI_OP_TRY", *body, f'PHI_OP_CATCH("{overload.qualified}")')
    return Function(overload.op.entry, (), ret, name, params, guarded, schema_name)


def _inference(overload: Overload, opset: OpSet) -> Iterator[str]:
    op = overload.op
    assert op.infer_meta is not None
    yield from promotion(overload, f"meta::{overload.symbol}")
    yield from overlap_checks(overload, _dense(overload))
    yield from (f'CheckMeta({p.name}, "{p.name}");' for p in overload.params if "Tensor" in p.schema)
    yield from (f'CheckNotEmpty({a.name}, "{a.name}");' for a in deciding_lists(op))
    for branch in op.kernel.branches if op.kernel is not None else ():
        if branch.when is not None:
            yield f'CheckNotTraced({branch.when}, "{branch.when}", "{branch}");'
    names = call_names(op, op.infer_meta.param)
    attributes = {p.arg.name: attribute(p, True) for p in overload.params if p.arg and not p.arg.is_tensor}
    metas = {a.name: meta_value(a) for a in op.inputs}
    values = metas | {name: a.value for name, a in attributes.items()}
    given = list(checks(op, opset, values, "SymInt"))
    read = {*names, *(name for name, value in values.items() if any(_names(value, statement) for statement in given))}
    # those that nothing reads as well: what the eager call refuses is refused here
    yield from (a.setup if name in read else f"[[maybe_unused]] {a.setup}" for name, a in attributes.items() if a.setup)
    for arg in op.inputs:
        if arg.name in read:
            images = arg.name in op.kernel.layout if op.kernel is not None else False
            yield sym_images(op, arg) if images else sym_input(arg, arg.name in op.strided)
    yield from given
    for i, output in enumerate(op.outputs):
        if output.type == "Tensor[]":
            yield f"SymOutputList {output.name}_out({list_size(overload, i)});"
        else:
            yield f"SymOutput {output.name}_out;"
            yield f"MetaTensor<SymInt> {output.name}_meta = {output.name}_out.meta();"
    args = [values.get(n, n) for n in names]
    args += [meta_pointer(overload, i) for i in range(len(op.outputs))]
    yield f"{op.infer_meta.func}<SymInt>({', '.join(args)});"
    yield from real_numbers(overload)


def _dense(overload: Overload) -> dict[str, TensorKind]:
    return {p.name: DENSE for p in overload.params if p.output is not None or (p.arg is not None and p.arg.is_tensor)}


def _names(value: str, statement: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}", statement) is not None


def sym_input(arg: Arg, strided: bool) -> str:
    """The declaration of `<arg>_in`."""
    cls = "SymInputList" if arg.is_list else "SymInput"
    return f"const {cls} {arg.name}_in({arg.name}, {'true' if strided else 'false'});"


def sym_images(op: Op, arg: Arg) -> str:
    """The declaration of `<arg>_in`, whose layout decides that of the result."""
    return f"const SymInput {arg.name}_in = SymImages({arg.name}, {data_format(op)});"


def _results(overload: Overload) -> Iterator[str]:
    for method, i, target in binding(overload):
        condition = wanted(overload, i)
        output = overload.op.outputs[i]
        tensor = f"*{target.name}" if target.arg is not None and target.arg.optional else target.name
        statement = (
            f'{output.name}_out.{method}Target({tensor}, "{target.name}", {may_resize(overload, target, _dense(overload))});'
        )
        yield f"if ({condition}) {statement}" if condition else statement
    results = []
    for i, output in enumerate(overload.op.outputs):
        written = target_of(overload, output)
        if written is None:
            results.append(made(overload, i, f"{output.name}_out.Make()"))
        elif any(r.output is output for r in overload.returns):
            results.append(written.name)
    yield from return_results(overload, results)
