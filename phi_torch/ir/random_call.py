"""`phi_programs::run_and_save_rng_state` and `run_with_rng_state`: a random operator whose numbers are drawn a second time, where
a checkpoint is computed again."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.utils._pytree import tree_leaves

from .gradient_call import no_call
from .written_call import call_of

TARGETS = ("phi_programs.run_and_save_rng_state.default", "phi_programs.run_with_rng_state.default")
_library = torch.library.Library("phi_programs", "FRAGMENT")


def run_and_save(operands: Sequence[Tensor], call: str, device: torch.device | None = None) -> list[Tensor]:
    """The state of torch's generator, and then what the operator returns. A device is given to learn its sizes alone."""
    return [torch.get_rng_state(), *_results(operands, call, device)]


def run_with(operands: Sequence[Tensor], call: str, device: torch.device | None = None) -> list[Tensor]:
    """What the operator returns by the state that is the last operand; the generator stays as it was."""
    if not operands:
        raise no_call(call)
    with torch.random.fork_rng(devices=[]):
        if device is None:
            torch.set_rng_state(operands[-1])
        return _results(operands, call, device)


def _results(operands: Sequence[Tensor], call: str, device: torch.device | None) -> list[Tensor]:
    target, arguments = call_of(operands, call)
    if device is not None and any(one.name == "device" for one in target._schema.arguments):
        arguments["device"] = device
    return [one for one in tree_leaves(target(**arguments)) if isinstance(one, Tensor)]


for target, function in zip(TARGETS, (run_and_save, run_with)):
    name = target.split(".")[1]
    _library.define(f"{name}(Tensor[] operands, str call, Device? device=None) -> Tensor[]")
    _library.impl(name, function, "CompositeExplicitAutograd")
