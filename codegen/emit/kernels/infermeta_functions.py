"""The InferMeta functions of csrc/infermeta/, each compiled once, so that an edit of one concerns the header that it is in.

infermeta/functions.h declares them; infermeta/<header>.cc and torch/infermeta/<header>.cc instantiate those of a header for
numbers and for symbols.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from ...model.op import PHI, OpSet
from ...read.declarations import Function
from ...read.sources import Sources
from ..render import render

_FOLDER = Path(__file__).resolve().parents[3] / "csrc" / "infermeta"


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    if opset.namespace != PHI:
        return {}
    functions = sorted(_functions(Sources([_FOLDER])), key=lambda function: (function.file, function.line))
    files = {"infermeta/functions.h": render("infermeta_functions.h.j2", functions=[_signature(f, "Dim") for f in functions])}
    for header, of_header in groupby(functions, key=lambda function: function.file):
        here, name = list(of_header), Path(header).stem
        for file, dim, extra in (
            (f"infermeta/{name}.cc", "int64_t", ""),
            (f"torch/infermeta/{name}.cc", "c10::SymInt", "c10/core/SymInt.h"),
        ):
            signatures = [_signature(f, dim) for f in here]
            files[file] = render("infermeta_instances.cc.j2", header=header, extra=extra, functions=signatures)
    return files


def _functions(sources: Sources) -> Iterator[Function]:
    for name in sources.infer_metas:
        yield from sources.functions(name)


def _signature(function: Function, dim: str) -> dict[str, str]:
    params = ", ".join(re.sub(r"\bDim\b", dim, str(parameter)) for parameter in function.params)
    return {"name": function.name, "dim": dim, "params": params}
