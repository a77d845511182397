"""The dispatcher's view of an op: its overloads, their torch schemas, and their C++ signatures.

One YAML entry gives these overloads, in this order:
  functional   `relu(Tensor x) -> Tensor`                                unless the op is in-place only
  in-place     `relu_(Tensor(a!) x) -> Tensor(a!)`                       from `inplace`, or `view` into another input
  out          `relu.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)`     forward ops with kernels and plain outputs
  tensor       `concat.tensor(Tensor[] x, Tensor axis) -> Tensor`        every Scalar and IntArray as a tensor
  the same of the in-place form: `clip_.tensor(Tensor(a!) x, Tensor min, Tensor max) -> Tensor(a!)`
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from ..model.op import Arg, Op, Output
from ..types.tensors import TENSOR
from .defaults import schema_defaults


class Kind(Enum):
    FUNCTIONAL = "functional"
    INPLACE = "inplace"
    OUT = "out"
    TENSOR = "tensor"
    INPLACE_TENSOR = "inplace tensor"


CALLED = (Kind.FUNCTIONAL, Kind.INPLACE)  # what C++ calls: gradients, and the functions of phi_torch


@dataclass(frozen=True)
class Param:
    """One parameter of an overload."""

    name: str  # in the schema and in generated C++
    schema: str  # "Tensor(a!)?"
    cpp: str  # "const std::optional<at::Tensor>&"
    default: str | None  # in schema text
    keyword_only: bool
    mutable: bool
    arg: Arg | None  # the YAML argument; None for `out` arguments and `output_mask`
    output: Output | None = None  # the output that an `out` argument receives

    def __str__(self) -> str:
        return f"{self.schema} {self.name}" + (f"={self.default}" if self.default is not None else "")


@dataclass(frozen=True)
class Return:
    schema: str  # "Tensor", "Tensor[]", "Tensor(a!)"
    output: Output


@dataclass(frozen=True)
class Overload:
    """One dispatcher operator."""

    op: Op
    kind: Kind
    name: str  # "relu_"
    overload: str  # "" or "out" or "tensor"
    params: tuple[Param, ...]
    returns: tuple[Return, ...]

    @property
    def full_name(self) -> str:
        return self.name + (f".{self.overload}" if self.overload else "")

    @property
    def qualified(self) -> str:
        """`phi::relu_`, as messages name it."""
        return f"{self.op.namespace}::{self.name}"

    @property
    def cpp(self) -> str:
        """The typed handle: `::phi::ops::relu_`."""
        return f"{self.op.cpp_api}::{self.symbol}"

    @property
    def symbol(self) -> str:
        """The name as part of a C++ identifier."""
        return self.name + (f"_{self.overload}" if self.overload else "")

    @property
    def reads_tensors(self) -> bool:
        """Whether it only reads attributes from tensors and then calls the form that takes them as they are."""
        return self.kind in (Kind.TENSOR, Kind.INPLACE_TENSOR)

    @property
    def is_inplace(self) -> bool:
        return self.kind in (Kind.INPLACE, Kind.INPLACE_TENSOR)

    @property
    def schema(self) -> str:
        params: list[str] = []
        for i, param in enumerate(self.params):
            if param.keyword_only and (i == 0 or not self.params[i - 1].keyword_only):
                params.append("*")
            params.append(str(param))
        types = [r.schema for r in self.returns]
        result = types[0] if len(types) == 1 else f"({', '.join(types)})"
        return f"{self.full_name}({', '.join(params)}) -> {result}"

    @property
    def cpp_return(self) -> str:
        types = [self._cpp_return(r) for r in self.returns]
        if not types:
            return "void"
        return types[0] if len(types) == 1 else f"std::tuple<{', '.join(types)}>"

    def _cpp_return(self, ret: Return) -> str:
        if ret.schema == "Tensor[]":
            return "std::vector<at::Tensor>"
        return "at::Tensor&" if (self.is_inplace or self.kind is Kind.OUT) and "!" in ret.schema else "at::Tensor"

    @property
    def cpp_params(self) -> str:
        """`const at::Tensor& x, double beta`"""
        return ", ".join(f"{p.cpp} {p.name}" for p in self.params)

    @property
    def cpp_type(self) -> str:
        """The function type, for `typed<...>()`: `at::Tensor(const at::Tensor&, double)`."""
        return self.type_of(self.params)

    def type_of(self, params: Sequence[Param]) -> str:
        """The function type with these parameters."""
        return f"{self.cpp_return}({', '.join(p.cpp for p in params)})"

    @property
    def composite_params(self) -> tuple[Param, ...]:
        """Those that the composite of a functional overload has too."""
        return tuple(p for p in self.params if p.arg is not None)

    @property
    def tags(self) -> tuple[str, ...]:
        """Names of at::Tag; `inplace` exists from torch 2.13 on.

        Not `out`: Inductor then calls the overload with attributes twice, and loses outputs that nothing reads.
        """
        tags = ["pt2_compliant_tag"]
        if self.op.category in ("unary", "unary_grad", "binary") and self.kind is Kind.FUNCTIONAL:
            tags.append("pointwise")
        if self.op.category == "random":
            tags.append("nondeterministic_seeded")
        if self.is_inplace and self.returns and self.returns[0].schema == "Tensor(a!)":
            tags.append("inplace")
        if self.is_inplace and is_view(self.op):
            tags.append("inplace_view")
        if self.op.layout_tag:
            tags.append(self.op.layout_tag)
        return tuple(tags)


def mutated(op: Op) -> dict[str, str]:
    """input -> output of what the in-place form writes: `inplace`, and `view`s that are no true views."""
    pairs = dict(op.inplace)
    if op.category != "view":
        pairs.update(op.view)
    return pairs


def default_in_call(arg: Arg) -> str:
    """What the dispatcher is given for an argument that is left out."""
    return "std::nullopt" if arg.value is None else arg.form.in_call(arg.value)


def output_mask_size(op: Op) -> int:
    """The length of a backward op's `output_mask`, 0 if it has none."""
    return len(op.outputs) if op.is_backward and op.kernel is not None and len(op.outputs) > 1 else 0


def overloads(op: Op) -> tuple[Overload, ...]:
    found: list[Overload] = []
    if not op.is_inplace_only:
        found.append(_functional(op))
    if op.is_inplace_only or (mutated(op) and not op.is_backward and _plain_inplace(op)):
        found.append(_inplace(op))
    if _has_out(op):
        found.append(_out(op))
    if any(a.form.tensor_able for a in op.args) and not op.is_backward:
        found += [_tensor(o) for o in found if o.kind in (Kind.FUNCTIONAL, Kind.INPLACE)]
    return tuple(found)


def _plain_inplace(op: Op) -> bool:
    types = {a.name: a.type for a in op.inputs}
    return all(types.get(name) == "Tensor" for name in mutated(op))


def _has_out(op: Op) -> bool:
    return (
        not op.is_backward
        and not op.is_inplace_only
        and op.kernel is not None
        and op.category != "view"
        and not op.view
        and all(o.type == "Tensor" and not o.optional and not o.intermediate for o in op.outputs)
    )


def _params(op: Op, mutable: dict[str, str], as_tensor: bool = False) -> list[Param]:
    defaults = schema_defaults(op.args)
    if as_tensor:
        # a tensor has no default, nor may anything before it have one
        last = max(i for i, a in enumerate(op.args) if a.form.tensor_able)
        defaults = [None if i <= last else d for i, d in enumerate(defaults)]
    params = []
    letters = iter("abcdefghijklmnopqrstuvwxyz")
    for arg, default in zip(op.args, defaults):
        if as_tensor and arg.form.tensor_able:
            params.append(Param(arg.name, "Tensor", TENSOR.dispatcher, None, False, False, arg))
            continue
        schema, cpp = arg.form.schema, arg.form.dispatcher
        if arg.name in mutable:
            schema = schema.replace("Tensor", f"Tensor({next(letters)}!)")
            cpp = cpp if arg.optional or arg.is_list else "at::Tensor&"
        params.append(Param(arg.form.parameter or arg.name, schema, cpp, default, False, arg.name in mutable, arg))
    return params


def _returns(op: Op) -> tuple[Return, ...]:
    return tuple(Return("Tensor[]" if o.type == "Tensor[]" else "Tensor", o) for o in op.outputs)


def _functional(op: Op) -> Overload:
    params = _params(op, {})
    size = output_mask_size(op)
    if size:
        mask = f"[{', '.join(['True'] * size)}]"
        params.append(Param("output_mask", f"bool[{size}]", f"std::array<bool, {size}>", mask, True, False, None))
    return Overload(op, Kind.FUNCTIONAL, op.name, "", tuple(params), _returns(op))


def _inplace(op: Op) -> Overload:
    mutable = mutated(op)
    params = tuple(_params(op, mutable))
    fresh = tuple(r for r in _returns(op) if r.output.name not in mutable.values())
    name = op.name if op.is_inplace_only else op.name + "_"
    if not op.is_inplace_only and len(mutable) == 1 and not fresh and params[0].mutable:
        returns: tuple[Return, ...] = (Return("Tensor(a!)", op.outputs[0]),)
    else:
        # mutated arguments are not returned: functionalization needs fresh results
        returns = fresh
    return Overload(op, Kind.INPLACE, name, "", params, returns)


def _out(op: Op) -> Overload:
    params = _params(op, {})
    returns = []
    for letter, output in zip("abcdefghijklmnop", op.outputs):
        schema = f"Tensor({letter}!)"
        taken = any(p.name == output.name for p in params)
        name = f"{output.name}_out" if taken else output.name
        params.append(Param(name, schema, "at::Tensor&", None, True, True, None, output))
        returns.append(Return(schema, output))
    return Overload(op, Kind.OUT, op.name, "out", tuple(params), tuple(returns))


def _tensor(plain: Overload) -> Overload:
    inplace = plain.kind is Kind.INPLACE
    kind = Kind.INPLACE_TENSOR if inplace else Kind.TENSOR
    params = _params(plain.op, mutated(plain.op) if inplace else {}, as_tensor=True)
    return replace(plain, kind=kind, overload="tensor", params=tuple(params))


def functional(op: Op) -> Overload:
    return overloads(op)[0]


def is_view(op: Op) -> bool:
    """Runs as a composite over ATen views, written by hand in csrc/torch/views/view_ops.cc."""
    return op.category == "view"


def is_composite_only(op: Op) -> bool:
    """Has no kernel: its Python composite is its implementation."""
    return op.kernel is None and op.invoke is None and op.composite is not None


def has_kernel(op: Op) -> bool:
    """Computes through the PHI dispatcher (generated API and Meta functions)."""
    return op.kernel is not None and op.invoke is None and not is_view(op)
