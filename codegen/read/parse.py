"""The only reader of operator YAML: text -> `OpSet`, with every error at its place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from ..model.diagnose import Diagnostics
from ..model.op import Op, OpSet
from .entry import Entry
from .kinds import is_kind, read_kinds
from .nodes import Source, read_entries, read_source


def parse_files(paths: Sequence[Path], diag: Diagnostics, root: Path | None = None) -> OpSet:
    """Reads the files into one set of ops, forward ops first; file names are printed relative to `root`.

    An entry with an error is left out, and its name noted in `diag.broken`.
    """
    sources = [read_source(Path(path), display_name(Path(path), root), diag) for path in paths]
    return resolve(_parse([source for source in sources if source is not None], diag))


def parse_text(text: str, name: str, diag: Diagnostics) -> list[Op]:
    """The ops of one file, in file order."""
    diag.add_source(name, text)
    return _parse([Source(name, text)], diag)


def _parse(sources: Iterable[Source], diag: Diagnostics) -> list[Op]:
    nodes = [node for source in sources for node in read_entries(source, diag)]
    kinds = read_kinds(nodes, diag)
    ops = [Entry(node, diag, kinds).parse() for node in nodes if not is_kind(node)]
    return [op for op in ops if op is not None]


def display_name(path: Path, root: Path | None) -> str:
    """How a file is printed: relative to `root` where it stands below."""
    if root is not None:
        try:
            return path.resolve().relative_to(root.resolve()).as_posix()
        except ValueError:
            pass
    return path.as_posix()


def resolve(ops: Iterable[Op]) -> OpSet:
    """Sorts forward ops first. A forward signature cannot say which tensors are optional: its op does."""
    ops = sorted(ops, key=lambda op: op.is_backward)
    opset = OpSet(tuple(_resolve_forward(ops)))
    return resolve_invokes(opset, opset)


def resolve_invokes(opset: OpSet, known: OpSet) -> OpSet:
    """Looks up what the calls of the ops in `known` leave out."""

    def resolved(op: Op) -> Op:
        if op.invoke is None or op.invoke.func not in known:
            return op
        left_out = known[op.invoke.func].args[len(op.invoke.args) :]
        return replace(op, invoke=replace(op.invoke, left_out=left_out))

    return replace(opset, ops=tuple(map(resolved, opset.ops)))


def _resolve_forward(ops: Sequence[Op]) -> Iterable[Op]:
    by_name = {op.name: op for op in ops}
    for op in ops:
        forward = op.forward
        target = by_name.get(forward.name) if forward is not None else None
        if forward is None or target is None or len(target.args) != len(forward.args):
            yield op
            continue
        optional = {a.name for a in target.args if a.optional}
        args = tuple(replace(a, optional=a.name in optional or a.optional) for a in forward.args)
        inner = {o.name for o in target.outputs if o.intermediate}
        outputs = tuple(replace(o, intermediate=o.name in inner or o.intermediate) for o in forward.outputs)
        yield replace(op, forward=replace(forward, args=args, outputs=outputs))
