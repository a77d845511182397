"""What the generated functions of `ops.py` do to their arguments before the call."""

from __future__ import annotations

import difflib
import functools
import inspect
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import torch
from torch import Tensor

Number = int | float | bool | complex
Device = torch.device | str | int | None
IntArray = int | Sequence[int | Tensor] | Tensor | None


def int_array(value: IntArray) -> Sequence[int] | Tensor:
    """A single number becomes a list of one, None an empty list; a list that holds tensors becomes one tensor."""
    if isinstance(value, (list, tuple)):
        for item in value:
            if isinstance(item, Tensor):
                return torch.stack([as_tensor(i).reshape(()).to(torch.int64) for i in value])
        return value
    if isinstance(value, (int, torch.SymInt)):
        return [value]
    if value is None:
        return ()
    return value  # type: ignore[return-value]


def ints(value: IntArray) -> Sequence[int]:
    """The same for a list that is part of the call's description: of tensors in it the numbers are taken."""
    value = int_array(value)
    return value.tolist() if isinstance(value, Tensor) else value


def no_tensors(op: str, argument: str) -> NoReturn:
    """The error of a call whose only tensors are in an empty list: torch would find no kernel, and say so.

    Raises:
        ValueError: always.
    """
    raise ValueError(f"{op}: argument '{argument}': expected at least one tensor, got an empty list")


def as_tensor(value: Number | Sequence[int] | Tensor) -> Tensor:
    """A number or a list of integers as the tensor that the `.tensor` overloads take, which read it: on the CPU."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, (float, torch.SymFloat)):
        return torch.tensor(value, dtype=torch.float64, device="cpu")
    if isinstance(value, (list, tuple)):
        return torch.tensor(value, dtype=torch.int64, device="cpu")
    return torch.tensor(value, device="cpu")


def as_number(value: Number | Sequence[int] | Tensor) -> Number | Sequence[int]:
    """A tensor as the number or the list of integers that it holds, which the `out` overloads take."""
    return value.tolist() if isinstance(value, Tensor) else value


def outputs(op: str, names: Sequence[str], out: Sequence[Tensor]) -> Sequence[Tensor]:
    """The tensors of the keyword `out` of an operator with several outputs.

    Raises:
        TypeError: it is not a tuple or list of as many.
    """
    if not isinstance(out, (tuple, list)) or len(out) != len(names):
        got = f"{len(out)} of them" if isinstance(out, (tuple, list)) else type(out).__name__
        raise TypeError(f"{op}(): argument 'out': expected a tuple of the {len(names)} tensors ({', '.join(names)}), got {got}")
    return out


# The names that torch and Paddle give to the same argument.
_SYNONYMS = (
    ("axis", "dim", "dims", "axes", "perm"),
    ("x", "input", "self", "tensor", "tensors"),
    ("y", "other", "mat2", "exponent"),
    ("keepdim", "keepdims", "keep_dim"),
    ("shape", "size", "sizes"),
    ("epsilon", "eps"),
    ("p", "dropout", "dropout_p"),
    ("causal", "is_causal"),
    ("learning_rate", "lr"),
    ("weight", "filter", "scale", "w"),
    ("value", "fill_value", "v"),
    ("q", "query"),
    ("k", "key"),
    ("repeat_times", "repeats", "reps"),
    ("sections", "split_size", "split_sizes", "split_size_or_sections", "indices_or_sections"),
    ("num", "chunks"),
    ("start_axis", "start_dim"),
    ("stop_axis", "end_dim"),
    ("mean", "running_mean"),
    ("variance", "running_var"),
    ("kernel_size", "ksize"),
    ("strides", "stride"),
    ("paddings", "padding"),
    ("dilations", "dilation"),
    ("place", "device"),
    ("label", "target"),
    ("index", "indices"),
)


def unknown_keyword(function: str, signature: str, parameters: Sequence[str], keyword: str) -> str:
    """The message for a keyword that a function has not: its signature, and what was probably meant."""
    groups = [group for group in _SYNONYMS if keyword in group]
    meant = [p for p in parameters if any(p in group for group in groups)] or difflib.get_close_matches(keyword, parameters, n=1)
    hint = f"; did you mean '{meant[0]}'?" if meant else "."
    return f"{function}() has no argument '{keyword}'{hint} The signature is {function.rpartition('.')[2]}{signature}"


def named(function: Callable[..., Any], package: str) -> Callable[..., Any]:
    """`function`, whose error for an unknown keyword is `unknown_keyword`: for those that have no fast function."""
    signature = inspect.signature(function)
    parameters = list(signature.parameters)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        for keyword in kwargs:
            if keyword not in parameters:
                text = f"({', '.join(str(p.replace(annotation=p.empty)) for p in signature.parameters.values())})"
                raise TypeError(unknown_keyword(f"{package}.{function.__name__}", text, parameters, keyword))
        return function(*args, **kwargs)

    return call


def changes_shape(x: Tensor) -> None:
    """Before `x` changes its shape in place. Dynamo's guards of a graph's input would not hold afterwards; with an in-place
    view of torch's own, such as this one of nothing, it ends the graph there.
    """
    if torch.compiler.is_dynamo_compiling():
        x.squeeze_(())


def default_device(place: Any) -> Any:
    """`place`, or in place of None the device of `with torch.device(...)` and `torch.set_default_device`."""
    if place is not None:
        return place
    # Dynamo traces no function that returns a device
    device = torch.empty(0).device if torch.compiler.is_dynamo_compiling() else torch.get_default_device()
    return None if device.type == "cpu" else device


def deprecated(name: str, text: str) -> None:
    """Warns the caller of the generated function; silent while a graph is traced."""
    if not torch.compiler.is_compiling():
        warnings.warn(f"phi_torch.{name} is deprecated: {text}", DeprecationWarning, stacklevel=3)
