"""Graphs of torch.fx over torch's operators as programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, fx
from torch.utils._pytree import tree_leaves

from ... import ir
from ..._expect import expect
from .nodes import GraphError, Nodes, Weight
from .rules import dtype_name
from .sizes import expression, ranges_of
from .trace import is_plain, traced
from .views import shared, viewed

NUMBERS: dict[type, torch.dtype] = {torch.SymInt: torch.int64, torch.SymFloat: torch.float64, torch.SymBool: torch.bool}


def from_fx(graph_module: fx.GraphModule, example_inputs: Sequence[Any]) -> ir.Program:
    """The program of a graph over torch's operators, decomposed or not, with the module's tensors as its weights.

    Calls that yaml/aten_compat.yaml has a row for are operators of pd_op, those of `torch.ops.phi` and of extensions with a
    kernel are themselves, all others are `torch.call`. Sizes that are symbols in the graph are symbols of the program. A graph
    of modules and methods, or with operators in place, is traced once more. Weights share the memory of the module's tensors,
    where these are contiguous. The outputs are the tensors that it returns, in the order of `torch.utils._pytree.tree_leaves`;
    numbers and sizes are none.

    Args:
        example_inputs: tensors for its inputs, whose sizes hold where the graph says nothing of them.

    Raises:
        GraphError: a node is no call of an operator on tensors, or writes to one.
    """
    expect("from_fx", "graph_module", graph_module, fx.GraphModule, "ir.compile takes any module")
    if not is_plain(graph_module.graph):
        graph_module = traced(graph_module, example_inputs)
    return Conversion(graph_module).program


@dataclass
class Conversion(Nodes):
    """A graph as a program.

    Attributes:
        program: its inputs are the placeholders in `inputs`.
        inputs: the numbers of the placeholders that are inputs of the program: tensors, and numbers that no tensor tells.
        outputs: what the graph returns: ("value", number of an output of the program), ("number", that of one which is a number
            in the graph), ("input", number of a placeholder), ("view", node that is a view of an input or of one of `bases`),
            ("constant", value) or ("size", expression).
        bases: what several outputs of the graph are views of -> the number of an output of the program.
        symbols: where the value of a symbol is found: a placeholder, and a dimension of it or None.
    """

    graph_module: fx.GraphModule
    weights: Mapping[int, Weight] = field(default_factory=dict)  # of placeholders
    names: Mapping[int, str] = field(default_factory=dict)  # of the inputs; by default those of the placeholders
    written: Mapping[int, str] = field(default_factory=dict)  # outputs that are weights' new values
    ranges: Mapping[Any, Any] | None = None  # of the symbols; by default what the graph knows
    returns_inputs: bool = True  # whether its inputs are outputs where the graph returns them, and numbers that nobody reads inputs
    sharing: int | None = 0  # so many of the first outputs share memory as in the graph; None: all
    differentiated: bool = True
    guards: Sequence[tuple[Any, str]] = ()  # conditions on the symbols, and their texts
    program: ir.Program = field(init=False)
    inputs: list[int] = field(default_factory=list)
    outputs: list[tuple[str, Any]] = field(default_factory=list)
    bases: dict[fx.Node, int] = field(default_factory=dict)
    symbols: dict[Any, tuple[int, int | None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__(self.graph_module, ir.Builder())
        self.program = self.builder.program
        self._placeholders: dict[fx.Node, int] = {}
        self._parameters: dict[str, ir.Value] = {}
        self._numbers: dict[int, ir.Value] = {}
        self._fetched = 0
        self._define_inputs([node for node in self.graph_module.graph.nodes if node.op == "placeholder"])
        for condition, text in self.guards:
            self._check(condition, text)
        self.convert()
        for i, number in self._numbers.items():
            if not self.returns_inputs and not number.uses and number.defining_op is not None:
                self.inputs.remove(i)
                number.defining_op.erase()
        self.program.verify()

    def _define_inputs(self, nodes: Sequence[fx.Node]) -> None:
        """Tensors first, whose sizes tell what numbers among the inputs are."""
        metas = [node.meta.get("val") for node in nodes]
        known = (ranges_of(meta.shape if isinstance(meta, Tensor) else [meta]) for meta in metas)
        ranges: Any = self.ranges or next((one for one in known if one is not None), {})
        self._placeholders = {node: i for i, node in enumerate(nodes)}
        for node, i in self._placeholders.items():
            meta = node.meta.get("val")
            if _is_token(node):
                self.values[node] = None
            elif isinstance(meta, Tensor):
                self.values[node] = self._weight(i) if i in self.weights else self._input(node, i, meta, ranges)
        for node, i in self._placeholders.items():
            given = node.meta.get("val")
            meta = expression(given)
            if node in self.values or isinstance(meta, int | float | bool | str | None):
                continue
            if type(given) not in NUMBERS:
                raise GraphError(f"input '{node.name}': expected tensors and numbers, got {given}")
            if meta not in self.sizes:
                self.inputs.append(i)
                self._numbers[i] = self._data(node, i, dtype_name(NUMBERS[type(given)]), [], [])
                self.sizes.define(meta, self._numbers[i], None)
            self.symbols.setdefault(meta, (i, None))

    def _check(self, condition: Any, text: str) -> None:
        if self.always(condition):
            return
        try:
            held = self.sizes.scalar(condition)
            sizes = self.sizes.vector(sorted(condition.free_symbols, key=str))
        except NotImplementedError:
            return  # no operator says it
        data = self.builder.create("builtin.combine", [sizes]).results[0]
        self.builder.create("pd_op.assert", [held, data], {"summarize": -1}, [], 0, f"exported for {text}")

    def _weight(self, i: int) -> ir.Value:
        weight = self.weights[i]
        if weight.name not in self._parameters:  # several placeholders may be one weight
            self._parameters[weight.name] = self.parameter(weight, weight.name in self.written.values())
        return self._parameters[weight.name]

    def _input(self, node: fx.Node, i: int, meta: Tensor, ranges: Any) -> ir.Value:
        if meta.layout != torch.strided:
            raise GraphError(f"input '{node.name}': expected a dense tensor, got {meta.layout}")
        dims = ["?"] * meta.dim() if _is_vague(node) else self.sizes.dims(meta.shape, ranges, self.names.get(i, node.name))
        self.inputs.append(i)
        value = self._data(node, i, dtype_name(meta.dtype), dims, [size if isinstance(size, int) else -1 for size in dims])
        for dim, size in enumerate(meta.shape):
            self.sizes.define(expression(size), value, dim)
            self.symbols.setdefault(expression(size), (i, dim))
        return value

    def _data(self, node: fx.Node, i: int, dtype: str, dims: Sequence[int | str], shape: list[int]) -> ir.Value:
        name = self.names.get(i, node.name)
        made = self.builder.create(
            "pd_op.data",
            attributes={"name": name, "shape": shape, "dtype": dtype},
            result_types=[self.program.context.dense_tensor(dtype, dims)],
        )
        made.results[0].name = name
        return made.results[0]

    def output(self, returned: Sequence[Any]) -> None:
        leaves = tree_leaves(returned)
        bases = shared(leaves[: self.sharing])
        stored = {number: self._stored(one) for number, one in enumerate(leaves) if number in self.written}
        for number, one in enumerate(leaves):
            if number in stored:
                self.builder.create("builtin.set_parameter", [stored[number]], {"parameter_name": self.written[number]})
            elif not isinstance(one, fx.Node):
                self.outputs.append(("constant", one))
            elif not self.returns_inputs and one in self._placeholders and self._placeholders[one] not in self.weights:
                self.outputs.append(("input", self._placeholders[one]))
            elif bases.get(one, one) is not one or self._is_view_of_input(one):
                self.outputs.append(("view", one))
            elif isinstance(one.meta.get("val"), Tensor):
                value = self.values[one]
                if value is None:  # a token
                    self.outputs.append(("constant", None))
                    continue
                if value.type is None:
                    raise GraphError(f"output '{one.name}': in a program it is absent, as the input that it follows from is")
                self.outputs.append(("value", self._fetch(one, value)))
                if one in bases:
                    self.bases[one] = self.outputs[-1][1]
            else:
                size = expression(one.meta.get("val"))
                is_known = self.returns_inputs or getattr(size, "free_symbols", set()) <= self.symbols.keys()
                self.outputs.append(("size", size) if is_known else ("number", self._fetch(one, self.sizes.scalar(size))))
        for base in dict.fromkeys(bases.values()):
            if base not in self.bases:
                self.bases[base] = self._fetch(base, self.values[base])

    def _stored(self, node: fx.Node) -> ir.Value | None:
        """What a weight becomes: of another weight that is written too, what it was before."""
        value, weight = self.values[node], self.weights.get(self._placeholders.get(viewed(node), -1))
        if weight is None or weight.name not in self.written.values():
            return value
        return self.builder.create("pd_op.assign", [value]).results[0]

    def _is_view_of_input(self, node: fx.Node) -> bool:
        return not self.returns_inputs and viewed(node) in self._placeholders and viewed(node) is not node

    def _fetch(self, node: fx.Node, value: ir.Value) -> int:
        """The number of an output of the program."""
        number, self._fetched = self._fetched, self._fetched + 1
        self.builder.create("pd_op.fetch", [value], {"name": node.name, "col": number}, [value.type])
        return number


def _is_token(node: fx.Node) -> bool:
    """Whether it only orders operators with effects, which a program runs in order anyway."""
    return any(user.target is torch.ops.higher_order.with_effects and user.args[0] is node for user in node.users)


def _is_vague(node: fx.Node) -> bool:
    """Whether it is what a bag of embeddings notes for its gradient, of which ATen's functions for meta tensors guess the sizes."""
    calls = [user for user in node.users if isinstance(user.target, torch._ops.OpOverload)]
    pairs = ((argument.name, one) for call in calls for argument, one in zip(call.target._schema.arguments, call.args))  # type: ignore[union-attr]
    return any(one is node and name in ("offset2bag", "bag_size", "maximum_indices") for name, one in pairs)
