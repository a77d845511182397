"""The other forms of a call: in place, into given tensors, under autocast."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .. import _namespaces
from .case import Case, clone, differentiable, floats, of_dense, public_outputs, weighted_sum
from .samples import Arguments, Sample, leaves


def check_inplace(case: Case) -> None:
    """The in-place form writes what the op returns, returns the tensors it wrote, and counts their versions."""
    name = case.op if case.overwrites else f"{case.op}_"
    if _namespaces.split(name)[1] not in case.info.overloads:
        return
    function = _namespaces.function(name)
    assert function is not None
    fitting = 0
    for sample in case.plain_samples():
        arguments = sample.make(case.float_dtype, case.device)
        written = written_by(case, arguments)
        expected = None if case.op == name else case.call(clone(arguments))
        if expected is not None and not _fits(case, written, expected):
            continue
        fitting += 1
        versions = {key: [t._version for t in tensors] for key, tensors in written.items()}
        result = dict(zip(public_outputs(case), _as_tuple(function(*arguments.args, **arguments.kwargs))))
        for output, tensors in written.items():
            returned = list(leaves([result[output]])) if output in result else tensors
            assert all(a is b for a, b in zip(returned, tensors)), f"{name}: {output} is not the tensor given, {sample}"
            for t, before in zip(tensors, versions[output]):
                assert t._version > before, f"{name}: the version of {output} does not change, {sample}"
        if expected is not None and not case.is_random:
            # what there is no tensor to write to comes back as None
            known = tuple(None if written.get(name) == [] else e for name, e in zip(result, expected))
            case.compare(tuple(result.values()), known, case.float_dtype, f"in place, {sample}")
    assert fitting, f"{name}: no sample fits the in-place form"
    if case.op != name and case.info.backward is not None and not case.is_random and torch.float64 in case.all_dtypes:
        _check_inplace_autograd(case, function)


def written_by(case: Case, arguments: Arguments) -> dict[str, list[Tensor]]:
    """output -> the tensors of the input that the in-place form writes it into."""
    values = dict(zip(case.info.names, case.positional(arguments)))
    return {out: [t for t in leaves([values[i]]) if isinstance(t, Tensor)] for i, out in case.info.inplace}


def _fits(case: Case, written: dict[str, list[Tensor]], expected: tuple[Any, ...]) -> bool:
    outputs = dict(zip(public_outputs(case), expected))
    pairs = [(t, o) for name, ts in written.items() if name in outputs for t, o in zip(ts, leaves([outputs[name]]))]
    return all(t.shape == o.shape and t.dtype == o.dtype for t, o in pairs)


def _check_inplace_autograd(case: Case, function: Any) -> None:
    """On an intermediate and on a view: gradients as those of the op; on a leaf and after a save: an error."""
    name = case.info.inplace[0][0]
    for sample in case.differentiable_samples():
        arguments = sample.make(torch.float64, case.device, grad=True)
        target = written_by(case, arguments)[case.info.inplace[0][1]][0]
        expected_outputs = case.call(arguments)
        if not target.requires_grad or not _fits(case, written_by(case, arguments), expected_outputs):
            continue
        if not differentiable(expected_outputs):
            continue
        inputs = arguments.differentiable()
        expected = torch.autograd.grad(weighted_sum(expected_outputs), inputs, allow_unused=True)
        for what, middle in (("an intermediate", target * 1), ("a view", (target * 1).view(target.shape))):
            changed = {id(target): middle}
            replaced = arguments.map(lambda t, c=changed: c.get(id(t), t))  # type: ignore[misc]
            try:
                outputs = function(*replaced.args, **replaced.kwargs)
            except NotImplementedError:
                # a part of a base and a whole output cannot share a node of torch
                assert what == "a view" and len(case.info.outputs) > 1, f"{case.op}_ fails on {what}"
                continue
            actual = torch.autograd.grad(weighted_sum(outputs), inputs, allow_unused=True)
            case.compare(tuple(actual), tuple(expected), torch.float64, f"in place on {what}, {sample}")
        try:
            function(*arguments.args, **arguments.kwargs)
        except RuntimeError as error:
            assert "leaf" in str(error), error
        else:
            raise AssertionError(f"{case.op}_: {name} may be a leaf that requires a gradient")
        _check_overwritten(case, function, arguments, target)
        return


def _check_overwritten(case: Case, function: Any, arguments: Arguments, target: Tensor) -> None:
    """A tensor that another node saved must not be changed unnoticed."""
    middle = target * 1
    saved = middle.sin()
    replaced = arguments.map(lambda t: middle if t is target else t)
    function(*replaced.args, **replaced.kwargs)
    try:
        saved.sum().backward()
    except RuntimeError as error:
        assert "modified by an inplace operation" in str(error), error
    else:
        raise AssertionError(f"{case.op}_: autograd does not notice that a saved tensor was overwritten")


@of_dense
def check_out(case: Case) -> None:
    """`out=` fills empty and fitting tensors, returns them, and refuses tensors that require gradients."""
    if f"{case.info.name}.out" not in case.info.overloads or case.is_random:
        return
    for sample in case.plain_samples():
        arguments = sample.make(case.float_dtype, case.device)
        positional = case.positional(arguments)
        expected = case.call(arguments)
        names = [a.name for a in case.overload.out._schema.arguments if a.kwarg_only]
        for make in (_empty, torch.empty_like):
            outs = [make(e) for e in expected]
            result = _as_tuple(case.overload.out(*positional, **dict(zip(names, outs))))
            assert all(r is o for r, o in zip(result, outs)), f"{case.op}.out: returns other tensors"
            case.compare(tuple(outs), expected, case.float_dtype, f"out=, {sample}")
    if case.info.backward is not None and (samples := case.differentiable_samples()):
        _check_out_refuses_gradients(case, samples[0], names)


def _empty(t: Tensor) -> Tensor:
    return torch.empty(0, dtype=t.dtype, device=t.device)


def _check_out_refuses_gradients(case: Case, sample: Sample, names: list[str]) -> None:
    arguments = sample.make(case.float_dtype, case.device, grad=True)
    if not arguments.differentiable():
        return
    outs = {n: torch.empty_like(e).detach() for n, e in zip(names, case.call(arguments))}
    try:
        case.overload.out(*case.positional(arguments), **outs)
    except RuntimeError as error:
        assert "differentiation" in str(error), error
    else:
        raise AssertionError(f"{case.op}.out: takes inputs that require gradients")


def check_autocast(case: Case) -> None:
    """Under autocast the op runs in the dtype that its policy says."""
    policy = case.info.autocast
    if case.is_random or not {torch.float32, torch.bfloat16} <= set(case.all_dtypes):
        return
    for sample in case.samples:
        given = torch.bfloat16 if policy == "fp32" else torch.float32
        arguments = sample.make(given, case.device)
        wanted = {"lower": torch.bfloat16, "fp32": torch.float32}.get(policy)
        if wanted is None:
            expected = case.call(clone(arguments))
        else:
            expected = case.call(arguments.map(lambda t, a=given, b=wanted: t.to(b) if t.dtype is a else t))  # type: ignore[misc]
        with torch.autocast(case.device, dtype=torch.bfloat16):
            actual = case.call(clone(arguments))
        for a, e in zip(floats(actual), floats(expected)):
            assert a.dtype == e.dtype, f"{case.op}: {a.dtype} under autocast ({policy}), expected {e.dtype}, {sample}"
        case.compare(actual, expected, torch.bfloat16 if wanted is torch.bfloat16 else given, f"autocast, {sample}")


def _as_tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, tuple) else (value,)
