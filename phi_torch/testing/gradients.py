"""Autograd: first and second order, in every dtype; the composite against the kernel."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from .. import registry
from .._namespaces import NAMESPACES
from ..decompositions import composite, composites
from .case import FLOATS, Case, as_tuple, differentiable, floats, weighted_sum
from .samples import Arguments, Sample, leaves


def check_gradients(case: Case) -> None:
    """gradcheck and gradgradcheck in float64, and each dtype's gradients against the reference's."""
    samples = [] if case.is_random else case.differentiable_samples()
    if torch.float64 not in case.all_dtypes or case.info.category in ("creation", "optimizer"):
        return
    for sample in samples:
        arguments = sample.make(torch.float64, case.device, grad=True)
        function, inputs = _of_differentiable(case, arguments)
        if not has_gradient(case):
            _check_opaque(case, arguments, sample)
            continue
        if not differentiable(function(*inputs)):
            assert case.info.backward is None, f"{case.op}: the outputs for {sample} do not require gradients"
            continue
        fast = sum(t.numel() for t in inputs) > 24
        with warnings.catch_warnings():
            warnings.filterwarnings("error", message=".*autograd kernel was not registered.*")
            assert torch.autograd.gradcheck(function, inputs, fast_mode=fast)
            if _twice(case):
                assert torch.autograd.gradgradcheck(function, inputs, fast_mode=True)
    if has_gradient(case):
        _compare_gradients_with_reference(case, samples)


def has_gradient(case: Case) -> bool:
    """Whether the op has a backward op, or autograd sees the ops that it is made of."""
    return case.info.backward is not None or case.info.composite is not None or not case.has_kernel


def _check_opaque(case: Case, arguments: Arguments, sample: Sample) -> None:
    """An op without a gradient says so, rather than leave its inputs without one."""
    for output in floats(case.call(arguments)):
        assert output.requires_grad, f"{case.op}: cuts the graph without a word, {sample}"
        try:
            output.sum().backward()
        except NotImplementedError as error:
            assert case.op.rstrip("_") in str(error), error
        else:
            raise AssertionError(f"{case.op}: has no backward op, but backward() succeeds, {sample}")


def _twice(case: Case) -> bool:
    backward = case.info.backward
    return backward is None or registry.info(case.info.beside(backward)).composite is not None


def _of_differentiable(case: Case, arguments: Arguments) -> tuple[Callable[..., Any], list[Tensor]]:
    """The call as a function of the tensors that require gradients, with differentiable outputs only."""

    def function(*tensors: Tensor) -> tuple[Tensor, ...]:
        return tuple(differentiable(case.call(arguments.with_differentiable(list(tensors)))))

    return function, arguments.differentiable()


def _compare_gradients_with_reference(case: Case, samples: list[Sample]) -> None:
    assert case.reference is not None
    for dtype in FLOATS:
        if dtype not in case.all_dtypes or not _backward_supports(case, dtype):
            continue
        for sample in samples:
            arguments = sample.make(dtype, case.device, grad=True)
            wide = arguments.map(lambda t: _as_double(t))
            expected_outputs = as_tuple(case.reference(*wide.args, **wide.kwargs))
            if not differentiable(expected_outputs):
                continue  # numpy, or an output that the reference leaves out
            actual_outputs = [a for a, e in zip(case.call(arguments), expected_outputs) if e is not None]
            pairs = [(a, e) for a, e in zip(leaves(actual_outputs), leaves(expected_outputs)) if e is not None and e.requires_grad]
            expected = torch.autograd.grad(weighted_sum([e for _, e in pairs]), wide.differentiable(), allow_unused=True)
            actual = torch.autograd.grad(weighted_sum([a for a, _ in pairs]), arguments.differentiable(), allow_unused=True)
            for i, (a, e) in enumerate(zip(actual, expected)):
                if e is not None:
                    value = torch.zeros_like(e, dtype=dtype) if a is None else a
                    case.compare(value, e, dtype, f"gradient {i} of {sample}")


def _as_double(t: Tensor) -> Tensor:
    wide = torch.complex128 if t.is_complex() else torch.float64 if t.is_floating_point() else t.dtype
    return t.detach().cpu().to(wide).clone().requires_grad_(t.requires_grad)


def _backward_supports(case: Case, dtype: torch.dtype) -> bool:
    return case.info.backward is None or registry.supported(case.info.beside(case.info.backward), case.device, dtype)


class _Recorder(TorchDispatchMode):
    """Notes the calls of our operators and of the extensions'."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any], Any]] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if func.namespace in NAMESPACES:
            self.calls.append((func._schema.name.removeprefix("phi::"), args, kwargs or {}, result))
        return result


def check_composite(case: Case) -> None:
    """The composites of the op and of its backward ops give the kernels' values, and their gradients."""
    if case.is_random or case.info.category == "optimizer":
        return
    dtype = torch.float64 if torch.float64 in case.all_dtypes else case.float_dtype
    for sample in case.samples:
        arguments = sample.make(dtype, case.device, grad=has_gradient(case))
        if not case.has_tensor_attributes(arguments):
            _check_composites_of_call(case, arguments, dtype, sample)


def _check_composites_of_call(case: Case, arguments: Arguments, dtype: torch.dtype, sample: Sample) -> None:
    with _Recorder() as recorder:
        outputs = case.call(arguments)
        carries = [isinstance(t, Tensor) and t.requires_grad for t in leaves(outputs)]
        kernel_gradients = _gradients(differentiable(outputs), arguments)
    for name, args, kwargs, result in recorder.calls:
        if name in composites():
            values = [v for _, v in sorted(kwargs.items()) if not isinstance(v, list)]
            assert not values, f"{name}: keyword arguments {kwargs}"
            other = composite(name).masked(*args, **kwargs)
            case.compare(_of(other), _of(_without(result, other)), dtype, f"composite of {name}, {sample}")
    if case.op in composites():
        others = leaves(_public(case, composite(case.op)(*case.positional(arguments))))
        found = _gradients([t for t, kept in zip(others, carries) if kept], arguments)
        case.compare(found, kernel_gradients, dtype, f"gradients of the composite, {sample}")


def _gradients(outputs: list[Tensor], arguments: Arguments) -> tuple[Tensor, ...]:
    inputs = arguments.differentiable()
    if not inputs or not outputs:
        return tuple(torch.zeros_like(t) for t in inputs)
    found = torch.autograd.grad(weighted_sum(outputs), inputs, allow_unused=True)
    return tuple(torch.zeros_like(t) if g is None else g for g, t in zip(found, inputs))


def _of(outputs: Any) -> tuple[Any, ...]:
    return tuple(outputs) if isinstance(outputs, (tuple, list)) else (outputs,)


def _public(case: Case, outputs: Any) -> tuple[Any, ...]:
    """The outputs that are not intermediate."""
    outputs = _of(outputs) if len(case.info.outputs) > 1 else (outputs,)
    return tuple(o for o, name in zip(outputs, case.info.outputs) if name not in case.info.intermediate)


def _without(result: Any, other: Any) -> Any:
    """`result`, without the outputs that the composite does not make."""
    return tuple(None if o is None else r for r, o in zip(_of(result), _of(other)))
