"""torch.compile with Inductor: one graph, one compilation for all sizes, the values and gradients of eager calls."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch._dynamo.testing import CompileCounterWithBackend

from .. import _inductor, _namespaces, registry
from .case import Case, clone, differentiable, of_dense, specialised, weighted_sum
from .gradients import has_gradient
from .samples import Arguments, Sample, T, leaves

SAMPLES = 6  # so many of an op's samples are compiled


@of_dense
def check_compile(case: Case) -> None:
    """Kernels in a graph, forward and backward, the in-place form as well: they serve a second size without compiling again.

    Each output is left unread in turn.
    """
    sample = of_two_sizes(case)
    calls = [_Call(case, case.function, sample), *_inplace_calls(case, sample), *_unread_calls(case, sample)]
    with _quick_compilation(), _calling_kernels([case]):
        counter = CompileCounterWithBackend("inductor")
        # the gradient of an op that is its composite, or of one with a shape of its own without a backward op, is torch's
        # code, which may depend on a size
        of_torch = case.is_composite or (case.data_dependent and case.info.backward is None)
        program = _Program(calls, dynamic=True, backend=counter, grad=not of_torch)
        program.check()
        larger = [larger_sample(case, call.sample) for call in calls]
        if all(s is not None for s in larger):
            program.check([s for s in larger if s is not None])
            count = counter.frame_count
            assert case.unrolled or count == 1, f"{case.op}: {count} compilations for two sizes, {sample}: {specialised(case)}"


def check_inductor(*cases: Case) -> None:
    """Samples with their sizes: one with its gradient as Inductor is told to compile the op, and several with the op's kernels.

    The calls of some ops are one graph, of which the first costs most.
    """
    cases = tuple(case for case in cases if case.info.dense)
    samples = {case.op: of_two_sizes(case) for case in cases}
    compiled = [case for case in cases if _inductor.fuses(case.info)]
    called = [case for case in cases if not (case.is_composite and _inductor.fuses(case.info))]
    with _quick_compilation():
        if compiled:
            _Program([_Call(case, case.function, samples[case.op]) for case in compiled], dynamic=False).check()
        if called:
            calls = [call for case in called for call in (*_first_calls(case), *_inplace_calls(case, samples[case.op]))]
            with _calling_kernels(called):
                _Program(calls, dynamic=False, grad=False).check()


@dataclass(frozen=True)
class _Call:
    """One call in a compiled graph."""

    case: Case
    function: Callable[..., Any]
    sample: Sample
    writes: bool = False  # whether it is the in-place form
    unread: int | None = None  # the output that is dropped


def of_two_sizes(case: Case) -> Sample:
    """A sample that there is a larger one of, if the op takes that."""
    samples = case.plain_samples()
    return next((s for s in samples if larger_sample(case, s) is not None), samples[0])


def _first_calls(case: Case) -> list[_Call]:
    return [_Call(case, case.function, sample) for sample in case.plain_samples()[:SAMPLES]]


def _inplace_calls(case: Case, sample: Sample) -> list[_Call]:
    """The in-place form, if the result fits into the input that it overwrites."""
    function = _namespaces.function(f"{case.op}_")
    if function is None or f"{case.info.name}_" not in case.info.overloads or case.is_random:
        return []
    arguments = sample.make(case.float_dtype, case.device)
    target, output = arguments.tensors()[0], next(leaves(case.call(arguments)))
    if target.shape != output.shape or target.dtype != output.dtype:
        return []
    return [_Call(case, function, sample, writes=True)]


def _unread_calls(case: Case, sample: Sample) -> list[_Call]:
    """Calls of the operator itself, which has all outputs, with one of them unread each."""
    if len(case.info.outputs) == 1 or case.overwrites:
        return []
    positional = Sample.of(case.positional(Arguments(sample.args, sample.kwargs)), {})
    return [_Call(case, case.overload.default, positional, unread=i) for i in range(len(case.info.outputs))]


class _Program:
    """Calls as one compiled function of their tensors."""

    def __init__(self, calls: Sequence[_Call], *, dynamic: bool, backend: Any = "inductor", grad: bool = True) -> None:
        self.calls = calls
        self.grads = [grad and has_gradient(call.case) and call.case.info.category != "optimizer" for call in calls]
        self.what = f"compiled with {'dynamic' if dynamic else 'static'} sizes"
        self.function = self._straight_line()
        torch._dynamo.reset()
        self.compiled = torch.compile(self.function, fullgraph=True, dynamic=dynamic, backend=backend)

    def _straight_line(self) -> torch.fx.GraphModule:
        """The calls one after another, without functions around them, which Dynamo would trace as well."""
        graph = torch.fx.Graph()
        outputs = []
        for call, grad in zip(self.calls, self.grads):
            copies = grad and (call.writes or call.case.overwrites)  # a leaf that requires a gradient is not overwritten

            def tensor(t: T, copies: bool = copies) -> torch.fx.Node:
                node = graph.placeholder(f"x{len(graph.nodes)}")
                floats = t.dtype is None or t.dtype.is_floating_point or t.dtype.is_complex
                return graph.call_function(operator.mul, (node, 1)) if copies and floats else node

            filled = call.sample.on(call.case.device).map(tensor)
            result = graph.call_function(call.function, filled.args, filled.kwargs)
            outputs.append(graph.call_function(_without, (result, call.unread)) if call.unread is not None else result)
        graph.output(outputs)
        return torch.fx.GraphModule({}, graph)

    def check(self, samples: Sequence[Sample] | None = None) -> None:
        """Compiled and eager calls agree in values, gradients, and what they write; `samples` have other sizes."""
        samples = samples or [call.sample for call in self.calls]
        made = [s.make(c.case.float_dtype, c.case.device, grad=grad) for s, c, grad in zip(samples, self.calls, self.grads)]
        expected, actual = (self._run(f, [clone(a) for a in made]) for f in (self.function, self.compiled))
        for call, ours, theirs in zip(self.calls, actual, expected):
            for what, a, e in zip(("outputs", "gradients", "inputs afterwards"), ours, theirs):
                self._compare(call, what, list(leaves(a)), list(leaves(e)))

    def _compare(self, call: _Call, what: str, actual: Sequence[Any], expected: Sequence[Any]) -> None:
        case, what = call.case, f"{self.what}, {what}, {call.sample}"
        if case.is_random:
            assert [*map(_meta, actual)] == [*map(_meta, expected)], f"{case.op}: {what} of another shape"
        else:
            case.compare(tuple(actual), tuple(expected), case.float_dtype, what)

    def _run(self, function: Any, arguments: Sequence[Arguments]) -> list[tuple[Any, Any, Any]]:
        """The outputs, the gradients and the tensors of each call."""
        tensors = [a.tensors() for a in arguments]
        outputs = function(*(t for each in tensors for t in each))
        inputs = [t for each in tensors for t in each if t.requires_grad]
        gradients: dict[int, Tensor | None] = {}
        if inputs and differentiable(outputs):
            found = torch.autograd.grad(weighted_sum(differentiable(outputs)), inputs, allow_unused=True)
            gradients = dict(zip(map(id, inputs), found))
        return [(one, [gradients.get(id(t)) for t in each], each) for one, each in zip(outputs, tensors)]


def _without(outputs: Sequence[Any], unread: int) -> list[Any]:
    return [output for i, output in enumerate(outputs) if i != unread]


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
def _calling_kernels(cases: Sequence[Case]) -> Iterator[None]:
    """Inductor calls the kernels of the ops and of their gradients, rather than compile their composites."""
    overloads = []
    for case in cases:
        name = None if case.info.custom else case.op
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
