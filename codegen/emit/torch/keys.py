"""torch/register_keys.cc: which ops get which boxed kernel of csrc/torch/keys.h."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.op import Op, OpSet
from ...view.dispatcher import Kind, Overload, has_kernel, mutated, overloads
from ..render import render

_POLICIES = {"lower": "kLower", "fp32": "kFloat32", "promote": "kPromote"}


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    found = [o for op in opset.ops if has_kernel(op) for o in overloads(op)]
    functional = [o for o in found if o.kind is Kind.FUNCTIONAL]
    batched = {
        "ElementwiseBatchRule()": [o for o in found if o.op.vmap == "elementwise" and o.kind in (Kind.FUNCTIONAL, Kind.INPLACE)],
        "CompositeBatchRule()": [o for o in functional if _batched_as_composite(o.op)],
        "LoopBatchRule()": [o for o in found if _is_looped(o)],
    }
    groups = {
        "loops": [o for o in functional if _has_lists(o.op)],
        "select": [o for o in functional if not o.op.inputs],
        "lists": [o for o in found if _lists_alone(o)],
        "written": [o for o in found if o.is_inplace or o.kind is Kind.OUT],
        "tensor": [o for op in opset.ops for o in overloads(op) if o.reads_tensors],
    }
    return {
        "torch/register_keys.cc": render(
            "register_keys.cc.j2",
            ns=opset.namespace,
            **{name: [_row(o) for o in members] for name, members in groups.items()},
            batched=[_row(o) | {"rule": rule} for rule, members in batched.items() for o in members],
            random=[_row(o) | {"rule": rule} for op in opset.ops for o in overloads(op) if (rule := _random_rule(o))],
            functionalize=[_functionalize(o) for o in found if o.kind in (Kind.INPLACE, Kind.OUT) and _has_twin(o.op)],
            autocast=[_row(o) | {"policy": _POLICIES[o.op.autocast]} for o in functional if _casts(o.op)],
        )
    }


def _row(overload: Overload) -> dict[str, str]:
    return {"name": overload.full_name}


def _batched_as_composite(op: Op) -> bool:
    return op.vmap == "composite" and op.composite is not None


def _is_looped(overload: Overload) -> bool:
    """torch's own loop serves neither lists of tensors nor what is written."""
    op = overload.op
    if overload.kind is Kind.INPLACE:
        return op.vmap != "elementwise" and _random_rule(overload) is None
    return overload.kind is Kind.FUNCTIONAL and _has_lists(op) and not _batched_as_composite(op) and op.vmap != "elementwise"


def _random_rule(overload: Overload) -> str | None:
    """A composite's own calls heed vmap's `randomness`."""
    op = overload.op
    if op.category != "random" or op.is_backward or not has_kernel(op):
        return None
    if overload.reads_tensors:
        return "TensorOverload()"
    if op.composite is not None and overload.kind is not Kind.INPLACE:
        return "CompositeBatchRule()" if overload.kind is Kind.FUNCTIONAL else None
    return f"RandomBatchRule(/*elementwise=*/{str(op.vmap == 'elementwise').lower()})"


def _has_lists(op: Op) -> bool:
    return any(t == "Tensor[]" for t in (*(a.type for a in op.inputs), *(o.type for o in op.outputs)))


def _lists_alone(overload: Overload) -> bool:
    """A call may have no tensor at all: all of them come in lists."""
    types = {p.arg.type for p in overload.params if p.arg is not None and p.arg.is_tensor and not p.arg.optional}
    return types == {"Tensor[]"} and overload.kind is not Kind.OUT and not overload.reads_tensors


def _casts(op: Op) -> bool:
    return op.autocast in _POLICIES and not op.is_backward


def _has_twin(op: Op) -> bool:
    """An op that exists in place only stays as it is: torch.compile has auto_functionalized for it."""
    return not op.is_inplace_only


def _functionalize(overload: Overload) -> dict[str, str]:
    inputs = len([p for p in overload.params if p.arg is not None])
    pairs = ", ".join(f"{{{argument}, {output}}}" for argument, output in _mutations(overload))
    return _row(overload) | {"twin": f"{overload.op.namespace}::{overload.op.name}", "inputs": str(inputs), "mutations": pairs}


def _mutations(overload: Overload) -> Iterator[tuple[int, int]]:
    """(index of the overwritten argument, index of the output), in the order of the outputs."""
    names = [p.name for p in overload.params]
    written = {out: arg for arg, out in mutated(overload.op).items()}
    for i, output in enumerate(overload.op.outputs):
        if overload.kind is Kind.OUT:
            yield next(j for j, p in enumerate(overload.params) if p.output is output), i
        elif output.name in written:
            yield names.index(written[output.name]), i
