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
from .case import FLOATS, Case, as_tuple, clone, differentiable, floats, weighted_sum
from .finite import gradcheck, gradgradcheck
from .samples import Arguments, Sample, leaves


def check_gradients(case: Case) -> None:
    """gradcheck and gradgradcheck in float64, and each dtype's gradients against the reference's."""
    if case.is_random or case.info.category in ("creation", "optimizer"):
        return
    samples = case.differentiable_samples()
    if not samples:
        help = "add a call with elements of floating point, such as Sample(T(3, 4)), whose T have grad=True"
        assert case.info.backward is None, f"{case.op}: has a gradient, but no sample is differentiated; {help}"
        return
    if torch.float64 in case.all_dtypes:
        for sample in samples:
            _check_numerically(case, sample)
    if has_gradient(case) and not _compare_gradients_with_reference(case, samples):
        floats = [d for d in FLOATS if d in case.all_dtypes]
        checked = torch.float64 in floats or not floats or case.info.backward is None
        help = "register the kernel for float64, or give a reference made of torch's functions"
        assert checked, f"{case.op}: nothing says what its gradient should be in {floats[0]}; {help}"


def _check_numerically(case: Case, sample: Sample) -> None:
    """Against differences of the outputs."""
    arguments = sample.make(torch.float64, case.device, grad=True)
    function, inputs = _of_differentiable(case, arguments)
    if not has_gradient(case):
        return _check_opaque(case, arguments, sample)
    if not differentiable(function(*inputs)):
        assert case.info.backward is None, f"{case.op}: the outputs for {sample} do not require gradients"
        return
    names = [case.name_of(t, arguments) for t in inputs]
    fast = sum(t.numel() for t in inputs) > 24
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*autograd kernel was not registered.*")
        gradcheck(f"{case.op}: gradient of", function, inputs, names, str(sample), fast)
        if _twice(case):
            gradgradcheck(f"{case.op}: second-order gradient of", function, inputs, names, str(sample))


def has_gradient(case: Case) -> bool:
    """Whether the op has a backward op, or autograd sees the ops that it is made of."""
    composite = case.info.composite is not None and case.info.order != "no"  # which that of a random op has not
    return case.info.backward is not None or composite or not (case.has_kernel or case.info.custom)


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
    if backward is None:
        return True
    info = registry.info(case.info.beside(backward))
    return info.composite is not None or info.backward is not None


def _of_differentiable(case: Case, arguments: Arguments) -> tuple[Callable[..., Any], list[Tensor]]:
    """The call as a function of the tensors that require gradients, with differentiable outputs only."""

    def function(*tensors: Tensor) -> tuple[Tensor, ...]:
        return tuple(differentiable(case.call(arguments.with_differentiable(case.within(tensors)))))

    return function, arguments.differentiable()


def _compare_gradients_with_reference(case: Case, samples: list[Sample]) -> bool:
    """Whether the reference can be differentiated, so that there was something to compare."""
    assert case.reference is not None
    compared = False
    for dtype in FLOATS:
        if dtype not in case.all_dtypes or not _backward_supports(case, dtype):
            continue
        for sample in samples:
            arguments = sample.make(dtype, case.device, grad=True)
            wide = arguments.map(lambda t: as_double(t))
            expected_outputs = as_tuple(case.reference(*wide.args, **wide.kwargs))
            if not differentiable(expected_outputs):
                continue  # numpy, or an output that the reference leaves out
            actual_outputs = [a for a, e in zip(case.call(arguments), expected_outputs) if e is not None]
            pairs = [(a, e) for a, e in zip(leaves(actual_outputs), leaves(expected_outputs)) if e is not None and e.requires_grad]
            expected = torch.autograd.grad(weighted_sum([e for _, e in pairs]), wide.differentiable(), allow_unused=True)
            actual = torch.autograd.grad(weighted_sum([a for a, _ in pairs]), arguments.differentiable(), allow_unused=True)
            for t, a, e in zip(arguments.differentiable(), actual, expected):
                if e is not None:
                    value = torch.zeros_like(e, dtype=dtype) if a is None else a
                    case.compare(value, e, dtype, sample, f"gradient of '{case.name_of(t, arguments)}'")
                    compared = True
    return compared


def as_double(t: Tensor) -> Tensor:
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
        given = clone(Arguments(args, kwargs or {})) if func._schema.is_mutable else Arguments(args, kwargs or {})
        result = func(*args, **(kwargs or {}))
        if func.namespace in NAMESPACES and func._overloadname == "default":
            self.calls.append((func._schema.name.removeprefix("phi::"), given.args, given.kwargs, result))
        return result


def check_composite(case: Case) -> None:
    """The composites of the op and of its backward ops give the kernels' values, and their gradients."""
    dtype = torch.float64 if torch.float64 in case.all_dtypes else case.float_dtype
    for sample in case.samples:
        arguments = sample.make(dtype, case.device, grad=has_gradient(case))
        if not case.has_tensor_attributes(arguments):
            _check_composites_of_call(case, arguments, dtype, sample)


def _check_composites_of_call(case: Case, arguments: Arguments, dtype: torch.dtype, sample: Sample) -> None:
    name = case.info.full_name
    with _Recorder() as forward, torch.no_grad():
        case.call(clone(arguments))
    with _Recorder() as recorder:
        outputs = case.call(arguments)
        carries = [isinstance(t, Tensor) and t.requires_grad for t in leaves(outputs)]
        kernel_gradients = _gradients(differentiable(outputs), arguments)
    calls = [*forward.calls, *(c for c in recorder.calls if c[0] != name)]
    for called, args, kwargs, result in calls:
        if called in composites() and not (called == name and case.is_random):
            values = [v for _, v in sorted(kwargs.items()) if not isinstance(v, list)]
            assert not values, f"{called}: keyword arguments {kwargs}"
            other = composite(called).masked(*args, **kwargs)
            case.compare(_of(other), _of(_without(result, other)), dtype, sample, f"composite of {called}")
    if name in composites() and not case.is_random:
        others = leaves(public(case, composite(name)(*case.positional(arguments))))
        found = _gradients([t for t, kept in zip(others, carries) if kept], arguments)
        for t, a, e in zip(arguments.differentiable(), found, kernel_gradients):
            case.compare(a, e, dtype, sample, f"composite's gradient of '{case.name_of(t, arguments)}'")


def _gradients(outputs: list[Tensor], arguments: Arguments) -> tuple[Tensor, ...]:
    inputs = arguments.differentiable()
    if not inputs or not outputs:
        return tuple(torch.zeros_like(t) for t in inputs)
    found = torch.autograd.grad(weighted_sum(outputs), inputs, allow_unused=True)
    return tuple(torch.zeros_like(t) if g is None else g for g, t in zip(found, inputs))


def _of(outputs: Any) -> tuple[Any, ...]:
    return tuple(outputs) if isinstance(outputs, (tuple, list)) else (outputs,)


def public(case: Case, outputs: Any) -> tuple[Any, ...]:
    """The outputs that are not intermediate."""
    outputs = _of(outputs) if len(case.info.outputs) > 1 else (outputs,)
    return tuple(o for o, name in zip(outputs, case.info.outputs) if name not in case.info.intermediate)


def _without(result: Any, other: Any) -> Any:
    """`result`, without the outputs that the composite does not make."""
    return tuple(None if o is None else r for r, o in zip(_of(result), _of(other)))
