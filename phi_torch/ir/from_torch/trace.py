"""Graphs of modules and methods, and with operators in place, traced as graphs of calls of ATen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, fx
from torch.utils._pytree import tree_map_only

REGION: Any = torch.ops.higher_order.wrap_with_set_grad_enabled  # of an exported program


def is_plain(graph: fx.Graph) -> bool:
    """Whether a graph is one of calls already, none of which writes."""
    nodes = [node for node in graph.nodes if node.op not in ("get_attr", "output")]
    calls = [node for node in nodes if node.op != "placeholder"]
    return all("val" in node.meta for node in nodes) and all(
        node.op == "call_function" and not getattr(getattr(node.target, "_schema", None), "is_mutable", False) for node in calls
    )


def traced(module: fx.GraphModule, inputs: Sequence[Any]) -> fx.GraphModule:
    from torch.fx.experimental.proxy_tensor import make_fx

    run = torch.func.functionalize(_Detaching(module).run)
    found = make_fx(run, tracing_mode="fake", _allow_non_fake_inputs=True)(*inputs)
    found.graph.eliminate_dead_code()
    return found


class _Detaching(fx.Interpreter):
    """Runs a graph, and detaches what it computes where it says that no gradients are recorded: a trace does not tell."""

    def __init__(self, module: fx.GraphModule, records: bool = True) -> None:
        super().__init__(module)
        self._records = records

    def run_node(self, n: fx.Node) -> Any:
        found = super().run_node(n)
        if self._records or n.op in ("placeholder", "get_attr", "output") or n.target is REGION:
            return found
        return tree_map_only(Tensor, torch.detach, found)

    def call_function(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if target is REGION:
            records, region, *operands = args
            return _Detaching(region, records).run(*operands)
        if target is torch._C._set_grad_enabled:
            (self._records,) = args
        return super().call_function(target, args, kwargs)
