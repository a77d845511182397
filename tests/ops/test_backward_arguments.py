"""Backward operators called by anyone: what does not fit the forward operator is an error, what fits gives the composite's value.

Each tensor and attribute of real calls is changed in turn, in a forked child whose tensors end where memory that cannot be
read begins.
"""

import ctypes
import mmap
import os
import signal
import traceback
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from phi_torch import registry
from phi_torch.decompositions import composite, composites
from phi_torch.testing.case import differentiable, weighted_sum
from phi_torch.testing.samples import leaves

from .cases import case, names

ERRORS = (ValueError, IndexError, TypeError, NotImplementedError)
WITH_BACKWARD = [name for name in names() if registry.info(name).backward]
Call = tuple[str, list[Any]]


class Recorder(TorchDispatchMode):
    def __init__(self) -> None:
        super().__init__()
        self.calls: list[Call] = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        name = func._schema.name.removeprefix("phi::")
        if func.namespace == "phi" and registry.info(name).forward is not None:
            padded = [*args, *(a.default_value for a in func._schema.arguments[len(args) :] if not a.kwarg_only)]
            self.calls.append((name, torch.utils._pytree.tree_map(copied, padded)))
        return result


def copied(value: Any) -> Any:
    return value.detach().contiguous().clone() if isinstance(value, Tensor) else value


def real_calls(op: str) -> Iterator[Call]:
    """Up to four calls of different arguments that the backward pass of the op's samples makes."""
    tested = case(op)
    dtype = tested.float_dtype
    found: dict[str, Call] = {}
    for sample in tested.differentiable_samples()[:12]:
        torch.manual_seed(0)
        arguments = sample.make(dtype, grad=True)
        with Recorder() as recorder:
            outputs = differentiable(tested.call(arguments))
            if outputs and arguments.differentiable():
                torch.autograd.grad(weighted_sum(outputs), arguments.differentiable(), allow_unused=True)
        for name, args in recorder.calls:
            attributes = [a for a in args if not any(isinstance(t, Tensor) for t in leaves(a))]
            ranks = [t.dim() for a in args for t in leaves(a) if isinstance(t, Tensor)]
            found.setdefault(f"{name} {attributes} {ranks}", (name, args))
    return iter(list(found.values())[:4])


def other_tensors(t: Tensor) -> Iterator[Tensor]:
    yield t.new_ones(())
    yield t.new_ones(0)
    yield t.new_ones((*t.shape, 1))
    yield t.new_ones((*t.shape, 2))
    yield t.new_ones((1, *t.shape))
    for axis in range(t.dim()):
        for size in {0, 1, max(t.shape[axis] - 1, 0), t.shape[axis] + 1} - {t.shape[axis]}:
            shape = list(t.shape)
            shape[axis] = size
            yield t.new_ones(shape)
        yield t.select(axis, 0).contiguous() if t.shape[axis] else t.new_ones(t.shape[:axis])
    for dtype in {torch.float64, torch.float32, torch.float16, torch.int64, torch.int32, torch.uint8, torch.bool} - {t.dtype}:
        yield t.to(dtype)
    if not t.dtype.is_floating_point and t.dtype is not torch.bool:
        yield torch.full_like(t, -1 if t.dtype.is_signed else 255)
        yield torch.full_like(t, torch.iinfo(t.dtype).max)
        yield torch.full_like(t, torch.iinfo(t.dtype).min)


def other_attributes(value: Any) -> Iterator[Any]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from {-1, 0, 1, 2, 7, -7, 2**31 - 1, -(2**31)} - {value}
    elif isinstance(value, float):
        yield from (-1.0, 0.0)
    elif isinstance(value, str):
        yield from ("", "é\0")
    elif isinstance(value, (list, tuple)):
        yield []
        yield [*value, 1]
        yield [*value, *value]
        for i, number in enumerate(value):
            yield from ([*value[:i], other, *value[i + 1 :]] for other in other_attributes(number))


def changed(args: list[Any]) -> Iterator[tuple[str, list[Any]]]:
    for i, value in enumerate(args):
        others: Iterator[Any]
        if isinstance(value, Tensor):
            others = other_tensors(value)
        elif isinstance(value, (list, tuple)) and any(isinstance(v, Tensor) for v in value):
            lists = [[], value[:-1], [*value, value[0]]]
            lists += [[*value[:j], t, *value[j + 1 :]] for j, v in enumerate(value) for t in other_tensors(v)]
            others = iter(lists)
        else:
            others = other_attributes(value)
        for other in others:
            yield f"argument {i}", [*args[:i], other, *args[i + 1 :]]


class Edge:
    """Tensors whose last byte is followed by memory that cannot be read."""

    def __init__(self) -> None:
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.page = mmap.PAGESIZE

    def __call__(self, t: Any) -> Any:
        if not isinstance(t, Tensor) or t.numel() == 0:
            return t
        size = t.numel() * t.element_size()
        pages = -(-size // self.page)
        memory = mmap.mmap(-1, (pages + 1) * self.page)
        address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        assert self.libc.mprotect(ctypes.c_void_p(address + pages * self.page), self.page, 0) == 0
        placed = torch.frombuffer(memory, dtype=t.dtype, count=t.numel(), offset=pages * self.page - size)
        return placed.copy_(t.reshape(-1)).reshape(t.shape)


def takes_outputs(name: str) -> bool:
    """Whether what is saved would no longer be what the forward op gives for the other arguments."""
    info = registry.info(name)
    return any(a.name in registry.info(info.forward).outputs for a in getattr(torch.ops.phi, name).default._schema.arguments)


def outcome(function, args):
    try:
        return function(*args)
    except Exception as error:
        return error


def problem(name: str, args: list[Any], edge: Edge) -> str | None:
    """What is wrong with a call."""
    function = getattr(torch.ops.phi, name)
    placed = torch.utils._pytree.tree_map(edge, args)
    actual = outcome(function, placed)
    on_meta = outcome(function, torch.utils._pytree.tree_map(lambda v: v.to("meta") if isinstance(v, Tensor) else v, args))
    if isinstance(on_meta, Exception) and not isinstance(actual, Exception):
        if "traces know dense tensors" in str(on_meta):  # the result is of another kind
            return None
        return f"computes, but Meta raises {on_meta!r}"
    if isinstance(actual, Exception):
        no_kernel = isinstance(actual, RuntimeError) and "no kernel" in str(actual)
        schema = "Expected a value of type" in str(actual) or "expected at most" in str(actual).lower()
        if not (isinstance(actual, ERRORS) or no_kernel or schema) or name not in str(actual):
            return f"raises {type(actual).__name__}: {actual}"
        if "forward operator" in str(actual) and not isinstance(on_meta, Exception):
            return f"raises {actual}, Meta does not"
        return None
    if name in composites() and not takes_outputs(name):
        expected = outcome(composite(name), args)
        if isinstance(expected, Exception):
            return f"computes, but the composite raises {expected!r}"
        for a, e in zip(leaves(actual), leaves(expected)):
            if a is None or e is None:
                continue
            if a.shape != e.shape:
                return f"gives the shape {tuple(a.shape)}, the composite {tuple(e.shape)}"
            if not torch.allclose(a.double(), e.double(), rtol=1e-3, atol=1e-3, equal_nan=True):
                return f"gives {a}, the composite {e}"
    return None


def described(value: Any) -> str:
    if isinstance(value, Tensor):
        first = f" of {value.flatten()[0].item()}.." if value.numel() and not value.dtype.is_floating_point else ""
        return f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}{first}"
    return f"[{', '.join(map(described, value))}]" if isinstance(value, (list, tuple)) else repr(value)


@pytest.mark.parametrize("op", WITH_BACKWARD)
def test_what_does_not_fit_is_an_error(op):
    calls = list(real_calls(op))
    if not calls:
        pytest.skip("the gradient is made of views")
    notes = mmap.mmap(-1, 1 << 16)
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGSEGV, signal.SIG_DFL)
        torch.set_num_threads(1)
        edge, problems = Edge(), []
        try:
            for name, args in calls:
                for where, other in changed(args):
                    text = f"{name}({', '.join(map(described, other))}), {where}"
                    notes[:] = text.encode("utf-8", "replace")[: len(notes)].ljust(len(notes), b"\0")
                    if found := problem(name, other, edge):
                        problems.append(f"{text}\n    {found}")
            text = "\n".join(problems)
        except BaseException:
            text = traceback.format_exc()
        notes[:] = text.encode("utf-8", "replace")[: len(notes)].ljust(len(notes), b"\0")
        os._exit(1 if text else 0)
    _, status = os.waitpid(pid, 0)
    message = bytes(notes).rstrip(b"\0").decode("utf-8", "replace")
    assert not os.WIFSIGNALED(status), f"signal {os.WTERMSIG(status)} in {message}"
    assert status == 0, message
