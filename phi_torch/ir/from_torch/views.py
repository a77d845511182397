"""Views in graphs of torch.fx: what a node is one of, and which outputs share memory."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, fx

from .strides import Memory


def viewed(node: fx.Node) -> fx.Node:
    """What a node is a view of, itself if it is none; one of a list of views, as that of a split, is one."""
    while node.op == "call_function":
        call: Any = node.args[0] if node.target is operator.getitem else node
        if not isinstance(call.target, torch._ops.OpOverload):
            break
        results = call.target._schema.returns
        aliases = len(results) == 1 and results[0].alias_info is not None and not results[0].alias_info.is_write
        if not aliases or not isinstance(call.args[0], fx.Node):
            break
        node = call.args[0]
    return node


def shared(outputs: Sequence[Any]) -> dict[fx.Node, fx.Node]:
    """Outputs of a graph that share memory which is no input's, or have gaps in it, as a program's outputs have not -> what
    they are views of, which may be one of them."""
    views: dict[fx.Node, list[fx.Node]] = {}
    for one in dict.fromkeys(one for one in outputs if isinstance(one, fx.Node)):
        base = viewed(one)
        if base.op == "call_function" and _is_only_views(one, base):
            views.setdefault(base, []).append(one)
    return {one: base for base, ones in views.items() if len(ones) > 1 or _has_gaps(ones[0]) for one in ones}


def _has_gaps(node: fx.Node) -> bool:
    meta = node.meta.get("val")
    return isinstance(meta, Tensor) and meta.layout == torch.strided and Memory(meta.shape, meta.stride()).order is None


def _is_only_views(node: fx.Node, base: fx.Node) -> bool:
    """Whether nothing but views and sizes is computed between them."""
    between = [one for one in _needed([node], [base]) if one.op != "placeholder"]
    return all(viewed(one) is not one or not isinstance(one.meta.get("val"), Tensor) for one in between)


def views_of(graph_module: fx.GraphModule, nodes: Sequence[fx.Node], bases: Sequence[fx.Node]) -> fx.GraphModule:
    """What computes nodes, and nothing else, of the inputs of a graph and then of bases."""
    graph, made = fx.Graph(), {}  # type: ignore[var-annotated]
    needed = _needed(nodes, bases)
    for node in graph_module.graph.find_nodes(op="placeholder"):
        made[node] = graph.node_copy(node)
    for node in bases:
        made[node] = graph.placeholder(node.name)
    for node in graph_module.graph.nodes:
        if node in needed and node not in made:
            made[node] = graph.node_copy(node, made.__getitem__)
    graph.output(tuple(made[node] for node in nodes))
    return fx.GraphModule(graph_module, graph)


def _needed(nodes: Sequence[fx.Node], bases: Sequence[fx.Node]) -> set[fx.Node]:
    """Nodes and what they are computed of, up to bases."""
    needed: set[fx.Node] = set()
    todo = list(nodes)
    while todo:
        node = todo.pop()
        if node not in needed and node not in bases:
            needed.add(node)
            todo += node.all_input_nodes
    return needed
