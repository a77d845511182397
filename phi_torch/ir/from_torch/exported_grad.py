"""Regions of exported programs in which torch records no gradients, said in the graph itself: `run_decompositions` inlines them."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, fx
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind

from .trace import REGION
from .views import viewed

_ATEN: Any = torch.ops.aten


def with_detached_regions(exported: ExportedProgram) -> ExportedProgram:
    """An exported program whose regions without gradients detach what they compute; itself if it has no regions.

    What is written there in place has the new value, and the gradient of the one before, as in torch.
    """
    if not any(True for _ in _regions(exported.graph_module)):
        return exported
    module, signature = copy.deepcopy(exported.graph_module), copy.deepcopy(exported.graph_signature)
    kinds = {getattr(spec.arg, "name", None): spec.kind for spec in signature.input_specs}
    constants = {name for name, kind in kinds.items() if kind not in (InputKind.PARAMETER, InputKind.USER_INPUT)}
    for graph_module, node in list(_regions(module)):
        records, region, *operands = node.args
        if not records:
            body = getattr(graph_module, str(region.target)).graph
            is_whole = graph_module is module
            for old, new in _detach(node, body, operands, constants if is_whole else set()):
                if is_whole:
                    signature.replace_all_uses(old.name, new.name)
        # a program of torch whose last region records cannot be decomposed
        node.args = (False, region, *operands)
    for graph_module in {graph_module for graph_module, _ in _regions(module)}:
        graph_module.recompile()
    return ExportedProgram(
        root=module,
        graph=module.graph,
        graph_signature=signature,
        state_dict=exported.state_dict,
        range_constraints=exported.range_constraints,
        module_call_graph=exported.module_call_graph,
        example_inputs=exported.example_inputs,
        constants=exported.constants,
        verifiers=exported.verifiers,
    )


def _regions(module: fx.GraphModule) -> Iterator[tuple[fx.GraphModule, Any]]:
    for one in module.modules():
        if isinstance(one, fx.GraphModule):
            yield from ((one, node) for node in one.graph.nodes if node.target is REGION)


def _detach(call: fx.Node, body: Any, operands: list[Any], constants: set[Any]) -> list[tuple[fx.Node, fx.Node]]:
    """Puts the calls beside that of a region; what its results are now."""
    graph, outer = call.graph, dict(zip((one for one in body.nodes if one.op == "placeholder"), operands))
    written = {_root(one) for one in _written(graph)}
    replaced: list[tuple[fx.Node, fx.Node]] = []
    results = [_itself(one) for one in body.output_node().args[0]]
    for node in list(call.users):
        result = results[node.args[1]]  # type: ignore[index]
        if result in outer:  # it was written in place
            replaced.append((node, outer[result]))
        elif _has_gradients(node):
            with graph.inserting_before(node.next):
                detached = _call(graph, _ATEN.detach.default, (node,), node)
                if node in written:  # views of it have the gradients of what is written
                    detached = _call(graph, _ATEN.clone.default, (detached,), node)
            replaced.append((node, detached))
    for old, new in replaced:
        for user in set(old.users) - {new, *new.all_input_nodes}:
            user.replace_input_with(old, new)
    changed = {_root(one) for one in _written(body)}
    for placeholder, operand in outer.items():
        if placeholder in changed and _trains(operand, constants, written):
            with graph.inserting_before(call):
                before = _call(graph, _ATEN.clone.default, (operand,), operand)
                start = _call(graph, _ATEN.detach.default, (before,), operand)
                nothing = _call(graph, _ATEN.sub.Tensor, (before, start), operand)
            with graph.inserting_before(call.next):
                after = _call(graph, _ATEN.detach.default, (operand,), operand)
                value = _call(graph, _ATEN.add.Tensor, (after, nothing), operand)
                _call(graph, _ATEN.copy_.default, (operand, value), operand)
    return replaced


def _call(graph: fx.Graph, target: Any, arguments: tuple[fx.Node, ...], like: fx.Node) -> fx.Node:
    node = graph.call_function(target, arguments)
    node.meta["val"] = like.meta["val"]
    return node


def _written(graph: fx.Graph) -> Iterator[fx.Node]:
    """What the calls of a graph write in place."""
    for node in graph.nodes:
        if isinstance(node.target, torch._ops.OpOverload):
            given = zip(node.target._schema.arguments, node.args)
            written = (one for argument, one in given if argument.alias_info is not None and argument.alias_info.is_write)
            yield from (one for one in written if isinstance(one, fx.Node))


def _itself(node: fx.Node) -> fx.Node:
    """The tensor that a call in place returns."""
    while isinstance(node.target, torch._ops.OpOverload):
        returns = node.target._schema.returns
        if len(returns) != 1 or returns[0].alias_info is None or not returns[0].alias_info.is_write:
            break
        node = node.args[0]  # type: ignore[assignment]
    return node


def _root(node: fx.Node) -> fx.Node:
    """The tensor whose memory it has."""
    while (further := viewed(_itself(node))) is not node:
        node = further
    return node


def _has_gradients(node: fx.Node) -> bool:
    tensor = node.meta.get("val")
    return isinstance(tensor, Tensor) and (tensor.is_floating_point() or tensor.is_complex())


def _trains(node: fx.Node, constants: set[Any], written: set[fx.Node]) -> bool:
    """Whether it is computed from a parameter or an input, and is none itself."""
    if not _has_gradients(node) or _root(node).op == "placeholder":
        return False
    seen, open_nodes = set(), [node]
    while open_nodes:
        one = open_nodes.pop()
        ends = (isinstance(one.meta.get("val"), Tensor) and not _has_gradients(one)) or one.target is _ATEN.detach.default
        if one in written or (one.op == "placeholder" and _has_gradients(one) and one.name not in constants):
            return True
        if one not in seen and not ends:
            seen.add(one)
            open_nodes += one.all_input_nodes
    return False
