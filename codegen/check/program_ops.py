"""The operators of programs, against the ops, the names of op_compat.yaml and the mapping functions in C++."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ..model.diagnose import Diagnostics, did_you_mean
from ..model.op import Loc, Op, OpSet
from ..model.op_compat import OpCompat
from ..model.program_op import GRAD, ProgramOp, Signature
from ..view.program_ops import derived

_REGISTERED = re.compile(r"^PD_REGISTER_ARG_MAPPING_FN\((?P<op>\w+),", re.MULTILINE)


def check_program_ops(
    opset: OpSet, compats: Sequence[OpCompat], written: Sequence[ProgramOp], functions: Path, diag: Diagnostics
) -> None:
    """`functions` is the folder of the mapping functions, which an installed package lacks."""
    _check_unique(compats, written, diag)
    by_name = {op.name: op for op in written}
    for compat in compats:
        _check_compat(compat, opset, by_name, diag)
        if compat.op in opset:
            _check_names(opset[compat.op], compat, by_name.get(compat.program_op), diag)
    follows = {op.name: op for op in derived(opset, compats)}
    every = {**follows, **by_name}
    for op in written:
        _check_forward(op, every, diag)
        _check_signatures(op, diag)
        if op == follows.get(op.name):
            message = f"'{op.name}' is what follows from its op and op_compat.yaml"
            diag.error_at("PHI058", op.loc, "op", message, "remove the entry")
    if functions.is_dir():
        _check_functions(by_name, functions, diag)


def _check_unique(compats: Iterable[OpCompat], written: Iterable[ProgramOp], diag: Diagnostics) -> None:
    seen: dict[str, Loc] = {}
    for what, loc in [*((c.op, c.loc) for c in compats), *((f"program's {op.name}", op.loc) for op in written)]:
        if what in seen:
            diag.error_at("PHI020", loc, "op", f"{what} has an entry already, at {seen[what]}", "merge the entries")
        seen.setdefault(what, loc)


def _check_compat(compat: OpCompat, opset: OpSet, by_name: Mapping[str, ProgramOp], diag: Diagnostics) -> None:
    """There is such an op, or operator of programs, and its gradients are those of the op, as far as it has any."""
    if compat.op not in opset:
        if compat.program_op not in by_name and not {compat.op, compat.program_op} & diag.broken:
            known = [*(op.name for op in opset.ops), *by_name]
            help = did_you_mean(compat.op, known) or "write the op's entry in yaml/ops/, or the operator's in yaml/program_ops.yaml"
            diag.error_at("PHI056", compat.loc, f"op.{compat.op}", f"there is no op '{compat.op}'", help)
        return
    op = opset[compat.op]
    for name, _ in compat.grads:
        if op.backward is None:
            return
        if op.backward != name:
            message = f"'{name}' is not the backward op of '{op.name}'"
            diag.error_at("PHI056", compat.loc, f"backward.{name}", message, f"write '{op.backward}', as {op.loc} does")
            return
        if op.backward not in opset:
            return
        op = opset[op.backward]


def _check_names(op: Op, compat: OpCompat, program_op: ProgramOp | None, diag: Diagnostics) -> None:
    """Every name on the left is one of the op, or stands for something that only the program's operator has."""
    others = [] if program_op is None else program_op.names
    attrs = [arg.name for arg in op.attrs]
    known = {
        "inputs": [arg.name for arg in op.inputs],
        "outputs": [out.name for out in op.outputs],
        "attrs": attrs,
        "scalar": attrs,
        "int_array": attrs,
    }
    for key, names in known.items():
        for name, program_name in getattr(compat, key).items():
            if name not in names and (program_name not in others or key in ("scalar", "int_array")):
                help = did_you_mean(name, names) or f"the op has: {', '.join(names) or 'none'}"
                diag.error_at("PHI056", compat.loc, f"{key}.{name}", f"{key} names '{name}', which op '{op.name}' lacks", help)


def _check_forward(op: ProgramOp, every: dict[str, ProgramOp], diag: Diagnostics) -> None:
    if op.forward is None:
        return
    if op.forward not in every:
        if op.forward not in diag.broken:
            help = did_you_mean(op.forward, every) or "write its entry, or correct the name"
            diag.error_at("PHI022", op.loc, "forward", f"no operator has the name '{op.forward}'", help)
        return
    seen, at = {op.name}, every.get(op.forward)
    while at is not None and at.name not in seen:
        seen.add(at.name)
        at = every.get(at.forward or "")
    if at is not None:
        diag.error_at("PHI022", op.loc, "forward", f"'{op.name}' is a gradient of itself", "correct `forward`")


def _check_signatures(op: ProgramOp, diag: Diagnostics) -> None:
    if not op.is_defined:
        return  # the slots of a gradient are those of its signature
    slots = [slot.name for slot in op.inputs]
    names = [*slots, *(attr.name for attr in op.attrs)]
    outputs = [slot.name for slot in op.outputs]
    for signature in op.signatures:
        for name, known in _uses(signature, slots, names, outputs):
            if name not in known and not name.endswith(GRAD):
                help = did_you_mean(name, known) or f"names: {', '.join(known) or 'none'}"
                message = f"a signature of '{op.name}' names '{name}', which the operator lacks"
                diag.error("PHI055", signature.loc, message, help)


def _uses(signature: Signature, slots: list[str], names: list[str], outputs: list[str]) -> Iterator[tuple[str, list[str]]]:
    """(name, the names that there are) for each name in a signature."""
    yield from ((use.name, slots) for use in signature.inputs)
    yield from ((name, names) for alternatives in signature.attrs for name in alternatives)
    yield from ((use.name, outputs) for use in signature.outputs)


def _check_functions(by_name: dict[str, ProgramOp], folder: Path, diag: Diagnostics) -> None:
    """Entries say `mapping : function` exactly where there is one."""
    registered = {}
    for file in sorted(folder.glob("*_sig.cc")):
        for match in _REGISTERED.finditer(file.read_text(encoding="utf-8")):
            registered[match["op"]] = file.name
    for name, op in by_name.items():
        if op.by_function and name not in registered:
            help = f"write PD_REGISTER_ARG_MAPPING_FN({name}, fn) in csrc/ops/compat/, or say what the signatures are for"
            diag.error_at("PHI057", op.loc, "mapping", f"no source maps '{name}'", help)
    for name, source in registered.items():
        if name not in diag.broken and (name not in by_name or not by_name[name].by_function):
            loc = by_name[name].loc if name in by_name else Loc(f"csrc/ops/compat/{source}", 1)
            help = "write `mapping : function` and its signatures in yaml/program_ops.yaml"
            diag.error_at("PHI057", loc, "op", f"{source} maps '{name}', whose entry does not say so", help)
