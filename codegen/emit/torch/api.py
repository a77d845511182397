"""torch/api_*.cc: the functions behind the keys CPU, CUDA, SparseCPU, ..., which compute through the PHI dispatcher.

There is one for each overload and each kernel of its op, by the kinds of tensors that the kernel takes. For dense tensors it
stands behind torch's key itself; behind another key the tensors choose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...model.category import COMPOSITE, is_generated_of_elements
from ...model.dtypes import cpp_types
from ...model.op import Arg, KernelBranch, Op, OpSet
from ...types.kinds import DENSE, KEYS, TensorKind
from ...view.bind import attribute, call_names, meta_value, target_of, typed_fn, wanted
from ...view.dispatcher import Kind, Overload, has_kernel, mutated, overloads
from ...view.given import checks
from ..render import render
from ..write import shard
from .overlap import binding, may_resize, overlap_checks

OPS_PER_FILE = 45


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
    key: str | None = None  # torch's, that it stands behind


@dataclass(frozen=True)
class KernelCall:
    """An overload that is computed by one of the op's kernels."""

    overload: Overload
    branch: KernelBranch

    @property
    def name(self) -> str:
        return self.overload.symbol if self.branch.is_dense else "_".join([self.overload.symbol, *self.input_kinds])

    @property
    def input_kinds(self) -> list[str]:
        return [kind.name for kind in self.branch.input_kinds(self.overload.op).values()]

    @property
    def kinds(self) -> dict[str, TensorKind]:
        """Of the overload's tensors, by parameter."""
        op = self.overload.op
        inputs = self.branch.input_kinds(op)
        outputs = {o.name: self.branch.output_kind(i) for i, o in enumerate(op.outputs)}
        found = {}
        for p in self.overload.params:
            if p.output is not None:
                found[p.name] = outputs[p.output.name]
            elif p.arg is not None and p.arg.is_tensor:
                found[p.name] = inputs[p.arg.name]
        return found

    @property
    def key(self) -> str:
        """The key that torch calls for tensors of these kinds."""
        return max((kind.key for kind in self.kinds.values()), key=KEYS.index, default=DENSE.key)

    @property
    def is_of_any_dense(self) -> bool:
        """Whether it takes whatever torch calls its key for."""
        return all(kind.is_dense for kind in self.kinds.values())

    @property
    def keeps_kinds(self) -> bool:
        """Whether what is overwritten is of the kind of its result."""
        op = self.overload.op
        outputs = {o.name: self.branch.output_kind(i) for i, o in enumerate(op.outputs)}
        inputs = self.branch.input_kinds(op)
        return self.overload.kind is not Kind.INPLACE or all(inputs[arg] == outputs[out] for arg, out in mutated(op).items())


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    files = {}
    with_kernel = (op for op in opset.ops if has_kernel(op))
    for i, ops in enumerate(shard(with_kernel, opset.shards(OPS_PER_FILE), key=lambda op: opset.root(op).name)):
        functions = [f for op in ops for f in _functions(op, opset)]
        files[f"torch/api_{i}.cc"] = render(
            "api.cc.j2",
            ns=opset.namespace,
            headers=opset.infer_meta_headers,
            kind_headers=sorted({kind.header for op in ops for kind in _kinds(op) if kind.header is not None}),
            functions=functions,
            has_composites=any(COMPOSITE in dict(op.backend_dtypes) for op in ops),
            keys={key: of_key for key in KEYS if (of_key := [f for f in functions if f.key == key])},
        )
    return files


def _kinds(op: Op) -> Iterator[TensorKind]:
    for branch in op.kernel.branches if op.kernel is not None else ():
        yield from (*branch.inputs, *branch.outputs)


def _functions(op: Op, opset: OpSet) -> Iterator[Function]:
    """Those of each overload; what the entry says of the op's tensors stands before the first."""
    assert op.kernel is not None
    rules, found = _input_rules(op), [overload for overload in overloads(op) if not overload.reads_tensors]
    for overload in found:
        branches = sorted(op.kernel.branches, key=lambda branch: branch.when is None)
        calls = [call for branch in branches if (call := KernelCall(overload, branch)).keeps_kinds]
        by_key = {key: of_key for key in KEYS if (of_key := [call for call in calls if call.key == key])}
        sure = {key for key, of_key in by_key.items() if len(of_key) == 1 and of_key[0].is_of_any_dense}
        for call in calls:
            site = _site(overload, call.name, call.branch.name, typed_fn(op, call.branch))
            is_first = overload is found[0] and call.branch is op.kernel.dense
            composite = _composite_kernel(op, call.name) if is_first else ()
            yield _function(
                overload, call.name, (*rules, *site, *composite), _body(call, opset), call.key if call.key in sure else None
            )
            rules = ()
        for key in [key for key in by_key if key not in sure]:
            yield _function(overload, f"{overload.symbol}_on_{key}", (), _choice(overload, by_key[key]), key)


def _function(overload: Overload, name: str, prelude: tuple[str, ...], body: Iterator[str], key: str | None) -> Function:
    return Function(
        entry=overload.op.entry,
        prelude=prelude,
        ret=overload.cpp_return,
        name=name,
        params=overload.cpp_params,
        body=tuple(body),
        schema_name=overload.full_name,
        key=key,
    )


def _choice(overload: Overload, calls: list[KernelCall]) -> Iterator[str]:
    """The first kernel whose kinds the tensors have."""
    args = ", ".join(p.name for p in overload.params)
    yield "PHI_OP_TRY"
    for call in calls:
        conditions = [call.branch.when] if call.branch.when is not None else []
        conditions += [f"Are<{kind.cls}>({name})" for name, kind in call.kinds.items()]
        yield f"if ({' && '.join(conditions)}) return {call.name}({args});"
    known = "; ".join(str(call.branch) for call in calls)
    yield f'ThrowKinds("{overload.qualified}", "{known}", {{{", ".join(f"KindsOf({name})" for name in calls[0].kinds)}}});'
    yield f'PHI_OP_CATCH("{overload.qualified}")'


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


def _composite_kernel(op: Op, site: str) -> tuple[str, ...]:
    """Makes the composite the kernel for the data types that the entry says so of; the site must be known."""
    dtypes = [f"CppTypeToDataType<{type}>::Type()" for type in cpp_types(op.dtypes_on(COMPOSITE) if op.backend_dtypes else ())]
    if not dtypes:
        return ()
    qualified = f"{op.namespace}::{op.name}"
    torch_op = f'"{name}"' if (name := _torch_call(op)) is not None else "nullptr"
    arguments = f'"{qualified}", {torch_op}, site_{site}, {{{", ".join(dtypes)}}}, "{op.source}"'
    return (f"const bool composite_{op.name} = RegisterComposite({arguments});",)


def _torch_call(op: Op) -> str | None:
    """The operator of torch that the composite is one call of, with all arguments in their order."""
    names = ", ".join(arg.name for arg in op.args)
    match = re.fullmatch(rf"(?:torch\.)?((?:(?:linalg|special)\.)?[a-z]\w*)\({re.escape(names)}\)", op.composite or "")
    return match[1].replace(".", "_") if match else None


def _call_rule(op: Op) -> str:
    """The last argument of an OpSite, for those who call the kernel by name."""
    assert op.kernel is not None
    attributes = [n for n in call_names(op, op.kernel.param) if n not in {a.name for a in op.inputs}]
    dtypes = [a.name for a in op.attrs if a.type == "DataType" and a.name in op.kernel.data_type and a.name in attributes]
    inputs = f"inputs_{op.name}" if op.inputs else "{}"
    if dtypes:
        return f", {{{inputs}, {attributes.index(dtypes[0])}}}"
    return f", {{{inputs}}}" if op.inputs else ""


def _body(call: KernelCall, opset: OpSet) -> Iterator[str]:
    overload, op = call.overload, call.overload.op
    assert op.kernel is not None and op.infer_meta is not None
    yield "PHI_OP_TRY"
    yield from promotion(overload, f"api::{call.name}")
    yield from overlap_checks(overload, call.kinds)
    attributes = {p.arg.name: attribute(p, False) for p in overload.params if p.arg and not p.arg.is_tensor}
    yield from (a.setup for a in attributes.values() if a.setup)
    yield from _prepared(call)
    yield from _outputs(call)
    values = {name: a.value for name, a in attributes.items()}
    metas = {a.name: meta_value(a) for a in op.inputs}
    yield from checks(op, opset, metas | values, "int64_t")
    infer = [(metas | values).get(n, n) for n in call_names(op, op.infer_meta.param)]
    infer += [meta_pointer(overload, i) for i in range(len(op.outputs))]
    yield f"{op.infer_meta.func}<int64_t>({', '.join(infer)});"
    yield from real_numbers(overload)
    yield from _bind_targets(call)
    tensors = {a.name: f"{a.name}_in" for a in op.inputs}
    args = [(tensors | values).get(n, n) for n in call_names(op, op.kernel.param)]
    args += [_pointer(overload, i) for i in range(len(op.outputs))]
    yield f"call.Run<Fn_{call.name}>({', '.join(args)});"
    yield from _release(overload)
    yield f'PHI_OP_CATCH("{overload.qualified}")'


def _prepared(call: KernelCall) -> Iterator[str]:
    """The tensors lent to a call, its key, and its kernel with what that takes."""
    op = call.overload.op
    kinds = call.branch.input_kinds(op)
    of_elements = is_generated_of_elements(op, call.branch)
    for i, a in enumerate(op.inputs):
        tensor = f"WithPatternOf({op.inputs[0].name}, {a.name})" if of_elements and i else a.name
        yield f"auto {a.name}_in = {kinds[a.name].lent(tensor, f'inputs_{op.name}[{i}]')};"
    inputs = ", ".join([f"inputs_{op.name}", *(f"{a.name}_in" for a in op.inputs)]) if op.inputs else ""
    yield f"Call call(site_{call.name});"
    if inputs:
        yield f"call.AddToKey({inputs});"
    yield from _key(op)
    yield from _layout(op, kinds)
    yield f"call.Prepare({inputs});"


def promotion(overload: Overload, function: str) -> Iterator[str]:
    """Starts again with the tensors that `type_promotion` names brought to one data type, when they differ.

    `function` is named with its namespace: ATen may have one of its name.
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
    yield f"if ({condition}) return {function}({', '.join(args.values())});"


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
    if name in op.type_promotion:
        flags.append("kPromoted")
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


def _layout(op: Op, kinds: Mapping[str, TensorKind]) -> Iterator[str]:
    """`layout : x`: images with the channels last in memory have kernels of their own, if they are dense."""
    assert op.kernel is not None
    for source in op.kernel.layout[:1]:
        arg = next((a for a in op.args if a.name == source), None)
        if arg is None:
            yield f'call.key().SetLayout(DataLayout::{source.rpartition("::")[2]}, "the YAML");'
        elif arg.is_tensor:
            if kinds[source].is_dense:
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


def _outputs(call: KernelCall) -> Iterator[str]:
    overload = call.overload
    for i, output in enumerate(overload.op.outputs):
        target, cls = target_of(overload, output), call.branch.output_kind(i).output
        if output.type == "Tensor[]":
            yield f"OutList<{cls}> {output.name}_out({target.name if target else list_size(overload, i)});"
            continue
        value = ""
        if target is not None:
            optional = target.arg is not None and target.arg.optional
            value = f"({target.name}.value_or(at::Tensor()))" if optional else f"({target.name})"
        yield f"{cls} {output.name}_out{value};"
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


def _bind_targets(call: KernelCall) -> Iterator[str]:
    overload = call.overload
    for method, i, target in binding(overload):
        condition = wanted(overload, i)
        output = overload.op.outputs[i].name
        bind = f'{output}_out.{method}("{target.name}", {may_resize(overload, target, call.kinds)});'
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
