"""The YAML of a new operator."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .category import camel

CATEGORIES = ("unary", "binary", "reduction", "general")
_GRAD_INFER_META = {1: "GeneralUnaryGradInferMeta", 2: "GeneralBinaryGradInferMeta", 3: "GeneralTernaryGradInferMeta"}
_PLAIN = re.compile(r"[\w(](?:(?!: | #)[^\n])*")
Value = str | Sequence[str] | Mapping[str, "str | Sequence[str]"] | None


@dataclass(frozen=True)
class Request:
    """What is asked for. `attrs` are written as in the YAML: `float beta = 1.0`."""

    name: str
    category: str
    inputs: tuple[str, ...]
    attrs: tuple[str, ...] = ()
    backward: bool = False
    composite: str | None = None
    kernel: bool = True  # without one, the composite is the implementation
    gpu: bool = False

    @property
    def grad(self) -> str:
        return f"{self.name}_grad"

    @property
    def all_attrs(self) -> tuple[str, ...]:
        """With those that the category brings."""
        return (*(("IntArray axis = {}", "bool keepdim = false") if self.category == "reduction" else ()), *self.attrs)

    @property
    def elementwise(self) -> bool:
        return self.category in ("unary", "binary")


def forward_entry(request: Request) -> str:
    """The entry of the op."""
    attrs = [_name(attr) for attr in request.all_attrs]
    infer_meta: Value = None
    if request.kernel and not request.elementwise:
        reduction = request.category == "reduction"
        infer_meta = {
            "func": "ReduceIntArrayAxisInferMeta" if reduction else "UnchangedInferMeta",
            "param": [request.inputs[0], *(attrs[:2] if reduction else [])],
        }
    kernel: Value = {"func": request.name} if request.kernel and not request.elementwise else None
    generated = request.kernel and request.category in ("binary", "reduction")
    return _entry(
        {
            "op": request.name,
            "args": f"({', '.join([*(f'Tensor {name}' for name in request.inputs), *request.all_attrs])})",
            "output": "Tensor(out)",
            "infer_meta": infer_meta,
            "kernel": kernel,
            "category": request.category if request.kernel and request.category != "general" else None,
            "dtypes": "floating" if generated else None,
            "backward": request.grad if request.backward else None,
            "composite": None if request.composite is None else _scalar(request.composite),
            "jvp": "auto_elementwise" if request.category == "unary" and request.backward else None,
            "doc": [f"TODO: what {request.name} computes, of which shapes and dtypes; which errors it raises."],
        }
    )


def backward_entry(request: Request) -> str:
    """The entry of its backward op."""
    inputs = [f"Tensor {name}" for name in request.inputs]
    attrs = [attr.partition("=")[0].strip() for attr in request.all_attrs]
    kernel: Value = None if request.elementwise else {"func": request.grad}
    infer_meta: Value = None
    if request.category == "reduction":
        infer_meta = {"func": "ReduceGradInferMeta", "param": list(request.inputs)}
    elif not request.elementwise:
        infer_meta = {"func": _GRAD_INFER_META[len(request.inputs)], "param": list(request.inputs)}
    generated = request.category in ("binary", "reduction")
    read = ", ".join([*request.inputs, "out_grad"])
    functors = [f"{camel(f'{request.name}_{name}_grad')}Functor({read})" for name in request.inputs]
    return _entry(
        {
            "backward_op": request.grad,
            "forward": f"{request.name} ({', '.join([*inputs, *attrs])}) -> Tensor(out)",
            "args": f"({', '.join([*inputs, 'Tensor out_grad', *attrs])})",
            "output": ", ".join(f"Tensor({name}_grad)" for name in request.inputs),
            "infer_meta": infer_meta,
            "kernel": kernel,
            "category": f"{request.category}_grad" if request.elementwise else None,
            "dtypes": "floating" if generated else None,
            "functor": ", ".join(functors) if request.category == "binary" else None,
            "doc": [f"The gradient of `{request.name}`."],
        }
    )


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
