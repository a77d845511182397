"""torch's gradcheck and gradgradcheck with a message that says where: the argument, the index, both values."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from torch.autograd.gradcheck import GradcheckError

from .case import weighted_sum

Function = Callable[..., tuple[Tensor, ...]]
STEP = 1e-6
TOLERANCE = 1e-3  # of what is said, once torch found a difference
LONGEST = 500  # elements of one tensor that are tried


def gradcheck(what: str, function: Function, inputs: Sequence[Tensor], names: Sequence[str], call: str, fast: bool) -> None:
    """Asserts that the derivatives of `function` are those of its differences; the message starts with `what`."""
    try:
        torch.autograd.gradcheck(function, inputs, fast_mode=fast)
    except GradcheckError as error:
        raise AssertionError(f"{what} {_found(function, inputs, names, error)}, for {call}") from None


def gradgradcheck(what: str, function: Function, inputs: Sequence[Tensor], names: Sequence[str], call: str) -> None:
    """The same of the derivatives' derivatives."""
    try:
        torch.autograd.gradgradcheck(function, inputs, fast_mode=True)
    except GradcheckError as error:
        gradients = [torch.ones_like(t, requires_grad=True) for t in function(*inputs)]

        def derivative(*tensors: Tensor) -> tuple[Tensor, ...]:
            given, incoming = tensors[: len(inputs)], tensors[len(inputs) :]
            found = torch.autograd.grad(function(*given), given, incoming, create_graph=True, allow_unused=True)
            return tuple(g for g in found if g is not None and g.requires_grad)

        all_names = [*names, *(f"the incoming gradient {i}" for i in range(len(gradients)))]
        found = _found(derivative, [*inputs, *gradients], all_names, error)
        raise AssertionError(f"{what} {found}, for {call}") from None


def _found(function: Function, inputs: Sequence[Tensor], names: Sequence[str], error: Exception) -> str:
    """The element whose derivative is furthest from the difference; torch's words where that is none."""
    derivatives = torch.autograd.grad(weighted_sum(function(*inputs)), inputs, allow_unused=True)
    worst, text = TOLERANCE, ""
    for i, (name, t, given) in enumerate(zip(names, inputs, derivatives)):
        whole = torch.zeros_like(t) if given is None else given
        for index in itertools.islice(itertools.product(*map(range, t.shape)), LONGEST):
            for step in (STEP, STEP * 1j) if t.is_complex() else (STEP,):
                got = whole[index].imag.item() if isinstance(step, complex) else whole[index].real.item()
                expected = _difference(function, inputs, i, index, step)
                distance = abs(got - expected) / (1 + abs(expected))
                if not distance <= worst:
                    worst = distance if distance == distance else float("inf")
                    text = f"'{name}' at {index}: the backward gives {got:.6g}, differences of the forward {expected:.6g}"
    return text or f"'{', '.join(names)}': {next(iter(str(error).splitlines()), '')}"


def _difference(function: Function, inputs: Sequence[Tensor], i: int, index: tuple[int, ...], step: complex) -> float:
    values = []
    for sign in (1, -1):
        moved = inputs[i].detach().clone()
        moved[index] += sign * step
        tensors = [moved.requires_grad_() if k == i else t for k, t in enumerate(inputs)]
        values.append(weighted_sum(function(*tensors)).item())
    return (values[0] - values[1]) / (2 * STEP)
