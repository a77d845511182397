"""What an operation is called in torch.ops."""

from __future__ import annotations

from .. import _namespaces
from .._op_info import OpInfo


def op_info_of(name: str) -> OpInfo | None:
    """What `pd_op.relu_` or `mine.op` is called in torch.ops; None if it is not there."""
    dialect, _, op = name.partition(".")
    return _namespaces.known(op if dialect == "pd_op" else f"{dialect}::{op}")
