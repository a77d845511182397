"""The nodes of a graph of torch.fx as operations."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import sympy
import torch
from torch import Tensor, fx
from torch._ops import HigherOrderOperator, OpOverload
from torch.utils._pytree import tree_leaves
from torch.utils._sympy.symbol import SymT, symbol_is_type

from ... import ir
from . import strides
from .rules import Calls, NoFit, Operand, Sizes, dtype_name, rows
from .sizes import SizeTable, expression, ranges_of

# about sizes that are known, or that a run checks by itself
_IGNORED = ("sym_constrain_range", "sym_constrain_range_for_size", "_assert_tensor_metadata")
_WITHOUT_KERNELS = (torch.uint16, torch.uint32, torch.uint64)  # of PHI's
_OF_DATA = (SymT.UNBACKED_INT, SymT.UNBACKED_FLOAT)  # symbols
_MEMORY_FORMATS = {
    torch.contiguous_format: "contiguous_format",
    torch.preserve_format: "preserve_format",
    torch.channels_last: "channels_last",
    torch.channels_last_3d: "channels_last_3d",
}


class GraphError(NotImplementedError):
    """A graph that is no program; the message names the node."""


class Weight(NamedTuple):
    """A tensor of a module, and the names that it has in the module's state; None: its own."""

    name: str
    tensor: Tensor
    is_parameter: bool
    state_names: list[str] | None = None


class Nodes:
    """Makes operations of the nodes, at the place of a builder. What placeholders and results are, is said elsewhere."""

    differentiated: bool = True  # whether gradients may be asked of the program; a graph of AOTAutograd has its own

    def __init__(self, graph_module: fx.GraphModule, builder: ir.Builder) -> None:
        self.graph_module, self.builder = graph_module, builder
        self.sizes = SizeTable(builder)
        self.values: dict[fx.Node, Any] = {}  # a value, or a list of values

    def convert(self) -> None:
        for node in self.graph_module.graph.nodes:
            try:
                self._visit(node)
            except GraphError:
                raise
            except (NotImplementedError, ValueError, TypeError, LookupError) as error:
                raise GraphError(f"node '{node.name}' ({node.target}): {error}") from error

    def output(self, returned: Sequence[Any]) -> None:
        """What becomes of what the graph returns."""
        raise NotImplementedError

    def parameter(self, weight: Weight, is_mutable: bool = False) -> ir.Value:
        """A tensor of the module becomes a weight."""
        program, (name, tensor, is_parameter, names) = self.builder.program, weight
        attributes = {"name": name, "is_parameter": is_parameter, "trainable": is_parameter and tensor.requires_grad}
        if names is not None and names != [name]:
            attributes["state_names"] = names
        made = self.builder.create(
            "builtin.parameter",
            attributes={"persistable": True, **attributes},
            result_types=[program.context.dense_tensor(dtype_name(tensor.dtype), list(tensor.shape))],
        )
        made.results[0].name = name
        program.weights.set(name, tensor.detach().resolve_conj().resolve_neg().contiguous(), is_mutable=is_mutable)
        return made.results[0]

    def location(self, node: fx.Node) -> str:
        """The module of the model that a node comes from."""
        stack = node.meta.get("nn_module_stack")
        return str(list(stack.values())[-1][0]) if stack else ""

    def _visit(self, node: fx.Node) -> None:
        if node.op == "get_attr":
            self._attribute(node)
        elif node.op == "output":
            self.output(node.args[0] if isinstance(node.args[0], list | tuple) else [node.args[0]])
        elif node.op == "call_function":
            self._call(node)
        elif node.op != "placeholder":
            raise GraphError(f"node '{node.name}': expected a call of an operator, got {node.op}")

    def _attribute(self, node: fx.Node) -> None:
        owner: Any = self.graph_module
        for part in str(node.target).split("."):
            owner = getattr(owner, part)
        if isinstance(owner, Tensor):
            node.meta.setdefault("val", owner)
            is_parameter = isinstance(owner, torch.nn.Parameter) or owner.requires_grad
            self.values[node] = self.parameter(Weight(str(node.target), owner, is_parameter))

    def _call(self, node: fx.Node) -> None:
        meta, target = node.meta.get("val"), node.target
        if target is operator.getitem:
            self.values[node] = self.values[node.args[0]][node.args[1]]  # type: ignore[index]
            return
        if isinstance(meta, torch.SymInt | torch.SymFloat | torch.SymBool | int | float | bool):
            self._scalar(node, meta)
            return
        if isinstance(target, HigherOrderOperator):
            from .regions import REGIONS  # which converts graphs in its turn

            if target in REGIONS:
                self.values[node] = REGIONS[target](self, node)
                return
        if not isinstance(target, OpOverload):
            raise GraphError(f"node '{node.name}': {target} is no operator")
        if target._schema.name.partition("::")[2] in _IGNORED:
            return
        if target is torch.ops.aten._assert_scalar.default:
            self._assertion(node)
            return
        if target._schema.is_mutable:
            raise GraphError(f"node '{node.name}': {target} writes to its arguments")
        arguments, defaults = self.arguments(target, node.args, node.kwargs)
        if str(target) in strides.TARGETS:
            self.values[node] = strides.Strided(self._calls(node, [meta]), arguments).value()
            self._name(self.values[node], meta, node.name)
            return
        metas = list(meta) if isinstance(meta, list | tuple) and not _is_list(target) else [meta]
        if not target._schema.returns:  # it only checks
            metas = []
        values = self._by_rows(node, target, arguments, defaults, metas)
        if values is None:
            values = self.torch_call(node, target, arguments, defaults, metas)
        for value, one in zip(values, metas):
            self._name(value, one, node.name)
        found = [self._elements(value, one) if isinstance(one, list | tuple) else value for value, one in zip(values, metas)]
        self.values[node] = found[0] if isinstance(meta, Tensor) or _is_list(target) else found

    def _scalar(self, node: fx.Node, meta: Any) -> None:
        """A size; or the number in a tensor, which becomes a symbol."""
        if str(node.target) in ("aten._local_scalar_dense.default", "aten.item.default"):
            (tensor,) = node.args
            value = self.builder.create("pd_op.reshape", [self.values[tensor], None], {"shape": []}).results[0]  # type: ignore[index]
            dtype = "float64" if isinstance(meta, torch.SymFloat) else "int64"
            cast = self.builder.create("pd_op.cast", [value], {"dtype": dtype})
            cast.attributes["stop_gradient"] = [True]  # a number of Python's has no gradient
            value = cast.results[0]
            number = expression(meta)
            self.sizes.define(number.lhs if isinstance(number, sympy.Equality) else number, value, None)  # a bool is u0 == 1

    def _assertion(self, node: fx.Node) -> None:
        """Of a number that only data tells; a run checks the sizes of its inputs by itself."""
        condition: Any = self._argument(node.args[0])
        if not any(symbol_is_type(one, _OF_DATA) for one in getattr(condition, "free_symbols", ())) or self.always(condition):
            return
        try:
            operands = [self.sizes.scalar(condition)]
        except NotImplementedError:
            return  # no operator says it
        attributes = {"target": "aten._assert_async.msg", "assert_msg": node.args[1], "inputs": ["self"]}
        self.builder.create("torch.call", operands, attributes, [], 0, self.location(node), undeclared=True)

    def always(self, condition: Any) -> bool:
        """Whether sizes, which are never negative, fulfil it anyway."""
        symbols: set[Any] = getattr(condition, "free_symbols", set())
        sizes = {one: sympy.Symbol(one.name, integer=True, nonnegative=True) for one in symbols if self.sizes.is_size(one)}
        return not symbols or condition.subs(sizes) is sympy.true

    def _elements(self, value: ir.Value | None, metas: Sequence[Any]) -> list[Any]:
        if value is None or value.type is None:
            return []
        elements = self.builder.create("builtin.split", [value], result_types=value.type.elements).results
        for element, meta in zip(elements, metas):
            self.define(element, meta)
        return elements

    def _name(self, value: ir.Value | None, meta: Any, name: str) -> None:
        if value is None or not isinstance(meta, Tensor):
            return
        if not value.name:
            value.name = name
        if value.type is not None and -1 in value.type.shape:
            value.type = self.type(meta)
        self.define(value, meta)

    def define(self, value: ir.Value, meta: Tensor | None) -> None:
        """Sizes that only data tells are those of the first value that has them."""
        for dim, size in enumerate(() if meta is None else meta.shape):
            self.sizes.define(expression(size), value, dim)

    def arguments(
        self, target: OpOverload, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """By name: those that are given, and the defaults."""
        schema = target._schema.arguments
        given = {argument.name: value for argument, value in zip(schema, args)} | dict(kwargs)
        defaults = {argument.name: argument.default_value for argument in schema}
        return {name: self._argument(given.get(name, default)) for name, default in defaults.items()}, defaults

    def _argument(self, value: Any) -> Any:
        if isinstance(value, fx.Node):
            meta = value.meta.get("val")
            if isinstance(meta, Tensor):
                return Operand(self.values[value], meta)
            if isinstance(meta, list | tuple):
                return [Operand(one, each) for one, each in zip(self.values[value], meta)]
            return expression(meta)
        if isinstance(value, list | tuple):
            return [self._argument(one) for one in value]
        return expression(value)

    def _by_rows(
        self,
        node: fx.Node,
        target: OpOverload,
        arguments: Mapping[str, Any],
        defaults: Mapping[str, Any],
        metas: Sequence[Any],
    ) -> list[Any] | None:
        namespace, _, name = target._schema.name.partition("::")
        first = next((meta for meta in metas if meta is not None), None)
        calls = self._calls(node, metas)
        own = name if namespace == "phi" else f"{namespace}.{name}"
        if target._overloadname == "default" and (namespace == "phi" or _has_kernel(own)):
            try:
                given = {key: value for key, value in arguments.items() if key != "device"}
                return calls.make(own, given).results[: len(metas)]
            except NoFit:
                calls.undo()
        if (
            namespace != "aten"
            or first is None
            or any(dtype in _WITHOUT_KERNELS for dtype in _dtypes([*arguments.values(), *metas]))
        ):
            return None
        used = [True] if _is_list(target) else self._used(node, len(metas))
        for row in rows().get(f"{name}.{target._overloadname}", ()):
            if row.fits(arguments, defaults, first):
                try:
                    return row.results(arguments, metas, used, calls)
                except NoFit:
                    calls.undo()
        return None

    def _calls(self, node: fx.Node, metas: Sequence[Any]) -> Calls:
        types = [self.type(meta) for meta in metas]
        sizes = Sizes(self.sizes.scalar, self.sizes.vector)
        return Calls(self.builder, sizes, self.location(node), types, self.differentiated)

    def _used(self, node: fx.Node, count: int) -> list[bool]:
        """Which results are used."""
        if not isinstance(node.meta["val"], list | tuple):
            return [True] * count
        taken = [user.args[1] for user in node.users if user.target is operator.getitem and user.users]
        all_of_them = any(user.target is not operator.getitem for user in node.users)
        return [all_of_them or index in taken for index in range(count)]

    def type(self, meta: Any) -> ir.Type | None:
        context = self.builder.program.context
        if meta is None:
            return None
        if isinstance(meta, list | tuple):
            return context.vector([self.type(one) for one in meta])
        if meta.layout != torch.strided:
            raise NotImplementedError(f"a tensor of the layout {meta.layout}")
        return context.dense_tensor(dtype_name(meta.dtype), self.sizes.dims(meta.shape, ranges_of(meta.shape), "size"))

    def torch_call(
        self,
        node: fx.Node,
        target: OpOverload,
        arguments: Mapping[str, Any],
        defaults: Mapping[str, Any],
        metas: Sequence[Any],
    ) -> list[Any]:
        operands, names = [], []
        attributes: dict[str, Any] = {"target": str(target)}
        tensors = {one.name for one in target._schema.arguments if str(one.type) == "Tensor"}
        promotes = not any(isinstance(one, Operand) and one.meta.is_floating_point() for one in arguments.values())
        for name, value in arguments.items():
            is_number = name in tensors and (isinstance(value, int | float | complex) or (promotes and _is_float(value)))
            found = self._number(value, metas[0]) if is_number else self._operand(value)
            if found is not None:
                operands.append(found)
                names.append(name)
            elif value is not None and value != defaults[name]:
                attributes[name] = self._constant(value)
            elif value is None and defaults[name] is not None:
                raise GraphError(f"node '{node.name}': argument '{name}' of {target} is None, which is not its default")
        attributes["inputs"] = names
        types = [self.type(meta) for meta in metas]
        return self.builder.create("torch.call", operands, attributes, types, 0, self.location(node), undeclared=True).results

    def _number(self, value: Any, result: Tensor) -> ir.Value:
        """A number in the place of a tensor, which does not promote others of its kind."""
        if _is_size(value):
            dtype = dtype_name(result.dtype) if result.is_floating_point() else "float32"
            return self.builder.create("pd_op.cast", [self.sizes.scalar(value)], {"dtype": dtype}).results[0]
        dtype = "bool" if isinstance(value, bool) else "int64"
        if isinstance(value, float):
            dtype = dtype_name(result.dtype) if result.is_floating_point() else "float32"
        if isinstance(value, complex):
            dtype = "float64" if result.dtype == torch.complex128 else "float32"
            parts = [self._full(part, dtype) for part in (value.real, value.imag)]
            return self.builder.create("pd_op.complex", parts).results[0]
        if dtype != "int64":
            return self._full(float(value), dtype)
        made = self._integer(value, dtype)
        if result.dim() == 0 and (kind := dtype_name(result.dtype)).startswith(("int", "uint")):
            # scalars promote each other
            return self.builder.create("pd_op.cast", [made], {"dtype": kind}).results[0]
        return made

    def _integer(self, value: int, dtype: str) -> ir.Value:
        """Attributes hold numbers as doubles, which are not exact above 2**53."""
        if int(float(value)) == value:
            return self._full(float(value), dtype)
        parts = [self._full(float(part), dtype) for part in (value >> 32 << 32, value & 0xFFFFFFFF)]
        return self.builder.create("pd_op.add", parts).results[0]

    def _full(self, value: float, dtype: str) -> ir.Value:
        return self.builder.create("pd_op.full", attributes={"shape": [], "value": value, "dtype": dtype}).results[0]

    def _operand(self, value: Any) -> ir.Value | None:
        """A tensor, a list of tensors, or sizes that are not known; None for what is a constant."""
        if isinstance(value, Operand):
            return value.value  # type: ignore[no-any-return]
        if isinstance(value, list):
            if any(isinstance(one, Operand) for one in value):
                return self.builder.create("builtin.combine", [one and one.value for one in value]).results[0]
            return self.sizes.vector(value) if any(_is_size(one) for one in value) else None
        return self.sizes.scalar(value) if _is_size(value) else None

    def _constant(self, value: Any) -> Any:
        return self.constant(self.builder.program.context, value)

    @staticmethod
    def constant(context: ir.Context, value: Any) -> Any:
        """What an attribute of `torch.call` holds for an argument."""
        if isinstance(value, torch.dtype):
            return context.attribute("dtype", dtype_name(value))
        if isinstance(value, torch.device):
            if value.type not in ("cpu", "cuda"):
                raise NotImplementedError(f"a tensor on {value}")
            return context.attribute("place", "cpu" if value.type == "cpu" else f"gpu:{value.index or 0}")
        if isinstance(value, torch.layout):
            return str(value).removeprefix("torch.")
        return _MEMORY_FORMATS[value] if isinstance(value, torch.memory_format) else value


def _has_kernel(op: str) -> bool:
    """Of an operator of an extension: whether an executable can call it."""
    info = ir.op_info(op)
    return info is not None and info.kernel is not None


def _dtypes(values: Sequence[Any]) -> set[torch.dtype]:
    """Of the tensors among arguments and results."""
    metas = (
        one.meta if isinstance(one, Operand) else one for one in tree_leaves(list(values), lambda one: isinstance(one, Operand))
    )
    return {meta.dtype for meta in metas if isinstance(meta, Tensor)}


def _is_list(target: OpOverload) -> bool:
    """Whether the only result is a list."""
    returns = target._schema.returns
    return len(returns) == 1 and "List" in str(returns[0].type)


def _is_float(value: Any) -> bool:
    return _is_size(value) and value.is_integer is not True


def _is_size(value: Any) -> bool:
    return hasattr(value, "free_symbols")
