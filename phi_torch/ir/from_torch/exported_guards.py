"""What `torch.export` found that sizes of inputs must be for its graph to be the model's, such as `x.size()[0] != 5`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind
from torch.utils._pytree import tree_unflatten

from .sizes import expression


def guards_of(exported: ExportedProgram, decomposed: ExportedProgram) -> Iterator[tuple[Any, str]]:
    """Conditions on the symbols of what it was decomposed to, which does not always have them, each with its text. What
    shapes of inputs say by their symbols is no condition.

    Those on quotients are left out: views ask for them by the dozen, and the operators check what they need of them.
    """
    texts = [text for text in getattr(exported, "_guards_code", None) or [] if "//" not in text]
    inputs = _inputs(decomposed) if texts else {}
    for text in texts:
        try:
            found = eval(compile(_plain(text), "<guard>", "eval"), {"__builtins__": {}}, {"L": inputs})
        except (LookupError, AttributeError, TypeError, SyntaxError, NotImplementedError):
            continue  # of what is no tensor, or by a function
        if isinstance(found, torch.SymBool):
            yield expression(found), text


def _plain(text: str) -> ast.Expression:
    """A comparison, which decides nothing when it is evaluated for symbols."""
    tree = ast.parse(text.strip(), mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.BoolOp | ast.Not | ast.IfExp) or (isinstance(node, ast.Compare) and len(node.ops) > 1):
            raise NotImplementedError(text)
        if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Attribute) and node.func.attr in ("size", "stride")):
            raise NotImplementedError(text)
    return tree


def _inputs(exported: ExportedProgram) -> dict[str, Any]:
    """The inputs by the names by which guards call them, as fake tensors."""
    metas = {node.name: node.meta.get("val") for node in exported.graph.find_nodes(op="placeholder")}
    specs = [spec.arg for spec in exported.graph_signature.input_specs if spec.kind == InputKind.USER_INPUT]
    flat = [metas.get(arg.name, getattr(arg, "value", None)) for arg in specs]
    call = exported.module_call_graph[0].signature
    args, kwargs = tree_unflatten(flat, exported.call_spec.in_spec)
    names = (call and call.forward_arg_names) or []
    return {**dict(zip(names, args)), **kwargs, "flat_args": flat}
