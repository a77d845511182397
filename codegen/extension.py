"""The operators of an out-of-tree extension: its YAML and its sources, checked against each other and against ours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path

from .category import applies_functor, camel
from .check import check
from .diagnose import Diagnostics, did_you_mean
from .dispatcher import is_composite_only, is_view
from .load import op_files
from .model import Op, OpSet
from .parse import parse_files, parse_text, resolve
from .sources import Registration, defines, infer_meta_functions, scan_infer_meta, scan_text, structs

HEADERS = (".h", ".hpp", ".cuh")


@dataclass(frozen=True)
class Description:
    """What an author gives: the namespace of torch.ops, YAML files or a YAML text, C++ and CUDA sources."""

    namespace: str
    yaml: Sequence[Path] | str
    sources: Sequence[Path] = ()
    csrc: Path | None = None  # our headers
    root: Path = field(default_factory=Path.cwd)  # names are printed relative to it


def load_extension(description: Description) -> tuple[OpSet, Diagnostics]:
    """The extension's ops; there are no errors when the diagnostics are empty.

    A kernel that the extension brings has the extension's name before its own, so that two extensions may use one name.
    """
    diag, namespace = Diagnostics(), description.namespace
    if isinstance(description.yaml, str):
        ops = resolve(parse_text(description.yaml, f"{namespace} (YAML text)", diag)).ops
    else:
        ops = parse_files(description.yaml, diag, description.root).ops
    headers = tuple(path for path in description.sources if path.suffix in HEADERS)
    ops = tuple(replace(op, namespace=namespace) for op in ops)
    opset = OpSet(ops, namespace, tuple(map(str, headers)), tuple(str(h) for h in headers if infer_meta_functions(h)))
    base = parse_files(op_files(), Diagnostics(), description.root)
    check(opset, diag, base=base)
    _check_names(opset, base, diag)
    kernels = _registrations(description)
    _check_implementations(opset, base, kernels, headers, description.csrc, diag)
    return _with_own_kernels(opset, kernels), diag


def is_python_only(opset: OpSet) -> bool:
    """Whether every op is a composite, so that there is nothing to compile."""
    return all(is_composite_only(op) for op in opset.ops)


def _check_names(opset: OpSet, base: OpSet, diag: Diagnostics) -> None:
    for op in opset.ops:
        if is_view(op):
            help = "write a composite over ATen's views"
            diag.error_at("PHI034", op.loc, "category", f"'{op.name}': category view is of C++ inside phi_torch alone", help)
        if op.backward is not None and op.backward not in opset and op.backward in base:
            help = f"write an entry `- backward_op : {op.backward}` of your own"
            diag.error_at("PHI021", op.loc, "backward", f"'{op.backward}' differentiates an operator of phi_torch", help)


def _registrations(description: Description) -> dict[str, list[Registration]]:
    found: dict[str, list[Registration]] = {}
    for path in description.sources:
        if path.suffix not in HEADERS and path.is_file():
            for registration in scan_text(path.read_text(encoding="utf-8", errors="replace"), str(path)):
                found.setdefault(registration.name, []).append(registration)
    return found


def _check_implementations(
    opset: OpSet,
    base: OpSet,
    kernels: Mapping[str, list[Registration]],
    headers: Sequence[Path],
    csrc: Path | None,
    diag: Diagnostics,
) -> None:
    ours = {branch.name for op in base.ops if op.kernel is not None for branch in op.kernel.branches}
    functions = set().union(*(infer_meta_functions(header) for header in headers))
    known = functions | (scan_infer_meta(csrc) if csrc is not None else set())
    for op in opset.ops:
        if op.infer_meta is not None and op.kernel is not None and csrc is not None:
            _check_infer_meta(op, known, diag)
        for branch in op.kernel.branches if op.kernel is not None else ():
            if op.dtypes and op.kernel is not None and branch is op.kernel.dense:
                _check_generated(op, branch.name, kernels, headers, diag)
            elif branch.name not in kernels and branch.name not in ours:
                key = "kernel.func" if diag.has_place(op.loc, "kernel.func") else "op"
                help = did_you_mean(branch.name, {*kernels, *ours}) or f"write PD_REGISTER_KERNEL({branch.name}, ...) in a source"
                diag.error_at("PHI036", op.loc, key, f"no source registers kernel '{branch.name}' of '{op.name}'", help)


def _check_infer_meta(op: Op, known: Set[str], diag: Diagnostics) -> None:
    assert op.infer_meta is not None
    func = op.infer_meta.func.rpartition("::")[2]
    if func not in known:
        key = "infer_meta.func" if diag.has_place(op.loc, "infer_meta.func") else "op"
        help = did_you_mean(func, known) or "declare it in a header, and list the header among the sources"
        diag.error_at("PHI037", op.loc, key, f"no header defines {func}, infer_meta of '{op.name}'", help)


def _check_generated(
    op: Op, kernel: str, kernels: Mapping[str, list[Registration]], headers: Iterable[Path], diag: Diagnostics
) -> None:
    name = camel(op.name) + ("Functor" if applies_functor(op) else "Kernel")
    what = "functor" if applies_functor(op) else "function template"
    if kernel in kernels:
        first = kernels[kernel][0]
        message = f"the kernel of '{op.name}' is generated, but {first.file}:{first.line} registers '{kernel}'"
        diag.error_at("PHI043", op.loc, "op", message, "remove that, or say that you write the kernel: `kernel : {func, param}`")
    elif not any(defines(header, name) for header in headers):
        names = [struct for header in headers for struct in structs(header)]
        help = (
            did_you_mean(name, names) or f"write it in a header, and list the header among the sources (the {what} of its kernel)"
        )
        diag.error_at("PHI038", op.loc, "op", f"'{op.name}' needs {name}, which no header defines", help)


def _with_own_kernels(opset: OpSet, kernels: Mapping[str, list[Registration]]) -> OpSet:
    def rename(op: Op) -> Op:
        if op.kernel is None:
            return op
        branches = tuple(
            replace(b, name=f"{opset.namespace}::{b.name}")
            if b.name in kernels or (op.dtypes and op.kernel is not None and b is op.kernel.dense)
            else b
            for b in op.kernel.branches
        )
        return replace(op, kernel=replace(op.kernel, branches=branches))

    return replace(opset, ops=tuple(rename(op) for op in opset.ops))
