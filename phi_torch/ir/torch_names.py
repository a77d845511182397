"""What an operation is called in torch.ops, and an input as an argument of a module."""

from __future__ import annotations

import keyword
import re

from .. import _namespaces, ir
from .._op_info import OpInfo


def op_info_of(name: str) -> OpInfo | None:
    """What `pd_op.relu_` or `mine.op` is called in torch.ops; None if it is not there."""
    dialect, _, op = name.partition(".")
    return _namespaces.known(op if dialect == "pd_op" else f"{dialect}::{op}")


def argument_names(program: ir.Program) -> dict[str, str]:
    """The argument for each input: its name, where Python can have it, as it cannot have `_jst.0.x.0` of paddle.jit.save."""
    names = [op.attributes["name"] for op in program.walk() if op.name == "pd_op.data"]
    taken, arguments = {*names, "self", "torch"}, dict[str, str]()
    for name in names:
        argument = name
        if not name.isidentifier() or keyword.iskeyword(name) or name in ("self", "torch"):
            argument = re.sub(r"\W|^(?=\d|$)", "_", name)
            while argument in taken or keyword.iskeyword(argument):
                argument += "_"
            taken.add(argument)
        arguments[name] = argument
    return arguments
