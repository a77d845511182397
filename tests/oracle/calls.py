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


def _rnn(x: Any, pre_state: Any, weight_list: Any, sequence_length: Any, dropout_state_in: Any, *others: Any) -> list[Any]:
    """It has the state of the dropout always."""
    return [x, pre_state, weight_list, sequence_length, torch.empty(0, dtype=torch.uint8), *others]


SIGNATURES: Mapping[str, Callable[..., list[Any]]] = {
    "arange": _arange,
    "argmax": _argmax,
    "argmin": _argmax,
    "rnn": _rnn,
    **{f"{name}_interp": _interpolate for name in ("bicubic", "bilinear", "linear", "nearest", "trilinear")},
}


# The outputs that have a gradient in Paddle, where that is not all that have one here.
DIFFERENTIABLE: Mapping[str, tuple[int, ...]] = {
    "cross_entropy_with_softmax": (1,),
    "eigvalsh": (0,),
    "hsigmoid_loss": (0,),
    "slogdet_v2": (1,),
    **dict.fromkeys(("fake_dequantize_max_abs", "fake_channel_wise_dequantize_max_abs", "fake_quantize_abs_max"), ()),
    **dict.fromkeys(("fake_channel_wise_quantize_abs_max", "fake_quantize_moving_average_abs_max"), ()),
}


def _vectors(columns: int, rows: int | None = None) -> Callable[[list[Any], list[Any]], list[Any]]:
    """The output whose columns are vectors of which the sign, or the phase, is free; the rows of another have the same one."""

    def aligned(outputs: list[Any], theirs: list[Any]) -> list[Any]:
        if theirs[columns] is None or outputs[columns].shape != theirs[columns].shape or outputs[columns].dim() < 2:
            return outputs
        phases = (outputs[columns].detach().conj() * theirs[columns]).sum(-2).sgn()
        found = [*outputs]
        found[columns] = outputs[columns] * phases.unsqueeze(-2)
        if rows is not None:
            found[rows] = outputs[rows] * phases[..., : outputs[rows].shape[-2]].conj().unsqueeze(-1)
        return found

    return aligned


def _without_cache(outputs: list[Any], theirs: list[Any]) -> list[Any]:
    """Paddle's function also returns what its gradient needs."""
    return [*outputs, *[None] * (len(theirs) - len(outputs))]


def _without_unwritten(outputs: list[Any], theirs: list[Any]) -> list[Any]:
    """In tests Paddle does not write what we hand on."""
    return [ours if their is not None else None for ours, their in zip(outputs, theirs)]


# Our outputs as Paddle chose them, where some are as good as others.
ALIGNED: Mapping[str, Callable[[list[Any], list[Any]], list[Any]]] = {
    "eig": _vectors(1),
    "eigh": _vectors(1),
    "eigvalsh": _vectors(1),
    **dict.fromkeys(("einsum", "norm"), _without_cache),
    **dict.fromkeys(
        ("fake_quantize_moving_average_abs_max", "fake_quantize_dequantize_moving_average_abs_max"), _without_unwritten
    ),
    "svd": _vectors(0, 2),
}


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
