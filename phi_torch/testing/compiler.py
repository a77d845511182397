"""torch.compile and export: opcheck, one graph, one compilation for all sizes, the same values and gradients."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch._dynamo.testing import CompileCounterWithBackend

from .. import _namespaces
from .case import Case, as_tuple, clone, differentiable, weighted_sum
from .gradients import has_gradient
from .samples import Arguments, Sample, leaves

OPCHECKS = ("test_schema", "test_autograd_registration", "test_faketensor", "test_aot_dispatch_dynamic")


def check_opcheck(case: Case) -> None:
    """torch.library.opcheck on the functional overload."""
    for sample in case.plain_samples()[:1]:
        grad = has_gradient(case) and not case.is_random
        arguments = sample.make(case.float_dtype, case.device, grad=grad)
        tests = [t for t in OPCHECKS if t != "test_autograd_registration" or arguments.differentiable()]
        if case.is_random or case.data_dependent:
            tests.remove("test_aot_dispatch_dynamic")
        torch.library.opcheck(case.overload.default, case.positional(arguments), test_utils=tuple(tests))


def check_compile(case: Case) -> None:
    """fullgraph, dynamic shapes: forward and backward, the in-place form as well; a second size compiles nothing."""
    samples = case.plain_samples()
    sample = next((s for s in samples if _larger(case, s) is not None), samples[0])
    torch._dynamo.reset()
    counter = CompileCounterWithBackend("aot_eager")
    compiled = _Compiled(case, sample, counter)
    larger = _larger(case, sample)
    # only sizes are dynamic; a number that became symbolic and then constant would count as a compilation
    with torch._dynamo.config.patch(specialize_int=True, specialize_float=True):
        compiled.check(sample)
        if larger is not None:
            compiled.check(larger)
            assert counter.frame_count == 1, f"{case.op}: {counter.frame_count} compilations for two sizes, {sample}"


def check_export(case: Case) -> None:
    """torch.export with dynamic sizes: the program has the operator's values on its own sizes and on larger ones."""
    samples = case.plain_samples()
    if case.is_random or case.data_dependent or case.info.category == "optimizer":
        return
    sample = next((s for s in samples if _larger(case, s) is not None), samples[0])
    tensors = tuple(sample.make(case.float_dtype, case.device).tensors())
    if not tensors:
        return
    sizes = tuple([torch.export.Dim.AUTO if n > 1 else None for n in t.shape] for t in tensors)
    program = torch.export.export(_Call(case, sample), tensors, dynamic_shapes=(sizes,)).module()
    for larger in filter(None, (sample, _larger(case, sample))):
        arguments = larger.make(case.float_dtype, case.device)
        case.compare(program(*arguments.tensors()), case.call(clone(arguments)), case.float_dtype, f"exported, {larger}")


class _Call(torch.nn.Module):
    """The call of a sample as a module of its tensors."""

    def __init__(self, case: Case, sample: Sample) -> None:
        super().__init__()
        self.case = case
        self.sample = sample

    def forward(self, *tensors: Tensor) -> tuple[Any, ...]:
        remaining = iter(tensors)
        filled = self.sample.map(lambda _: next(remaining))
        return self.case.call(Arguments(filled.args, filled.kwargs))


class _Compiled:
    """The call as a compiled function of its tensors."""

    def __init__(self, case: Case, sample: Sample, backend: Any) -> None:
        self.case = case
        self.grad = has_gradient(case) and case.info.category != "optimizer"
        inplace = _namespaces.function(f"{case.op}_") if self._inplace_fits(sample) else None

        def function(*tensors: Tensor) -> tuple[Any, ...]:
            remaining = iter(tensors)
            filled = sample.map(lambda _: next(remaining))
            arguments = Arguments(filled.args, filled.kwargs)
            outputs = case.call(arguments)
            if inplace is not None:
                copies = arguments.map(lambda t: t * 1 if t.is_floating_point() else t.clone())
                outputs = (*outputs, *as_tuple(inplace(*copies.args, **copies.kwargs)))
            return outputs

        self.function = function
        self.compiled = torch.compile(function, fullgraph=True, dynamic=True, backend=backend)

    def _inplace_fits(self, sample: Sample) -> bool:
        case = self.case
        if f"{case.info.name}_" not in case.info.overloads or case.is_random:
            return False
        arguments = sample.make(case.float_dtype, case.device)
        target, output = arguments.tensors()[0], next(leaves(case.call(arguments)))
        return bool(target.shape == output.shape and target.dtype == output.dtype)

    def check(self, sample: Sample) -> None:
        """Compiled and eager calls agree in values and gradients."""
        case = self.case
        arguments = sample.make(case.float_dtype, case.device, grad=self.grad)
        expected, expected_gradients = self._run(self.function, clone(arguments))
        actual, actual_gradients = self._run(self.compiled, clone(arguments))
        if not case.is_random:
            case.compare(actual, expected, case.float_dtype, f"compiled, {sample}")
            case.compare(actual_gradients, expected_gradients, case.float_dtype, f"compiled gradients, {sample}")

    def _run(self, function: Any, arguments: Arguments) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        outputs = function(*arguments.tensors())
        inputs = arguments.differentiable()
        if not inputs or not differentiable(outputs):
            return outputs, ()
        return outputs, torch.autograd.grad(weighted_sum(differentiable(outputs)), inputs, allow_unused=True)


def _larger(case: Case, sample: Sample) -> Sample | None:
    """The sample with every dimension of one size made larger, if the op takes that."""
    count = sum(1 for _ in leaves(case.call(sample.make(case.float_dtype, case.device))))
    sizes = dict.fromkeys(n for t in sample.tensors() for n in t.shape if n > 1)
    for size in sizes:
        for grown in (size + next(i for i in range(1, 99) if size + i not in sizes), 2 * size + 2 * max(sizes)):
            larger = sample.map(lambda t, a=size, b=grown: t.resized(tuple(b if n == a else n for n in t.shape)))  # type: ignore[misc]
            try:
                outputs = case.call(larger.make(case.float_dtype, case.device))
            except (RuntimeError, ValueError, IndexError, TypeError):
                continue
            if sum(1 for _ in leaves(outputs)) == count:  # a list of another length is another graph
                return larger
    return None
