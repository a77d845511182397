"""torch.func: grad, vmap over every choice of batched inputs, jacrev, jvp."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from .case import Case, as_tuple, differentiable, floats, weighted_sum
from .gradients import has_gradient
from .samples import Arguments, Sample, leaves

BATCH = 3


def check_vmap(case: Case) -> None:
    """vmap gives what a loop gives, whichever inputs are batched, over the first dimension, the last, and one of each."""
    if case.is_random or case.data_dependent:
        return
    for sample in _samples(case):
        batch = [sample.make(case.float_dtype, case.device, seed=seed) for seed in range(BATCH)]
        if case.overwrites:
            _check_overwriting(case, batch, sample)
            continue
        count = len(batch[0].tensors())
        for chosen in _choices(count):
            for dim in (0, -1):
                _check_vmap(case, batch, [dim if take else None for take in chosen], sample)
        if count > 1:
            _check_vmap(case, batch, [-(i % 2) for i in range(count)], sample)
            for odd in (0, 1):
                _check_levels(case, batch, [i % 2 == odd for i in range(count)], sample)


def _samples(case: Case) -> list[Sample]:
    """The first three, and all that are small."""
    return [s for i, s in enumerate(case.plain_samples()) if i < 3 or sum(math.prod(t.shape) for t in s.tensors()) <= 100]


def _choices(count: int) -> list[tuple[bool, ...]]:
    """All combinations of up to three tensors; beyond: all, and each one alone."""
    if count <= 3:
        return [c for c in itertools.product((True, False), repeat=count) if any(c)]
    return [(True,) * count, *(tuple(i == k for i in range(count)) for k in range(count))]


def _check_vmap(case: Case, batch: Sequence[Arguments], dims: Sequence[int | None], sample: Sample) -> None:
    columns, in_dims = list(zip(*(arguments.tensors() for arguments in batch))), tuple(dims)
    stacked = [c[0] if dim is None else torch.stack(c, dim) for c, dim in zip(columns, in_dims)]
    rows = [[c[0 if dim is None else i] for c, dim in zip(columns, in_dims)] for i in range(BATCH)]

    def function(*tensors: Tensor) -> tuple[Any, ...]:
        return case.call(batch[0].with_tensors(list(tensors)))

    expected = _of_rows(lambda: [list(leaves(function(*row))) for row in rows])
    with warnings.catch_warnings():
        if case.info.vmap != "loop":
            warnings.filterwarnings("error", message=".*performance drop.*")
        actual = _of_batch(lambda: leaves(torch.func.vmap(function, in_dims)(*stacked))) if expected else None
    for i, output in enumerate(actual or ()):
        if output is not None:
            values = torch.stack([e[i] for e in expected])
            case.compare(output, values, case.float_dtype, f"vmap {in_dims} of {sample}")


def _check_overwriting(case: Case, batch: Sequence[Arguments], sample: Sample) -> None:
    """What is written to batched arguments is what is written to those of each sample."""
    stacked = [torch.stack(column) for column in zip(*(arguments.tensors() for arguments in batch))]

    def function(*tensors: Tensor) -> tuple[Tensor, ...]:
        case.call(batch[0].with_tensors(list(tensors)))
        return tensors

    torch.func.vmap(function)(*stacked)
    for arguments in batch:
        case.call(arguments)
    for tensor, column in zip(stacked, zip(*(arguments.tensors() for arguments in batch))):
        case.compare(tensor, torch.stack(column), case.float_dtype, f"vmap of {sample}")


def _of_rows(call: Callable[[], list[Any]]) -> list[Any]:
    """What a loop gives; nothing for a mask and indices that fit each other in the sample alone."""
    try:
        return call()
    except IndexError:
        return []


def _of_batch(call: Callable[[], Any]) -> Any:
    """What vmap gives; None for masks that are indices, which torch does not batch."""
    try:
        return call()
    except RuntimeError as error:
        if "dynamic shape" in str(error):
            return None
        raise


def _check_levels(case: Case, batch: Sequence[Arguments], outer: Sequence[bool], sample: Sample) -> None:
    """vmap within vmap: each tensor is batched by one of them."""
    columns = list(zip(*(arguments.tensors() for arguments in batch)))

    def function(*tensors: Tensor) -> tuple[Any, ...]:
        return case.call(batch[0].with_tensors(list(tensors)))

    def row(i: int, j: int) -> list[Tensor]:
        return [c[i if take else j] for c, take in zip(columns, outer)]

    dims = [tuple(0 if take is level else None for take in outer) for level in (False, True)]
    expected = _of_rows(lambda: [[list(leaves(function(*row(i, j)))) for j in range(BATCH)] for i in range(BATCH)])
    if not expected:
        return
    both = torch.func.vmap(torch.func.vmap(function, dims[0]), dims[1])
    for k, output in enumerate(_of_batch(lambda: leaves(both(*(torch.stack(c) for c in columns)))) or ()):
        if output is not None:
            values = torch.stack([torch.stack([outputs[k] for outputs in line]) for line in expected])
            case.compare(output, values, case.float_dtype, f"vmap within vmap, {dims}, of {sample}")


def check_func(case: Case) -> None:
    """func.grad, vmap of it, jacrev and jvp against autograd; without a forward-mode rule jvp is NotImplementedError."""
    if case.is_random or not has_gradient(case) or torch.float64 not in case.all_dtypes:
        return
    for sample in case.differentiable_samples(limit=40)[:2]:
        arguments = sample.make(torch.float64, case.device, grad=True)
        inputs = tuple(t.detach() for t in arguments.differentiable())

        def function(*tensors: Tensor, arguments: Arguments = arguments) -> tuple[Tensor, ...]:
            return tuple(floats(case.call(arguments.with_differentiable(case.within(tensors)))))

        outputs = _outputs(function, arguments)
        if not any(t.requires_grad for t in outputs):
            assert case.info.backward is None, f"{case.op}: the outputs for {sample} do not require gradients"
            continue
        # torch makes no jacobian of nothing, and none of a complex number by a real one
        kept = [i for i, t in enumerate(outputs) if t.requires_grad and t.numel() and not t.is_complex()]
        if not kept:
            continue
        _check_func(case, lambda *t, f=function, k=kept: tuple(f(*t)[i] for i in k), inputs, sample)


def _outputs(function: Callable[..., tuple[Tensor, ...]], arguments: Arguments) -> tuple[Tensor, ...]:
    return function(*arguments.differentiable())


def _check_func(case: Case, function: Callable[..., tuple[Tensor, ...]], inputs: tuple[Tensor, ...], sample: Sample) -> None:
    every = tuple(range(len(inputs)))
    leaf = [t.clone().requires_grad_() for t in inputs]
    expected = torch.autograd.grad(weighted_sum(function(*leaf)), leaf, allow_unused=True)
    expected = tuple(torch.zeros_like(t) if g is None else g for g, t in zip(expected, inputs))
    found = torch.func.grad(lambda *t: weighted_sum(function(*t)), every)(*inputs)
    case.compare(found, expected, torch.float64, f"func.grad of {sample}")

    rows = _jacobian(function, inputs, vectorize=False)
    found = torch.func.jacrev(lambda *t: function(*t), every)(*inputs)
    for i, (a, e) in enumerate(zip(found, rows)):
        case.compare(as_tuple(a), e, torch.float64, f"jacrev of output {i} of {sample}")
    for i, (a, e) in enumerate(zip(_jacobian(function, inputs, vectorize=True), rows)):
        case.compare(a, e, torch.float64, f"vectorized jacobian of output {i} of {sample}")
    _check_jvp(case, function, inputs, rows, sample)


def _jacobian(function: Callable[..., Any], inputs: tuple[Tensor, ...], vectorize: bool) -> tuple[Any, ...]:
    """For each output the derivatives by each input."""
    rows = torch.autograd.functional.jacobian(lambda *t: function(*t), inputs, vectorize=vectorize)
    return tuple(as_tuple(r) for r in rows) if len(inputs) > 1 else tuple((as_tuple(r)[0],) for r in rows)


def _check_jvp(case: Case, function: Callable[..., Any], inputs: tuple[Tensor, ...], jacobian: Any, sample: Sample) -> None:
    tangents = tuple(torch.linspace(-1, 1, t.numel(), dtype=t.dtype, device=t.device).reshape(t.shape) for t in inputs)
    try:
        found = torch.func.jvp(function, inputs, tangents)[1]
    except NotImplementedError as error:
        lacks = case.info.composite is None or (case.is_composite and "forward AD" in str(error))  # torch's operator does
        assert case.info.jvp is None and lacks, f"{case.op}: has a rule for jvp, but raises"
        return
    for i, (a, row) in enumerate(zip(found, jacobian)):
        expected = sum((j.flatten(j.dim() - t.dim()) @ t.flatten() if t.dim() else j * t) for j, t in zip(row, tangents))
        case.compare(a, expected, torch.float64, f"jvp of output {i} of {sample}")


__all__ = ["check_func", "check_vmap", "differentiable"]
