"""The C++ signatures that an entry asks for, and how a function differs from one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from ..model.op import KernelBranch, Op
from ..read.declarations import Parameter
from ..types.table import WIDE
from ..types.tensors import TensorType
from .bind import call_names, literal_type

_NAMESPACES = re.compile(r"(?:(?<![\w:])::)?\b(?:phi|paddle)::")


def kernel_signature(op: Op, branch: KernelBranch) -> list[Parameter]:
    """What the function of a kernel takes after its context, as an author writes it."""
    assert op.kernel is not None
    kinds = branch.input_kinds(op)
    args = {a.name: a for a in op.args}
    params = []
    for name in call_names(op, op.kernel.param):
        arg = args.get(name)
        if arg is None:
            params.append(Parameter(literal_type(name)))
            continue
        form = arg.form
        params.append(Parameter(form.kernel_of(kinds[name].cls) if isinstance(form, TensorType) else form.kernel, name))
    for i, output in enumerate(op.outputs):
        cls = branch.output_kind(i).cls
        params.append(Parameter(f"std::vector<{cls}*>" if output.type == "Tensor[]" else f"{cls}*", output.name))
    return params


def infer_meta_signature(op: Op) -> list[Parameter]:
    """What the InferMeta function of an op takes."""
    assert op.infer_meta is not None
    args = {a.name: a for a in op.args}
    params = []
    for name in call_names(op, op.infer_meta.param):
        arg = args.get(name)
        if arg is None:
            params.append(Parameter(literal_type(name)))
        else:
            params.append(Parameter(arg.form.infer, name))
    outputs = {"Tensor": "MetaTensor<Dim>*", "Tensor[]": "std::vector<MetaTensor<Dim>*>"}
    return params + [Parameter(outputs[o.type], o.name) for o in op.outputs]


def difference(expected: Sequence[Parameter], actual: Sequence[Parameter], names: bool) -> str | None:
    """What the first difference is; None for functions that agree. Parameters with a default may be left out.

    `names`: a parameter must also have the name that the entry gives it, if it has one at all.
    """
    required = [p for p in actual if not p.optional]
    if not len(required) <= len(expected) <= len(actual):
        return f"has {_count(len(required))}, expected {len(expected)}"
    for i, (want, have) in enumerate(zip(expected, actual), 1):
        if canonical(want.type) != canonical(have.type):
            return f"has '{have}' as parameter {i}, expected '{want}'"
    for i, (want, have) in enumerate(zip(expected, actual), 1):
        if names and want.name and have.name and want.name != have.name:
            return f"calls parameter {i} '{have.name}', expected '{want.name}'"
    return None


@cache
def canonical(type: str) -> str:
    """A C++ type without namespaces and spaces, numbers in the widest type of their kind."""
    type = re.sub(r"\s*([&*<>,])\s*", r"\1", _NAMESPACES.sub("", type)).strip()
    return WIDE.get(type.removeprefix("const "), type)


def written(params: Sequence[Parameter]) -> str:
    return f"({', '.join(map(str, params))})"


def _count(number: int) -> str:
    return f"{number} parameter{'s' * (number != 1)}"
