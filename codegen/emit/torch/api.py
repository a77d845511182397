"""torch/api_*.cc: the functions behind the keys CPU, CUDA and Sparse*, which compute through the PHI dispatcher."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...model.op import Arg, KernelBranch, Op, OpSet
from ...view.bind import CLASSES, attribute, call_names, meta_value, target_of, typed_fn, wanted
from ...view.dispatcher import Kind, Overload, has_kernel, overloads
from ...view.given import checks
from ..render import render
from ..write import shard
from .overlap import may_resize, overlap_checks

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
        dense = [f for op in ops for f in _functions(op, opset)]
        sparse = [_sparse_function(o, b) for op in ops for o, b in _sparse(op)]
        files[f"torch/api_{i}.cc"] = render(
            "api.cc.j2", ns=opset.namespace, headers=opset.infer_meta_headers, dense=dense, sparse=sparse, functions=dense + sparse
        )
    return files


def _functions(op: Op, opset: OpSet) -> Iterator[Function]:
    """A function for each overload; what the entry says of the op's tensors stands before the first."""
    assert op.kernel is not None
    rules = _input_rules(op)
    for overload in overloads(op):
        if not overload.reads_tensors:
            yield Function(
                entry=op.entry,
                prelude=(*rules, *_site(overload, overload.symbol, op.kernel.dense.name, typed_fn(op))),
                ret=overload.cpp_return,
                name=overload.symbol,
                params=overload.cpp_params,
                body=tuple(_body(overload, opset)),
                schema_name=overload.full_name,
            )
            rules = ()


def _input_rules(op: Op) -> tuple[str, ...]:
    """The tensors of an op: name, what the entry allows, and position among those of the kernel."""
    assert op.kernel is not None
    if not op.inputs:
        return ()
    names = {a.name for a in op.inputs}
    positions = [n for n in call_names(op, op.kernel.param) if n in names]
    rows = (
        f'{{"{a.name}", {input_flags(op, a.name)}, {positions.index(a.name) if a.name in positions else -1}}}' for a in op.inputs
    )
    return (f"constexpr InputRule inputs_{op.name}[] = {{{', '.join(rows)}}};",)


def _site(overload: Overload, name: str, kernel: str, fn: str) -> tuple[str, ...]:
    """The kernels of a function, bound when the library is loaded, and the signature that they must have."""
    return (
        f"using Fn_{name} = {fn};",
        f'const OpSite site_{name}("{overload.qualified}", "{kernel}", SignatureOf<Fn_{name}>::Get(){_call_rule(overload.op)});',
    )


def _call_rule(op: Op) -> str:
    """The last argument of an OpSite, for those who call the kernel by name."""
    assert op.kernel is not None
    attributes = [n for n in call_names(op, op.kernel.param) if n not in {a.name for a in op.inputs}]
    dtypes = [a.name for a in op.attrs if a.type == "DataType" and a.name in op.kernel.data_type and a.name in attributes]
    inputs = f"inputs_{op.name}" if op.inputs else "{}"
    if dtypes:
        return f", {{{inputs}, {attributes.index(dtypes[0])}}}"
    return f", {{{inputs}}}" if op.inputs else ""


def _body(overload: Overload, opset: OpSet) -> Iterator[str]:
    op = overload.op
    assert op.kernel is not None and op.infer_meta is not None
    yield "PHI_OP_TRY"
    yield from promotion(overload, "api")
    yield from overlap_checks(overload)
    attributes = {p.arg.name: attribute(p, False) for p in overload.params if p.arg and not p.arg.is_tensor}
    yield from (a.setup for a in attributes.values() if a.setup)
    lent = (f"Lend({a.name}, inputs_{op.name}[{i}])" for i, a in enumerate(op.inputs))
    yield from _prepared(overload, overload.symbol, lent)
    yield from _outputs(overload)
    values = {name: a.value for name, a in attributes.items()}
    metas = {a.name: meta_value(a) for a in op.inputs}
    yield from checks(op, opset, metas | values, "int64_t")
    infer = [(metas | values).get(n, n) for n in call_names(op, op.infer_meta.param)]
    infer += [meta_pointer(overload, i) for i in range(len(op.outputs))]
    yield f"{op.infer_meta.func}<int64_t>({', '.join(infer)});"
    yield from real_numbers(overload)
    yield from _bind_targets(overload)
    tensors = {a.name: f"{a.name}_in" for a in op.inputs}
    args = [(tensors | values).get(n, n) for n in call_names(op, op.kernel.param)]
    args += [_pointer(overload, i) for i in range(len(op.outputs))]
    yield f"call.Run<Fn_{overload.symbol}>({', '.join(args)});"
    yield from _release(overload)
    yield f'PHI_OP_CATCH("{overload.qualified}")'


def _prepared(overload: Overload, name: str, lent: Iterable[str]) -> Iterator[str]:
    """The tensors lent to a call, its key, and its kernel with what that takes."""
    op = overload.op
    yield from (f"auto {a.name}_in = {value};" for a, value in zip(op.inputs, lent))
    inputs = ", ".join([f"inputs_{op.name}", *(f"{a.name}_in" for a in op.inputs)]) if op.inputs else ""
    yield f"Call call(site_{name});"
    if inputs:
        yield f"call.AddToKey({inputs});"
    yield from _key(op)
    yield from _layout(op)
    yield f"call.Prepare({inputs});"


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
    if op.kernel is not None and name in op.kernel.data_type:
        flags.append("kGivesDataType")
    if op.kernel is not None and name in op.kernel.layout:
        flags.append("kGivesLayout")
    return " | ".join(flags) or "kContiguous"


def real_numbers(overload: Overload) -> Iterator[str]:
    """Refuses complex attributes of a call whose tensors are real, once the outputs' types are known."""
    op = overload.op
    tensors = [f"ToPhi({a.name}.scalar_type())" for a in op.inputs if a.type == "Tensor" and not a.optional][:1]
    tensors += [f"{o.name}_meta.dtype()" for o in op.outputs if o.type == "Tensor"][:1]
    for arg in op.args:
        if arg.type.startswith("Scalar") and not arg.type.endswith("[]") and tensors:
            value = f"{arg.name}_v"
            yield f'if (IsComplexType({value}.dtype())) CheckReal({value}, "{arg.name}", {{{", ".join(tensors)}}});'


def _key(op: Op) -> Iterator[str]:
    """What else than all inputs has a say in the key."""
    assert op.kernel is not None
    yield from _key_part(op, op.kernel.backend, "Place", "SetBackend", "place()")
    yield from _key_part(op, op.kernel.data_type, "DataType", "SetDataType", "dtype()")


def _layout(op: Op) -> Iterator[str]:
    """`layout : x`: images with the channels last in memory have kernels of their own."""
    assert op.kernel is not None
    for source in op.kernel.layout[:1]:
        arg = next((a for a in op.args if a.name == source), None)
        if arg is None:
            yield f'call.key().SetLayout(DataLayout::{source.rpartition("::")[2]}, "the YAML");'
        elif arg.is_tensor:
            yield f"call.SetLayout(inputs_{op.name}[{op.inputs.index(arg)}], &{source}_in, {data_format(op)});"
        else:
            yield f'call.key().SetLayout({source}_v, "{source}");'


def data_format(op: Op) -> str:
    """C++: the order of the dimensions of an op's images."""
    arg = next((a for a in op.attrs if a.name == "data_format"), None)
    if arg is None:
        return '"NCHW"'
    return "data_format_v" if arg.type == "str" else "DataLayoutName(data_format_v)"


def deciding_lists(op: Op) -> Iterator[Arg]:
    """The lists whose first tensor may decide on the kernel."""
    assert op.kernel is not None
    sources = {*op.kernel.backend, *op.kernel.data_type}
    return (a for a in op.inputs if a.is_list and not a.optional and a.name in sources)


def _key_part(op: Op, sources: tuple[str, ...], attr_type: str, setter: str, of_tensor: str) -> Iterator[str]:
    """`dtype > x`: the attribute if it is given, else the tensor."""
    names = {a.name: a for a in op.args}
    if len(sources) > 1 and all(names[s].is_tensor for s in sources if s in names) and attr_type == "Place":
        return  # the highest backend of several tensors, which AddToKey has found
    statements: list[tuple[str | None, str]] = []
    for source in sources:
        arg = names.get(source)
        if arg is None:
            statements.append((None, f'call.key().{setter}({source}, "the YAML");'))
        elif arg.type == attr_type:
            undefined = "DataType::UNDEFINED" if attr_type == "DataType" else "Place()"
            statements.append((f"{source}_v != {undefined}", f'call.key().{setter}({source}_v, "{source}");'))
        else:
            tensor = f"{source}_in"
            dense = f'First({tensor}, "{source}")' if arg.is_list else f"{tensor}.tensor()"
            expression = f"{dense}->" if arg.optional else f"{dense}."
            statements.append((None, f'call.key().{setter}({expression}{of_tensor}, "{source}");'))
    if attr_type == "Place" and statements and statements[-1][0]:
        statements.append((None, 'call.key().SetBackend(CPUPlace(), "the default");'))
    for i, (condition, statement) in enumerate(statements):
        head = "else " if i else ""
        yield f"{head}if ({condition}) {statement}" if condition else f"{head}{statement}"
        if condition is None:
            break


def _outputs(overload: Overload) -> Iterator[str]:
    for i, output in enumerate(overload.op.outputs):
        target = target_of(overload, output)
        if output.type == "Tensor[]":
            yield f"OutTensorList {output.name}_out({target.name if target else list_size(overload, i)});"
            continue
        value = ""
        if target is not None:
            optional = target.arg is not None and target.arg.optional
            value = f"({target.name}.value_or(at::Tensor()))" if optional else f"({target.name})"
        yield f"OutTensor {output.name}_out{value};"
        yield f"MetaTensor<int64_t> {output.name}_meta(&{output.name}_out);"


def list_size(overload: Overload, index: int) -> str:
    """The length of a list, checked; one that is not wanted is empty."""
    output, condition = overload.op.outputs[index], wanted(overload, index)
    size = f'ListSize({output.size}, "{output.name}")'
    return f"{condition} ? {size} : 0" if condition else size


def made(overload: Overload, index: int, value: str) -> str:
    """An output; a tensor that is not wanted is undefined."""
    condition = wanted(overload, index) if overload.op.outputs[index].type == "Tensor" else None
    return f"{condition} ? {value} : at::Tensor()" if condition else value


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
    for i, output in enumerate(overload.op.outputs):
        target = target_of(overload, output)
        if target is not None:
            condition = wanted(overload, i)
            bind = f'{output.name}_out.Bind("{target.name}", {may_resize(overload, target)});'
            yield f"if ({condition}) {bind}" if condition else bind


def _release(overload: Overload) -> Iterator[str]:
    results = []
    for i, output in enumerate(overload.op.outputs):
        target = target_of(overload, output)
        condition = wanted(overload, i)
        release = f"{output.name}_out.Release(call.place())"
        if target is not None:
            yield f"if ({condition}) {release};" if condition else f"{release};"
            if overload.returns and any(r.output is output for r in overload.returns):
                results.append(target.name)
        else:
            results.append(made(overload, i, release))
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
    rest = (f"Lend({a.name}, inputs_{op.name}[{i}])" for i, a in enumerate(op.inputs[1:], 1))
    yield from _prepared(overload, f"{overload.symbol}_selected_rows", (f"LendRows({op.inputs[0].name})", *rest))
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
