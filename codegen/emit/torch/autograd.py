"""torch/autograd_*.cc: the kernels behind the keys Autograd and ADInplaceOrView, and the nodes of the graph.

The kernel runs whether or not the graph records. Each op has one of four plans: `formula` (its backward op, through a node
of its own), `composite` (a node that differentiates the composite when it is asked), `opaque` (a node that raises
NotImplementedError) or `constant` (nothing depends on an input). The out= forms have boxed kernels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...model.category import camel, takes_integers
from ...model.op import Op, OpSet, Output
from ...view.bind import wanted
from ...view.derivative import Formula, composite_differentiates, formula, is_constant, tensor_params
from ...view.dispatcher import Kind, Overload, Param, functional, has_kernel, mutated, overloads
from ...view.jvp import has_rule, tangents
from ..render import render
from ..write import shard

OPS_PER_FILE = 45


@dataclass(frozen=True)
class Node:
    """A generated node class."""

    entry: str
    name: str
    edges: int
    fields: tuple[str, ...]  # declarations
    names: str
    params: str  # of the formula
    body: tuple[str, ...]  # of the formula


@dataclass(frozen=True)
class Function:
    """A generated kernel."""

    entry: str
    ret: str
    name: str
    params: str
    body: tuple[str, ...]
    schema_name: str


@dataclass(frozen=True)
class Plan:
    op: Op
    formula: Formula | None
    composite: bool
    constant: bool


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    files = {}
    with_kernel = (op for op in opset.ops if has_kernel(op))
    for i, ops in enumerate(shard(with_kernel, opset.shards(OPS_PER_FILE), key=lambda op: opset.root(op).name)):
        plans = [_plan(op, opset) for op in ops]
        found = [(p, o) for p in plans for o in overloads(p.op) if not o.reads_tensors]
        outs = [o for _, o in found if o.kind is Kind.OUT]
        files[f"torch/autograd_{i}.cc"] = render(
            "autograd.cc.j2",
            ns=opset.namespace,
            headers=sorted({op.header for p in plans for op in (p.op, *([p.formula.backward] if p.formula else []))}),
            nodes=[_node(p.formula) for p in plans if p.formula is not None],
            autograd=[_function(o, _BODIES[o.kind](p, o)) for p, o in found if o.kind in _BODIES and not _falls_through(p, o)],
            refusing=[o.full_name for o in outs if not takes_integers(o.op)],
            outs=[o.full_name for o in outs],
            fallthrough=[o.full_name for p, o in found if _falls_through(p, o)],
            inplace=[_function(o, _bump(o)) for _, o in found if o.kind is Kind.INPLACE],
        )
    return files


def _plan(op: Op, opset: OpSet) -> Plan:
    return Plan(op, formula(op, opset), composite_differentiates(op), is_constant(op))


def _falls_through(plan: Plan, overload: Overload) -> bool:
    if takes_integers(plan.op):
        return True
    if overload.kind is not Kind.FUNCTIONAL:
        return False
    return not tensor_params(overload) or (plan.constant and plan.formula is None)


def node_name(op: Op) -> str:
    return f"{camel(op.namespace)}{camel(op.name)}Backward0"


def _node(f: Formula) -> Node:
    return Node(
        entry=f.op.entry,
        name=node_name(f.op),
        edges=len(f.inputs),
        fields=tuple(f"{s.type} {s.name}_{f' = {s.zero}' if s.zero else ''};" for s in f.saved),
        names=", ".join(f"{s.name}_" for s in f.saved),
        params=", ".join(f"{s.value} {s.name}" for s in f.saved),
        body=tuple(_formula_body(f)),
    )


def _formula_body(f: Formula) -> Iterator[str]:
    yield "if (!AnyDefined(incoming)) return edges.None();"
    call = f"{functional(f.backward).cpp}::call({', '.join(f.args)})"
    if not f.passed:
        yield f"return edges.Collect({call});"
        return
    yield f"PassThrough<{len(f.inputs)}> passed(edges);"
    yield from (f"passed.Try<{i}>({arguments});" for i, arguments in f.passed.items())
    yield "if (passed.all()) return edges.Collect(passed.grads());"
    yield f"return edges.Collect(passed.Fill({call.replace('edges.needed', 'passed.rest()')}));"


def _function(overload: Overload, body: Iterator[str]) -> Function:
    return Function(
        entry=overload.op.entry,
        ret=overload.cpp_return,
        name=overload.symbol,
        params=", ".join(["c10::DispatchKeySet keyset", *([overload.cpp_params] if overload.params else [])]),
        body=tuple(body),
        schema_name=overload.full_name,
    )


def _names(params: Sequence[Param]) -> str:
    return ", ".join(p.name for p in params)


def _run(overload: Overload, guard: str, keys: str) -> Iterator[str]:
    """`run()`: the op below this key."""
    yield "const auto run = [&]() -> decltype(auto) {"
    yield f"  const at::{guard} guard;"
    args = ", ".join([f"keyset & c10::{keys}", *(p.name for p in overload.params)])
    yield f"  return {overload.cpp}::redispatch({args});"
    yield "};"


def _differentiable(plan: Plan, overload: Overload) -> tuple[Param, ...]:
    """The tensors that get gradients, as parameters of this overload."""
    assert plan.formula is not None
    names = {p.name for p in plan.formula.inputs}
    order = [p.name for p in plan.formula.inputs]
    return tuple(sorted((p for p in overload.params if p.name in names), key=lambda p: order.index(p.name)))


def _check_others(plan: Plan, overload: Overload) -> Iterator[str]:
    """A backward op has no gradient for an input that its result does not depend on; a forward op just has none."""
    if plan.op.is_backward:
        return
    differentiable = _differentiable(plan, overload)
    for p in tensor_params(overload):
        if p not in differentiable:
            yield f'CheckNotDifferentiable({p.name}, "{overload.qualified}", "{p.name}");'


def _save(f: Formula, overload: Overload, which: str, place: dict[str, str]) -> Iterator[str]:
    """Saves inputs and attributes before the op runs, or outputs after it; `place` says where an output is."""
    overwritten = {p.name for p in overload.params if p.mutable}
    for s in f.saved:
        if which == "inputs" and s.input is not None:
            value = f"{s.name}.clone()" if s.name in overwritten and s.type == "SavedTensor" else s.name
            yield f"grad_node->{s.name}_ = {s.store.format(value)};"
        elif which == "outputs" and s.output is not None:
            value, store = place[s.output.name], s.store
            if s.type in ("SavedMeta", "SavedMetas"):
                pass  # a shape, which nothing overwrites
            elif value in overwritten and s.output in f.outputs:
                store = f"SavedTensor({{}}, true, {value}.is_view())"
            elif value in overwritten:
                value = f"{value}.clone()"  # a state, such as a running mean: the next call may overwrite it
            yield f"grad_node->{s.name}_ = {store.format(value)};"


def _new_node(plan: Plan, overload: Overload, declare: str = "") -> Iterator[str]:
    assert plan.formula is not None
    inputs = _differentiable(plan, overload)
    yield f"{declare}grad_node = NewNode<{node_name(plan.op)}>(CollectEdges({_names(inputs)}));"
    yield f"grad_node->edge_counts = {{{', '.join(f'EdgeCount({p.name})' for p in inputs)}}};"


# ---- functional ----


def _functional_body(plan: Plan, overload: Overload) -> Iterator[str]:
    names = _names(tensor_params(overload))
    yield from _promote(overload)
    yield from _run(overload, "AutoDispatchBelowADInplaceOrView", "after_ADInplaceOrView_keyset")
    yield from _unless_differentiated(names)
    if plan.formula is not None:
        yield from _record(plan, overload)
    elif plan.composite:
        yield from _record_composite(plan, overload)
    else:
        yield from _opaque(overload)


def _unless_differentiated(names: str) -> Iterator[str]:
    """`run()` alone for most calls; else `requires_grad` and `has_tangent` say how the arguments take part."""
    yield f"if (!MayDifferentiate({names})) return run();"
    yield f"const bool requires_grad = RequiresGrad({names});"
    yield f"const bool has_tangent = HasTangent({names});"
    yield "if (!requires_grad && !has_tangent) return run();"


def _promote(overload: Overload) -> Iterator[str]:
    """The kernel again, with differentiable casts, when the tensors that `type_promotion` names differ in dtype."""
    names = overload.op.type_promotion
    if len(names) < 2:
        return
    tensors = ", ".join(f"TensorOf({n})" for n in names)
    target = next((p.name for p in overload.params if p.mutable and p.name in names), None)
    if target is None:
        condition, dtype = f"const auto dtype = PromotedType({{{tensors}}})", "*dtype"
    else:
        condition = f'NeedsInplaceCast("{overload.qualified}", {target}, {{{tensors}}})'
        dtype = f"{target}.scalar_type()"
    args = [f"Cast({p.name}, {dtype})" if p.name in names and p.name != target else p.name for p in overload.params]
    yield f"if ({condition}) return torch_bridge::autograd::{overload.symbol}({', '.join(['keyset', *args])});"


def _record_composite(plan: Plan, overload: Overload) -> Iterator[str]:
    yield "NodePtr<CompositeBackward> grad_node;"
    yield f"if (requires_grad) grad_node = {_composite_node(plan, overload)};"
    yield "auto results = run();"
    places = _places(overload)
    yield "if (grad_node) {"
    yield from (f"  SetHistory(grad_node, {_counted(overload, i, places[o.name])});" for i, o in enumerate(overload.op.outputs))
    yield "  Announce(grad_node);"
    yield "}"
    yield from _tangents(plan, overload)
    yield "return results;"


def _counted(overload: Overload, index: int, place: str) -> str:
    """An output with as many tensors as the composite gives: a list that is not wanted is empty."""
    output, condition = overload.op.outputs[index], wanted(overload, index)
    if output.type != "Tensor[]" or condition is None:
        return place
    return f"{condition} ? {place} : std::vector<at::Tensor>({output.size})"


def _composite_node(plan: Plan, overload: Overload) -> str:
    """What is overwritten is saved as it was."""
    names = _names(tensor_params(overload))
    args = [f"Copy({p.name})" if p.mutable else p.name for p in overload.params if p.arg is not None]
    return (
        f'NewCompositeNode("{plan.op.namespace}::{plan.op.name}", "{node_name(plan.op)}", CollectEdges({names}), {", ".join(args)})'
    )


def _tangents(plan: Plan, overload: Overload) -> Iterator[str]:
    """Those of `results`: by the rule `jvp`, or those that the composite gives."""
    if has_rule(plan.op, plan.formula):
        lines = tangents(overload, plan.formula, _places(overload))
    elif plan.composite:
        lines = _composite_tangents(overload)
    else:
        return
    yield "if (has_tangent) {"
    yield from (f"  {line}" for line in lines)
    yield "}"


def _composite_tangents(overload: Overload) -> Iterator[str]:
    params = overload.composite_params
    type = overload.type_of(params)
    yield f'static const auto composite = FindComposite<{type}>("{overload.qualified}");'
    yield f"TakeTangents(results, Dispatch<{type}>::Call(composite, {_names(params)}));"


def _opaque(overload: Overload) -> Iterator[str]:
    names = _names(tensor_params(overload))
    if not overload.returns:
        yield "return run();"
        return
    yield "auto results = run();"
    if has_rule(overload.op, None):
        yield "if (has_tangent) {"
        yield from (f"  {line}" for line in tangents(overload, None, _places(overload)))
        yield "}"
    else:
        yield f'CheckNoTangent("{overload.qualified}", results, {names});'
    yield "if (requires_grad) {"
    yield f'  const auto grad_node = NotImplementedNode("{overload.qualified}", CollectEdges({names}));'
    yield "  SetNotImplemented(grad_node, results);"
    yield "  Announce(grad_node);"
    yield "}"
    yield "return results;"


def _places(overload: Overload) -> dict[str, str]:
    """Where each output is after `results = run()`: among the results, or in the argument that it overwrites."""
    written = {out: arg for arg, out in mutated(overload.op).items()} if overload.kind is Kind.INPLACE else {}
    places = {o.name: written[o.name] for o in overload.op.outputs if o.name in written}
    fresh = [o for o in overload.op.outputs if o.name not in places]
    for i, o in enumerate(fresh):
        places[o.name] = "results" if len(fresh) == 1 else f"std::get<{i}>(results)"
    return places


def _record(plan: Plan, overload: Overload) -> Iterator[str]:
    f = plan.formula
    assert f is not None
    names, places = _names(tensor_params(overload)), _places(overload)
    if not has_rule(plan.op, f) and not plan.composite:
        yield f'if (has_tangent) RaiseNoForwardMode("{overload.qualified}");'
    yield from _check_others(plan, overload)
    yield f"NodePtr<{node_name(plan.op)}> grad_node;"
    differentiable = _names(_differentiable(plan, overload))
    yield f"if ({'requires_grad' if differentiable == names else f'RequiresGrad({differentiable})'}) {{"
    yield from (f"  {line}" for line in _new_node(plan, overload))
    yield from (f"  {line}" for line in _save(f, overload, "inputs", places))
    yield "}"
    yield "auto results = run();"
    yield "if (grad_node) {"
    yield from (f"  SetHistory(grad_node, {places[o.name]});" for o in f.outputs)
    if lines := list(_tangents(plan, overload)):  # a saved output keeps the tangent that it has by then
        yield from ("}", *lines, "if (grad_node) {")
    yield from (f"  {line}" for line in _save(f, overload, "outputs", places))
    yield "  Announce(grad_node);"
    yield "}"
    yield "return results;"


# ---- in-place and out ----


def _inplace_body(plan: Plan, overload: Overload) -> Iterator[str]:
    op, tensors = plan.op, tensor_params(overload)
    names = _names(tensors)
    yield from _promote(overload)
    yield from _run(overload, "AutoDispatchBelowAutograd", "after_autograd_keyset")
    yield from _unless_differentiated(names)
    if op.is_inplace_only:
        yield f'if (has_tangent) RaiseNoForwardMode("{overload.qualified}");'
    else:
        yield "if (has_tangent) {"
        yield from (f"  {line}" for line in _copy_back(overload))
        yield "}"
    tracked = mutated(op).values() if plan.formula is None else [o.name for o in plan.formula.outputs]
    for p in tensors:
        if p.mutable and mutated(op)[p.name] in tracked:
            yield f"CheckInplace({p.name}, true);"
    if plan.formula is not None:
        yield from _record_inplace(plan, overload)
    elif plan.composite:
        yield from _record_composite_inplace(plan, overload)
    else:
        yield from _opaque_inplace(overload)


def _copy_back(overload: Overload) -> Iterator[str]:
    """The functional form, copied into the arguments that are overwritten: copy_ is differentiable in every mode."""
    op = overload.op
    yield f"auto results = {functional(op).cpp}::call({_names(overload.params)});"
    single = len(op.outputs) == 1
    place = {o.name: "results" if single else f"std::get<{i}>(results)" for i, o in enumerate(op.outputs)}
    for p in overload.params:
        if p.mutable and p.arg is not None:
            result = place[mutated(op)[p.name]]
            yield f"if ({p.name}) {p.name}->copy_({result});" if p.arg.optional else f"{p.name}.copy_({result});"
    fresh = [place[r.output.name] for r in overload.returns if "!" not in r.schema]
    yield f"return {{{', '.join(fresh)}}};" if len(fresh) > 1 else f"return {fresh[0]};" if fresh else _return_self(overload)


def _return_self(overload: Overload) -> str:
    return f"return {overload.params[0].name};" if overload.returns else "return;"


def _is_fresh(overload: Overload) -> bool:
    return any("!" not in r.schema for r in overload.returns)


def _record_inplace(plan: Plan, overload: Overload) -> Iterator[str]:
    f = plan.formula
    assert f is not None
    places = _places(overload)
    yield from _check_others(plan, overload)
    yield from _check_views(overload, f.outputs)
    yield from _new_node(plan, overload, "const auto ")
    yield from _save(f, overload, "inputs", places)
    yield "auto results = run();" if _is_fresh(overload) else "run();"
    yield from (_history(overload, o, places) for o in f.outputs)
    yield from _save(f, overload, "outputs", places)
    yield "Announce(grad_node);"
    yield "return results;" if _is_fresh(overload) else _return_self(overload)


def _check_views(overload: Overload, outputs: Sequence[Output]) -> Iterator[str]:
    if len(outputs) > 1:
        rebased = {o.name for o in outputs}
        for p in overload.params:
            if p.mutable and mutated(overload.op)[p.name] in rebased:
                yield f'CheckNoView("{overload.qualified}", {p.name});'


def _record_composite_inplace(plan: Plan, overload: Overload) -> Iterator[str]:
    outputs, places = plan.op.outputs, _places(overload)
    yield from _check_views(overload, outputs)
    yield f"const auto grad_node = {_composite_node(plan, overload)};"
    yield "auto results = run();" if _is_fresh(overload) else "run();"
    yield from (_history(overload, o, places) for o in outputs)
    yield "Announce(grad_node);"
    yield "return results;" if _is_fresh(overload) else _return_self(overload)


def _history(overload: Overload, output: Output, places: dict[str, str]) -> str:
    rebase = overload.kind is Kind.INPLACE and output.name in mutated(overload.op).values()
    return f"{'RebaseHistory' if rebase else 'SetHistory'}(grad_node, {places[output.name]});"


def _opaque_inplace(overload: Overload) -> Iterator[str]:
    names = _names(tensor_params(overload))
    overwritten = [p for p in overload.params if p.mutable]
    if len(overwritten) > 1 or any(p.arg is not None and p.arg.is_list for p in overwritten):
        yield from (f'CheckNoView("{overload.qualified}", {p.name});' for p in overwritten)
    yield f'const auto grad_node = NotImplementedNode("{overload.qualified}", CollectEdges({names}));'
    yield "auto results = run();" if _is_fresh(overload) else "run();"
    for p in overload.params:
        if p.mutable:
            yield f"RebaseHistory(grad_node, {p.name});"
    if _is_fresh(overload):
        yield "SetNotImplemented(grad_node, results);"
    yield "Announce(grad_node);"
    yield "return results;" if _is_fresh(overload) else _return_self(overload)


def _bump(overload: Overload) -> Iterator[str]:
    """The kernel of ADInplaceOrView."""
    yield from _run(overload, "AutoDispatchBelowADInplaceOrView", "after_ADInplaceOrView_keyset")
    yield "decltype(auto) results = run();" if overload.returns else "run();"
    yield from (f"BumpVersion({p.name});" for p in overload.params if p.mutable)
    if overload.returns:
        yield "return results;"


_BODIES = {Kind.FUNCTIONAL: _functional_body, Kind.INPLACE: _inplace_body}
