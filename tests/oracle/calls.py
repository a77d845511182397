"""How a call of ours is written for `paddle._C_ops`: all arguments by position, in the order of the YAML.

Where Paddle's function has another signature, `SIGNATURES` says how its arguments follow from ours.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import torch

from phi_torch import _fast
from phi_torch._arguments import int_array
from phi_torch.testing import Case
from phi_torch.testing.case import bind
from phi_torch.testing.samples import Arguments, tree_map


def _arange(start: Any, end: Any, step: Any, dtype: torch.dtype, place: torch.device) -> list[Any]:
    """It takes tensors."""
    return [*(torch.as_tensor(v).to(dtype) for v in (start, end, step)), dtype, place]


def _argmax(x: Any, axis: Any, keepdims: bool, flatten: bool, dtype: torch.dtype) -> list[Any]:
    return [x, None if flatten else axis, keepdims, dtype]


def _interpolate(x: Any, out_size: Any, size_tensor: Any, *others: Any) -> list[Any]:
    """An empty list of tensors is None."""
    return [x, out_size, size_tensor or None, *others]


SIGNATURES: Mapping[str, Callable[..., list[Any]]] = {
    "arange": _arange,
    "argmax": _argmax,
    "bilinear_interp": _interpolate,
    "nearest_interp": _interpolate,
}


# The outputs that have a gradient in Paddle, where that is not all that have one here.
DIFFERENTIABLE: Mapping[str, tuple[int, ...]] = {"cross_entropy_with_softmax": (1,)}


def complete(case: Case, arguments: Arguments) -> Arguments:
    """All arguments by position. Numbers are rounded to float32, as Paddle's attributes are; an optimizer has the rate
    and the powers in the dtype of a float64 parameter, as Paddle's kernels read them."""
    if case.info.category == "optimizer" and arguments.tensors()[0].dtype is torch.float64:
        arguments = arguments.map(lambda t: t.double() if t.dtype is torch.float32 else t)
    bound = bind(_fast.PYTHON.get(case.op, case.function), arguments)
    if "place" in bound:
        bound["place"] = torch.device("cpu")
    rounded = tree_map(lambda v: torch.tensor(v).item() if isinstance(v, float) else v, list(bound.values()))
    return Arguments(tuple(rounded))


def paddle_arguments(case: Case, complete: Arguments) -> list[Any]:
    """The arguments for `paddle._C_ops.<op>`, from all of ours."""
    names = inspect.signature(case.function).parameters
    values = [int_array(v) if f"SymInt[] {name}" in case.info.schema else v for name, v in zip(names, complete.args)]
    return SIGNATURES.get(case.op, lambda *found: list(found))(*values)
