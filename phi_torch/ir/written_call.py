"""`phi_programs::written`: an operator of torch that writes to its arguments, as one that returns their new values."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch._ops import OpOverload
from torch.utils._pytree import tree_leaves

from .gradient_call import no_call
from .paddle.names import torch_dtype

TARGET = "phi_programs.written.default"
_library = torch.library.Library("phi_programs", "FRAGMENT")
_library.define("written(Tensor[] operands, str call) -> Tensor[]")


def described(target: str, arguments: Mapping[str, Any]) -> str:
    """The text of a call; among its arguments ("operand", number) is a tensor, and ("number", number) what a tensor holds.

    Raises:
        NotImplementedError: an argument that the text cannot hold.
    """

    def value(one: Any) -> Any:
        if isinstance(one, tuple) and one[:1] in (("operand",), ("number",)):
            return {one[0]: one[1]}
        if isinstance(one, torch.dtype):
            return {"dtype": str(one).removeprefix("torch.")}
        if isinstance(one, torch.device):
            return {"device": str(one)}
        if isinstance(one, list | tuple):
            return [value(each) for each in one]
        if one is not None and not isinstance(one, bool | int | float | str):
            raise NotImplementedError(f"an argument {one} in the text of a call")
        return one

    return json.dumps({"target": target, "arguments": {name: value(one) for name, one in arguments.items()}})


def call_of(operands: Sequence[Tensor], call: str) -> tuple[OpOverload, dict[str, Any]]:
    """The operator that such a text calls, and its arguments by name."""

    def value(one: Any) -> Any:
        if isinstance(one, dict):
            ((kind, said),) = one.items()
            return KINDS[kind](operands, said)
        return [value(each) for each in one] if isinstance(one, list) else one

    try:
        said = json.loads(call)
        arguments = {name: value(one) for name, one in said["arguments"].items()}
        namespace, name, overload = said["target"].split(".")
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        raise no_call(call) from None
    return getattr(getattr(getattr(torch.ops, namespace), name), overload), arguments


KINDS: dict[str, Callable[[Sequence[Tensor], Any], Any]] = {
    "operand": lambda operands, said: operands[said],
    "number": lambda operands, said: operands[said].item(),
    "dtype": lambda _, said: torch_dtype(said),
    "device": lambda _, said: torch.device(said),
}


def run(operands: Sequence[Tensor], call: str) -> list[Tensor]:
    """What the operator returns, and then what it has written; all are tensors of their own."""
    target, arguments = call_of(operands, call)
    found = torch.ops.higher_order.auto_functionalized_v2(target, **arguments)
    return [one for one in tree_leaves(found) if isinstance(one, Tensor)]


_library.impl("written", run, "CompositeExplicitAutograd")
