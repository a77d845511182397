"""`phi_programs::gradient`: a gradient operator of Paddle, by a kernel of Paddle 2's programs, as one operator of torch."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from .paddle.names import torch_dtype

TARGET = "phi_programs.gradient.default"
_library = torch.library.Library("phi_programs", "DEF")
_library.define("gradient(Tensor[] operands, str call) -> Tensor[]")


def described(gradient: Any, slots: Sequence[tuple[str, int | None]], attrs: dict[str, Any], counts: dict[str, int | None]) -> str:
    """The text of a call: each slot that has operands, with how many there are in a list of them; the same of the results."""
    said = {
        name: {"dtype": str(one).removeprefix("torch.")} if isinstance(one, torch.dtype) else one for name, one in attrs.items()
    }
    return json.dumps({"kernel": gradient.kernel, "slots": slots, "attrs": said, "results": counts})


def no_call(call: str) -> ValueError:
    return ValueError(f"argument 'call': expected what the conversion of a program writes, got {call[:80]!r}")


def said_by(call: str, operands: Sequence[Tensor], name: str) -> dict[str, Any]:
    """What the text of a call says; under `name`, of what operator.

    Raises:
        ValueError: it is no such text, or says something of other operands.
    """
    try:
        said: dict[str, Any] = json.loads(call)
        slots = said["slots"].items() if isinstance(said["slots"], dict) else said["slots"]
        count = sum(number or 1 for _, number in slots)
        is_right = isinstance(said[name], str) and all(isinstance(said[one], dict) for one in ("attrs", "results"))
    except (ValueError, KeyError, TypeError, AttributeError):
        is_right, count = False, 0
    if not is_right:
        raise no_call(call)
    if count != len(operands):
        raise ValueError(f"argument 'operands': expected {count} tensors, as 'call' says, got {len(operands)}")
    return said


def run(operands: Sequence[Tensor], call: str) -> list[Tensor]:
    """The results one after the other."""
    from .derived_gradients import gradient_of

    said = said_by(call, operands, "kernel")
    gradient = gradient_of(f"pd_op.{said['kernel']}")
    if gradient is None:
        raise ValueError(f"argument 'call': expected the kernel of a gradient operator, got '{said['kernel']}'")
    inputs = by_slot(dict(said["slots"]), operands)
    attrs = {name: torch_dtype(one["dtype"]) if isinstance(one, dict) else one for name, one in said["attrs"].items()}
    found = gradient.run(inputs, attrs, {slot: count or 1 for slot, count in said["results"].items()})
    return one_by_one(found, said["results"])


def by_slot(slots: Mapping[str, int | None], operands: Sequence[Tensor]) -> dict[str, Any]:
    """The operands of each slot: a list of as many as it says, or the only one."""
    left = iter(operands)
    return {slot: next(left) if count is None else [next(left) for _ in range(count or 1)] for slot, count in slots.items()}


def one_by_one(found: Mapping[str, Any], slots: Iterable[str]) -> list[Tensor]:
    """The results in the order of their slots, and the elements of lists one after the other.

    Raises:
        ValueError: the operator gave nothing for a slot.
    """
    slots = [*slots]
    if absent := [slot for slot in slots if found.get(slot) is None]:
        raise ValueError(f"slot {absent[0]}: expected a result, which the operator does not give here")
    return [one for slot in slots for one in (found[slot] if isinstance(found[slot], list) else [found[slot]])]


def below_no_autograd(run: Callable[[Sequence[Tensor], str], list[Tensor]]) -> Callable[[Sequence[Tensor], str], list[Tensor]]:
    """An executable runs operators below autograd, which the gradients of a kernel need."""

    def with_autograd(operands: Sequence[Tensor], call: str) -> list[Tensor]:
        kept = torch._C._dispatch_tls_local_exclude_set()
        for key in (torch._C.DispatchKey.AutogradFunctionality, torch._C.DispatchKey.ADInplaceOrView):
            kept = kept.remove(key) if kept.has(key) else kept
        with torch._C._ForceDispatchKeyGuard(torch._C._dispatch_tls_local_include_set(), kept):
            given = {id(one) for one in operands}
            return [one.clone() if id(one) in given else one.detach() for one in run([one.detach() for one in operands], call)]

    return with_autograd


def differentiate(name: str, run: Callable[[Sequence[Tensor], str], list[Tensor]], library: torch.library.Library) -> None:
    """Gives such an operator gradients of every order: those of a second run, which is recorded."""

    def keep(ctx: Any, inputs: tuple[Sequence[Tensor], str], output: list[Tensor]) -> None:
        operands, ctx.call = inputs
        ctx.save_for_backward(*operands)

    def backward(ctx: Any, grads: Sequence[Tensor | None]) -> tuple[list[Tensor | None], None]:
        again = torch.is_grad_enabled()
        with torch.enable_grad():
            own = [one.view_as(one) if one.requires_grad else one for one in ctx.saved_tensors]  # the same one may be given twice
            found = run(own, ctx.call)
        pairs = [(one, grad) for one, grad in zip(found, grads) if grad is not None and one.requires_grad]
        leaves = [one for one in own if one.requires_grad]
        if not pairs:
            return [None] * len(own), None  # as of an operator that PaddlePaddle has no gradient for
        results, given = [one for one, _ in pairs], [grad for _, grad in pairs]
        of_leaves = iter(torch.autograd.grad(results, leaves, given, create_graph=again, allow_unused=True))
        return [next(of_leaves) if one.requires_grad else None for one in own], None

    torch.library.register_autograd(f"phi_programs::{name}", backward, setup_context=keep, lib=library)


_library.impl("gradient", below_no_autograd(run), "CompositeExplicitAutograd")
differentiate("gradient", run, _library)
