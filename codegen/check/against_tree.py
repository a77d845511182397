"""What an op of the checkout has beside its entry and its kernel: documentation and samples."""

from __future__ import annotations

from pathlib import Path

from ..model.diagnose import Diagnostics, did_you_mean
from ..model.op import Loc, OpSet


def check_tree(opset: OpSet, samples: Path, diag: Diagnostics) -> None:
    """`samples`: the folder of the files that test the ops; not looked at where there is none, as in a wheel."""
    for op in opset.forward_ops:
        if op.doc is None:
            diag.error_at("PHI048", op.loc, "op", f"'{op.name}' has no `doc`", "say what it computes, for which shapes and dtypes")
    if not samples.is_dir():
        return
    found = {file.stem for file in samples.glob("*.py")} - {"__init__"}
    folder = "/".join(samples.parts[-3:])
    names = {op.name for op in opset.forward_ops}
    for op in opset.forward_ops:
        if op.name not in found:
            message, help = f"'{op.name}' has no samples", f"write {folder}/{op.name}.py, as the files beside it are"
            diag.error_at("PHI047", op.loc, "op", message, help)
    for name in sorted(found - names - diag.broken):
        diag.error(
            "PHI047",
            Loc(f"{folder}/{name}.py", 1),
            f"samples of '{name}', which is no op",
            did_you_mean(name, names) or "remove the file",
        )
