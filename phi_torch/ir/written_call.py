"""`phi_programs::written`: an operator of torch that writes to its arguments, as one that returns their new values."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.utils._pytree import tree_leaves

from .gradient_call import no_call
from .paddle.names import torch_dtype

TARGET = "phi_programs.written.default"
_library = torch.library.Library("phi_programs", "FRAGMENT")
_library.define("written(Tensor[] operands, str call) -> Tensor[]")


def described(target: str, arguments: Mapping[str, Any]) -> str:
    """The text of a call of `auto_functionalized_v2`; among its arguments ("operand", number) is a tensor.

    Raises:
        NotImplementedError: an argument that the text cannot hold.
    """

    def value(one: Any) -> Any:
        if isinstance(one, tuple) and one[:1] == ("operand",):
            return {"operand": one[1]}
        if isinstance(one, torch.dtype):
            return {"dtype": str(one).removeprefix("torch.")}
        if isinstance(one, list | tuple):
            return [value(each) for each in one]
        if one is not None and not isinstance(one, bool | int | float | str):
            raise NotImplementedError(f"an argument {one} of an operator that writes")
        return one

    return json.dumps({"target": target, "arguments": {name: value(one) for name, one in arguments.items()}})


def run(operands: Sequence[Tensor], call: str) -> list[Tensor]:
    """What the operator returns, and then what it has written; all are tensors of their own."""

    def value(one: Any) -> Any:
        if isinstance(one, dict):
            return operands[one["operand"]] if "operand" in one else torch_dtype(one["dtype"])
        return [value(each) for each in one] if isinstance(one, list) else one

    try:
        said = json.loads(call)
        arguments = {name: value(one) for name, one in said["arguments"].items()}
        namespace, name, overload = said["target"].split(".")
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        raise no_call(call) from None
    target = getattr(getattr(getattr(torch.ops, namespace), name), overload)
    found = torch.ops.higher_order.auto_functionalized_v2(target, **arguments)
    return [one for one in tree_leaves(found) if isinstance(one, Tensor)]


_library.impl("written", run, "CompositeExplicitAutograd")
