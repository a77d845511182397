"""What a trimmed build keeps of the operators and of the sources.

An operator needs its backward operator, what it invokes, and what its composite names. It needs the sources that register
its kernels; these call other kernels by `kernels/<op>_kernel.h` and primitives by `primitive/<name>.h`, so a source that
includes such a header, directly or not, needs the sources of that kernel or primitive. All other sources go to the linker as
archives, from which it takes what is referred to; generated ones that only other operators refer to are not compiled.
"""

from __future__ import annotations

import ast
import functools
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from codegen.model import dtypes as known_dtypes
from codegen.model.category import implementation, is_composite_alone
from codegen.model.op import Op, OpSet
from codegen.model.program_op import ProgramOp
from codegen.read import cpp
from codegen.read.sources import Registration, Sources

from . import includes
from .grouping import library_of
from .ninja import write_if_changed
from .primitives import implementations, needed
from .selection import Selection, dtypes, operators
from .sources import CSRC, GENERATED, ROOT
from .toolchain import BuildError, with_cuda

DTYPES_HEADER = GENERATED / "trimmed_dtypes.h"
PRIMITIVE_DTYPES_HEADER = GENERATED / "trimmed_primitive_dtypes.h"
# their variables are one for all libraries, of which none may take a copy
_SHARED = tuple(CSRC / folder for folder in ("api", "common", "core"))
# how the paths of what runs programs begin: the sources, and the tables of operators
_PROGRAMS = (
    *("ir/", "torch/ir/", "torch/python/ir/", "torch/python/programs/", "ops/compat/", "program/", "infermeta/registry_"),
    *("api/boxed_call.", "api/bound_calls_", "core/bound_call."),
    *("core/argument_mapping.", "core/op_info.", "core/op_utils."),
)
_BINDINGS = CSRC / "torch/python/bindings.cc"
# the kernels of operators that programs run without any
_WITHOUT_KERNEL = {None, "assert", "feed", "fetch", "fetch_array"}
_KERNEL_HEADER = re.compile(r"(?:kernels/(\w+)_kernel|functional/(\w+))\.h")
_MODULE_FUNCTION = re.compile(r"([A-Za-z_][\w.]*):([A-Za-z_]\w*)")


def _acts(source: Path) -> bool:
    return cpp.acts_when_loaded(source.read_text(errors="replace"))


@dataclass(frozen=True)
class Trim:
    """A trimmed build: its operators, and the sources of kernels and primitives that register what they need."""

    selection: Selection
    opset: OpSet
    left_out: tuple[str, ...]  # operators
    kernels: frozenset[Path]
    called: frozenset[str]  # the kernels that other kernels call

    @property
    def note(self) -> str:
        """`selection.yaml trimmed to 2 operators`, said of a build."""
        count = len(self.selection.ops)
        return f"{self.selection.name} trimmed to {count} operator{'s' * (count != 1)}"

    def divide(self, sources: Iterable[Path]) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
        """The sources of a library that are linked, and those of which the linker takes what is referred to."""
        linked, lazy = [], []
        for source in sources:
            kernel, primitive = source.is_relative_to(CSRC / "kernels"), source in implementations()
            stays = _acts(source) or any(source.is_relative_to(folder) for folder in _SHARED)
            if not self.selection.runs_programs and (_runs_programs(source) or source in self.other_shapes):
                continue
            if not stays and (kernel or not self.selection.extensions):
                lazy.append(source)
            elif source in self.kernels or not (kernel or (primitive and not self.selection.extensions)):
                linked.append(source)
        return tuple(linked), tuple(lazy)

    @functools.cached_property
    def other_shapes(self) -> frozenset[Path]:
        """The generated sources of InferMeta functions, all but those of the operators: they are a third of the bridge."""
        wanted = {op.infer_meta.func for op in self.opset.ops if op.infer_meta is not None}
        sources, names_in = Sources([CSRC / "infermeta"]), defaultdict[str, set[str]](set)
        for name in sources.infer_metas:
            for function in sources.functions(name):
                names_in[Path(function.file).stem].add(name)
        unused = [header for header, names in names_in.items() if names.isdisjoint(wanted)]
        return frozenset(
            GENERATED / file for header in unused for file in (f"infermeta/{header}.cc", f"torch/infermeta/{header}.cc")
        )

    def flags_of(self, source: Path) -> tuple[str, ...]:
        """The flags of a source that leave data types out of its kernels, or say in an error that this build is trimmed.

        A kernel that others call is compiled for all types: nobody lists with which of them it is called. Primitives are
        compiled for those that kernels use beside their own.
        """
        wanted = dtypes(self.selection)
        if source == CSRC / "core/kernel_selection.cc":
            types = f" to the data types {', '.join(wanted)}" if wanted else ""
            return (f'-DPHI_TRIM_NOTE="{self.selection.name} trimmed this build{types}"',)
        if source == _BINDINGS and not self.selection.runs_programs:
            return ("-DPHI_WITHOUT_PROGRAMS",)
        if wanted and source in implementations():
            return ("-include", str(PRIMITIVE_DTYPES_HEADER))
        if not wanted or source.stem.removesuffix("_kernel") in self.called:
            return ()
        return ("-include", str(DTYPES_HEADER))

    def write_dtypes(self) -> None:
        """Writes the headers that leave data types out. They come after a precompiled header, where no flag may define."""
        if wanted := dtypes(self.selection):
            for header, names in ((DTYPES_HEADER, wanted), (PRIMITIVE_DTYPES_HEADER, _with_helpers(wanted))):
                text = " | ".join(f"PHI_DTYPE({name.upper()})" for name in names)
                write_if_changed(header, f"#undef PHI_DTYPES\n#define PHI_DTYPES ({text})\n")


def _with_helpers(names: tuple[str, ...]) -> list[str]:
    """Data types, and those of what kernels compute in between: masks, indices, and wider sums."""
    helpers = {"bool", "int64"}
    helpers |= {"float32"} if any(name.startswith(("float16", "bfloat16", "float8", "complex64")) for name in names) else set()
    helpers |= {"float64"} if "complex128" in names else set()
    return [*names, *sorted(helpers.difference(names))]


def trim(selection: Selection, opset: OpSet) -> Trim:
    """The trimmed build of a selection.

    Raises:
        BuildError: the selection names what there is not, or an operator has no kernel for any of its data types.
    """
    kept, kernels, called = _close(operators(selection, opset), selection, opset)
    ops = [op if selection.backward or op.backward in kept else replace(op, backward=None) for op in opset.ops if op.name in kept]
    left_out = tuple(op.name for op in opset.ops if op.name not in kept)
    program_ops = tuple(op for op in opset.program_ops if _runs(op, ops))
    trimmed = replace(opset, ops=tuple(ops), program_ops=program_ops)
    found = Trim(selection, trimmed, left_out, frozenset(kernels), frozenset(called))
    _check_dtypes(found)
    return found


def _runs_programs(source: Path) -> bool:
    root = GENERATED if source.is_relative_to(GENERATED) else CSRC
    return source.relative_to(root).as_posix().startswith(_PROGRAMS)


def _runs(program_op: ProgramOp, ops: Iterable[Op]) -> bool:
    """Whether an operator of programs has a kernel of these ops, or needs none, as control flow."""
    wanted = {program_op.kernel} | {signature.kernel for signature in program_op.signatures}
    kernels = {branch.name for op in ops if op.kernel is not None for branch in op.kernel.branches}
    return not wanted.isdisjoint(kernels | {op.name for op in ops}) or wanted <= _WITHOUT_KERNEL


def _close(names: Iterable[str], selection: Selection, opset: OpSet) -> tuple[set[str], set[Path], set[str]]:
    """The operators that these need, themselves included; the sources of their kernels; the kernels that others call."""
    registered = _registered()
    by_stem: dict[str, list[Path]] = {}
    for source in sorted((CSRC / "kernels").rglob("*_kernel.c[cu]")):
        if _is_built(source):
            by_stem.setdefault(source.stem.removesuffix("_kernel"), []).append(source)
    kept: set[str] = set()
    kernels: set[Path] = set()
    called: set[str] = set()
    waiting = list(names)
    while waiting:
        op = opset[waiting.pop()]
        if op.name in kept:
            continue
        kept.add(op.name)
        waiting += _operators_of(op, opset) + ([op.backward] if op.backward and selection.backward else [])
        sources = {source for branch in (op.kernel.branches if op.kernel else ()) for source in registered.get(branch.name, ())}
        files = [CSRC / implementation(op, opset)[0]] if op.dtypes and not is_composite_alone(op) else []
        while sources or files:
            kernels |= sources
            headers = {name for source in (*sources, *files) for name in includes.reached([source]) - {f"kernels/{source.stem}.h"}}
            found = {match[1] or match[2] for match in map(_KERNEL_HEADER.fullmatch, headers) if match is not None}
            called |= found
            generated = {name for name in found if name not in by_stem or f"functional/{name}.h" in headers}
            waiting += [name for name in generated if name in opset]
            called_sources = {source for name in found for source in by_stem.get(name, ())}
            primitives = {source for source in needed((*sources, *files), headers) if _is_built(source)}
            sources, files = (called_sources | primitives) - kernels, []
    return kept, kernels, called


@functools.cache
def _registrations() -> dict[str, list[Registration]]:
    """Kernel -> its registrations in csrc/."""
    return dict(Sources([CSRC]).kernels)


def _registered() -> dict[str, list[Path]]:
    """Kernel -> the sources of csrc/ that register it."""
    sources = {name: [ROOT / registration.file for registration in found] for name, found in _registrations().items()}
    return {name: [source for source in files if _is_built(source)] for name, files in sources.items()}


def _is_built(source: Path) -> bool:
    return library_of(source.relative_to(CSRC)) != "phi_gpu" or with_cuda()


def _operators_of(op: Op, opset: OpSet) -> list[str]:
    """The operators that an entry names, but for its backward."""
    found = [op.forward.name] if op.forward is not None else []
    if op.invoke is not None:
        found.append(op.invoke.func)
    if op.composite:
        found += _operators_in(op.composite)
    return [name for name in found if name in opset]


def _operators_in(composite: str) -> list[str]:
    """The operators that a composite calls, as `phi.name`."""
    function = _MODULE_FUNCTION.fullmatch(composite)
    if function is None:
        tree: ast.AST = ast.parse(composite, mode="eval")
    else:
        module = ast.parse((ROOT / "phi_torch/decompositions" / f"{function[1].replace('.', '/')}.py").read_text())
        tree = next(node for node in module.body if isinstance(node, ast.FunctionDef) and node.name == function[2])
    attributes = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    return [node.attr for node in attributes if ast.unparse(node.value) in ("phi", "torch.ops.phi")]


def _check_dtypes(found: Trim) -> None:
    """Every operator that is listed has a kernel for one of the data types."""
    wanted = set(dtypes(found.selection))
    if not wanted:
        return
    registrations = _registrations()
    wrong = []
    for name in found.selection.ops:
        op = found.opset[name] if name in found.opset else found.opset[name.removesuffix("_")]
        if op.kernel is None:
            continue
        written = [t for branch in op.kernel.branches for r in registrations.get(branch.name, ()) for t in r.dtypes]
        has = set(known_dtypes.dtypes_of([*written, *known_dtypes.cpp_types(op.dtypes)]))
        if not has & wanted:
            place = found.selection.place(name)
            wrong.append(f"{place}: '{name}' has no kernel for {', '.join(sorted(wanted))}, only for {', '.join(sorted(has))}")
    if wrong:
        raise BuildError("\n".join(wrong))
