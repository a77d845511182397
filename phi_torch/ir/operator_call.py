"""`phi_programs::operator`: an operator of Paddle 2 on dense tensors, by what its programs are run by, as one operator of torch."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from ..legacy.description import Attribute
from .gradient_call import below_no_autograd, by_slot, differentiate, no_call, one_by_one, said_by

TARGET = "phi_programs.operator.default"
_mapped: dict[str, Any] = {}  # the operator of each call
_library = torch.library.Library("phi_programs", "FRAGMENT")
_library.define("operator(Tensor[] operands, str call) -> Tensor[]")


def described(
    type: str,
    inputs: Mapping[str, int | None],
    attrs: Mapping[str, Attribute],
    outputs: Mapping[str, int],
    real: Sequence[int] = (),
    wanted: Sequence[int] | None = None,
) -> str:
    """The text of a call, with how many tensors each slot has: None for an input that is no list. Of the results those are given
    that are `wanted`, or all; of `real` of these the real part is meant.
    """
    said = {name: {"type": one.type, "value": one.value} for name, one in attrs.items()}
    call = {"type": type, "slots": inputs, "attrs": said, "results": outputs, "real": [*real]}
    return json.dumps(call if wanted is None else {**call, "wanted": [*wanted]})


def run(operands: Sequence[Tensor], call: str) -> list[Tensor]:
    """The results one after the other."""
    from .. import legacy

    said = said_by(call, operands, "type")
    inputs = by_slot(said["slots"], operands)
    if not all(isinstance(one, dict) and one.keys() == {"type", "value"} for one in said["attrs"].values()):
        raise no_call(call)
    attrs = {name: Attribute(one["type"], one["value"]) for name, one in said["attrs"].items()}
    if call not in _mapped:
        _mapped[call] = legacy.create_op(said["type"], inputs, attrs, said["results"])
    results = one_by_one(_mapped[call](inputs), said["results"])
    if (wanted := said.get("wanted")) is not None:
        if not isinstance(wanted, list) or not all(one in range(len(results)) for one in wanted):
            raise no_call(call)
        results = [results[index] for index in wanted]
    return [one.real.contiguous() if one.is_complex() and at in said.get("real", ()) else one for at, one in enumerate(results)]


_library.impl("operator", below_no_autograd(run), "CompositeExplicitAutograd")
differentiate("operator", run, _library)
