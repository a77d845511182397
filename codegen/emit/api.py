"""torch/api_*.cc: the functions behind the keys CPU, CUDA and Sparse*, which compute through the PHI dispatcher."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..bind import CLASSES, attribute, call_names, target_of, typed_fn, wanted
from ..dispatcher import Kind, Overload, has_kernel, overloads
from ..model import KernelBranch, Op, OpSet
from ..write import shard
from .render import render

SHARDS = 4


@dataclass(frozen=True)
class Function:
    """One generated C++ function, and the declarations before it."""

    entry: str
    prelude: tuple[str, ...]
    ret: str
    name: str
    params: str
    body: tuple[str, ...]
    schema_name: str


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    files = {}
    with_kernel = (op for op in opset.ops if has_kernel(op))
    for i, ops in enumerate(shard(with_kernel, opset.shards(SHARDS), key=lambda op: opset.root(op).name)):
        dense = [_function(o) for op in ops for o in overloads(op) if o.kind is not Kind.TENSOR]
        sparse = [_sparse_function(o, b) for op in ops for o, b in _sparse(op)]
        files[f"torch/api_{i}.cc"] = render(
            "api.cc.j2", ns=opset.namespace, headers=opset.infer_meta_headers, dense=dense, sparse=sparse, functions=dense + sparse
        )
    return files


def _function(overload: Overload) -> Function:
    op = overload.op
    assert op.kernel is not None
    return Function(
        entry=op.entry,
        prelude=_site(overload, overload.symbol, op.kernel.dense.name, typed_fn(op)),
        ret=overload.cpp_return,
        name=overload.symbol,
        params=overload.cpp_params,
        body=tuple(_body(overload)),
        schema_name=overload.full_name,
    )


def _site(overload: Overload, name: str, kernel: str, fn: str) -> tuple[str, ...]:
    """The kernels of a function, bound when the library is loaded, and the signature that they must have."""
    return (
        f"using Fn_{name} = {fn};",
        f'const OpSite site_{name}("{overload.qualified}", "{kernel}", SignatureOf<Fn_{name}>::Get());',
    )


def _body(overload: Overload) -> Iterator[str]:
    op = overload.op
    assert op.kernel is not None and op.infer_meta is not None
    yield "PHI_OP_TRY"
    yield from promotion(overload, "api")
    attributes = {p.arg.name: attribute(p, False) for p in overload.params if p.arg and not p.arg.is_tensor}
    yield from (a.setup for a in attributes.values() if a.setup)
    yield from _key(overload)
    yield f"Call call(site_{overload.symbol}, key);"
    kernel_inputs = [n for n in call_names(op, op.kernel.param) if any(a.name == n for a in op.inputs)]
    for arg in op.inputs:
        cls = {"Tensor": "Input", "Tensor[]": "InputList"}[arg.type]
        index = kernel_inputs.index(arg.name) if arg.name in kernel_inputs else -1
        flags = input_flags(op, arg.name)
        yield f'const {"Optional" if arg.optional else ""}{cls} {arg.name}_in({arg.name}, call, {index}, "{arg.name}", {flags});'
    yield from _outputs(overload)
    values = {name: a.value for name, a in attributes.items()}
    metas = {a.name: f"{a.name}_in.{'metas' if a.is_list else 'meta'}()" for a in op.inputs}
    infer = [(metas | values).get(n, n) for n in call_names(op, op.infer_meta.param)]
    infer += [meta_pointer(overload, i) for i in range(len(op.outputs))]
    yield f"{op.infer_meta.func}<int64_t>({', '.join(infer)});"
    yield from _bind_targets(overload)
    tensors = {a.name: f"{a.name}_in" for a in op.inputs}
    args = [(tensors | values).get(n, n) for n in call_names(op, op.kernel.param)]
    args += [_pointer(overload, i) for i in range(len(op.outputs))]
    yield f"call.Run<Fn_{overload.symbol}>({', '.join(args)});"
    yield from _release(overload)
    yield f'PHI_OP_CATCH("{overload.qualified}")'


def promotion(overload: Overload, namespace: str) -> Iterator[str]:
    """Starts again with the tensors that `type_promotion` names brought to one data type, when they differ.

    The function is named with its namespace: ATen may have one of its name.
    """
    names = overload.op.type_promotion
    if not names:
        return
    tensors = ", ".join(f"TensorOf({n})" for n in names)
    mutable = next((p.name for p in overload.params if p.mutable and p.name in names), None)
    args = {p.name: f"Cast({p.name}, *type)" if p.name in names else p.name for p in overload.params}
    if mutable:
        args = {n: f"Cast({n}, {mutable}.scalar_type())" if n in names and n != mutable else n for n in args}
        condition = f'NeedsInplaceCast("{overload.qualified}", {mutable}, {{{tensors}}})'
    else:
        condition = f"const auto type = PromotedType({{{tensors}}})"
    yield f"if ({condition}) return {namespace}::{overload.symbol}({', '.join(args.values())});"


def input_flags(op: Op, name: str) -> str:
    flags = []
    if name in op.strided:
        flags.append("kStrided")
    if name in op.skip_transform:
        flags.append("kSkipTransform")
    if name in op.support_trans_dtype:
        flags.append("kTransDtype")
    if name in op.no_need_buffer:
        flags.append("kNoBuffer")
    return " | ".join(flags) or "kContiguous"


def _key(overload: Overload) -> Iterator[str]:
    op = overload.op
    kernel = op.kernel
    assert kernel is not None
    yield "KeyBuilder key;"
    for arg in op.inputs:
        if arg.name not in op.skip_transform:
            yield f'key.Add({arg.name}, "{arg.name}");'
    yield from _key_part(op, kernel.backend, "Place", "SetBackend", "ToPhi({0}.device())")
    yield from _key_part(op, kernel.data_type, "DataType", "SetDataType", "ToPhi({0}.scalar_type())")


def _key_part(op: Op, sources: tuple[str, ...], attr_type: str, setter: str, of_tensor: str) -> Iterator[str]:
    """`dtype > x`: the attribute if it is given, else the tensor."""
    names = {a.name: a for a in op.args}
    if len(sources) > 1 and all(names[s].is_tensor for s in sources if s in names) and attr_type == "Place":
        return  # the highest backend of several tensors, which key.Add has found
    statements: list[tuple[str | None, str]] = []
    for source in sources:
        arg = names.get(source)
        if arg is None:
            statements.append((None, f'key.{setter}({source}, "the YAML");'))
        elif arg.type == attr_type:
            undefined = "DataType::UNDEFINED" if attr_type == "DataType" else "Place()"
            statements.append((f"{source}_v != {undefined}", f'key.{setter}({source}_v, "{source}");'))
        else:
            expression = f"(*{source})" if arg.optional else f'First({source}, "{source}")' if arg.is_list else source
            statements.append((None, f'key.{setter}({of_tensor.format(expression)}, "{source}");'))
    for i, (condition, statement) in enumerate(statements):
        head = "else " if i else ""
        yield f"{head}if ({condition}) {statement}" if condition else f"{head}{statement}"
        if condition is None:
            break


def _outputs(overload: Overload) -> Iterator[str]:
    for output in overload.op.outputs:
        target = target_of(overload, output)
        if output.type == "Tensor[]":
            yield f"OutTensorList {output.name}_out({target.name if target else output.size});"
            continue
        value = ""
        if target is not None:
            optional = target.arg is not None and target.arg.optional
            value = f"({target.name}.value_or(at::Tensor()))" if optional else f"({target.name})"
        yield f"OutTensor {output.name}_out{value};"
        yield f"MetaTensor<int64_t> {output.name}_meta(&{output.name}_out);"


def meta_pointer(overload: Overload, index: int) -> str:
    output = overload.op.outputs[index]
    if output.type == "Tensor[]":
        return f"{output.name}_out.metas()"
    return _if_wanted(overload, index, f"&{output.name}_meta")


def _pointer(overload: Overload, index: int) -> str:
    output = overload.op.outputs[index]
    if output.type == "Tensor[]":
        return f"{output.name}_out.pointers()"
    return _if_wanted(overload, index, f"&{output.name}_out")


def _if_wanted(overload: Overload, index: int, pointer: str) -> str:
    condition = wanted(overload, index)
    return f"({condition} ? {pointer} : nullptr)" if condition else pointer


def _bind_targets(overload: Overload) -> Iterator[str]:
    resize = "true" if overload.kind is Kind.OUT else "false"
    for i, output in enumerate(overload.op.outputs):
        target = target_of(overload, output)
        if target is not None:
            condition = wanted(overload, i)
            bind = f'{output.name}_out.Bind("{target.name}", {resize});'
            yield f"if ({condition}) {bind}" if condition else bind


def _release(overload: Overload) -> Iterator[str]:
    results = []
    for i, output in enumerate(overload.op.outputs):
        target = target_of(overload, output)
        condition = wanted(overload, i)
        release = f"{output.name}_out.Release(call.device())"
        if target is not None:
            yield f"if ({condition}) {release};" if condition else f"{release};"
            if overload.returns and any(r.output is output for r in overload.returns):
                results.append(target.name)
        else:
            results.append(f"{condition} ? {release} : at::Tensor()" if condition else release)
    yield from return_results(overload, results)


def return_results(overload: Overload, results: list[str]) -> Iterator[str]:
    """The return statement; none for a function that returns nothing."""
    if len(results) == 1:
        yield f"return {results[0]};"
    elif results and overload.kind is Kind.OUT:
        yield f"return std::tie({', '.join(results)});"
    elif results:
        yield f"return {{{', '.join(results)}}};"


def _sparse(op: Op) -> Iterator[tuple[Overload, KernelBranch]]:
    """The branches that take SelectedRows in the place of their first input alone."""
    assert op.kernel is not None
    functional = overloads(op)[0]
    for branch in op.kernel.branches:
        kinds = branch.inputs
        if kinds and kinds[0] == "selected_rows" and all(k in CLASSES for k in kinds) and len(op.outputs) == 1:
            if all(k == "dense" for k in kinds[1:]) and branch.outputs == ("selected_rows",):
                yield functional, branch


def _sparse_function(overload: Overload, branch: KernelBranch) -> Function:
    op = overload.op
    name = f"{overload.symbol}_selected_rows"
    return Function(
        entry=op.entry,
        prelude=_site(overload, name, branch.name, typed_fn(op, branch.inputs, branch.outputs)),
        ret=overload.cpp_return,
        name=name,
        params=overload.cpp_params,
        body=tuple(_sparse_body(overload, branch)),
        schema_name=overload.full_name,
    )


def _sparse_body(overload: Overload, branch: KernelBranch) -> Iterator[str]:
    op = overload.op
    assert op.kernel is not None and op.infer_meta is not None
    yield "PHI_OP_TRY"
    attributes = {p.arg.name: attribute(p, False) for p in overload.params if p.arg and not p.arg.is_tensor}
    yield from (a.setup for a in attributes.values() if a.setup)
    yield from _key(overload)
    yield f"Call call(site_{overload.symbol}_selected_rows, key);"
    first = op.inputs[0].name
    yield f"const SelectedRowsInput {first}_in({first});"
    for i, arg in enumerate(op.inputs[1:], 1):
        yield f'const Input {arg.name}_in({arg.name}, call, {i}, "{arg.name}", {input_flags(op, arg.name)});'
    output = op.outputs[0].name
    yield f"SelectedRows {output}_out;"
    yield f"MetaTensor<int64_t> {output}_meta({output}_out.mutable_value());"
    values = {name: a.value for name, a in attributes.items()}
    metas = {a.name: f"{a.name}_in.meta()" for a in op.inputs}
    infer = [(metas | values).get(n, n) for n in call_names(op, op.infer_meta.param)]
    yield f"{op.infer_meta.func}<int64_t>({', '.join([*infer, f'&{output}_meta'])});"
    tensors = {a.name: f"{a.name}_in" for a in op.inputs}
    args = [(tensors | values).get(n, n) for n in call_names(op, op.kernel.param)]
    yield f"call.Run<Fn_{overload.symbol}_selected_rows>({', '.join([*args, f'&{output}_out'])});"
    yield f"return ToTorch({output}_out);"
    yield f'PHI_OP_CATCH("{overload.qualified}")'
