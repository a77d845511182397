"""What must hold for any call: what it may raise, that it writes its own memory alone, and says the same again, in memory
that held something else, on Meta and while gradients are recorded.
"""

from __future__ import annotations

import random
import re
import warnings
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch._subclasses.fake_tensor import DynamicOutputShapeException, FakeTensorMode
from torch.linalg import LinAlgError  # type: ignore[attr-defined]  # which torch does not list

from .. import _C, registry
from .._expect import expect
from ..testing.memory import FILLS, guarded
from ..testing.samples import leaves
from .recipes import evaluate

ALLOWED = (ValueError, TypeError, RuntimeError, IndexError, OverflowError, UnicodeEncodeError)
INTERNAL = re.compile(
    r"std::|\bvector(::|<)|basic_string|map::|bad_alloc|bad_optional|length_error|_M_\w+|INTERNAL ASSERT|Check failed|c10::|at::\w|"
    r"'NoneType' object|has no attribute|AttributeError|KeyError|ZeroDivision|AssertionError|Traceback|not subscriptable|"
    r"not iterable|please report a bug|doesn't have storage|local variable|division by zero|kernel did not|InferMeta says"
)
NO_MEMORY = re.compile(
    r"can't allocate memory|not enough memory|out of memory|too many for any memory|Storage size calculation overflowed|"
    r"numel: integer multiplication overflow"
)
# what its argument parser, its devices and its bugs say, and we of a device that is not there
OF_TORCH = re.compile(
    r"Expected a value of type|cannot be called on meta tensors|out of meta tensor|not linked with support|pybind.cpp|"
    r"cannot be converted to type \w+ without overflow|no library for the device|doesn't handle types other than|"
    r"Low precision dtypes not supported"
)
OF_TRACES = re.compile(r"expected no tensor in a trace, since its values would decide on the shape|traces know dense tensors")
# refusals that tensors of zeros or ones may get, too
OF_VALUES = re.compile(
    r"indices in \[0, 0\)|as many as '\w+' has true ones|'repeats': expected no negative number|"
    r"expected the sum of 'repeats'|a mask counts as the number of its true elements"
)
NO_GRADIENT = re.compile(
    r"in-place operation|cannot record for autograd|(don't|does not) support automatic differentiation|"
    r"is not differentiable (with respect to|when)|"
    r"which is not computed when|so it is ill-defined|making it ill-defined"
)
# right where the call wrote into memory that it was given twice: what is saved of the one is lost by the other
OVERWRITTEN = re.compile(r"modified by an inplace operation")
LARGE = 1 << 26  # bytes of outputs that may not fit into the memory


class Outcome(NamedTuple):
    """What a call returned, with the tensors that it was given; or what it raised; and the damage that it did."""

    outputs: Any = None
    given: tuple[Tensor, ...] = ()
    error: Exception | None = None
    faults: tuple[tuple[int, int, int, int], ...] = ()  # see csrc/torch/guarded_memory.h

    @property
    def what(self) -> str:
        return "works" if self.error is None else f"raises {type(self.error).__name__}: {first_line(self.error)}"


class Unmakeable(Exception):
    """The arguments cannot be made."""


def first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [""])[0][:300]


def check(source: str) -> list[str]:
    """What is wrong with a call, such as `torch.ops.phi.relu_grad(torch.ones(2, 1), torch.ones(2, 0))`: [] if nothing is."""
    expect("check", "source", source, str)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return list(_problems(source))
        except Unmakeable:
            return []


def _problems(source: str) -> Iterator[str]:
    plain = run(source)
    yield from _bad_error(plain.error)
    yield from (f"writes bytes {first} to {last} of memory of {size} bytes" for _, size, first, last in plain.faults)
    if plain.error is None:
        yield from _differences("the second call", plain, run(source, fill=FILLS[1]), values=not _uninitialised(source))
        yield from _written(source, plain)
    yield from _against_meta(source, plain)
    if any(t.requires_grad for t in plain.given):
        yield from _with_gradients(source, plain)


def run(source: str, *, device: str | None = None, grad: bool = False, fill: int = FILLS[0]) -> Outcome:
    """The outcome of a call from the same state of the generators; its tensors made on `device`, new memory full of `fill`.

    Raises:
        Unmakeable: the arguments cannot be made.
    """
    function = evaluate(source.partition("(")[0])
    # oneDNN's tensors give their memory back to the allocator of that time, not to the one that it is from
    with nullcontext() if ".to_mkldnn(" in source else guarded(fill):
        try:
            with torch.device(device) if device else nullcontext():
                args, kwargs = _arguments(source)
        except Exception as error:
            raise Unmakeable from error
        given = tuple(t for t in leaves((args, kwargs)) if isinstance(t, Tensor))
        torch.default_generator.manual_seed(0)
        outputs = caught = None
        try:
            with torch.set_grad_enabled(grad):
                outputs = function(*args, **kwargs)
        except Exception as error:
            caught = error.with_traceback(None)  # which holds this frame, and the frame the tensors
        return Outcome(outputs, given, caught, tuple(_C.take_memory_faults()))


def _arguments(source: str) -> tuple[Any, Any]:
    """The arguments of a call, made anew."""
    return evaluate(f"(lambda *a, **k: (a, k))({source.partition('(')[2]}")


def _written(source: str, plain: Outcome) -> Iterator[str]:
    """A functional call leaves its arguments as they are."""
    name = source.partition("(")[0]
    if name.endswith(("_", "_.default", "_.tensor", ".out")):
        return
    before = [t for t in leaves(_arguments(source)) if isinstance(t, Tensor)]
    for i, (a, b) in enumerate(zip(before, plain.given)):
        if not _same(a, b):
            yield f"writes into argument {i}"


def _bad_error(error: Exception | None, where: str = "") -> Iterator[str]:
    if error is None:
        return
    if not isinstance(error, ALLOWED):
        yield f"{where}raises {type(error).__name__}: {first_line(error)}"
    elif (found := INTERNAL.search(str(error))) and not OF_TORCH.search(str(error)):
        yield f"{where}says {found[0]!r}: {type(error).__name__}: {first_line(error)}"


def _against_meta(source: str, plain: Outcome) -> Iterator[str]:
    """InferMeta alone says what the call does: whether it is refused; shape, dtype and strides."""
    if any(t.layout != torch.strided or t.is_quantized or t.is_nested or t.device.type != "cpu" for t in plain.given):
        return
    if ".tensor(" in source:
        return  # shapes follow from values
    if plain.given:
        meta = run(source, device="meta")
    elif plain.error is not None:
        return
    else:
        with FakeTensorMode():
            meta = run(source)
    if isinstance(meta.error, DynamicOutputShapeException):
        return
    if isinstance(meta.error, NotImplementedError) and _is_data_dependent(source):
        return
    yield from _bad_error(meta.error, "on Meta ")
    if plain.error is None and meta.error is None:
        yield from _differences("Meta", plain, meta, values=False)
    elif plain.error is None:
        if not OF_TORCH.search(str(meta.error)) and not OF_TRACES.search(str(meta.error)):
            yield f"works, but on Meta {meta.what}"
    elif meta.error is None and not OF_TORCH.search(str(plain.error)):
        if NO_MEMORY.search(str(plain.error)):
            if _bytes(meta.outputs) < LARGE and _bytes(_arguments(source)) < LARGE:
                yield f"asks for too much memory: {plain.what}"
        elif not isinstance(plain.error, NotImplementedError) and not _refuses_values(source, plain):
            yield f"{plain.what}; on Meta it works"


def _refuses_values(source: str, plain: Outcome) -> bool:
    """Whether the call is refused for the values of its tensors: with zeros or ones it is not, or no values would do, or a
    matrix is singular, as those are."""
    if OF_VALUES.search(str(plain.error)) or isinstance(plain.error, LinAlgError):
        return True
    function = evaluate(source.partition("(")[0])
    for value in (0, 1):
        args, kwargs = _arguments(source)
        try:
            with torch.no_grad():
                for t in leaves((args, kwargs)):
                    if isinstance(t, Tensor):
                        stored = -value if t.is_neg() else value
                        torch.empty(0, dtype=t.dtype).set_(t.untyped_storage()).fill_(stored)  # expanded ones too
                function(*args, **kwargs)
        except Exception as error:
            if OF_VALUES.search(str(error)):
                return True
            if type(error) is type(plain.error) and NO_MEMORY.search(str(error)) is None:
                continue
        return True
    return False


def _with_gradients(source: str, plain: Outcome) -> Iterator[str]:
    """Recording changes nothing, and what was recorded can be differentiated."""
    recorded = run(source, grad=True)
    yield from _bad_error(recorded.error, "while recording ")
    if (plain.error is None) != (recorded.error is None):
        if not any(words.search(str(recorded.error)) for words in (NO_GRADIENT, NO_MEMORY)):
            yield f"{plain.what}; while recording {recorded.what}"
        return
    if plain.error is not None:
        return
    yield from _differences("recording", plain, recorded, values=not _uninitialised(source))
    yield from _backward(source, recorded)


def _backward(source: str, recorded: Outcome) -> Iterator[str]:
    rng = random.Random(source)
    outputs = [t for t in leaves([recorded.outputs]) if isinstance(t, Tensor) and t.requires_grad and rng.random() < 0.8]
    inputs = [t for t in recorded.given if t.requires_grad]
    if not outputs or any(t.numel() > 1e6 for t in outputs):
        return
    if len({t.device for t in recorded.given}) > 1:  # a number beside tensors without values: the engine has no gradient for it
        return
    gradients = [_gradient(t, rng) for t in outputs]
    again = rng.random() < 0.3
    try:
        found = torch.autograd.grad(outputs, inputs, gradients, allow_unused=True, create_graph=again)
        second = [t for t in found if t is not None and t.requires_grad]
        if again and second:
            torch.autograd.grad([t.abs().sum() for t in second], inputs, allow_unused=True)
    except (NotImplementedError, LinAlgError, IndexError) as error:  # an index that no gradient has asked for until now
        yield from _bad_error(error, "in backward ")
    except Exception as error:
        if not any(words.search(str(error)) for words in (NO_MEMORY, NO_GRADIENT, OF_TORCH)) and not (
            OVERWRITTEN.search(str(error)) and _share_memory(recorded.given)
        ):
            yield f"in backward {Outcome(None, (), error).what}"
        return


def _share_memory(tensors: tuple[Tensor, ...]) -> bool:
    storages = [t.untyped_storage()._cdata for t in tensors if t.layout == torch.strided]
    return len(set(storages)) < len(storages)


def _gradient(t: Tensor, rng: random.Random) -> Tensor | None:
    kind = rng.randrange(4)
    if kind == 0:
        return torch.ones((), dtype=t.dtype, device=t.device).expand(t.shape)
    if kind == 1 and t.dim() > 1:
        return torch.ones(t.shape[::-1], dtype=t.dtype, device=t.device).permute(*range(t.dim() - 1, -1, -1))
    return torch.full(t.shape, float("nan") if kind == 2 else 1.0, dtype=t.dtype, device=t.device)


def _differences(where: str, one: Outcome, other: Outcome, values: bool) -> Iterator[str]:
    if other.error is not None:
        if NO_MEMORY.search(str(other.error)) is None:
            yield f"works, but {where} {other.what}"
        return
    first, second = list(leaves([one.outputs])), list(leaves([other.outputs]))
    if len(first) != len(second):
        yield f"{len(first)} outputs, {where} has {len(second)}"
        return
    for i, (a, b) in enumerate(zip(first, second)):
        if not (isinstance(a, Tensor) and isinstance(b, Tensor)):
            continue
        described, otherwise = _described(a), _described(b)
        if described != otherwise:
            yield f"output {i} is {described}, of {where} {otherwise}"
        elif values and not _same(a, b):
            yield f"output {i} has other values in {where}"
    for i, (a, b) in enumerate(zip(one.given, other.given)):
        if values and not _same(a, b):
            yield f"argument {i} has other values after {where}"


def _described(t: Tensor) -> tuple[Any, ...]:
    if t.is_nested:
        return (t.dtype,)
    if t.layout != torch.strided:
        return tuple(t.shape), t.dtype, t.layout
    meaningful = tuple(stride for stride, n in zip(t.stride(), t.shape) if n != 1) if t.numel() else ()
    return tuple(t.shape), t.dtype, meaningful


def _same(a: Tensor, b: Tensor) -> bool:
    if a.is_nested or a.layout != torch.strided or a.is_quantized or a.device.type == "meta" or a.shape != b.shape:
        return True
    if a.numel() > 1e6 or a.dtype.itemsize == 0:
        return True
    try:
        a, b = (t.detach().resolve_conj().resolve_neg().contiguous() for t in (a, b))
        if torch.equal(a.flatten().view(torch.uint8), b.flatten().view(torch.uint8)):
            return True
        return a.is_floating_point() and torch.equal(a.double().nan_to_num(7.5), b.double().nan_to_num(7.5))
    except (RuntimeError, NotImplementedError):
        return True


def _bytes(values: Any) -> int:
    """Of tensors in memory whose ends are guarded, each of which takes pages of its own; of a number, the tensor that a
    composite may make of it."""
    return sum(max(t.numel() * t.element_size() if isinstance(t, Tensor) else 0, 1 << 17) for t in leaves([values]))


def _is_data_dependent(source: str) -> bool:
    """Whether values decide on the shape of the result of an operator of ours."""
    return source.startswith(("phi_torch.", "torch.ops.phi.")) and registry.info(operator(source)).data_dependent


def _uninitialised(source: str) -> bool:
    """Whether the values of the result are nobody's."""
    return operator(source).startswith("empty")


def operator(source: str) -> str:
    """The name of the operator that a call calls."""
    parts = source.partition("(")[0].split(".")
    return parts[3] if parts[:2] == ["torch", "ops"] else parts[-1]


__all__ = ["check", "first_line", "operator", "registry", "run"]
