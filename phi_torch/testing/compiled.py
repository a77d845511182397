"""torch.compile with Inductor: one graph, one compilation for all sizes, the values and gradients of eager calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor
from torch._dynamo.testing import CompileCounterWithBackend

from .. import _inductor, _namespaces, registry
from .case import Case, as_tuple, clone, differentiable, of_dense, specialised, weighted_sum
from .gradients import has_gradient
from .samples import Arguments, Sample, T, leaves

SAMPLES = 6  # so many of an op's samples are compiled


@of_dense
def check_compile(case: Case) -> None:
    """Inductor, fullgraph, forward and backward, the in-place form as well; kernels serve a second size without compiling again.

    Once as Inductor is told to compile the op, once with its kernels: each output is then left unread in turn.
    """
    samples = case.plain_samples()
    sample = next((s for s in samples if larger_sample(case, s) is not None), samples[0])
    whole = [_Call(case.call, s) for s in (sample, *[s for s in samples if s is not sample][: SAMPLES - 1])]
    inplace = _inplace_calls(case, sample)
    unread = _unread_calls(case, sample)
    with _quick_compilation():
        if _inductor.fuses(case.info):
            _check_sizes(case, whole[:1], once=False)
        with _calling_kernels(case):
            # the gradient of an op that is its composite is torch's code, which may depend on a size
            _check_sizes(case, [*whole[:1], *inplace, *unread], once=not case.unrolled, grad=not case.is_composite)
            _Program(case, [*whole, *unread], dynamic=False).check()
            if inplace:
                _Program(case, [replace(inplace[0], copies=False)], dynamic=False, grad=False).check()


def _check_sizes(case: Case, calls: Sequence[_Call], *, once: bool, grad: bool = True) -> None:
    """`once`: the second size compiles nothing. Inductor's code for a composite may depend on a size: a convolution's does."""
    counter = CompileCounterWithBackend("inductor")
    program = _Program(case, calls, dynamic=True, backend=counter, grad=grad)
    program.check()
    larger = [larger_sample(case, call.sample) for call in calls]
    if all(s is not None for s in larger):
        program.check([s for s in larger if s is not None])
        count = counter.frame_count
        assert not once or count == 1, f"{case.op}: {count} compilations for two sizes, {calls[0].sample}: {specialised(case)}"


@dataclass(frozen=True)
class _Call:
    """One call in a compiled graph."""

    function: Callable[[Arguments], tuple[Any, ...]]
    sample: Sample
    unread: int | None = None  # the output that is dropped
    copies: bool = False  # whether it is given copies of its tensors

    def __call__(self, arguments: Arguments) -> list[Any]:
        if self.copies:
            arguments = arguments.map(lambda t: t * 1 if t.is_floating_point() else t.clone())
        return [output for i, output in enumerate(self.function(arguments)) if i != self.unread]


def _inplace_calls(case: Case, sample: Sample) -> list[_Call]:
    """The in-place form, if the result fits into the input that it overwrites."""
    function = _namespaces.function(f"{case.op}_")
    if function is None or f"{case.info.name}_" not in case.info.overloads or case.is_random:
        return []
    arguments = sample.make(case.float_dtype, case.device)
    target, output = arguments.tensors()[0], next(leaves(case.call(arguments)))
    if target.shape != output.shape or target.dtype != output.dtype:
        return []
    return [_Call(lambda a: as_tuple(function(*a.args, **a.kwargs)), sample, copies=True)]


def _unread_calls(case: Case, sample: Sample) -> list[_Call]:
    """Calls of the operator itself, which has all outputs, with one of them unread each."""
    if len(case.info.outputs) == 1 or case.overwrites:
        return []
    overload = case.overload.default
    positional = Sample(*case.positional(Arguments(sample.args, sample.kwargs)))
    return [_Call(lambda a: tuple(overload(*a.args)), positional, unread=i) for i in range(len(case.info.outputs))]


class _Program:
    """Calls of one op as one compiled function of their tensors."""

    def __init__(self, case: Case, calls: Sequence[_Call], *, dynamic: bool, backend: Any = "inductor", grad: bool = True) -> None:
        self.case = case
        self.calls = calls
        self.grad = grad and has_gradient(case) and case.info.category != "optimizer"
        self.what = f"compiled with {'dynamic' if dynamic else 'static'} sizes"

        slots = [call.sample.make(case.float_dtype, case.device).map(lambda _: T()) for call in calls]

        def function(*tensors: Tensor) -> list[Any]:
            remaining = iter(tensors)
            outputs = []
            for call, slot in zip(calls, slots):
                filled = Sample(*slot.args, **slot.kwargs).map(lambda _: next(remaining))
                outputs += call(Arguments(filled.args, filled.kwargs))
            return outputs

        torch._dynamo.reset()
        self.function = function
        self.compiled = torch.compile(function, fullgraph=True, dynamic=dynamic, backend=backend)

    def check(self, samples: Sequence[Sample] | None = None) -> None:
        """Compiled and eager calls agree in values, gradients, and what they write; `samples` have other sizes."""
        case = self.case
        samples = samples or [call.sample for call in self.calls]
        made = [s.make(case.float_dtype, case.device, grad=self.grad) for s in samples]
        expected, actual = (self._run(f, [clone(a) for a in made]) for f in (self.function, self.compiled))
        for what, a, e in zip(("outputs", "gradients", "inputs afterwards"), actual, expected):
            if case.is_random:
                assert [_meta(t) for t in leaves(a)] == [_meta(t) for t in leaves(e)], (
                    f"{case.op}: {self.what}, {what} of another shape"
                )
            else:
                case.compare(tuple(a), tuple(e), case.float_dtype, f"{self.what}, {what}, {self.calls[0].sample}")

    def _run(self, function: Any, arguments: Sequence[Arguments]) -> tuple[Sequence[Any], Sequence[Any], Sequence[Any]]:
        tensors = [t for a in arguments for t in a.tensors()]
        outputs = function(*tensors)
        inputs = [t for t in tensors if t.requires_grad]
        gradients: Sequence[Any] = ()
        if inputs and differentiable(outputs):
            gradients = torch.autograd.grad(weighted_sum(differentiable(outputs)), inputs, allow_unused=True)
        return outputs, gradients, tensors


def _meta(value: Any) -> Any:
    return (value.shape, value.dtype) if isinstance(value, Tensor) else value


@contextmanager
def _quick_compilation() -> Iterator[None]:
    """In this process, and without caches: they do not know that decompositions are left out.

    Without vectors, which are Inductor's own matter and take the compiler longer.
    """
    aot: dict[str, Any] = {"enable_autograd_cache": False}
    if hasattr(torch._functorch.config, "error_on_custom_op_aliasing"):  # not in all versions
        aot["error_on_custom_op_aliasing"] = True
    # only sizes are dynamic; a number that became symbolic and then constant would count as a compilation
    with (
        torch._dynamo.config.patch(specialize_int=True, specialize_float=True),
        torch._functorch.config.patch(**aot),
        torch._inductor.config.patch({"fx_graph_cache": False, "compile_threads": 1, "cpp.simdlen": 1}),
    ):
        yield


@contextmanager
def _calling_kernels(case: Case) -> Iterator[None]:
    """Inductor calls the kernels of the op and of its gradients, rather than compile their composites."""
    name = None if case.info.custom else case.op
    overloads = []
    while name is not None:
        info = registry.info(name)
        overloads.append(getattr(getattr(torch.ops, info.namespace), info.name).default)
        name = info.backward and info.beside(info.backward)
    with _inductor.without_decompositions(overloads):
        yield


def larger_sample(case: Case, sample: Sample) -> Sample | None:
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
