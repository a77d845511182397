"""Forward mode: the statements that give the outputs of an op their tangents, from its `jvp` rule."""

from __future__ import annotations

from collections.abc import Iterator

from ..model.op import Arg, Op
from .derivative import Formula, convert, mask, names, own_default, tensor_params
from .dispatcher import Overload, Param, functional


def has_rule(op: Op, formula: Formula | None) -> bool:
    """`auto_elementwise` needs the backward op, and one output that carries gradients."""
    if op.jvp == "auto_elementwise":
        return formula is not None and len(formula.outputs) == 1 and formula.outputs[0].type == "Tensor"
    return op.jvp == "auto_linear"


def tangents(overload: Overload, formula: Formula | None, places: dict[str, str]) -> Iterator[str]:
    """The statements, after `results` are computed; `places` says where each output is."""
    if overload.op.jvp == "auto_linear":
        yield from _linear(overload, formula, places)
    else:
        assert formula is not None
        yield from _elementwise(formula, places[formula.outputs[0].name])


def _linear(overload: Overload, formula: Formula | None, places: dict[str, str]) -> Iterator[str]:
    """The op itself, called with the tangents of the inputs that it is linear in."""
    linear = {p.name for p in (formula.inputs if formula is not None else tensor_params(overload))}
    args = []
    for p in overload.params:
        is_tensor = p.arg is not None and p.arg.is_tensor
        args.append(f"{'TangentOrZero' if p.name in linear else 'Primal'}({p.name})" if is_tensor else p.name)
    outputs = formula.outputs if formula is not None else overload.op.outputs
    yield f"const auto tangents = {overload.cpp}::call({', '.join(args)});"
    for o in outputs:
        yield f"SetTangent({places[o.name]}, {places[o.name].replace('results', 'tangents')});"


def _elementwise(formula: Formula, result: str) -> Iterator[str]:
    """The backward op, called with the tangent as the gradient of the output; one call for each input."""
    several = len(formula.inputs) > 1
    yield "at::Tensor tangent;"
    for i, input in enumerate(formula.inputs):
        args = ", ".join(_argument(formula, p, result, i, several) for p in functional(formula.backward).params)
        call = f"{functional(formula.backward).cpp}::call({args})"
        value = f"std::get<{i}>({call})" if several else call
        yield f"AddElementwiseTangent(&tangent, {input.name}, {result}, [&](const at::Tensor& part) {{ return {value}; }});"
    yield f"SetTangent({result}, tangent);"


def _argument(formula: Formula, param: Param, result: str, index: int, several: bool) -> str:
    backward, arg = formula.backward, param.arg
    if arg is None:
        return str(mask(backward, index))
    known = names(formula.op, backward)
    if arg.name in known.params:
        source = known.params[arg.name]
        if source.arg is None or not source.arg.is_tensor:
            return convert(source, param, arg, backward)
        return f"ExpandTo(Primal({source.name}), {result})" if several and _is_plain(source.arg) else f"Primal({source.name})"
    if arg.name in known.outputs:
        return result
    return "part" if known.grad_of(arg.name) is not None else own_default(backward, arg)


def _is_plain(arg: Arg) -> bool:
    return arg.type == "Tensor" and not arg.optional
