"""The check that what a call writes overlaps nothing else: statements of the generated API and Meta functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...model.category import is_elementwise
from ...types.kinds import TensorKind
from ...view.bind import target_of
from ...view.dispatcher import Kind, Overload, Param, mutated


def overlap_checks(overload: Overload, kinds: Mapping[str, TensorKind]) -> Iterator[str]:
    """Nothing for a functional overload. For each `out` a bool says whether it may not be resized, `kept` in `may_resize`.

    Only dense tensors are written in place; the results of other `kinds` are copied when they are whole.
    """
    op = overload.op
    dense = [p for p in overload.params if p.name in kinds and kinds[p.name].is_dense]
    written = [p for p in dense if p.mutable]
    read = [p for p in dense if not p.mutable and p.name not in op.no_need_buffer]
    if overload.kind is Kind.INPLACE and written and (len(written) > 1 or written[0].cpp != "at::Tensor&"):
        arguments = [f'{{{p.name}, "{p.name}", {"true" if p.mutable else "false"}}}' for p in (*written, *read)]
        yield f"CheckArguments({{{', '.join(arguments)}}});"
        return
    yield from (f'CheckWritten({p.name}, "{p.name}");' for p in written)
    for target in written:
        pairs = [(p, "kWritten") for p in written if p is not target] + [(p, _sharing(overload, target, p)) for p in read]
        checks = [f'CheckApart({target.name}, "{target.name}", {p.name}, "{p.name}", Sharing::{how})' for p, how in pairs]
        if overload.kind is Kind.OUT:
            yield f"const bool {target.name}_shared = {' | '.join(checks) or 'false'};"
        else:
            yield from (f"{check};" for check in checks)


def may_resize(overload: Overload, target: Param, kinds: Mapping[str, TensorKind]) -> str:
    """The C++ condition under which a call may give `target` another shape."""
    if overload.kind is not Kind.OUT:
        return "false"
    return f"!{target.name}_shared" if kinds[target.name].is_dense else "true"


def binding(overload: Overload) -> Iterator[tuple[str, int, Param]]:
    """The methods that make a result go to its target, with the index of the output.

    Of several `out` all are checked before the first is given its shape.
    """
    targets = [(i, target_of(overload, output)) for i, output in enumerate(overload.op.outputs)]
    bound = [(i, target) for i, target in targets if target is not None]
    if overload.kind is Kind.OUT:
        yield from (("Check", i, target) for i, target in bound[1:])
    yield from (("Bind", i, target) for i, target in bound)


def _sharing(overload: Overload, target: Param, other: Param) -> str:
    """All of a tensor may be overwritten by an elementwise operator, or where the entry declares it."""
    declared = target.output is not None and mutated(overload.op).get(other.name) == target.output.name
    return "kWhole" if declared or is_elementwise(overload.op) else "kNothing"
