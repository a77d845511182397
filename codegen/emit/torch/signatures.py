"""torch/signatures_*.cc: calls and registrations of ops, compiled once for each C++ type that ops have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...model.op import OpSet
from ...view.dispatcher import Kind, Overload, Param, has_kernel, overloads
from ..render import render
from ..write import shard

OPS_PER_FILE = 80


@dataclass(frozen=True)
class Signature:
    """A function type; `with_keys` if there are kernels that take the dispatch keys as well."""

    ret: str
    types: str
    with_keys: bool

    @property
    def types_with_keys(self) -> str:
        return ", ".join(filter(None, ("c10::DispatchKeySet", self.types)))


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    found: dict[str, Signature] = {}
    for op in opset.ops:
        for overload in overloads(op):
            _add(found, overload, overload.params, _takes_keys(overload))
            if overload.kind is Kind.FUNCTIONAL and op.composite is not None:
                _add(found, overload, overload.composite_params, False)
    shards = shard(sorted(found), opset.shards(OPS_PER_FILE), key=str)
    return {
        f"torch/signatures_{i}.cc": render("signatures.cc.j2", signatures=[found[key] for key in keys])
        for i, keys in enumerate(shards)
    }


def _add(found: dict[str, Signature], overload: Overload, params: Sequence[Param], with_keys: bool) -> None:
    key, types = overload.type_of(params), ", ".join(p.cpp for p in params)
    found[key] = Signature(overload.cpp_return, types, with_keys or (key in found and found[key].with_keys))


def _takes_keys(overload: Overload) -> bool:
    """Whether a generated kernel of autograd.py calls it."""
    return has_kernel(overload.op) and overload.kind in (Kind.FUNCTIONAL, Kind.INPLACE)
