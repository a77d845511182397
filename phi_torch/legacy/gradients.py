"""The gradients of operators, as programs hold them."""

from __future__ import annotations

from collections.abc import Collection

from .. import _C
from .._expect import expect
from .description import Attribute, OpDesc, ProgramError

Moved = tuple[str, str, str]
# operators that move rows: the operator that moves gradients back, and the slots of what both move and give
MOVED: dict[str, Moved] = {
    "array_to_lod_tensor": ("lod_tensor_to_array", "X", "Out"),
    "lod_tensor_to_array": ("array_to_lod_tensor", "X", "Out"),
    "reorder_lod_tensor_by_rank": ("reorder_lod_tensor_by_rank_grad", "X", "Out"),
    "sequence_reverse": ("sequence_reverse", "X", "Y"),
}

# linear operators: the operator that gives the gradient of X, by the same attributes
LINEAR = {
    **{"as_complex": "as_real", "as_real": "as_complex", "split": "concat", "unbind": "stack", "sign": "scale"},
    **{type: type for type in ("assign", "cast", "conj", "flip", "reverse", "scale")},
}

_ASSIGNED = ("ValueTensor", "StartsTensorList", "EndsTensorList", "StepsTensorList")
# slots that a gradient operator reads beside those of its kernel, each with that of the operator
MORE: dict[str, dict[str, str]] = {
    "einsum": {"x_shape": "XShape"},
    "fused_softmax_mask": {"Softmax": "Out"},
    "set_value": dict(zip(_ASSIGNED, _ASSIGNED)),
    # whose shapes Paddle reads
    **{"multiplex": {"X": "X"}, "stack": {"X": "X"}, "transpose2": {"XShape": "XShape"}},
}
# sums, of which each term has a gradient operator of its own: the slots of the terms, with their factors
TERMS: dict[str, dict[str, float]] = {"sum": {"X": 1.0}, "minus": {"X": 1.0, "Y": -1.0}}


def grad_op(op: OpDesc, no_grad: Collection[str] = ()) -> OpDesc:
    """The operator that computes the gradients of what `op` reads: `relu` with x and y gives `relu_grad`, which reads y and
    `y@GRAD`, and writes `x@GRAD`.

    Args:
        op: the forward operator; its attributes are those of the gradient operator.
        no_grad: the gradients that nobody needs, by name (`x@GRAD`): they are left out, or `@EMPTY@` in a list.

    Raises:
        ProgramError: there is no such operator, nothing is its gradient, or it is a sum of which several gradients are wanted.
    """
    expect("grad_op", "op", op, OpDesc)
    if op.type in MOVED:
        return _moved(op, MOVED[op.type], no_grad)
    if op.type in LINEAR:
        return _linear(op, no_grad)
    if op.type in TERMS:
        return _of_term(op, no_grad)
    if op.type == "tensor_array_to_tensor":
        return _of_array(op, no_grad)
    try:
        type, inputs, outputs = _C.grad_op(op.type, op.inputs, op.outputs, set(no_grad))
    except (RuntimeError, NotImplementedError) as error:
        raise ProgramError(str(error)) from None
    given = {**op.inputs, **op.outputs}
    inputs |= {slot: [*given[of]] for slot, of in MORE.get(op.type, {}).items() if of in given}
    return OpDesc(type, inputs, outputs, dict(op.attrs))


def _moved(op: OpDesc, gradient: Moved, no_grad: Collection[str]) -> OpDesc:
    type, x, out = gradient
    given = [f"{name}@GRAD" for name in op.outputs.get(out, [])]
    wanted = [f"{name}@GRAD" for name in op.inputs.get(x, []) if f"{name}@GRAD" not in no_grad]
    return OpDesc(type, {**op.inputs, x: given}, {out: wanted} if wanted else {}, dict(op.attrs))


def _linear(op: OpDesc, no_grad: Collection[str]) -> OpDesc:
    type, attrs = LINEAR[op.type], dict(op.attrs)
    if type == "scale":
        attrs |= {"bias": Attribute("FLOAT", 0.0), "bias_after_scale": Attribute("BOOLEAN", True)}
        attrs |= {"scale": Attribute("FLOAT", 0.0)} if op.type == "sign" else {}
    elif type == "cast":
        said = {other: attrs.pop(name) for name, other in (("in_dtype", "out_dtype"), ("out_dtype", "in_dtype")) if name in attrs}
        attrs |= said
    elif type == "concat":
        attrs = {name: one for name, one in attrs.items() if name not in ("num", "sections")}
    kept = {slot: [*op.inputs[slot]] for slot in ("AxisTensor", "ScaleTensor") if op.inputs.get(slot)}
    given = [f"{name}@GRAD" for name in op.outputs.get("Out", [])]
    wanted = [f"{name}@GRAD" for name in op.inputs.get("X", []) if f"{name}@GRAD" not in no_grad]
    return OpDesc(type, {"X": given, **kept}, {"Y" if type == "stack" else "Out": wanted} if wanted else {}, attrs)


def _of_term(op: OpDesc, no_grad: Collection[str]) -> OpDesc:
    terms = [(name, factor) for slot, factor in TERMS[op.type].items() for name in op.inputs.get(slot, [])]
    wanted = {f"{name}@GRAD": factor for name, factor in terms if f"{name}@GRAD" not in no_grad}
    if len(wanted) > 1:
        raise ProgramError(
            f"grad_op: operator '{op.type}': expected one gradient to be wanted, as each is made by an operator, got"
            f" {', '.join(wanted)}; name the others in no_grad"
        )
    numbers = {"scale": next(iter(wanted.values()), 1.0), "bias": 0.0}
    attrs = {name: Attribute("FLOAT", value) for name, value in numbers.items()}
    given = [f"{name}@GRAD" for name in op.outputs.get("Out", [])]
    return OpDesc("scale", {"X": given}, {"Out": [*wanted]} if wanted else {}, attrs)


def _of_array(op: OpDesc, no_grad: Collection[str]) -> OpDesc:
    x = op.inputs.get("X", [])
    given = {"X": [*x], "Out@GRAD": [f"{name}@GRAD" for name in op.outputs.get("Out", [])]}
    wanted = [f"{name}@GRAD" for name in x if f"{name}@GRAD" not in no_grad]
    return OpDesc(f"{op.type}_grad", given, {"X@GRAD": wanted} if wanted else {}, dict(op.attrs))
