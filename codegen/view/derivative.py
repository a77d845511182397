"""How a backward op differentiates its forward op: what is saved, and how the backward op is called.

Each argument of the backward op is, by name, an input, an attribute or an output of the forward op, the gradient
`<output>_grad`, or an attribute of its own at its default. Each output `<input>_grad` is the gradient of an input.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..model.op import Arg, Op, OpSet, Output
from ..types.tensors import OPTIONAL_TENSOR, OPTIONAL_TENSORS, TENSOR
from .dispatcher import Overload, Param, default_in_call, functional, is_composite_only, is_view, output_mask_size


class DerivativeError(ValueError):
    """A backward op does not fit its forward op; the message names the place in the YAML."""


@dataclass(frozen=True)
class Saved:
    """A field of the node."""

    name: str  # in the formula; the field is `name` + "_"
    type: str  # "SavedTensor"
    value: str  # the type in the formula, "const at::Tensor&"
    store: str  # the expression that saves it, of `{}`
    input: Param | None = None
    output: Output | None = None
    zero: str = ""  # the field's first value


@dataclass
class Formula:
    """`op`'s gradient as a call of `backward`."""

    op: Op
    backward: Op
    saved: list[Saved] = field(default_factory=list)
    outputs: tuple[Output, ...] = ()  # those that carry gradients, in order
    inputs: tuple[Param, ...] = ()  # those that get gradients, in the order of the backward op's outputs
    args: list[str] = field(default_factory=list)  # of the backward op, as the node's formula writes them
    passed: dict[int, str] = field(default_factory=dict)  # gradients that may be an incoming one: index -> C++ arguments

    def save(self, saved: Saved) -> None:
        if saved.name not in [s.name for s in self.saved]:
            self.saved.append(saved)


@dataclass(frozen=True)
class Names:
    """The forward op in the words of its backward op's `forward`: names there -> what they stand for."""

    params: dict[str, Param]
    outputs: dict[str, Output]

    def grad_of(self, name: str) -> Output | None:
        return self.outputs.get(name.removesuffix("_grad")) if name.endswith("_grad") else None


def backward_of(op: Op, opset: OpSet) -> Op | None:
    if op.backward is None:
        return None
    if op.backward not in opset:
        raise DerivativeError(f"{op.loc}: backward of '{op.name}' is '{op.backward}', which is not defined")
    return opset[op.backward]


def names(op: Op, backward: Op) -> Names:
    """Tensors by place, since a backward op may rename them; attributes by name."""
    params = {p.arg.name: p for p in functional(op).params if p.arg is not None}
    outputs = {o.name: o for o in op.outputs}
    forward = backward.forward
    if forward is None or forward.name != op.name:
        return Names(params, outputs)
    inputs = [a for a in forward.args if a.is_tensor]
    renamed = {mine.name: params[theirs.name] for mine, theirs in zip(inputs, op.inputs)}
    attributes = {a.name: params[a.name] for a in op.attrs}
    return Names(renamed | attributes, {mine.name: theirs for mine, theirs in zip(forward.outputs, op.outputs)})


def formula(op: Op, opset: OpSet) -> Formula | None:
    """None for an op without `backward`."""
    backward = backward_of(op, opset)
    if backward is None:
        return None
    known = names(op, backward)
    found = Formula(op, backward)
    grads = {o.name for a in backward.args if a.name not in known.params and (o := known.grad_of(a.name))}
    found.outputs = tuple(o for o in op.outputs if o.name in grads)
    found.inputs = tuple(_differentiated(op, backward, known))
    for param in functional(backward).params:
        found.args.append("edges.needed" if param.arg is None else _argument(found, known, param, param.arg))
    found.passed = dict(_passed(found, known))
    return found


def _passed(found: Formula, known: Names) -> Iterator[tuple[int, str]]:
    """`pass_through` as the incoming gradient, and what is saved of the input that must have its shape."""
    outputs = [o.name for o in found.backward.outputs]
    for grad, output in found.backward.pass_through:
        source = known.grad_of(grad)
        assert source is not None, "codegen.rules has checked it"
        index = outputs.index(output)
        input = found.inputs[index].name
        found.save(Saved(input, "SavedMeta", "const SavedMeta&", "SavedMetaOf({})", input=found.inputs[index]))
        yield index, f"incoming[{_position(found, source)}], {input}"


def _differentiated(op: Op, backward: Op, known: Names) -> Iterator[Param]:
    for output in backward.outputs:
        param = known.params.get(output.name.removesuffix("_grad"))
        if param is None or param.arg is None or not param.arg.is_tensor:
            message = f"output '{output.name}' of '{backward.name}' is the gradient of no input of '{op.name}'"
            raise DerivativeError(f"{output.loc}: {message}")
        yield param


def _argument(found: Formula, known: Names, param: Param, arg: Arg) -> str:
    """The expression for one argument of the backward op; what it needs is saved."""
    if arg.name in known.params:
        source = known.params[arg.name]
        if source.arg is not None and source.arg.is_tensor:
            return _input(found, source, source.arg, param, arg.name in found.backward.no_need_buffer)
        return _attribute(found, source, param, arg)
    if arg.name in known.outputs:
        return _output(found, known.outputs[arg.name], param, arg.name in found.backward.no_need_buffer)
    output = known.grad_of(arg.name)
    if output is not None:
        return _incoming(found, output, param)
    return own_default(found.backward, arg)


def _input(found: Formula, source: Param, arg: Arg, param: Param, meta_only: bool) -> str:
    name, is_list = source.name, arg.type == "Tensor[]"
    if meta_only and not (is_list and arg.optional):
        return _meta(found, name, is_list, arg.optional, param, input=source)
    if is_list:
        found.save(Saved(name, "SavedTensors", "const OptionalTensors&", "SavedTensors({})", input=source))
        return name if param.cpp == OPTIONAL_TENSORS.dispatcher else f"*{name}"
    found.save(Saved(name, "SavedTensor", TENSOR.dispatcher, "SavedTensor({})", input=source))
    return _tensor(found, name, arg.optional, param)


def _tensor(found: Formula, name: str, optional: bool, param: Param) -> str:
    if param.cpp == OPTIONAL_TENSOR.dispatcher:
        return f"IfDefined({name})"
    return f'Required({name}, "{found.backward.namespace}::{found.backward.name}", "{param.name}")' if optional else name


def _meta(found: Formula, name: str, is_list: bool, optional: bool, param: Param, **source: Param | Output) -> str:
    kind = "SavedMetas" if is_list else "SavedMeta"
    found.save(Saved(name, kind, f"const {kind}&", "SavedMetaOf({})", **source))  # type: ignore[arg-type]
    if param.cpp == OPTIONAL_TENSOR.dispatcher:
        return f"OptionalShapeOnly({name})"
    if optional and not is_list:
        return f'Required(ShapeOnly({name}), "{found.backward.namespace}::{found.backward.name}", "{param.name}")'
    return f"ShapeOnly({name})"


def _output(found: Formula, output: Output, param: Param, meta_only: bool) -> str:
    name, is_list = output.name, output.type == "Tensor[]"
    if meta_only:
        return _meta(found, name, is_list, output.optional, param, output=output)
    has_history = "true" if output in found.outputs else "false"
    if is_list:
        found.save(Saved(name, "SavedTensors", "const OptionalTensors&", f"SavedTensors({{}}, {has_history})", output=output))
        return f"*{name}"
    found.save(Saved(name, "SavedTensor", TENSOR.dispatcher, f"SavedTensor({{}}, {has_history})", output=output))
    return _tensor(found, name, output.optional or output.intermediate, param)


def _incoming(found: Formula, output: Output, param: Param) -> str:
    """The gradient of an output; zeros stand in for one that did not come, where the backward op must have it."""
    at = _position(found, output)
    if output.type == "Tensor[]":
        _save_shape(found, output)
        return f"GradsOrZeros(incoming, {at}, {output.name}_shape)"
    if param.cpp == OPTIONAL_TENSOR.dispatcher:
        return f"IfDefined(incoming[{at}])"
    if len(found.outputs) == 1:
        return f"incoming[{at}]"
    _save_shape(found, output)
    return f"GradOrZeros(incoming[{at}], {output.name}_shape)"


def _save_shape(found: Formula, output: Output) -> None:
    kind = "SavedMetas" if output.type == "Tensor[]" else "SavedMeta"
    found.save(Saved(f"{output.name}_shape", kind, f"const {kind}&", "SavedMetaOf({})", output=output))


def _position(found: Formula, output: Output) -> str:
    """The index of an output's first gradient among the node's."""
    before = found.outputs[: found.outputs.index(output)]
    lists = [o for o in before if o.type == "Tensor[]"]
    for o in lists:
        _save_shape(found, o)
    return " + ".join([str(len(before) - len(lists)), *(f"{o.name}_shape.size()" for o in lists)])


def _attribute(found: Formula, source: Param, param: Param, arg: Arg) -> str:
    assert source.arg is not None
    form = source.arg.form
    if not form.save:
        raise DerivativeError(f"{arg.loc}: attribute '{arg.name}' of '{found.backward.name}' cannot be saved")
    found.save(Saved(source.name, form.saved, form.saved_argument, form.save, input=source, zero=form.zero))
    return convert(source, param, arg, found.backward)


def convert(source: Param, param: Param, arg: Arg, backward: Op) -> str:
    """An attribute of the forward op as the backward op's type."""
    assert source.arg is not None
    conversion = arg.form.taken_from(source.arg.form)
    if conversion is None:
        message = f"attribute '{arg.name}' of '{backward.name}' is {param.schema}, but {source.schema} in its forward op"
        raise DerivativeError(f"{arg.loc}: {message}")
    return conversion.format(source.name)


def own_default(backward: Op, arg: Arg) -> str:
    """The default of an argument that the forward op does not have, as C++."""
    if arg.is_tensor and arg.optional:
        return "std::nullopt"
    if arg.is_tensor or not arg.has_default:
        message = f"argument '{arg.name}' of '{backward.name}' is no argument, output or gradient of its forward op"
        raise DerivativeError(f"{arg.loc}: {message}, and has no default")
    return default_in_call(arg)


def mask(backward: Op, index: int) -> str | None:
    """An `output_mask` that asks for one gradient alone."""
    size = output_mask_size(backward)
    if not size:
        return None
    return f"std::array<bool, {size}>{{{', '.join('true' if i == index else 'false' for i in range(size))}}}"


def tensor_params(overload: Overload) -> tuple[Param, ...]:
    """The parameters that are tensors, those that are written included."""
    return tuple(p for p in overload.params if p.output is not None or (p.arg is not None and p.arg.is_tensor))


def composite_differentiates(op: Op) -> bool:
    """Whether the composite gives gradients where no entry does. That of a random operator draws other numbers each time."""
    return op.composite is not None and not op.is_inplace_only and (op.category != "random" or op.forward is not None)


def is_constant(op: Op) -> bool:
    """Whether the values of its tensors have no part in the result, as in `full_like`: what has no gradient by itself."""
    return op.category == "creation" or (op.category == "random" and {a.name for a in op.inputs} <= op.skip_transform)


def order(op: Op, opset: OpSet) -> str:
    """How often an op can be differentiated: "any" number of times, "once", "twice", "no"; or "composite", as often as that."""
    if not op.inputs or (is_constant(op) and op.backward is None):
        return "no"
    if is_view(op) or op.invoke is not None or is_composite_only(op):
        return "any"
    if op.backward is None or op.backward not in opset:
        return "composite" if composite_differentiates(op) else "no"
    backward = opset[op.backward]
    if backward.composite is not None:
        return "any"
    return {"no": "once", "once": "twice"}.get(order(backward, opset), "any")
