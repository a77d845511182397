"""In-place and `out=` calls whose tensors share memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from .. import _namespaces
from .case import Case, of_dense
from .samples import Arguments, Sample
from .variants import written_by


@dataclass(frozen=True)
class _Form:
    """A call that writes: `run` takes `tensors`, of which it writes those at the places `written`."""

    name: str
    tensors: list[Tensor]
    written: list[int]
    run: Callable[[list[Tensor]], Any]

    def results(self, tensors: list[Tensor]) -> tuple[Tensor, ...]:
        self.run(tensors)
        return tuple(tensors[i] for i in self.written)


@of_dense
def check_overlap(case: Case) -> None:
    """A tensor that is written shares memory with another argument: the call is refused, or gives what it gives without.

    A part in common is always refused, and so is a tensor whose own elements share memory. Tensors that lie between each
    other's elements are none of both.
    """
    if case.is_random or case.data_dependent:  # whose shape the kernel knows first: what may not be resized is refused
        return
    for sample in case.plain_samples()[:3]:
        for form in _forms(case, sample):
            for w in form.written:
                _refuse(case, form, _expanded(form, w), f"an expanded tensor, {sample}")
                for r, other in enumerate(form.tensors):
                    target = form.tensors[w]
                    if r == w or target.dtype != other.dtype or target.numel() < 2 or other.numel() == 0:
                        continue
                    _refuse(case, form, _placed(form, w, r, step=1), f"a part in common, {sample}")
                    _agree(case, form, _placed(form, w, r, step=2), f"interleaved, {sample}", may_refuse=False)
                    if target.shape == other.shape and case.domain is None:
                        same = [target if i == r else t for i, t in enumerate(form.tensors)]
                        _agree(case, form, same, f"one tensor twice, {sample}", may_refuse=True)


def _forms(case: Case, sample: Sample) -> Iterator[_Form]:
    """The in-place form and the `out=` form, as far as the operator has them and the sample fits."""
    arguments = sample.make(case.float_dtype, case.device)
    inputs = arguments.tensors()

    def replaced(tensors: list[Tensor]) -> Arguments:
        by_id = dict(zip(map(id, inputs), tensors))
        return arguments.map(lambda t: by_id[id(t)])

    name = case.op if case.op.endswith("_") else f"{case.op}_"
    function = _namespaces.function(name)
    if function is not None and case.info.category != "view":
        written = {id(t) for tensors in written_by(case, arguments).values() for t in tensors}

        def in_place(tensors: list[Tensor]) -> Any:
            made = replaced(tensors)
            return function(*made.args, **made.kwargs)

        form = _Form(name, inputs, [i for i, t in enumerate(inputs) if id(t) in written], in_place)
        if _runs(form):
            yield form
    if f"{case.info.name}.out" in case.info.overloads:
        outs = [output.detach().clone() for output in case.call(arguments)]  # memory without values is no boolean
        names = [a.name for a in case.overload.out._schema.arguments if a.kwarg_only]

        def into(tensors: list[Tensor]) -> Any:
            targets = dict(zip(names, tensors[len(inputs) :]))
            return case.overload.out(*case.positional(replaced(tensors[: len(inputs)])), **targets)

        written_places = list(range(len(inputs), len(inputs) + len(outs)))
        yield _Form(f"{case.op}.out", [*inputs, *outs], written_places, into)


def _runs(form: _Form) -> bool:
    """Whether the result fits into the tensor that the in-place form overwrites."""
    try:
        form.run([t.clone() for t in form.tensors])
    except (TypeError, ValueError, RuntimeError):
        return False
    return True


def _expanded(form: _Form, w: int) -> list[Tensor] | None:
    target = form.tensors[w]
    if target.numel() < 2:
        return None
    return [torch.ones_like(t).flatten()[:1].expand(t.shape) if i == w else t for i, t in enumerate(form.tensors)]


def _placed(form: _Form, w: int, r: int, step: int) -> list[Tensor]:
    """The tensors `w` and `r` in one storage, `r` one element later; with a step of 2 no element is in both."""
    target, other = form.tensors[w], form.tensors[r]
    base = target.new_empty(step * max(target.numel(), other.numel()) + 1)

    def place(t: Tensor, offset: int) -> Tensor:
        strides = [step * s for s in torch.empty(t.shape, device="meta").stride()]
        return base.as_strided(t.shape, strides, offset).copy_(t)

    placed = {w: place(target, 0), r: place(other, 1)}
    return [placed.get(i, t.clone()) for i, t in enumerate(form.tensors)]


def _refuse(case: Case, form: _Form, tensors: list[Tensor] | None, what: str) -> None:
    if tensors is None:
        return
    try:
        form.run(tensors)
    except RuntimeError as error:
        assert "memory" in str(error), f"{form.name}: {what}: {error}"
    else:
        raise AssertionError(f"{form.name}: writes into {what}")


def _agree(case: Case, form: _Form, tensors: list[Tensor], what: str, may_refuse: bool) -> None:
    expected = form.results([t.clone() for t in tensors])
    try:
        actual = form.results(tensors)
    except RuntimeError as error:
        assert may_refuse and "memory" in str(error), f"{form.name}: {what}: {error}"
    else:
        case.compare(actual, expected, case.float_dtype, f"{form.name}, {what}")
