"""torch/signatures_*.cc: calls and registrations of ops, compiled once for each C++ type that ops have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...model.op import OpSet
from ...view.dispatcher import CALLED, Kind, Overload, Param, has_kernel, overloads
from ..render import render
from ..write import shard

OPS_PER_FILE = 80


@dataclass(frozen=True)
class Signature:
    """A function type; `is_called` if there are C++ functions of it, `with_keys` if there are kernels that take the dispatch
    keys as well."""

    ret: str
    types: str
    is_called: bool = False
    with_keys: bool = False

    @property
    def types_with_keys(self) -> str:
        return ", ".join(filter(None, ("c10::DispatchKeySet", self.types)))


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    found: dict[str, Signature] = {}
    for op in opset.ops:
        for overload in overloads(op):
            is_called = overload.kind in CALLED
            _add(found, overload, overload.params, is_called, is_called and has_kernel(op))
            if overload.kind is Kind.FUNCTIONAL and op.composite is not None:
                _add(found, overload, overload.composite_params, True, False)
    shards = shard(sorted(found), opset.shards(OPS_PER_FILE), key=str)
    return {
        f"torch/signatures_{i}.cc": render("signatures.cc.j2", signatures=[found[key] for key in keys])
        for i, keys in enumerate(shards)
    }


def _add(found: dict[str, Signature], overload: Overload, params: Sequence[Param], is_called: bool, with_keys: bool) -> None:
    key, types = overload.type_of(params), ", ".join(p.cpp for p in params)
    before = found.get(key, Signature(overload.cpp_return, types))
    found[key] = replace(before, is_called=before.is_called or is_called, with_keys=before.with_keys or with_keys)
