"""headers.h: the headers of an extension, where the functors of its generated kernels are."""

from __future__ import annotations

from ...model.op import PHI, OpSet


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    if opset.namespace == PHI:
        return {}
    return {"headers.h": "#pragma once\n" + "".join(f'#include "{header}"\n' for header in opset.headers)}
