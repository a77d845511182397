"""The InferMeta functions of a new general operator, which are right as far as its tensors say."""

from __future__ import annotations

from collections.abc import Iterator

from ..emit.render import render
from ..model.op import Op
from ..view.signature import infer_meta_signature
from .entry import Request, Tensor
from .wrap import wrapped


def infer_metas(request: Request, op: Op, grad: Op | None) -> list[str]:
    """The function of the op, and that of its gradient."""
    forward = [*_checks(request), *_outputs(request)]
    found = [_function(op, forward, f"TODO: the shape of {_names(op)}, and what must hold for the inputs.")]
    if grad is not None:
        gradients = [line for t in request.differentiable for line in _gradient(t)]
        found.append(_function(grad, gradients, "A gradient that nobody asked for is null, a list of them empty."))
    return found


def _function(op: Op, body: list[str], comment: str) -> str:
    assert op.infer_meta is not None
    signature = wrapped(f"void {op.infer_meta.func}(", list(map(str, infer_meta_signature(op))), ")")
    return render("new/infer_meta.j2", signature=signature, comment=comment, body=body).rstrip("\n")


def _names(op: Op) -> str:
    return " and ".join(o.name for o in op.outputs)


def _checks(request: Request) -> Iterator[str]:
    for t in request.tensors:
        if t.is_list:
            message = f"argument '{t.name}': expected at least one tensor"
            yield f'  PADDLE_ENFORCE(!{t.name}.empty(), errors::InvalidArgument("{message}"));'
        if t.dtype is not None and t.is_list:
            yield f"  for (const MetaTensor<Dim>* t : {t.name}) {{"
            yield from _check_dtype(t, "t->dtype()", "    ")
            yield "  }"
        elif t.dtype is not None and t.optional:
            yield f"  if ({t.name}) {{"
            yield from _check_dtype(t, f"{t.name}.dtype()", "    ")
            yield "  }"
        elif t.dtype is not None:
            yield from _check_dtype(t, f"{t.name}.dtype()", "  ")


def _check_dtype(t: Tensor, dtype: str, indent: str) -> Iterator[str]:
    error = f"errors::InvalidType(\"argument '{t.name}': expected data type {t.dtype}, got %s\", DataTypeName({dtype}))"
    yield f"{indent}PADDLE_ENFORCE({dtype} == {_data_type(t)},"
    yield f"{indent}               {error});"


def _outputs(request: Request) -> Iterator[str]:
    like = request.like
    for out in request.outputs:
        yield f"  {out.name}->share_meta({f'*{like.name}[0]' if like.is_list else like.name});"
        if out.dtype is not None:
            yield f"  {out.name}->set_dtype({_data_type(out)});"


def _gradient(t: Tensor) -> Iterator[str]:
    grad = f"{t.name}_grad"
    if t.is_list:
        yield f"  for (size_t i = 0; i < {grad}.size(); ++i) {grad}[i]->share_meta(*{t.name}[i]);"
    else:
        yield f"  if ({grad}{f' && {t.name}' if t.optional else ''}) {grad}->share_meta({t.name});"


def _data_type(t: Tensor) -> str:
    return f"DataType::{(t.dtype or '').upper()}"
