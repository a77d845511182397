"""How many lines each operator takes, its gradients included: `python benchmarks/lines_per_op.py [op]`.

Counted is what is written by hand and serves one operator alone: its YAML entries, the files of its kernels (with the
headers and sources below csrc/kernels/ that no other operator's kernel includes), its InferMeta functions, its functions
below phi_torch/decompositions/, and its samples. Empty lines and the line of the license do not count.
"""

import ast
import re
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from codegen.load import load  # noqa: E402
from codegen.model.op import Op, OpSet  # noqa: E402
from codegen.view.dispatcher import has_kernel  # noqa: E402

CSRC = ROOT / "csrc"
KERNELS = CSRC / "kernels"
PARTS = ("yaml", "kernels", "infermeta", "composites", "samples")
ELEMENTWISE = ("unary", "binary")
LICENSE = "// SPDX-License-Identifier"
_INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
_FUNCTION = re.compile(r"^(?:template [^\n]*\n)?\w[^\n]*?\b(\w+)\(.*?^\}", re.MULTILINE | re.DOTALL)


def count(lines: Iterable[str]) -> int:
    return sum(1 for line in lines if line.strip() and not line.startswith(LICENSE))


def roots(opset: OpSet) -> dict[str, str]:
    """Op -> the forward op that it belongs to."""

    def root(op: Op) -> str:
        known = op.forward is not None and op.forward.name in opset and op.forward.name != op.name
        return root(opset[op.forward.name]) if known and op.forward else op.name

    return {op.name: root(op) for op in opset.ops}


def entry(op: Op) -> list[str]:
    """The lines of an op in the YAML."""
    lines = (ROOT / op.source).read_text().splitlines()[op.loc.line - 1 :]
    end = next((i for i, line in enumerate(lines[1:], 1) if line.startswith(("- ", "#"))), len(lines))
    return lines[:end]


@cache
def included(file: Path) -> frozenset[Path]:
    """The files below csrc/kernels/ that a file includes, itself or by way of others, and the sources beside them."""
    found = {file}
    waiting = [file]
    while waiting:
        for name in _INCLUDE.findall(waiting.pop().read_text()):
            header = CSRC / name
            if not header.is_relative_to(KERNELS) or header in found or not header.exists():
                continue
            sources = [source for source in header.parent.glob(f"{header.stem}.*") if source not in found]
            found.update(sources)
            waiting += sources
    return frozenset(found)


def kernel_files(opset: OpSet, root_of: dict[str, str]) -> dict[str, set[Path]]:
    """Op -> the files that have its name, and those that its kernels alone include."""
    owners = {branch.name: root_of[op.name] for op in opset.ops if op.kernel for branch in op.kernel.branches}
    owners |= {op.name.rstrip("_"): root_of[op.name] for op in opset.ops}
    named: dict[str, set[Path]] = defaultdict(set)
    for file in KERNELS.rglob("*.*"):
        owner = owners.get(re.sub("(_kernel)?(_impl)?$", "", file.stem))
        if owner is not None and file.parent.name != "funcs":
            named[owner].add(file)
    users: dict[Path, set[str]] = defaultdict(set)
    for owner, files in named.items():
        for file in set().union(*map(included, files)) - set().union(*named.values()):
            users[file].add(owner)
    return {owner: files | {file for file, of in users.items() if of == {owner}} for owner, files in named.items()}


def functions(folder: Path) -> dict[str, int]:
    """InferMeta function -> its lines."""
    return {m[1]: count(m[0].splitlines()) for file in folder.glob("*.h") for m in _FUNCTION.finditer(file.read_text())}


def composites(folder: Path) -> dict[str, int]:
    """`module:function` -> its lines."""
    found = {}
    for file in folder.glob("*.py"):
        lines = file.read_text().splitlines()
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.FunctionDef):
                found[f"{file.stem}:{node.name}"] = count(lines[node.lineno - 1 : node.end_lineno])
    return found


def own(names: Iterator[tuple[str, str]], sizes: dict[str, int]) -> dict[str, int]:
    """Op -> the lines of the functions that it alone names, of pairs (op, function)."""
    users: dict[str, set[str]] = defaultdict(set)
    for op, name in names:
        users[name].add(op)
    lines: dict[str, int] = defaultdict(int)
    for name, owners in users.items():
        if len(owners) == 1:
            lines[next(iter(owners))] += sizes.get(name, 0)
    return lines


def table(opset: OpSet) -> dict[str, dict[str, int]]:
    """Op -> part -> lines."""
    root_of = roots(opset)
    rows = {op.name: dict.fromkeys(PARTS, 0) for op in opset.forward_ops}
    files = kernel_files(opset, root_of)
    infer = own(
        ((root_of[op.name], op.infer_meta.func) for op in opset.ops if op.infer_meta and has_kernel(op)),
        functions(CSRC / "infermeta"),
    )
    formulas = own(
        ((root_of[op.name], op.composite) for op in opset.ops if op.composite), composites(ROOT / "phi_torch" / "decompositions")
    )
    for op in opset.ops:
        rows[root_of[op.name]]["yaml"] += count(entry(op))
    for name, row in rows.items():
        row["kernels"] = sum(count(file.read_text().splitlines()) for file in files.get(name, ()))
        row["infermeta"], row["composites"] = infer[name], formulas[name]
        row["samples"] = count((ROOT / "tests" / "ops" / "samples" / f"{name}.py").read_text().splitlines())
    return rows


def main() -> None:
    opset, diagnostics = load()
    assert not diagnostics, diagnostics.render()
    rows, files = table(opset), kernel_files(opset, roots(opset))
    chosen = sys.argv[1:]
    print(f"{'':32}{'lines':>8}", *(f"{part:>11}" for part in PARTS), sep="")
    for name, row in sorted(rows.items(), key=lambda item: -sum(item[1].values())):
        if not chosen or name in chosen:
            kind = "elementwise" if opset[name].category in ELEMENTWISE else opset[name].category
            print(f"{name:20}{kind:12}{sum(row.values()):8}", *(f"{row[part]:11}" for part in PARTS), sep="")
        if name in chosen:
            print(*(f"    {file.relative_to(ROOT)}" for file in sorted(files.get(name, ()))), sep="\n")
    totals = {name: sum(row.values()) for name, row in rows.items()}
    elementwise = [total for name, total in totals.items() if opset[name].category in ELEMENTWISE]
    general = [total for name, total in totals.items() if opset[name].category not in ELEMENTWISE]
    print(f"median of {len(general)} general operators: {statistics.median(general):g};", end=" ")
    print(f"of {len(elementwise)} elementwise ones: {statistics.median(elementwise):g}, the longest {max(elementwise)}")


if __name__ == "__main__":
    main()
