"""`phi_torch/_aten_table.py`: the rows of yaml/aten_compat.yaml."""

from __future__ import annotations

from ...model.op import OpSet
from ..render import render


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    if not opset.aten_rows:  # those of an extension
        return {}
    rows = [(row.overload, row.arguments, row.when, row.to, f"{row.loc.file}:{row.loc.line}") for row in opset.aten_rows]
    return {"python/_aten_table.py": render("python_aten_table.py.j2", rows=rows)}
