"""Runs the cases of an op on both sides. A case is one call in one dtype, forward or backward."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from ops import cases
from torch import Tensor
from torch.utils._pytree import tree_map_only

from phi_torch import registry
from phi_torch.testing import Case, Sample
from phi_torch.testing.case import as_tuple, clone
from phi_torch.testing.samples import Arguments, leaves

from .calls import ALIGNED, DIFFERENTIABLE, complete, paddle_arguments
from .client import Answer, Paddle
from .differences import crashes
from .equivalents import Equivalent, equivalents
from .outcome import PADDLE, TORCH, Outcome
from .samples import DRAWS, samples, text

DTYPES = (torch.float32, torch.float64, torch.bfloat16, torch.int64)  # on OpInfo's samples
MOST = 60  # of OpInfo's samples per entry and dtype; they are spread evenly
# no kernel, or one that refuses all calls; in programs only; no such function
UNAVAILABLE = re.compile(
    "is not registered|only supports GPU|for cpu kernel|must be Value, but got Tensor|pir.ops' has no attribute"
)


def paddle_outcomes(op: str, paddle: Paddle) -> Iterator[Outcome]:
    """Against `paddle._C_ops.<op>`; a dtype that Paddle has no CPU kernel for is no case."""
    case = cases.case(op)
    if not case.info.dense:
        return  # test_strings.py asks Paddle
    paddle.fresh()
    for name, sample, seed in samples(case):
        tensors = sample.tensors()
        for dtype in case.all_dtypes if any(t.dtype is None for t in tensors) else case.all_dtypes[:1]:
            if reason := crashes(op, name, _name(dtype)):
                yield Outcome(op, PADDLE, name, _name(dtype), "forward", f"not called: {reason}")
            else:
                arguments = sample.make(dtype, seed=seed, grad=not op.endswith("_"))
                yield from _paddle_case(case, paddle, name, dtype, arguments)
    for sample in DRAWS.get(op, ()):
        for dtype in case.all_dtypes if sample.tensors() else case.all_dtypes[:1]:
            yield from _paddle_draw(case, paddle, sample, dtype)


def _paddle_case(case: Case, paddle: Paddle, name: str, dtype: torch.dtype, arguments: Arguments) -> Iterator[Outcome]:
    """Of an op that writes to its arguments these are compared, of others the outputs and the gradients."""

    def outcome(direction: str, check: Callable[[], None]) -> Outcome:
        return Outcome(case.op, PADDLE, name, _name(dtype), direction, _problem(check))

    unspecified = _is_unspecified(case, arguments)
    arguments = complete(case, arguments)
    mine = clone(arguments)
    outputs = _flat(case.call(mine))
    only = DIFFERENTIABLE.get(case.op, range(len(outputs)))
    cotangents = [] if unspecified or case.info.order == "no" else [(i, c) for i, c in _cotangents(outputs) if i in only]
    answer = paddle.call(case.op, paddle_arguments(case, arguments), cotangents)
    if UNAVAILABLE.search(answer.error or ""):
        return
    if case.op in ALIGNED and not answer.error:
        outputs = ALIGNED[case.op](outputs, answer.outputs)
    actual, expected = (mine.tensors(), answer.args) if case.op.endswith("_") else (outputs, answer.outputs)
    yield outcome("forward", lambda: _compare_with_paddle(case, actual, expected, answer, dtype, unspecified))
    if cotangents and not answer.error and not UNAVAILABLE.search(answer.grads_error or ""):
        grads = _gradients(outputs, mine.differentiable(), cotangents)
        yield outcome("backward", lambda: _compare_gradients(case, grads, answer, dtype))


def _compare_with_paddle(
    case: Case, actual: Sequence[Any], expected: Sequence[Any], answer: Answer, dtype: torch.dtype, unspecified: bool
) -> None:
    assert not answer.error, f"PaddlePaddle: {answer.error}"
    assert len(actual) == len(expected), f"{len(actual)} outputs, PaddlePaddle has {len(expected)}"
    for i, (a, e) in enumerate(zip(actual, expected)):
        if a is not None:
            assert e is not None, f"output {i}: PaddlePaddle leaves it out"
            assert a.dtype == e.dtype, f"output {i}: dtype {a.dtype}, PaddlePaddle {e.dtype}"
            assert a.shape == e.shape, f"output {i}: shape {list(a.shape)}, PaddlePaddle {list(e.shape)}"
            if not unspecified:
                case.compare(a, e, dtype, f"output {i}")


def _compare_gradients(case: Case, grads: Sequence[Tensor], answer: Answer, dtype: torch.dtype) -> None:
    assert not answer.grads_error, f"PaddlePaddle: {answer.grads_error}"
    for i, (mine, theirs) in enumerate(zip(grads, answer.grads, strict=True)):
        theirs = torch.zeros_like(mine) if theirs is None else theirs
        assert mine.dtype == theirs.dtype, f"gradient {i}: dtype {mine.dtype}, PaddlePaddle {theirs.dtype}"
        case.compare(mine, theirs, dtype, f"gradient {i}")


def _paddle_draw(case: Case, paddle: Paddle, sample: Sample, dtype: torch.dtype) -> Iterator[Outcome]:
    """The moments, within six standard errors."""
    arguments = complete(case, sample.make(dtype))
    torch.manual_seed(0)
    (actual,) = _flat(case.call(arguments))
    answer = paddle.call(case.op, paddle_arguments(case, arguments), [])
    if UNAVAILABLE.search(answer.error or ""):
        return

    def check() -> None:
        assert not answer.error, f"PaddlePaddle: {answer.error}"
        mine, theirs = ([t.real, t.imag] if t.is_complex() else [t] for t in (actual, answer.outputs[0]))
        for a, e in zip(mine, theirs):
            a, e = a.double(), e.double()
            within = 6 * e.std().item() / len(e.reshape(-1)) ** 0.5
            for moment in (torch.mean, torch.std, lambda t: (t == 0).double().mean()):
                assert abs(moment(a) - moment(e)) <= within, f"{moment(a)}, PaddlePaddle {moment(e)}, expected within {within}"

    yield Outcome(case.op, PADDLE, text(sample), _name(dtype), "distribution", _problem(check))


def torch_outcomes(op: str) -> Iterator[Outcome]:
    """Against torch's own op on the samples of its OpInfo."""
    case = cases.case(op)
    for equivalent in equivalents(op):
        info = equivalent.info
        for dtype in DTYPES:
            if dtype not in info.supported_dtypes("cpu") or not registry.supported(op, "cpu", dtype):
                continue
            grad = dtype in info.supported_backward_dtypes("cpu")
            torch.manual_seed(0)
            found = list(info.sample_inputs("cpu", dtype, requires_grad=grad))
            for index in sorted({i * len(found) // MOST for i in range(MOST)} if len(found) > MOST else range(len(found))):
                yield from _torch_case(case, equivalent, found[index], f"{equivalent.name} {index}", dtype)


def _torch_case(case: Case, equivalent: Equivalent, sample: Any, name: str, dtype: torch.dtype) -> Iterator[Outcome]:
    theirs, mine = (equivalent.prepare(sample.transform(_leaf)) for _ in range(2))
    arguments = equivalent.call(mine)
    if arguments is None:
        return
    torch.manual_seed(0)
    expected = _of_torch(equivalent, theirs)
    actual: list[Any] = []

    def forward() -> None:
        actual.extend(_flat(case.call(arguments)))
        actual.extend([None] * (len(expected) - len(actual)))
        expected.extend([None] * (len(actual) - len(expected)))
        for i, (a, e) in enumerate(zip(actual, expected)):
            if e is not None:
                assert a.dtype == e.dtype, f"output {i}: dtype {a.dtype}, torch {e.dtype}"
                case.compare(a, e, dtype, f"output {i}")

    def backward() -> None:
        inputs = [[t for t in leaves((s.input, s.args, s.kwargs)) if _requires_grad(t)] for s in (mine, theirs)]
        grads = (_gradients(outputs, leaf, cotangents) for outputs, leaf in zip((actual, expected), inputs))
        for i, (a, e) in enumerate(zip(*grads)):
            case.compare(a, e, dtype, f"gradient {i}")

    problem = _problem(forward)
    yield Outcome(case.op, TORCH, name, _name(dtype), "forward", problem)
    cotangents = _cotangents(expected)
    if cotangents and problem is None:
        yield Outcome(case.op, TORCH, name, _name(dtype), "backward", _problem(backward))


def _of_torch(equivalent: Equivalent, sample: Any) -> list[Any]:
    """What torch gives. Convolutions of bfloat16 are summed in float32, as torch does itself where a processor can."""
    function, args, kwargs = equivalent.info.op, (sample.input, *sample.args), sample.kwargs
    if "conv" not in equivalent.entry or sample.input.dtype is not torch.bfloat16 or torch.ops.mkldnn._is_mkldnn_bf16_supported():
        return list(leaves([equivalent.result(function(*args, **kwargs))]))
    args, kwargs = tree_map_only(Tensor, Tensor.float, (args, kwargs))
    return [function(*args, **kwargs).to(torch.bfloat16)]


def _leaf(value: Any) -> Any:
    return value.detach().clone().requires_grad_(value.requires_grad) if isinstance(value, Tensor) else value


def _requires_grad(value: Any) -> bool:
    return isinstance(value, Tensor) and value.requires_grad


def _flat(outputs: Any) -> list[Any]:
    return list(leaves([outputs]))


def _is_unspecified(case: Case, arguments: Arguments) -> bool:
    """Whether only shape and dtype are specified, by chance or as for `empty`; the reference is silent about values then."""
    if case.info.category not in ("random", "creation"):
        return False
    assert case.reference is not None
    wide = arguments.map(lambda t: t.detach().double() if t.is_floating_point() else t)  # as a reference may expect
    return as_tuple(case.reference(*wide.args, **wide.kwargs)) == (None,)


def _cotangents(outputs: Sequence[Any]) -> list[tuple[int, Tensor]]:
    """A gradient for each output that has one."""
    generator = torch.Generator().manual_seed(0)
    found = []
    for index, output in enumerate(outputs):
        if output is not None and output.requires_grad:
            wide = torch.complex128 if output.is_complex() else torch.float64
            found.append((index, torch.randn(output.shape, dtype=wide, generator=generator).to(output.dtype)))
    return found


def _gradients(outputs: Sequence[Any], inputs: Sequence[Tensor], cotangents: Sequence[tuple[int, Tensor]]) -> list[Tensor]:
    indices, weights = zip(*cotangents)
    found = torch.autograd.grad([outputs[i] for i in indices], inputs, weights, allow_unused=True)
    return [torch.zeros_like(i) if g is None else g for g, i in zip(found, inputs)]


def _problem(check: Callable[[], None]) -> str | None:
    """What `check` complains about, on one line."""
    try:
        check()
    except Exception as error:
        kind = "" if isinstance(error, AssertionError) else f"{type(error).__name__}: "
        message = re.sub(r"^\w+: output 0 for (?=output|gradient)", "", str(error))
        return kind + re.sub(r"\s+", " ", message).strip()[:400]
    return None


def _name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
