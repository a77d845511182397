"""Branches and loops of a graph of torch.fx: `torch.cond` is `pd_op.if`; `torch.while_loop`, `scan` and `map` are `pd_op.while`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import torch
from torch import Tensor, fx
from torch._guards import detect_fake_mode
from torch._ops import OpOverload
from torch._prims import rng_prims

from ... import ir
from ..random_call import TARGETS
from ..written_call import TARGET, described
from .nodes import GraphError, Nodes, Weight
from .rules import dtype_name
from .sizes import expression


class Region(Nodes):
    """The graph of a branch or of a round, in a block of its own or at the place where it is called.

    Attributes:
        returned: the values that it returns.
    """

    def __init__(self, outer: Nodes, graph: fx.Node, builder: ir.Builder, operands: Sequence[ir.Value]) -> None:
        super().__init__(_module(outer, graph), builder)
        self.sizes, self.differentiated = outer.sizes.inside(builder), outer.differentiated
        self.returned: list[ir.Value] = []
        self._weights: dict[str, ir.Value] = outer._weights if isinstance(outer, Region) else {}
        self._name_of_weights: str = f"{outer._name_of_weights if isinstance(outer, Region) else ''}{graph.target}."
        placeholders = [node for node in self.graph_module.graph.nodes if node.op == "placeholder"]
        for node, operand in zip(placeholders, operands):
            meta = node.meta.get("val")
            if not isinstance(meta, Tensor):
                self.sizes.define(expression(meta), operand, None)
                continue
            self.values[node] = operand
            for dim, size in enumerate(meta.shape):
                self.sizes.define(expression(size), operand, dim)
        self.convert()

    def output(self, returned: Sequence[Any]) -> None:
        self.returned = [_operand(self, one) for one in returned]

    def parameter(self, weight: Weight, is_mutable: bool = False) -> ir.Value:
        """At the start of the program, once for all places where the graph is called."""
        name = self._name_of_weights + weight.name
        if name not in self._weights:
            at_start = Nodes(self.graph_module, self.builder.at_start(self.builder.program.block))
            self._weights[name] = at_start.parameter(weight._replace(name=name), is_mutable)
        return self._weights[name]


def _module(outer: Nodes, graph: fx.Node) -> fx.GraphModule:
    found: Any = outer.graph_module
    for part in str(graph.target).split("."):
        found = getattr(found, part)
    assert isinstance(found, fx.GraphModule)
    return found


def _operand(nodes: Nodes, one: Any) -> ir.Value:
    """A tensor, or a number of a graph as one of rank 0."""
    meta = one.meta.get("val") if isinstance(one, fx.Node) else one
    if isinstance(meta, Tensor):
        return nodes.values[one]  # type: ignore[no-any-return]
    if not isinstance(meta, int | torch.SymInt | torch.SymBool):
        raise GraphError(f"node '{one}': expected a tensor or a size, got {meta}")
    return nodes.sizes.scalar(expression(meta))


def _types(nodes: Nodes, node: fx.Node) -> list[ir.Type | None]:
    scalar = nodes.builder.program.context.dense_tensor("int64", [])
    return [nodes.type(meta) if isinstance(meta, Tensor) else scalar for meta in node.meta["val"]]


def _results(nodes: Nodes, node: fx.Node, made: ir.Operation) -> list[ir.Value]:
    for meta, value in zip(node.meta["val"], made.results):
        nodes.sizes.define(expression(meta), value, None)
    return list(made.results)


def branches(nodes: Nodes, node: fx.Node) -> list[ir.Value]:
    """`torch.cond`: both sides take the operands from around them."""
    condition, then, otherwise, given = _arguments(node, "pred", "true_fn", "false_fn", "operands")
    operands = [_operand(nodes, one) for one in given]
    made = nodes.builder.create("pd_op.if", [_operand(nodes, condition)], {}, _types(nodes, node), 2, nodes.location(node))
    for region, graph in zip(made.regions, (then, otherwise)):
        builder = nodes.builder.at_end(region.add_block([]))
        builder.create("cf.yield", Region(nodes, graph, builder, operands).returned, {}, [])
    return _results(nodes, node, made)


def loop(nodes: Nodes, node: fx.Node) -> list[ir.Value]:
    """`torch.while_loop`, whose condition is computed before the loop, and at the end of each round for the next one."""
    goes_on, body, carried, further = _arguments(node, "cond_fn", "body_fn", "carried_inputs", "additional_inputs")
    first, captured = ([_operand(nodes, one) for one in given] for given in (carried, further))
    (begins,) = Region(nodes, goes_on, nodes.builder, [*first, *captured]).returned
    types = _types(nodes, node)
    made = nodes.builder.create("pd_op.while", [begins, *first], {}, types, 1, nodes.location(node))
    block = made.regions[0].add_block(types)
    builder = nodes.builder.at_end(block)
    ends = Region(nodes, body, builder, [*block.arguments, *captured]).returned
    (again,) = Region(nodes, goes_on, builder, [*ends, *captured]).returned
    builder.create("cf.yield", [again, *ends], {}, [])
    return _results(nodes, node, made)


def loop_of_rounds(nodes: Nodes, node: fx.Node) -> list[ir.Value]:
    """What autograd makes of `torch.while_loop`: what it carries after each round, stacked; without a round, before it."""
    goes_on, body, carried, further = _arguments(node, "cond_fn", "body_fn", "carried_inputs", "additional_inputs")
    first, captured = ([_operand(nodes, one) for one in given] for given in (carried, further))
    (begins,) = Region(nodes, goes_on, nodes.builder, [*first, *captured]).returned
    stacks, zero = Stacks(nodes, node.meta["val"]), _zero(nodes.builder)
    stacks.write(nodes.builder, first, zero)
    types = [one.type for one in (zero, *first)]
    made = nodes.builder.create("pd_op.while", [begins, zero, *first], {}, types, 1, nodes.location(node))
    block = made.regions[0].add_block(types)
    builder, (at, *now) = nodes.builder.at_end(block), block.arguments
    ends = Region(nodes, body, builder, [*now, *captured]).returned
    stacks.write(builder, ends, at)
    (again,) = Region(nodes, goes_on, builder, [*ends, *captured]).returned
    builder.create("cf.yield", [again, _next(builder, at), *ends], {}, [])
    return stacks.stacked()


def scan(nodes: Nodes, node: fx.Node) -> list[ir.Value]:
    """`scan`: a round takes what is carried and a slice of each sequence along its first axis."""
    step, carried, sequences, further = _arguments(node, "combine_fn", "init", "xs", "additional_inputs")
    return _rounds(nodes, node, step, carried, sequences, further)


def map_(nodes: Nodes, node: fx.Node) -> list[ir.Value]:
    step, sequences, further = _arguments(node, "f", "xs", "pos_args")
    return _rounds(nodes, node, step, (), sequences, further)


def _rounds(
    nodes: Nodes, node: fx.Node, step: fx.Node, carried: Sequence[Any], sequences: Sequence[fx.Node], further: Sequence[Any]
) -> list[ir.Value]:
    """What is carried at the end, and what the rounds give beside it, stacked."""
    first, given, captured = ([_operand(nodes, one) for one in some] for some in (carried, sequences, further))
    stacks, zero = Stacks(nodes, node.meta["val"][len(first) :]), _zero(nodes.builder)
    length = nodes.sizes.vector([expression(sequences[0].meta["val"].shape[0])])
    begins = nodes.builder.create("pd_op.less_than", [zero, length]).results[0]
    types = [zero.type, *_types(nodes, node)[: len(first)]]
    made = nodes.builder.create("pd_op.while", [begins, zero, *first], {}, types, 1, nodes.location(node))
    block = made.regions[0].add_block(types)
    builder, (at, *now) = nodes.builder.at_end(block), block.arguments
    ends = Region(nodes, step, builder, [*now, *(_slice(builder, one, at) for one in given), *captured]).returned
    stacks.write(builder, ends[len(first) :], at)
    after = _next(builder, at)
    again = builder.create("pd_op.less_than", [after, length]).results[0]
    builder.create("cf.yield", [again, after, *ends[: len(first)]], {}, [])
    return [*list(made.results)[1:], *stacks.stacked()]


class Stacks:
    """An array for each tensor that the rounds of a loop give."""

    def __init__(self, nodes: Nodes, metas: Sequence[Tensor]) -> None:
        self._nodes, self._metas = nodes, metas
        context = nodes.builder.program.context
        types = [context.tensor_like("dense_tensor_array", dtype_name(meta.dtype), []) for meta in metas]
        self._arrays = [nodes.builder.create("pd_op.create_array", [], {"dtype": one.dtype}, [one]).results[0] for one in types]

    def write(self, builder: ir.Builder, values: Sequence[ir.Value], at: ir.Value) -> None:
        for array, value in zip(self._arrays, values):
            builder.create("pd_op.array_write_", [array, value, at], {}, [array.type])

    def stacked(self) -> list[ir.Value]:
        found, builder = [], self._nodes.builder
        sizes_type = builder.program.context.dense_tensor("int32", ["?"])
        for array, meta in zip(self._arrays, self._metas):
            types = [self._nodes.type(meta), sizes_type]
            found.append(builder.create("pd_op.array_to_tensor", [array], {"axis": 0, "use_stack": True}, types).results[0])
            self._nodes.define(found[-1], meta)
        return found


def _zero(builder: ir.Builder) -> ir.Value:
    return builder.create("pd_op.full", attributes={"shape": [1], "value": 0.0, "dtype": "int64"}).results[0]


def _next(builder: ir.Builder, at: ir.Value) -> ir.Value:
    return builder.create("pd_op.scale", [at, None], {"scale": 1.0, "bias": 1.0}).results[0]


def _slice(builder: ir.Builder, sequence: ir.Value, at: ir.Value) -> ir.Value:
    taken = builder.create("pd_op.index_select", [sequence, at], {"axis": 0}).results[0]
    return builder.create("pd_op.squeeze", [taken, None], {"axis": [0]}).results[0]


def effect(nodes: Nodes, node: fx.Node) -> list[Any]:
    """An operator whose effect counts: it stays where it is, so that its token is the one before."""
    token, target, *args = node.args
    if not isinstance(target, OpOverload):
        raise GraphError(f"node '{node.name}': {target} is no operator")
    metas = list(node.meta["val"][1:]) if target._schema.returns else []
    return [nodes.values[token], *nodes.torch_call(node, target, *nodes.arguments(target, args, node.kwargs), metas)]  # type: ignore[index]


def written(nodes: Nodes, node: fx.Node) -> list[Any]:
    """An operator that writes to its arguments, of which the graph has the new values."""
    (target,), metas = node.args, node.meta["val"]
    if not isinstance(target, OpOverload) or any(meta is not None and not isinstance(meta, Tensor) for meta in metas):
        raise GraphError(f"node '{node.name}': {target}, which writes to its arguments, returns no tensors alone")
    return _described_call(nodes, node, TARGET, target, node.kwargs, metas)


def run_and_save_rng_state(nodes: Nodes, node: fx.Node) -> list[Any]:
    """A random operator that is called again, with the state of the generator before it."""
    target, *args = node.args
    metas = _drawn(node, target, args)
    node.meta["val"] = state, results = torch.get_rng_state(), metas[0] if len(metas) == 1 else metas
    found = _described_call(nodes, node, TARGETS[0], target, _by_name(target, args, node), [state, *metas])
    return [found[0], found[1] if isinstance(results, Tensor) else found[1:]]


def run_with_rng_state(nodes: Nodes, node: fx.Node) -> Any:
    """The second call of it."""
    state, target, *args = node.args
    metas = _drawn(node, target, args)
    node.meta["val"] = metas[0] if len(metas) == 1 else metas
    last = [nodes.values[state]]  # type: ignore[index]
    found = _described_call(nodes, node, TARGETS[1], target, _by_name(target, args, node), metas, last)
    return found[0] if len(metas) == 1 else found


def _drawn(node: fx.Node, target: Any, args: Sequence[Any]) -> list[Any]:
    """What the operator returns, which AOTAutograd does not note where it makes such calls."""
    if not isinstance(target, OpOverload) or target._schema.is_mutable:
        raise GraphError(f"node '{node.name}': {target}, which draws numbers again, is no operator or writes to its arguments")
    given, keywords = fx.map_arg((tuple(args), node.kwargs), lambda one: one.meta["val"])
    with detect_fake_mode([one.meta.get("val") for one in node.graph.nodes]) or nullcontext():  # not all have tensors
        found = target(*given, **keywords)
    metas = [found] if isinstance(found, Tensor) else list(found)
    if not all(isinstance(one, Tensor) for one in metas):
        raise GraphError(f"node '{node.name}': {target}, which draws numbers again, returns no tensors alone")
    return metas


def _by_name(target: Any, args: Sequence[Any], node: fx.Node) -> dict[str, Any]:
    return {argument.name: one for argument, one in zip(target._schema.arguments, args)} | node.kwargs


def _described_call(
    nodes: Nodes,
    node: fx.Node,
    own: str,
    target: Any,
    arguments: Mapping[str, Any],
    metas: Sequence[Tensor | None],
    last: Sequence[ir.Value] = (),
) -> list[Any]:
    """A call of the operator by one of `phi_programs`; `last` are operands behind its own."""
    operands: list[ir.Value] = []

    def given(one: Any) -> Any:
        if isinstance(one, fx.Node) and isinstance(meta := one.meta.get("val"), Tensor | torch.SymInt | torch.SymFloat):
            is_tensor = isinstance(meta, Tensor)
            operands.append(nodes.values[one] if is_tensor else nodes.sizes.scalar(expression(meta)))
            return "operand" if is_tensor else "number", len(operands) - 1
        return [given(each) for each in one] if isinstance(one, list | tuple) else one

    text = described(str(target), {name: given(one) for name, one in arguments.items()})
    types = [nodes.type(meta) for meta in metas if meta is not None]
    combined = nodes.builder.create("builtin.combine", [*operands, *last]).results
    said = {"target": own, "inputs": ["operands"], "call": text}
    vector = [nodes.builder.program.context.vector(types)]
    made = nodes.builder.create("torch.call", combined, said, vector, 0, nodes.location(node), undeclared=True).results
    found = iter(nodes.builder.create("builtin.split", made, result_types=types).results)
    results = [None if meta is None else next(found) for meta in metas]
    for value, meta in zip(results, metas):
        if value is not None:
            nodes.define(value, meta)
    return results


def _arguments(node: fx.Node, *names: str) -> list[Any]:
    given = dict(zip(names, node.args)) | node.kwargs
    return [given.get(name, ()) for name in names]


REGIONS: dict[Any, Callable[[Nodes, fx.Node], Any]] = {
    torch.ops.higher_order.cond: branches,
    torch.ops.higher_order.while_loop: loop,
    torch.ops.higher_order.while_loop_stack_output: loop_of_rounds,
    torch.ops.higher_order.scan: scan,
    torch.ops.higher_order.map_impl: map_,
    torch.ops.higher_order.with_effects: effect,
    torch.ops.higher_order.auto_functionalized_v2: written,
    rng_prims.run_and_save_rng_state: run_and_save_rng_state,
    rng_prims.run_with_rng_state: run_with_rng_state,
}
