"""Values, shapes, dtypes and strides; expected errors; kernel selection."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch._subclasses.fake_tensor import DataDependentOutputException, DynamicOutputShapeException, FakeTensorMode

from .. import registry
from .._arguments import as_tensor
from .case import Case, as_tuple, clone
from .samples import Arguments, Error, Sample, T, leaves


def check_values(case: Case) -> None:
    """Every sample in every dtype against the reference, which gets float64; and the fake outputs against the real."""
    for dtype in case.all_dtypes:
        for sample in case.samples:
            arguments = sample.make(dtype, case.device)
            _compare_with_reference(case, arguments, dtype, sample)
            _compare_with_fake(case, sample.make(dtype, case.device), sample)


def check_layouts(case: Case) -> None:
    """The same values from tensors with gaps, transposed, unaligned, expanded or channels last; and without elements."""
    names = LAYOUTS if case.layouts is None else case.layouts
    for sample in (*case.samples, *_degenerate(case)):
        for name in names:
            plain = sample.make(case.float_dtype, case.device)
            arguments = plain.map(lambda t, f=LAYOUTS[name]: f(t) if t.layout is torch.strided else t)  # type: ignore[misc]
            if name == "expanded" and case.overwrites:
                continue  # it is written to
            if name != "contiguous" and all(a is b for a, b in zip(arguments.tensors(), plain.tensors())):
                continue
            _compare_with_reference(case, arguments, case.float_dtype, f"{sample} {name}")
            if not case.overwrites:
                _compare_with_fake(case, arguments, f"{sample} {name}")


def _compare_with_reference(case: Case, arguments: Arguments, dtype: torch.dtype, what: object) -> None:
    assert case.reference is not None, f"{case.op}: no reference"
    wide = arguments.map(lambda t: t.detach().cpu().to(_wide(t.dtype)).clone())
    expected = case.reference(*wide.args, **wide.kwargs)
    case.compare(case.call(arguments), expected, dtype, what)


def _wide(dtype: torch.dtype) -> torch.dtype:
    if dtype.is_complex:
        return torch.complex128
    return torch.float64 if dtype.is_floating_point else dtype


def _compare_with_fake(case: Case, arguments: Arguments, what: object) -> None:
    """InferMeta over symbolic sizes says what the kernel does: shape, dtype, strides, device."""
    if not case.info.dense:
        return
    with FakeTensorMode() as mode:
        faked = arguments.map(mode.from_tensor)
        try:
            fake = case.call(faked)
        except (DataDependentOutputException, DynamicOutputShapeException):
            assert case.data_dependent, (
                f"{case.op}: shapes depend on data; say so in the entry (`traits : data_dependent_shape`), and beside samples of "
                "phi_torch with DATA_DEPENDENT = True"
            )
            return
    real = case.call(clone(arguments) if case.overwrites else arguments)
    for f, r in zip(leaves(fake), leaves(real)):
        if isinstance(r, Tensor):
            described = [(tuple(t.shape), t.dtype, t.device, _strides(t)) for t in (f, r)]
            assert described[0] == described[1], f"{case.op}: fake {described[0]}, real {described[1]}, for {what}"


def _strides(t: Tensor) -> tuple[int, ...]:
    """The strides that mean something: of an empty tensor none, nor of a dimension of one element."""
    return tuple(stride for stride, n in zip(t.stride(), t.shape) if n != 1) if t.numel() else ()


def _degenerate(case: Case) -> list[Sample]:
    """Elementwise ops take any shape: none, empty, and more dimensions than a loop over them has."""
    if case.info.category not in ("unary", "binary"):
        return []
    first = case.samples[0]
    return [first.map(lambda t, s=shape: t.resized(s)) for shape in ((), (0,), (2, 0, 3), (1, 2, 1, 2, 1, 2, 1))]  # type: ignore[misc]


def _gaps(t: Tensor) -> Tensor:
    return t.repeat_interleave(2, -1)[..., ::2] if t.dim() else t


def _transposed(t: Tensor) -> Tensor:
    return t.transpose(0, -1).contiguous().transpose(0, -1) if t.dim() > 1 else t


def _unaligned(t: Tensor) -> Tensor:
    return torch.cat([t.new_zeros(1), t.reshape(-1)])[1:].view(t.shape) if t.numel() else t


def _expanded(t: Tensor) -> Tensor:
    """Stride 0, as the gradient of a sum has."""
    return t[:1].expand_as(t) if t.dim() and t.shape[0] > 1 else t


def _channels_last(t: Tensor) -> Tensor:
    return t.contiguous(memory_format=torch.channels_last) if t.dim() == 4 else t


LAYOUTS: dict[str, Callable[[Tensor], Tensor]] = {
    "contiguous": lambda t: t,
    "gaps": _gaps,
    "transposed": _transposed,
    "unaligned": _unaligned,
    "expanded": _expanded,
    "channels_last": _channels_last,
}


def check_errors(case: Case) -> None:
    """Each expected error: its class, its message, and that the message names the op.

    Not on a GPU what a kernel finds: it stops, and with it the CUDA context of the process.
    """
    for error in case.errors:
        arguments = error.sample.make(case.float_dtype, case.device)
        if case.device == "cuda" and is_found_by_kernel(case, error):
            continue
        try:
            result = case.call(arguments)
        except error.exception as raised:
            message = str(raised)
            assert re.search(error.match, message), f"{case.op}: {error.match!r} is not in {message!r}"
            assert case.op.rstrip("_") in message, f"{case.op}: the message does not name the op: {message!r}"
            _check_sample_error(case, error, arguments)
        else:
            raise AssertionError(f"{case.op}: {error.sample} gave {result}, expected {error.exception.__name__}")


def _check_sample_error(case: Case, error: Error, arguments: Arguments) -> None:
    """What InferMeta refuses of a call it refuses of a sample under vmap, where the composite runs, in the same words."""
    tensors = arguments.tensors()
    if not tensors or case.info.vmap != "composite" or not case.has_kernel or case.overwrites:
        return
    if not _refuses(lambda: case.call(arguments.map(lambda t: t.to("meta"))), error):
        return
    function = torch.func.vmap(lambda *rows: case.call(arguments.with_tensors(list(rows))), randomness="same")
    assert _refuses(lambda: function(*(torch.stack([t, t]) for t in tensors)), error), f"{case.op}: vmap takes {error.sample}"


def _refuses(call: Callable[[], Any], error: Error) -> bool:
    try:
        call()
    except Exception as raised:
        return isinstance(raised, error.exception) and re.search(error.match, str(raised)) is not None
    return False


def is_found_by_kernel(case: Case, error: Error) -> bool:
    """Whether an index is wrong that only the kernel reads: fake tensors do not have it."""
    if error.exception is not IndexError or case.data_dependent:  # whose composite reads it, to know the size
        return False
    made = error.sample.make(case.float_dtype)
    with FakeTensorMode() as mode:
        try:
            case.call(made.map(mode.from_tensor))
        except error.exception:
            return False
    return True


def check_selection(case: Case) -> None:
    """`explain` names the kernel that runs, and where it is registered, for every dtype."""
    if not case.has_kernel:
        return
    for dtype in case.all_dtypes:
        arguments = case.samples[0].make(dtype, case.device)
        calls = registry.explain(case.op, *arguments.args, **arguments.kwargs).calls
        assert calls, f"{case.op}: no kernel is selected for {dtype}"
        assert re.search(r"\.(cc|cu|h|yaml):\d+$", calls[-1].place), calls[-1].place
        assert not calls[-1].fallback_cpu


def check_tensor_attributes(case: Case) -> None:
    """A Scalar or IntArray given as a tensor gives the same result."""
    if f"{case.op}.tensor" not in case.info.overloads or case.is_random:
        return
    arguments = case.plain_samples()[0].make(case.float_dtype, case.device)
    names = re.findall(r"(?:SymInt\[\]|Scalar) (\w+)", case.info.schema)
    parameters = inspect.signature(case.function).parameters
    values = zip(parameters, case.positional(arguments))
    converted = [as_tensor(value) if name in names else value for name, value in values]
    case.compare(as_tuple(case.function(*converted)), case.call(arguments), case.float_dtype, "tensor attributes")


__all__ = ["LAYOUTS", "T", "check_errors", "check_layouts", "check_selection", "check_tensor_attributes", "check_values"]
