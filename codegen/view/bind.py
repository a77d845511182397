"""From the arguments that a dispatcher function has to the expressions that InferMeta and kernels need.

Generated functions keep the dispatcher's parameter names. A tensor `x` becomes the local `x_in`, an attribute `axis`
that needs a conversion the local `axis_v`, an output `out` the locals `out` and `out_meta`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..model.op import Arg, KernelBranch, Op, Output
from ..types.kinds import TensorKind
from ..types.tensors import TensorType
from .dispatcher import Kind, Overload, Param, mutated


@dataclass(frozen=True)
class Attribute:
    """An attribute in a generated function: how it is converted, and what it is called then."""

    setup: str | None  # a statement
    value: str  # an expression of the kernel's canonical type


def attribute(param: Param, symbolic: bool) -> Attribute:
    """The conversion of a dispatcher argument; `symbolic` in a Meta function, where sizes are SymInt."""
    arg = param.arg
    assert arg is not None
    return Attribute(*arg.form.convert(param.name, f"{arg.name}_v", arg.value, symbolic))


def meta_value(arg: Arg) -> str:
    """A tensor argument as InferMeta functions take it."""
    return f"{arg.name}_in.{'metas' if arg.is_list else 'meta'}()"


def call_names(op: Op, param: tuple[str, ...] | None) -> tuple[str, ...]:
    """The arguments of an InferMeta function or a kernel: names of args, or C++ literals."""
    return tuple(a.name for a in op.args) if param is None else param


def knows_tensors(op: Op) -> bool:
    """Whether the kernel takes the tensors that InferMeta takes: what calls a kernel knows no others."""
    if op.infer_meta is None or op.kernel is None:
        return False
    taken = {a.name for a in op.inputs} & {*call_names(op, op.infer_meta.param)}
    return taken <= {*call_names(op, op.kernel.param)}


def typed_fn(op: Op, branch: KernelBranch) -> str:
    """The canonical type of a typed kernel call."""
    assert op.kernel is not None
    kinds = branch.input_kinds(op)
    types = ["const DeviceContext&", *(_typed_input(op, name, kinds) for name in call_names(op, op.kernel.param))]
    for i, output in enumerate(op.outputs):
        cls = branch.output_kind(i).cls
        types.append(f"std::vector<{cls}*>" if output.type == "Tensor[]" else f"{cls}*")
    return f"void({', '.join(types)})"


def _typed_input(op: Op, name: str, kinds: Mapping[str, TensorKind]) -> str:
    arg = next((a for a in op.args if a.name == name), None)
    if arg is None:
        return literal_type(name)
    return arg.form.kernel_of(kinds[name].cls) if isinstance(arg.form, TensorType) else arg.form.typed


def literal_type(text: str) -> str:
    """The canonical type of a literal in `kernel.param`."""
    if text in ("true", "false"):
        return "bool"
    if text.startswith('"'):
        return "const std::string&"
    if text.startswith("DataType::"):
        return "DataType"
    if any(c in text for c in ".ef") and not text.startswith("{"):
        return "double"
    return "int64_t"


def target_of(overload: Overload, output: Output) -> Param | None:
    """The parameter that receives `output`: an in-place argument or an `out` argument."""
    if overload.kind is Kind.OUT:
        return next(p for p in overload.params if p.output is output)
    if overload.kind is Kind.INPLACE:
        inverse = {out: arg for arg, out in mutated(overload.op).items()}
        if output.name in inverse:
            return next(p for p in overload.params if p.arg is not None and p.arg.name == inverse[output.name])
    return None


def wanted(overload: Overload, index: int) -> str | None:
    """The C++ condition under which an output is computed; None means always."""
    op = overload.op
    output = op.outputs[index]
    target = target_of(overload, output)
    if target is not None and target.arg is not None and target.arg.optional:
        return f"{target.name}.has_value()"
    conditions = []
    if any(p.name == "output_mask" for p in overload.params):
        conditions.append(f"output_mask[{index}]")
    source = gradient_of(op, output)
    if source is not None and source.optional:
        conditions.append(f"{source.name}.has_value()")
    return " && ".join(conditions) or None


def gradient_of(op: Op, output: Output) -> Arg | None:
    """The input of a backward op whose gradient `output` is."""
    if not op.is_backward or not output.name.endswith("_grad"):
        return None
    name = output.name.removesuffix("_grad")
    return next((a for a in op.inputs if a.name == name), None)
