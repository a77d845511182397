"""The operators of an out-of-tree extension: its YAML and its sources, checked against each other and against ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from .check.entries import check
from .load import extension_sources, own_ops, with_definitions
from .model.category import is_generated
from .model.diagnose import Diagnostics
from .model.op import Op, OpSet
from .read.parse import parse_files, parse_text, resolve, resolve_invokes
from .read.sources import HEADERS, Sources
from .view.dispatcher import is_composite_only, is_view


@dataclass(frozen=True)
class Description:
    """What an author gives: the namespace of torch.ops, YAML files or a YAML text, C++ and CUDA sources; without any at
    all (None) kernels are not looked for."""

    namespace: str
    yaml: Sequence[Path] | str
    sources: Sequence[Path] | None = ()
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
    sources = None if description.sources is None else extension_sources(description.sources, diag)
    headers = tuple(path for path in description.sources or () if path.suffix in HEADERS and path.is_file())
    named = tuple(str(path) for path in headers if Sources([path]).infer_metas or Sources([path]).forms)
    opset = OpSet(tuple(replace(op, namespace=namespace) for op in ops), namespace, tuple(map(str, headers)), named)
    base = own_ops()
    opset = resolve_invokes(opset, OpSet((*base.ops, *opset.ops)))
    check(opset, diag, sources=sources, base=base)
    _check_own(opset, base, diag)
    opset = _with_own_kernels(opset, {} if sources is None else sources.kernels)
    return opset if sources is None else with_definitions(opset, sources), diag


def is_python_only(opset: OpSet) -> bool:
    """Whether every op is a composite, so that there is nothing to compile."""
    return all(is_composite_only(op) for op in opset.ops)


def _check_own(opset: OpSet, base: OpSet, diag: Diagnostics) -> None:
    """What only operators of phi_torch can have."""
    for op in opset.ops:
        if is_view(op):
            message = f"'{op.name}': category view is of C++ inside phi_torch alone"
            diag.error_at("PHI034", op.loc, "category", message, "write a composite over ATen's views")
        if op.backward is not None and op.backward not in opset and op.backward in base:
            help = f"write an entry `- backward_op : {op.backward}` of your own"
            diag.error_at("PHI021", op.loc, "backward", f"'{op.backward}' differentiates an operator of phi_torch", help)


def _with_own_kernels(opset: OpSet, kernels: Mapping[str, object]) -> OpSet:
    def rename(op: Op) -> Op:
        if op.kernel is None:
            return op
        branches = tuple(
            replace(branch, name=f"{opset.namespace}::{branch.name}")
            if branch.name in kernels or is_generated(op, branch)
            else branch
            for branch in op.kernel.branches
        )
        return replace(op, kernel=replace(op.kernel, branches=branches))

    return replace(opset, ops=tuple(rename(op) for op in opset.ops))
