"""A program as a torch module: a graph of torch.fx over the operators of torch.ops.phi."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from typing import Any

import torch
from torch import fx, nn

from ... import ir
from ..._expect import expect
from ..._paddle.state_names import add_tensor
from ..derived_gradients import expand, gradient_of
from ..paddle.names import torch_dtype
from ..program_calls import define_calls
from ..torch_names import argument_names, op_info_of
from . import run
from .arrays import pop_array, write_array
from .call import Call
from .loops import Rounds, known_rounds
from .shape_calls import SHAPE_CALLS
from .sizes import as_numbers
from .torch_calls import call_target
from .values import Values, tensor_of

PARAMETER = "builtin.parameter"
_STOPPED = ("pd_op.data", "pd_op.assign", "pd_op.share_data_")  # inputs, and what detaches by its own rule


def to_module(program: ir.Program) -> fx.GraphModule:
    """The program as a module, whose parameters are the program's weights: they share their memory, and have their names.

    The module takes the inputs in the program's order, or by name (`x.0` is `x_0`), and gives one tensor, or a tuple of all
    outputs. It trains, moves to other devices, compiles and exports as any other; operators are those of `torch.ops.phi`, with
    their gradients.
    Parameters that do not train require no gradient; weights that the program writes are buffers. Branches and loops run in Python,
    and are `torch.cond` and `torch.while_loop` in what is compiled or exported; a loop over arrays is all of its rounds there, and
    their number must be known.

    Raises:
        NotImplementedError: operators that torch.ops has not; all of them are named, with how often each is there.
        ValueError: the program lacks a weight.
    """
    expect("to_module", "program", program, ir.Program, "ir.load reads files")
    program.verify()
    define_calls(program)
    if any(gradient_of(name) is not None for name in program.counts()):
        program = program.clone()
        expand(program)
    _check(program)
    return _Module(program).module


def _check(program: ir.Program) -> None:
    missing = {name: count for name, count in program.counts().items() if name not in _RULES and op_info_of(name) is None}
    if missing:
        lines = "".join(f"\n  {name}, {count} times" for name, count in missing.items())
        raise NotImplementedError(f"{len(missing)} operators have no function in torch.ops:{lines}")


class _Module:
    """The module while it is made."""

    def __init__(self, program: ir.Program) -> None:
        self.program, self.arguments = program, argument_names(program)
        self.root = nn.Module()
        self.outputs: list[tuple[int, Any]] = []
        aliased = any(
            op.has_trait("Inplace") and any(x is not None and _is_aliased(x) for x in op.operands) for op in program.walk()
        )
        values = Values(mutates=aliased)
        self.block(program.block, values)
        found = [node for _, node in sorted(self.outputs, key=lambda one: one[0])]
        values.graph.output(found[0] if len(found) == 1 else tuple(found))
        self.module = self.graph_module(self.root, values.graph)
        _complete(self.module, self.root)

    def graph_module(self, root: nn.Module, graph: fx.Graph) -> fx.GraphModule:
        for node in reversed(graph.nodes):
            if not node.users and (node.op == "get_attr" or node.op == "call_method"):
                graph.erase_node(node)
        graph.lint()
        module = fx.GraphModule(root, graph, "Program")
        module._non_persistent_buffers_set |= root._non_persistent_buffers_set & module._buffers.keys()  # it copies tensors alone
        return module

    def block(self, block: ir.Block, values: Values) -> None:
        for op in block.operations:
            rule = _RULES.get(op.name)
            numbers = None if any(_is_aliased(one) for one in op.results) else as_numbers(op, values)
            if numbers is not None:
                values[op.results[0]] = numbers
            elif rule is not None:
                rule(self, op, values)
            else:
                self.call(op, values)
            values.guessed_ranks.note(op)
            if block == self.program.block:  # of a loop PaddlePaddle says it by what comes into its first round alone
                _stop(op, values)

    def call(self, op: ir.Operation, values: Values) -> None:
        info = op_info_of(op.name)
        assert info is not None
        name = op.name.partition(".")[2]
        if not op.has_trait("Inplace"):
            self.pure(op, Call(op, info, info.name, values))
        elif info.name != name and not any(x is not None and _is_aliased(x) for x in op.operands):
            self.functional(op, Call(op, info, info.name, values))
        else:
            call = Call(op, info, name, values)
            node = call.emit()
            call.results(node, {out: values.tensor(call.operands[into]) for into, out in _pairs(call)})

    def pure(self, op: ir.Operation, call: Call) -> None:
        node = call.emit()
        if call.values.mutates and op.has_trait("ViewLike") and op.results[0].type.value_semantics:  # type: ignore[union-attr]
            node = call.values.call(torch.clone, node)
        call.results(node, {})

    def functional(self, op: ir.Operation, call: Call) -> None:
        """In place is another value under the same name; a weight gets it."""
        call.results(call.emit(), {})
        if op.attributes.get("is_test"):
            return
        results = dict(zip((one.name for one in op.info.outputs), op.results))
        for into, out in _pairs(call):
            operand = call.operands[into]
            if operand is not None and results[out].type is not None:
                for one in call.values.share(operand, results[out]):
                    self.write(one, call.values.known(results[out]), call.values)

    def write(self, value: ir.Value, known: Any, values: Values) -> None:
        op = value.defining_op
        if op is not None and op.name == PARAMETER and self.program.weights[op.attributes["name"]].is_mutable:
            values.call(run.store, values.tensor(value), values.as_tensor(known))
        else:
            values.write(value, known)

    def regions(
        self, op: ir.Operation, outer: Values, rounds: Rounds | None = None
    ) -> tuple[list[fx.Node], list[fx.Node], list[ir.Value]]:
        """The modules of an operation's regions, as nodes, the outer values that each takes after its arguments, and those that
        one writes: each gives them after what it yields, and a loop carries them after its own values. With what it counts its
        rounds is a number."""
        blocks = [region.blocks[0] for region in op.regions]
        carries, written = op.name == "pd_op.while", list[ir.Value]()
        while True:
            inner, arguments = [], []
            for block in blocks:
                values = Values(outer)
                taken = [*block.arguments, *(written if carries else ())]
                arguments.append([values.input() for _ in taken])
                for argument, node in zip(taken, arguments[-1]):
                    values[argument] = node
                if rounds is not None:
                    node = arguments[-1][rounds.counter]
                    values[block.arguments[rounds.counter]] = rounds.start._replace(items=(node,))
                self.block(block, values)
                inner.append(values)
            found = list(dict.fromkeys(value for values in inner for value in values.written))
            written = [*written, *found]
            if not (carries and found):
                break  # else once more, with what a round writes as what the next one begins with
        for block, values in zip(blocks, inner):
            values.graph.output(tuple(values.tensor(one) for one in [*block.operations[-1].operands, *written]))
        captured = list(dict.fromkeys(node for values in inner for node in values.captured))
        modules = []
        for values, own in zip(inner, arguments):
            values.take(own, captured)
            name = next(f"region_{i}" for i in itertools.count() if not hasattr(self.root, f"region_{i}"))
            self.root.add_module(name, self.graph_module(self.root, values.graph))
            modules.append(outer.graph.get_attr(name))
        return modules, captured, written

    def after_regions(self, op: ir.Operation, node: fx.Node, written: list[ir.Value], values: Values) -> None:
        self.unpack(op, node, values)
        for index, value in enumerate(written, len(op.results)):
            self.write(value, values.call(operator.getitem, node, index), values)

    def unpack(self, op: ir.Operation, node: fx.Node, values: Values) -> None:
        for index, result in enumerate(op.results):
            values[result] = values.call(operator.getitem, node, index)

    def define(self, op: ir.Operation, node: fx.Node, values: Values, is_mutable: bool = False) -> None:
        """An input or a weight; a program that writes to one writes to a copy."""
        (result,) = op.results
        copies = values.mutates and _is_aliased(result) and not is_mutable
        values[result] = values.call(torch.clone, node) if copies else node


def _complete(module: nn.Module, root: nn.Module) -> None:
    """The state has what no operation uses too, and all names of a parameter: a graph's module takes what the graph names."""
    hidden = root._non_persistent_buffers_set
    for tensors in (root._parameters, root._buffers):
        for name, tensor in tensors.items():
            if name not in hidden and not hasattr(module, name):
                setattr(module, name, tensor) if isinstance(tensor, nn.Parameter) else module.register_buffer(name, tensor)
    module._non_persistent_buffers_set |= hidden & module._buffers.keys()
    for name, child in root._modules.items():
        if child is not None and not isinstance(child, fx.GraphModule):  # those are regions, which are whole
            if name not in module._modules:
                module.add_module(name, nn.Module())
            _complete(module.get_submodule(name), child)


def _stop(op: ir.Operation, values: Values) -> None:
    """Results of which the operator says that they pass no gradients on, as those in `paddle.no_grad()`."""
    flags = op.attributes.get("stop_gradient")
    if not isinstance(flags, list) or op.regions or op.name in _STOPPED:
        return
    for result, stops in zip(op.results, flags):
        type = result.type
        if not stops or not values.is_own(result) or type is None or type.kind != "dense_tensor" or _is_aliased(result):
            continue  # what nobody wants has no node
        if type.dtype.startswith(("float", "bfloat", "complex")) and isinstance(known := values.known(result), fx.Node):
            values[result] = values.call(torch.detach, known)


def _is_aliased(value: ir.Value) -> bool:
    return value.type is not None and value.type.kind == "dense_tensor" and not value.type.value_semantics


def _pairs(call: Call) -> list[tuple[str, str]]:
    names = {one.name for one in call.op.info.inputs}
    return [(into, out) for into, out in call.info.inplace if into in names]


def _parameter(self: _Module, op: ir.Operation, values: Values) -> None:
    name, type = op.attributes["name"], op.results[0].type
    if name not in self.program.weights and not op.attributes.get("persistable", True) and type is not None:
        sizes = [1 if size < 0 else size for size in type.shape]
        _buffer(self, op, torch.zeros(sizes, dtype=torch_dtype(type.dtype)), values)  # a state that nobody set
        return
    if name not in self.program.weights:
        raise ValueError(f"the program has no weight '{name}'; set it: program.weights.set(name, tensor)")
    weight = self.program.weights[name]
    differentiates = weight.data.is_floating_point() or weight.data.is_complex()
    stops = not op.attributes.get("trainable", True) or op.attributes.get("stop_gradient", False) is True
    trains = differentiates and not stops
    is_parameter = not weight.is_mutable and (trains or op.attributes.get("is_parameter", True))
    names = op.attributes.get("state_names", [name])
    module, last = add_tensor(self.root, name, weight.data, is_parameter, trains, bool(names))
    for other in names[1:]:
        add_tensor(self.root, other, getattr(module, last), is_parameter)
    path = next(path for path, one in self.root.named_modules() if one is module)
    node = values.graph.get_attr(f"{path}.{last}" if path else last)
    self.define(op, node, values, weight.is_mutable)


def _constant(self: _Module, op: ir.Operation, values: Values) -> None:
    attribute = op.attribute("value")
    if attribute is None or attribute.kind != "tensor":
        raise NotImplementedError("builtin.constant: attribute 'value': expected a tensor")
    _buffer(self, op, tensor_of(attribute), values)


def _buffer(self: _Module, op: ir.Operation, tensor: torch.Tensor, values: Values) -> None:
    """A tensor that is no weight."""
    name = next(f"constant_{i}" for i in itertools.count() if not hasattr(self.root, f"constant_{i}"))
    self.root.register_buffer(name, tensor, persistent=False)
    self.define(op, values.graph.get_attr(name), values)


def _data(self: _Module, op: ir.Operation, values: Values) -> None:
    name, (result,) = op.attributes["name"], op.results
    node = values.graph.placeholder(self.arguments[name])
    if result.type is not None and result.type.kind == "dense_tensor":
        values.call(run.check_input, node, name, str(result.type), result.type.shape, torch_dtype(result.type.dtype))
    self.define(op, node, values)


def _fetch(self: _Module, op: ir.Operation, values: Values) -> None:
    self.outputs.append((op.attributes.get("col", 0), values.tensor(op.operands[0])))
    for result in op.results:
        values[result] = values.known(op.operands[0])


def _set_parameter(self: _Module, op: ir.Operation, values: Values) -> None:
    name = op.attributes["parameter_name"]
    if name not in self.program.weights or not self.program.weights[name].is_mutable:
        raise ValueError(f"weight '{name}' is written, but is not mutable; set it with is_mutable=True")
    parameter = next(o for o in self.program.walk() if o.name == PARAMETER and o.attributes["name"] == name)
    values.call(run.store, values.tensor(parameter.results[0]), values.tensor(op.operands[0]))


def _combine(self: _Module, op: ir.Operation, values: Values) -> None:
    values[op.results[0]] = [values.known(one) for one in op.operands]


def _split(self: _Module, op: ir.Operation, values: Values) -> None:
    assert op.operands[0] is not None
    for result, element in zip(op.results, values.elements(op.operands[0])):
        values[result] = element


def _slice(self: _Module, op: ir.Operation, values: Values) -> None:
    assert op.operands[0] is not None
    values[op.results[0]] = values.elements(op.operands[0])[op.attributes["index"]]


def _same(self: _Module, op: ir.Operation, values: Values) -> None:
    known = values.known(op.operands[0])
    copies = values.mutates and isinstance(known, fx.Node)
    values[op.results[0]] = values.call(torch.clone, known) if copies else known


def _assign(self: _Module, op: ir.Operation, values: Values) -> None:
    if op.attributes.get("stop_gradient") == [True]:
        values[op.results[0]] = values.call(torch.detach, values.tensor(op.operands[0]))
    else:
        self.call(op, values)


def _if(self: _Module, op: ir.Operation, values: Values) -> None:
    (then, otherwise), captured, written = self.regions(op, values)
    node = values.call(run.run_if, values.tensor(op.operands[0]), then, otherwise, captured)
    self.after_regions(op, node, written, values)


def _while(self: _Module, op: ir.Operation, values: Values) -> None:
    condition, *carried = [values.tensor(one) for one in op.operands]
    rounds = known_rounds(op, values)
    (body,), captured, written = self.regions(op, values, rounds)
    carried += [values.tensor(one) for one in written]
    if rounds is None:
        node = values.call(run.run_while, condition, body, carried, captured)
    else:
        counts = [*rounds.start.items, rounds.stop, rounds.step]
        node = values.call(run.run_rounds, rounds.counter, counts, body, carried, captured)
    self.after_regions(op, node, written, values)


def _fused(self: _Module, op: ir.Operation, values: Values) -> None:
    """What it consists of: fusing is the compiler's."""
    (block,) = op.regions[0].blocks
    self.block(block, values)
    values[op.results[0]] = values.known(block.operations[-1].operands[0])


def _by(function: Callable[..., Any], *arguments: str) -> Rule:
    """A function of operands, and of attributes (`.axis`) that may be operands too."""

    def rule(self: _Module, op: ir.Operation, values: Values) -> None:
        operands = {one.name: value for one, value in zip(op.info.inputs, op.operands)}

        def argument(name: str) -> Any:
            if not name.startswith("."):
                return values.tensor(operands[name])
            value = operands.get(name[1:])
            return op.attributes.get(name[1:]) if value is None else values.number(value)

        node = values.call(function, *(argument(name) for name in arguments))
        if len(op.results) > 1:
            self.unpack(op, node, values)
        for result in op.results[:1] if len(op.results) == 1 else ():
            values[result] = node

    return rule


def _assign_out(self: _Module, op: ir.Operation, values: Values) -> None:
    x, output = op.operands
    _replace(self, op, output, values.call(torch.clone, values.tensor(x)), values)


def _replace(self: _Module, op: ir.Operation, operand: ir.Value | None, node: fx.Node, values: Values) -> None:
    """Another tensor in the place of an operand, whose memory gets it where others may see that."""
    assert operand is not None
    if _is_aliased(operand):
        node = values.call(torch.ops.aten.copy_.default, values.tensor(operand), node)
    values[op.results[0]] = node
    self.write(operand, node, values)


def _assign_value(self: _Module, op: ir.Operation, values: Values) -> None:
    found, dtype = op.attributes["values"], torch_dtype(op.attributes["dtype"])
    flat = values.call(run.small_tensor, found, 1, dtype)
    _replace(self, op, op.operands[0], values.call(torch.reshape, flat, op.attributes["shape"]), values)


def _select(self: _Module, op: ir.Operation, values: Values) -> None:
    mask, *choices = [values.tensor(one) for one in op.operands]
    values[op.results[0]] = values.call(run.select, mask, choices)


def _assert(self: _Module, op: ir.Operation, values: Values) -> None:
    values.call(run.check, *(values.tensor(one) for one in op.operands), op.location)


def _nothing(self: _Module, op: ir.Operation, values: Values) -> None:
    pass


def _call_target(self: _Module, op: ir.Operation, values: Values) -> None:
    call_target(op, values)


Rule = Callable[[_Module, ir.Operation, Values], None]
_RULES: dict[str, Rule] = {
    PARAMETER: _parameter,
    "builtin.constant": _constant,
    "builtin.set_parameter": _set_parameter,
    "builtin.shadow_output": _fetch,
    "builtin.combine": _combine,
    "builtin.split": _split,
    "builtin.slice": _slice,
    "builtin.to_tensor": _same,
    "builtin.to_vtensor": _same,
    "cf.yield": _nothing,
    "pd_op.data": _data,
    "pd_op.fetch": _fetch,
    "pd_op.assign": _assign,
    "pd_op.shadow_feed": _same,
    "pd_op.memcpy_d2h": _same,
    "pd_op.memcpy_h2d": _same,
    "pd_op.share_data_": _by(torch.detach, "x"),
    "pd_op.full_int_array": _nothing,  # numbers
    "pd_op.shape64": _by(run.shape, "input"),
    **SHAPE_CALLS,
    "torch.call": _call_target,
    "pd_op.if": _if,
    "pd_op.while": _while,
    "pd_kernel.fused_elementwise": _fused,
    "pd_op.assign_value_": _assign_value,
    "pd_op.assign_out_": _assign_out,
    "pd_op.create_array": _by(run.create_array),
    "pd_op.array_read": _by(run.read_array, "array", ".i"),
    "pd_op.array_write_": write_array,
    "pd_op.array_pop": pop_array,
    "pd_op.slice_array": _by(run.slice_array, "input", ".starts", ".ends"),
    "pd_op.slice_array_dense": _by(run.slice_array_dense, "input", ".starts"),
    "pd_op.assign_array": _by(run.assign_array, "x"),
    "pd_op.array_length": _by(run.array_length, "x"),
    "pd_op.array_to_tensor": _by(run.array_to_tensor, "x", ".axis", ".use_stack"),
    "pd_op.select_input": _select,
    "pd_op.assert": _assert,
    "pd_op.print": _by(run.show, "in", ".message"),
}
