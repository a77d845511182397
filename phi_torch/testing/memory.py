"""Memory: a kernel writes what InferMeta makes room for, all of it and nothing else."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from .. import _C, registry
from .._namespaces import NAMESPACES
from .case import Case, as_tuple, differentiable, of_dense, public_outputs, weighted_sum
from .gradients import as_double, has_gradient
from .samples import Sample, leaves

FILLS = (0xFF, 0x5A)  # NaN of every dtype, and numbers


@of_dense
def check_memory(case: Case) -> None:
    """Nothing is written beside the results, forward and backward, and the results do not depend on what their memory held."""
    if case.device != "cpu":
        return  # the guard zones are those of an allocator of the CPU
    for dtype in case.all_dtypes:
        for sample in case.samples:
            first, second = (_run(case, sample, dtype, fill) for fill in FILLS)
            for (op, names, a), (_, _, b) in zip(first, second):
                for name, x, y in zip(names, a, b):
                    if (problem := _unwritten(x, y)) and not (op == case.info.full_name and _is_free(case, sample, dtype, name)):
                        raise AssertionError(f"{op}: {name} for {sample}, {dtype}: {problem}")


def _is_free(case: Case, sample: Sample, dtype: torch.dtype, name: str) -> bool:
    """Whether the reference has None for this output: anything may be in it."""
    assert case.reference is not None
    arguments = sample.make(dtype).map(as_double)
    expected = dict(zip(public_outputs(case), as_tuple(case.reference(*arguments.args, **arguments.kwargs))))
    return any(value is None and name.startswith(f"output '{output}") for output, value in expected.items())


def _run(case: Case, sample: Sample, dtype: torch.dtype, fill: int) -> list[tuple[str, list[str], list[Tensor]]]:
    """The results of each operator that the call and its backward reach."""
    backward = case.info.backward
    grad = has_gradient(case) and (backward is None or registry.supported(case.info.beside(backward), "cpu", dtype))
    torch.manual_seed(0)
    with guarded(fill):
        arguments = sample.make(dtype, grad=grad)
        with _Watch(case, sample) as watch:
            outputs = differentiable(case.call(arguments))
            if outputs and arguments.differentiable():
                torch.autograd.grad(weighted_sum(outputs), arguments.differentiable(), allow_unused=True)
    return watch.results


@contextlib.contextmanager
def guarded(fill: int) -> Iterator[None]:
    """New memory is full of `fill` and lies between zones that `_C.take_memory_faults` looks at."""
    _C.guard_memory(fill)
    try:
        yield
    finally:
        _C.stop_guarding_memory()


class _Watch(TorchDispatchMode):
    """Looks at the guard zones after each call of an operator of ours or of an extension."""

    def __init__(self, case: Case, sample: Sample) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.case = case
        self.sample = sample
        self.results: list[tuple[str, list[str], list[Tensor]]] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if func.namespace not in NAMESPACES:
            return result
        op = func._schema.name.removeprefix("phi::")
        named = list(_named(op, result))
        for address, size, first, last in _C.take_memory_faults():
            near = [(n, t) for n, t in [*named, *_arguments(func, args)] if t.untyped_storage().data_ptr() == address]
            raise AssertionError(f"{op}: writes {_where(near, size, first, last)}, for {self.sample}")
        self.results.append((op, [n for n, _ in named], [t.detach().clone() for _, t in named]))
        return result


def _named(op: str, result: Any) -> Iterator[tuple[str, Tensor]]:
    """The results that the reference may speak of: those that are no intermediate ones."""
    info = registry.info(op)
    values = result if isinstance(result, (tuple, list)) and len(info.outputs) > 1 else (result,)
    for name, value in zip(info.outputs, values):
        for i, t in enumerate(leaves(value)):
            if isinstance(t, Tensor) and name not in info.intermediate:
                yield f"output '{name}'" if t is value else f"output '{name}[{i}]'", t


def _arguments(func: Any, args: Any) -> Iterator[tuple[str, Tensor]]:
    for argument, value in zip(func._schema.arguments, args):
        for t in leaves(value):
            if isinstance(t, Tensor):
                yield f"argument '{argument.name}'", t


def _where(near: list[tuple[str, Tensor]], size: int, first: int, last: int) -> str:
    beside = f"{last + 1 - size} bytes behind" if last >= size else f"{-first} bytes before"
    if not near:
        return f"up to {beside} memory of {size} bytes that it allocates"
    name, t = near[0]
    help = "; the shape that InferMeta gives must be that of what the kernel writes" if name.startswith("output") else ""
    return f"up to {beside} {name} of shape {tuple(t.shape)} and {t.dtype}, which has {size} bytes{help}"


def _unwritten(a: Tensor, b: Tensor) -> str | None:
    """What is wrong with results that should be the same."""
    if a.shape != b.shape:
        return f"its shape depends on what new memory held: {tuple(a.shape)} or {tuple(b.shape)}"
    rows = [t.contiguous().reshape(-1, 1).view(torch.uint8) for t in (a, b)]
    wrong = (rows[0] != rows[1]).any(-1)
    if not wrong.any():
        return None
    place = tuple(int(i) for i in torch.unravel_index(wrong.int().argmax(), a.shape))
    return (
        f"{int(wrong.sum())} of {a.numel()} elements, the first at {place}, are what new memory held, or depend on it: "
        "the kernel must write every element, and read none before"
    )
