"""The YAML of a new operator."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..model.category import camel

CATEGORIES = ("unary", "binary", "reduction", "general")
_PLAIN = re.compile(r"[\w(](?:(?!: | #)[^\n])*")
Value = str | Sequence[str] | Mapping[str, "str | Sequence[str]"] | None


@dataclass(frozen=True)
class Tensor:
    """An input or an output; without a `dtype` it has that of the kernel."""

    name: str
    type: str = "Tensor"  # or "Tensor[]"
    dtype: str | None = None
    optional: bool = False

    @property
    def is_list(self) -> bool:
        return self.type == "Tensor[]"

    @property
    def differentiable(self) -> bool:
        return self.dtype is None or self.dtype.startswith(("float", "bfloat", "complex"))


@dataclass(frozen=True)
class Request:
    """What is asked for. `attrs` are written as in the YAML: `float beta = 1.0`."""

    name: str
    category: str
    tensors: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...] = (Tensor("out"),)
    attrs: tuple[str, ...] = ()
    backward: bool = False
    composite: str | None = None
    kernel: bool = True  # without one, the composite is the implementation
    gpu: bool = False
    family: str = ""  # the files of an operator of the checkout

    @property
    def grad(self) -> str:
        return f"{self.name}_grad"

    @property
    def all_attrs(self) -> tuple[str, ...]:
        """With those that the category brings."""
        return (*(("IntArray axis = {}", "bool keepdim = false") if self.category == "reduction" else ()), *self.attrs)

    @property
    def inputs(self) -> tuple[str, ...]:
        return tuple(t.name for t in self.tensors)

    @property
    def differentiable(self) -> tuple[Tensor, ...]:
        """The inputs that have a gradient."""
        return tuple(t for t in self.tensors if t.differentiable)

    @property
    def like(self) -> Tensor:
        """The input that the outputs resemble, and that the kernel's dtype comes from: the first that must be there."""
        return min(self.tensors, key=lambda t: (t.optional, t.dtype is not None))

    @property
    def elementwise(self) -> bool:
        return self.category in ("unary", "binary")


def forward_entry(request: Request) -> str:
    """The entry of the op."""
    attrs = [_name(attr) for attr in request.all_attrs]
    infer_meta: Value = None
    if request.kernel and request.category == "reduction":
        infer_meta = {"func": "ReduceIntArrayAxisInferMeta", "param": [request.inputs[0], *attrs[:2]]}
    elif request.kernel and not request.elementwise:
        infer_meta = {"func": f"{camel(request.name)}InferMeta"}
    return _entry(
        {
            "op": request.name,
            "args": f"({', '.join([*_tensors(request.tensors), *request.all_attrs])})",
            "output": _outputs(request.outputs),
            "infer_meta": infer_meta,
            "kernel": _kernel(request, request.name) if request.kernel else None,
            "optional": _optional(request),
            "category": request.category if request.kernel and request.category != "general" else None,
            "dtypes": _dtypes(request) if request.kernel else None,
            "backward": request.grad if request.backward else None,
            "composite": None if request.composite is None else _scalar(request.composite),
            "jvp": "auto_elementwise" if request.category == "unary" and request.backward else None,
            "doc": [f"TODO: what {request.name} computes, of which shapes and dtypes; which errors it raises."],
        }
    )


def backward_entry(request: Request) -> str:
    """The entry of its backward op."""
    inputs = _tensors(request.tensors)
    attrs = [attr.partition("=")[0].strip() for attr in request.all_attrs]
    incoming = [f"Tensor {out.name}_grad" for out in request.outputs if out.differentiable]
    infer_meta: Value = None
    if request.category == "reduction":
        infer_meta = {"func": "ReduceGradInferMeta", "param": list(request.inputs)}
    elif not request.elementwise:
        infer_meta = {"func": f"{camel(request.grad)}InferMeta"}
    read = ", ".join([*request.inputs, "out_grad"])
    functors = [f"{camel(f'{request.name}_{name}_grad')}Functor({read})" for name in request.inputs]
    return _entry(
        {
            "backward_op": request.grad,
            "forward": f"{request.name} ({', '.join([*inputs, *attrs])}) -> {_outputs(request.outputs)}",
            "args": f"({', '.join([*inputs, *incoming, *attrs])})",
            "output": ", ".join(_gradient(t) for t in request.differentiable),
            "infer_meta": infer_meta,
            "kernel": _kernel(request, request.grad),
            "optional": _optional(request),
            "category": f"{request.category}_grad" if request.elementwise else None,
            "dtypes": _dtypes(request),
            "functor": ", ".join(functors) if request.category == "binary" else None,
            "doc": [f"The gradient of `{request.name}`."],
        }
    )


def _tensors(tensors: Sequence[Tensor]) -> list[str]:
    return [f"{t.type} {t.name}" for t in tensors]


def _outputs(outputs: Sequence[Tensor]) -> str:
    return ", ".join(f"{out.type}({out.name})" for out in outputs)


def _gradient(t: Tensor) -> str:
    return f"{t.type}({t.name}_grad)" + (f"{{{t.name}.size()}}" if t.is_list else "")


def _kernel(request: Request, func: str) -> Value:
    """The kernel's dtype is said where the inputs have several."""
    if request.elementwise:
        return None
    several = any(t.dtype is not None for t in request.tensors)
    return {"func": func, **({"data_type": request.like.name} if several else {})}


def _dtypes(request: Request) -> Value:
    """A unary operator has those of its category; a general one is for the device that it was written for."""
    if request.category == "unary":
        return None
    return {"CPU": "floating"} if request.category == "general" and not request.gpu else "floating"


def _optional(request: Request) -> str | None:
    return ", ".join(t.name for t in request.tensors if t.optional) or None


def _name(attr: str) -> str:
    return attr.partition("=")[0].split()[-1]


def _entry(keys: Mapping[str, Value]) -> str:
    """A list is a block of text, a mapping stands on lines of its own; None is left out."""
    lines: list[str] = []
    for key, value in keys.items():
        lead = "- " if not lines else "  "
        if value is None:
            continue
        if isinstance(value, str):
            lines.append(f"{lead}{key} : {value}")
        elif isinstance(value, Mapping):
            lines.append(f"{lead}{key} :")
            lines += [f"    {k} : {v if isinstance(v, str) else '[' + ', '.join(v) + ']'}" for k, v in value.items()]
        else:
            lines += [f"{lead}{key} : |", *(f"    {line}" for line in value)]
    return "\n".join(lines) + "\n"


def _scalar(text: str) -> str:
    """Text as YAML takes it: plain where it can be."""
    text = " ".join(text.split())
    return text if _PLAIN.fullmatch(text) else "'" + text.replace("'", "''") + "'"
