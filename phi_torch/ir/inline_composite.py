"""An operation as the operations of its operator's composite."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, fx
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.experimental.symbolic_shapes import ShapeEnv

from .. import ir
from .._op_info import OpInfo
from ..decompositions import composite
from .from_torch.nodes import Nodes, Weight
from .from_torch.sizes import expression
from .paddle.names import torch_dtype
from .to_torch.call import Call
from .to_torch.sizes import as_numbers
from .to_torch.values import Numbers, Values

_MOST = 2**62  # of a size


class NoTrace(Exception):
    """An operation whose composite cannot be traced."""


def inline(op: ir.Operation, info: OpInfo) -> bool:
    """Puts the operations of the composite in the place of `op`; False, and nothing has changed, where that cannot be."""
    return replaced(op, lambda: _Call(op, info), info.composite_only)


def replaced(op: ir.Operation, make: Callable[[], Traced], calls_torch: bool = True) -> bool:
    """Puts the operations of what is traced in the place of `op`; False, and nothing has changed, where that cannot be.

    Args:
        calls_torch: whether operators of torch may be among them.
    """
    recorder = Recorder(ir.Builder(op.program).before(op))
    try:
        call = make()
        inlining = _Inlining(op, call.traced(), call, recorder)
        inlining.convert()
        results = [_fitting(old, new, op.info.is_registered) for old, new in zip(op.results, inlining.results)]
        made = [one for one in recorder.made if not one.is_erased]
        if any(one.name == op.name or (one.name == "torch.call" and not calls_torch) for one in made):
            raise NoTrace
    except (NoTrace, RuntimeError, ValueError, TypeError):  # the last ones are a composite's that asks for a size
        recorder.undo()
        return False
    for old, new in zip(op.results, results):
        if new is not None:
            if new.defining_op not in made:  # an operand, which others may write
                new = recorder.create("pd_op.assign", [new], {}, location=op.location).results[0]
            old.replace_all_uses_with(new)
            new.name = old.name
    op.erase()
    return True


def call_torch(op: ir.Operation, info: OpInfo) -> bool:
    """Puts `torch.call` of the operator in the place of `op`, whose composite a run has to trace; False, and nothing has changed,
    where a number that only a run tells is an argument of which no overload takes a tensor, or a result is not wanted."""
    try:
        call = _Call(op, info, takes_data=True)
    except NoTrace:
        return False
    made = next(node for node in call.values.graph.nodes if node.target is call.overload)
    if op.regions:
        return False
    tensors = {
        one.name: value for one, value in zip(op.info.inputs, op.operands) if not one.is_mutable_attribute or one.name in call.data
    }
    operands = {name: value for name, value in tensors.items() if value is not None}
    attributes: dict[str, Any] = {"target": str(call.overload), "inputs": [*operands]}
    for index, argument in enumerate(call.overload._schema.arguments):
        given = made.args[index] if index < len(made.args) else made.kwargs.get(argument.name, argument.default_value)
        if argument.name not in tensors and given is not None and given != argument.default_value:
            attributes[argument.name] = Nodes.constant(op.program.context, given)
    types = [one.type for one in op.results]
    said = [one and one.dtype for one in types]
    given = [_of_dtype(op.program, one, dtype) for one, dtype in zip(types, call.dtypes())]
    builder = ir.Builder(op.program).before(op)
    new = builder.create("torch.call", [*operands.values()], attributes, given, 0, op.location, undeclared=True)
    for old, result in zip(op.results, new.results):
        old.replace_all_uses_with(result)
        result.name = old.name
    op.erase()
    if said != [one and one.dtype for one in given]:
        new.program.refine_types()
    return True


def _of_dtype(program: ir.Program, type: ir.Type | None, dtype: str) -> ir.Type | None:
    """PaddlePaddle does not say of all results in its files what they are."""
    if type is None or type.kind != "dense_tensor" or type.dtype == dtype or not dtype:
        return type
    return program.context.tensor_like(type.kind, dtype, type.dims, type.layout)


class Recorder:
    """A builder that knows what it made."""

    def __init__(self, builder: ir.Builder) -> None:
        self.program, self._builder = builder.program, builder
        self.made: list[ir.Operation] = []

    def create(self, *args: Any, **kwargs: Any) -> ir.Operation:
        self.made.append(self._builder.create(*args, **kwargs))
        return self.made[-1]

    def undo(self) -> None:
        for op in reversed(self.made):
            if op.is_erased:
                continue
            if op.name == "builtin.parameter":
                del self.program.weights[op.attributes["name"]]
            op.erase()


class Traced:
    """A graph of what `op` computes, with operands that a run tells as its inputs, and numbers that are constants as such."""

    differentiates = False  # whether it asks torch for gradients

    def __init__(self, op: ir.Operation) -> None:
        self.op = op
        self.values = Values()
        self.operands: list[ir.Value] = []  # what the inputs are
        self.symbols: dict[Any, str] = {}  # of torch -> of the program

    @property
    def table(self) -> dict[Any, Callable[..., Any]]:
        """What operators of torch become where they are traced."""
        return {}

    def input(self, value: ir.Value) -> None:
        if value.type is not None and value.type.kind == "vector":
            made = value.defining_op
            if made is None or made.name != "builtin.combine":
                raise NoTrace
            for one in made.operands:
                if one is not None:
                    self.input(one)
            self.values[value] = [self.values.known(one) for one in made.operands]
        elif not self.values.is_own(value):
            if value.type is None or value.type.kind != "dense_tensor":
                raise NoTrace
            self.values[value] = self.values.input()
            self.operands.append(value)

    def constant(self, value: ir.Value) -> None:
        made = value.defining_op
        if made is not None and made.name == "builtin.combine":
            for one in made.operands:
                if one is None:
                    raise NoTrace
                self.constant(one)
            self.values[value] = [self.values.known(one) for one in made.operands]
            return
        if made is None or made.regions:
            raise NoTrace
        if made.name == "pd_op.assign_value_":  # what `paddle.to_tensor` of a number becomes
            numbers: Any = _assigned(made)
        else:
            for one in made.operands:
                if one is not None:
                    self.constant(one)
            numbers = as_numbers(made, self.values)
        if numbers is None:
            raise NoTrace
        self.values[value] = numbers

    def traced(self) -> fx.GraphModule:
        """The graph, over sizes of which torch knows nothing but their bounds.

        Raises:
            NoTrace: it holds for some sizes only.
        """
        env = ShapeEnv()
        mode = FakeTensorMode(shape_env=env)
        sizes = _Sizes(self.op.program, env)
        with env.ignore_fresh_unbacked_symbols():
            dims = [[sizes.of(dim) for dim in _type(value).dims] for value in self.operands]
        with mode:
            inputs = [torch.empty(shape, dtype=torch_dtype(_type(value).dtype)) for shape, value in zip(dims, self.operands)]
        module = fx.GraphModule(torch.nn.Module(), self.values.graph)
        with torch.no_grad(), torch._guards.tracing(None), _silent():  # not a part of what Dynamo traces around it
            if self.differentiates:  # which is no part of what is made functional
                module = make_fx(module, tracing_mode="symbolic", _allow_non_fake_inputs=True)(*inputs)
            made = make_fx(torch.func.functionalize(module), self.table, tracing_mode="symbolic", _allow_non_fake_inputs=True)(
                *inputs
            )
        if env.guards or env.deferred_runtime_asserts:
            raise NoTrace
        made.graph.eliminate_dead_code()
        self.symbols = sizes.symbols
        return made


@contextmanager
def _silent() -> Iterator[None]:
    """What cannot be traced is no error here, of which torch's log tells at length."""
    log = logging.getLogger("torch._subclasses.fake_tensor")
    before, log.disabled = log.disabled, True
    try:
        yield
    finally:
        log.disabled = before


class _Call(Traced):
    """One call of an operator."""

    def __init__(self, op: ir.Operation, info: OpInfo, takes_data: bool = False) -> None:
        super().__init__(op)
        self.info = info
        self.data: set[str] = set()  # numbers that are inputs
        for value, one in zip(op.operands, op.info.inputs):
            if value is not None and one.is_mutable_attribute:
                try:
                    self.constant(value)
                except NoTrace:
                    if not takes_data:
                        raise
                    self.input(value)
                    self.data.add(one.name)
            elif value is not None:
                self.input(value)
        call = Call(op, info, info.name, self.values)
        if not self.data <= call.numbers:
            raise NoTrace
        self.overload = call.overload
        call.results(call.emit(), {})
        found = [self.values.known(one) if one.type is not None and self.values.is_own(one) else None for one in op.results]
        self.values.graph.output(tuple(found))

    @property
    def table(self) -> dict[Any, Callable[..., Any]]:
        return {self.overload: composite(self.info.full_name).masked}

    def dtypes(self) -> list[str]:
        """Those of the results, "" for one that is not there or not known."""
        unknown = [""] * len(self.op.results)
        if self.op.effects.is_random:
            return unknown
        dims = [[dim if isinstance(dim, int) else _EXAMPLE for dim in _type(one).dims] for one in self.operands]
        inputs = [torch.zeros(sizes, dtype=torch_dtype(_type(one).dtype)) for sizes, one in zip(dims, self.operands)]
        try:
            with torch.no_grad(), torch._guards.tracing(None):
                found = fx.GraphModule(torch.nn.Module(), self.values.graph)(*inputs)
        except (RuntimeError, ValueError, TypeError, IndexError):  # a composite's that wants other sizes or values than these
            return unknown
        return [str(one.dtype).removeprefix("torch.") if isinstance(one, Tensor) else "" for one in found]


def _assigned(op: ir.Operation) -> Numbers | None:
    shape, dtype = op.attributes["shape"], op.attributes["dtype"]
    if len(shape) > 1 or "complex" in dtype:
        return None
    convert = bool if dtype == "bool" else float if "float" in dtype else int
    return Numbers(tuple(convert(one) for one in op.attributes["values"]), len(shape), dtype)


_EXAMPLE = 4  # a size


class _Sizes:
    """The sizes of types as torch's."""

    def __init__(self, program: ir.Program, env: ShapeEnv) -> None:
        self.program, self.env = program, env
        self.symbols: dict[Any, str] = {}
        self._of: dict[str, Any] = {}

    def of(self, dim: int | str) -> Any:
        if isinstance(dim, int):
            return dim
        if dim == "?":
            return self._new(0, None)
        names = {name: self._symbol(name) for name in self.program.symbols if name in dim}
        functions = {"floordiv": lambda a, b: a // b, "mod": lambda a, b: a % b, "max": torch.sym_max, "min": torch.sym_min}
        return eval(dim, {"__builtins__": {}}, {**functions, **names})

    def _symbol(self, name: str) -> Any:
        if name not in self._of:
            _, lower, upper, _ = self.program.symbols[name]
            self._of[name] = self._new(lower, upper)
            self.symbols[self._of[name].node.expr] = name
        return self._of[name]

    def _new(self, lower: int, upper: int | None) -> Any:
        size = self.env.create_unbacked_symint()
        self.env.constrain_symbol_range(size.node.expr, lower, _MOST if upper is None else upper)
        return size


class _Inlining(Nodes):
    """The nodes of a composite's graph before an operation."""

    def __init__(self, op: ir.Operation, graph: fx.GraphModule, call: Traced, recorder: Recorder) -> None:
        super().__init__(graph, recorder)  # type: ignore[arg-type]
        self.op = op
        self.results: list[ir.Value | None] = []
        self.sizes.names.update(call.symbols)
        placeholders = [node for node in graph.graph.nodes if node.op == "placeholder"]
        for node, value in zip(placeholders, call.operands):
            self.values[node] = value
            for dim, size in enumerate(node.meta["val"].shape):
                self.sizes.define(expression(size), value, dim)

    def location(self, node: fx.Node) -> str:
        return self.op.location

    def parameter(self, weight: Weight, is_mutable: bool = False) -> ir.Value:
        weights, count = self.op.program.weights, 0
        base = name = f"{self.op.name}.constant"
        while name in weights:
            count += 1
            name = f"{base}.{count}"
        return super().parameter(Weight(name, weight.tensor, False))

    def output(self, returned: Sequence[Any]) -> None:
        for one in returned:
            if isinstance(one, list | tuple):
                self.results.append(self.builder.create("builtin.combine", [self.values[each] for each in one]).results[0])
            else:
                self.results.append(self.values[one] if isinstance(one, fx.Node) else None)


def _type(value: ir.Value) -> ir.Type:
    assert value.type is not None
    return value.type


def _fitting(old: ir.Value, new: ir.Value | None, is_inferred: bool) -> ir.Value | None:
    """A value that may stand where another does: of its dtype, and of its sizes as far as both are known.

    Args:
        is_inferred: whether the symbols of the old one's sizes follow from the operands, or only stand for unknown ones.
    """
    if old.type is None or (new is None and not old.uses):
        return None
    if new is None or new.type is None or new.type.kind != old.type.kind:
        raise NoTrace
    pairs = zip(old.type.elements, new.type.elements) if old.type.kind == "vector" else [(old.type, new.type)]
    for a, b in pairs:
        if a is None or b is None or a.dtype != b.dtype or len(a.dims) != len(b.dims):
            raise NoTrace
        known = (pair for pair in zip(a.dims, b.dims) if "?" not in pair)
        if any(x != y and (is_inferred or (isinstance(x, int) and isinstance(y, int))) for x, y in known):
            raise NoTrace
    if new.type != old.type and old.type.kind != "vector" and "?" in new.type.dims:
        new.type = old.type
    return new
