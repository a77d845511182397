"""What a backward op is given, against its forward op: the C++ statements that check it before a kernel runs.

The `forward` line says what each input of a backward op is: an input, an output, or the gradient of an output. The forward
op's InferMeta, run with what the backward op has, says what outputs and gradients look like. Where it cannot run, the
gradient of an output is still like that output.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..model.op import Arg, Op, OpSet, Output
from .bind import call_names

_COPIES = ("UnchangedInferMeta", "GeneralUnaryGradInferMeta")  # what they say of the output, the input says


@dataclass(frozen=True)
class _Forward:
    """The forward op of a backward op, as far as the backward op knows its arguments."""

    op: Op
    values: Mapping[str, str]  # its arguments as C++ expressions
    differs: bool  # the backward op has an attribute of its own, which may change what it is the gradient of

    @property
    def params(self) -> tuple[str, ...] | None:
        """What its InferMeta function takes; None if an argument is unknown."""
        op = self.op
        if op.infer_meta is None or self.differs:
            return None
        names, params = {a.name for a in op.args}, call_names(op, op.infer_meta.param)
        if any(p in names and p not in self.values for p in params):
            return None
        if any(_count(o, self.values) is None for o in op.outputs if o.type == "Tensor[]"):
            return None
        return tuple(self.values.get(p, p) for p in params)


def checks(
    op: Op, opset: OpSet, values: Mapping[str, str], dim: str, prefix: str = "", names: Mapping[str, str] | None = None
) -> Iterator[str]:
    """The statements for a backward op, whose arguments are the expressions `values`: MetaTensor<dim>, lists of them, attributes.

    A statement that compares gives the argument by its name in the backward op that is called: `names`, of expressions.
    """
    names = names or {value: name for name, value in values.items()}
    forward = _forward(op, opset, values, dim)
    if op.forward is None or forward is None:
        return
    yield from _promoted(forward, dim, names)
    yield from checks(forward.op, opset, forward.values, dim, prefix + "forward_", names)
    deciding = [_absent(forward.op.arg(name), forward.values[name]) for name in forward.op.shape_from if name in forward.values]
    if forward.op.is_data_dependent:
        return
    if deciding:
        yield f"if ({' && '.join(deciding)}) {{"
    yield from _compare(op, forward, values, dim, prefix, names)
    if deciding:
        yield "}"


def _promoted(forward: _Forward, dim: str, names: Mapping[str, str]) -> Iterator[str]:
    """What the forward op brings to one data type, the backward op gets in it."""
    found = [forward.values[name] for name in forward.op.type_promotion if forward.values.get(name) in names]
    for value in dict.fromkeys(found[1:]):
        if value != found[0]:
            yield f'CheckOneType<{dim}>("{names[value]}", {value}, "{names[found[0]]}", {found[0]});'


def _absent(arg: Arg, value: str) -> str:
    return f"{value}.empty()" if arg.is_list else f"!{value}"


def _compare(
    op: Op, forward: _Forward, values: Mapping[str, str], dim: str, prefix: str, names: Mapping[str, str]
) -> Iterator[str]:
    assert op.forward is not None
    expected = {}
    if forward.params is not None and len(forward.op.inputs) + len(op.inputs) > 1:
        assert forward.op.infer_meta is not None
        if forward.op.infer_meta.func in _COPIES:
            expected = {op.forward.outputs[0].name: forward.params[0]}
        else:
            expected = {o.name: f"{prefix}{o.name}_expected" for o in op.forward.outputs}
            yield from _run(forward, tuple(expected.values()), forward.params, dim)
            expected |= {o.name: f"{expected[o.name]}.metas()" for o in op.forward.outputs if o.type == "Tensor[]"}
    for output in op.forward.outputs:
        like = expected.get(output.name) or values.get(output.name)
        for name in (output.name, f"{output.name}_grad"):
            if like is not None and name in values and values[name] != like:
                yield f'CheckGiven<{dim}>("{names[values[name]]}", {values[name]}, {like});'


def _run(forward: _Forward, names: tuple[str, ...], params: tuple[str, ...], dim: str) -> Iterator[str]:
    op = forward.op
    assert op.infer_meta is not None
    for output, name in zip(op.outputs, names):
        yield (
            f"ExpectedList<{dim}> {name}({_count(output, forward.values)});"
            if output.type == "Tensor[]"
            else f"Expected<{dim}> {name};"
        )
    outputs = (f"{name}.metas()" if o.type == "Tensor[]" else f"&{name}" for o, name in zip(op.outputs, names))
    yield f"{op.infer_meta.func}<{dim}>({', '.join([*params, *outputs])});"


def _count(output: Output, values: Mapping[str, str]) -> str | None:
    """The length of a list of outputs, where it is that of a list that the backward op has."""
    match = re.fullmatch(r"(\w+)\.size\(\)", output.size or "")
    return f"{values[match[1]]}.size()" if match is not None and match[1] in values else None


def _forward(op: Op, opset: OpSet, values: Mapping[str, str], dim: str) -> _Forward | None:
    if op.forward is None or op.forward.name not in opset or opset[op.forward.name].forward is op.forward:
        return None
    forward = opset[op.forward.name]
    mine = [a for a in op.forward.args if a.is_tensor]
    names = {a.name: theirs.name for a, theirs in zip(mine, forward.inputs)}
    known = {theirs: values[name] for name, theirs in names.items() if name in values}
    known |= {names[input]: values[given] for given, input in stand_ins(op, forward) if given in values and input in names}
    for arg in forward.args:
        if arg.name in known:
            continue
        if arg.is_tensor:
            if arg.optional:
                known[arg.name] = f"std::vector<const MetaTensor<{dim}>*>()" if arg.is_list else f"MetaTensor<{dim}>()"
        elif arg.name in values and any(a.name == arg.name for a in op.attrs):
            known[arg.name] = values[arg.name]
        elif arg.type == "DataType" and (grad := _gradient(op, values)) is not None:
            known[arg.name] = f"{grad}.dtype()"  # it has no say in shapes
    own = {a.name for a in op.attrs} - {a.name for a in forward.attrs}
    if "reduce_all" in own and "axis" in known:  # PHI's gradients of reductions have it
        axis_type = next(a.type for a in forward.attrs if a.name == "axis")
        every = f"IntArrayBase<{dim}>" if axis_type == "IntArray" else "std::vector<int64_t>"
        known["axis"] = f"({values['reduce_all']} ? {every}() : {known['axis']})"
    return _Forward(forward, known, bool(own - {"reduce_all"}))


def _gradient(op: Op, values: Mapping[str, str]) -> str | None:
    assert op.forward is not None
    grads = [f"{o.name}_grad" for o in op.forward.outputs if o.type == "Tensor"]
    return next((values[g] for g in grads if g in values), None)


def stand_ins(op: Op, forward: Op) -> tuple[tuple[str, str], ...]:
    """`stands_for`; by default an output of a unary op, or its gradient, is like the input."""
    assert op.forward is not None
    names = {a.name for a in op.inputs}
    unary = forward.category == "unary" or (forward.infer_meta is not None and forward.infer_meta.func in _COPIES)
    if op.stands_for or not unary or op.forward.args[0].name in names:
        return op.stands_for
    found = [n for o in op.forward.outputs for n in (o.name, f"{o.name}_grad") if n in names]
    return ((found[0], op.forward.args[0].name),) if found else ()


def unchecked(op: Op, opset: OpSet) -> tuple[str, ...]:
    """The tensors of a backward op that neither these statements nor its own InferMeta function compare with anything."""
    values = {a.name: a.name for a in op.args}
    if op.forward is None or op.infer_meta is None or len(op.inputs) < 2 or _forward(op, opset, values, "Dim") is None:
        return ()
    seen = {word for statement in checks(op, opset, values, "Dim") for word in re.findall(r"\w+", statement)}
    own = set(call_names(op, op.infer_meta.param)) & {a.name for a in op.inputs}
    if len(own) > 1 and own - {a.name for a in op.forward.args}:
        seen |= own  # it has a gradient or an output beside what that is to be compared with
    return tuple(a.name for a in op.inputs if a.name not in seen)
