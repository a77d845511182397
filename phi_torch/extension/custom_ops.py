"""Python functions of what a source declares with PD_BUILD_OP, PD_BUILD_GRAD_OP and PD_BUILD_DOUBLE_GRAD_OP."""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch

from .. import _C
from .._op_info import OpInfo

_TYPES = {
    "List[Tensor]": "Sequence[Tensor]",
    "Optional[Tensor]": "Tensor | None",
    "Optional[List[Tensor]]": "Sequence[Tensor] | None",
}
_MACROS = ("PD_BUILD_OP", "PD_BUILD_GRAD_OP", "PD_BUILD_DOUBLE_GRAD_OP")


def functions(namespace: str) -> dict[str, tuple[OpInfo, Callable[..., Any]]]:
    """What is registered in a namespace of torch.ops: what is known of each operator, and its function."""
    declared = {op["name"]: op for op in _C.custom_ops() if op["namespace"] == namespace}
    return {name: (_info(op, declared), _function(op)) for name, op in declared.items()}


def _info(op: Mapping[str, Any], declared: Mapping[str, Mapping[str, Any]]) -> OpInfo:
    name, schema = op["name"], op["schema"]
    gradient = f"{name}_grad" if op["differentiable"] else None
    return OpInfo(
        name=name,
        loc=_place(op),
        schema=schema[len(name) :],
        params=", ".join(_parameters(op)),
        outputs=tuple(op["outputs"]),
        overloads=(name,),
        inplace=tuple(op["inplace"]),
        forward=name.removesuffix("_grad") if op["order"] else None,
        backward=gradient,
        order="no" if gradient is None else "twice" if declared[gradient]["differentiable"] else "once",
        doc=True,
        namespace=op["namespace"],
        custom=True,
    )


def _function(op: Mapping[str, Any]) -> Callable[..., Any]:
    name = op["name"]
    operator = getattr(getattr(torch.ops, op["namespace"]), name).default

    def function(*args: Any, **kwargs: Any) -> Any:
        return operator(*args, **kwargs)

    function.__name__ = function.__qualname__ = name
    function.__module__ = op["namespace"]
    parameters = [
        inspect.Parameter(parameter, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=type)
        for parameter, type in _parameters(op).items()
    ]
    returns = [_type(value) for value in operator._schema.returns]
    result = returns[0] if len(returns) == 1 else f"tuple[{', '.join(returns)}]" if returns else "None"
    signature = inspect.Signature(parameters, return_annotation=result)
    function.__signature__ = signature  # type: ignore[attr-defined]
    gradient = f"It is differentiated by `{name}_grad`." if op["differentiable"] else "It has no gradient."
    if op["inplace"]:
        gradient = f"It overwrites {', '.join(repr(i) for i, _ in op['inplace'])}. {gradient}"
    header = f"{name}{signature}".replace("'", "")
    macro = f"{_MACROS[op['order']]}({op['declared']})"
    function.__doc__ = f"{header}\n\n{macro} at {_place(op)}, `torch.ops.{op['namespace']}.{name}`. {gradient}\n"
    return function


def _parameters(op: Mapping[str, Any]) -> dict[str, str]:
    """The names of the arguments, and their types as Python writes them."""
    schema = torch._C.parse_schema(f"{op['namespace']}::{op['schema']}")
    return {f"{a.name}_" if keyword.iskeyword(a.name) else a.name: _type(a) for a in schema.arguments}


def _type(argument: Any) -> str:
    text = str(argument.type)
    return _TYPES.get(text) or text.replace("List[", "Sequence[")


def _place(op: Mapping[str, Any]) -> str:
    """The compiler names a file relative to the folder of the build, which is below that of all files."""
    file = op["file"]
    if file.startswith("../") and Path("/", whole := file.lstrip("./")).exists():
        file = f"/{whole}"
    return f"{file}:{op['line']}"
