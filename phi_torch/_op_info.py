"""What Python knows of an operator; `_op_table.py`, which the generator writes, lists one of these for each."""

from __future__ import annotations

import ast
from typing import NamedTuple


class OpInfo(NamedTuple):
    """One YAML entry, forward or backward; or what a source declares with PD_BUILD_OP."""

    name: str
    loc: str  # file:line of the entry
    schema: str  # "(Tensor x, bool approximate=False) -> Tensor", without name and `output_mask`
    params: str  # the same arguments as Python source: "x, approximate=False"
    outputs: tuple[str, ...] = ("out",)
    intermediate: tuple[str, ...] = ()
    overloads: tuple[str, ...] = ()  # "gelu", "gelu_", "gelu.out"
    composite: str | None = None  # an expression, or "module:function" below phi_torch/decompositions/
    composite_only: bool = False  # there is no kernel: the composite is the implementation
    kernels: tuple[str, ...] = ()  # names that selection looks up
    inplace: tuple[tuple[str, str], ...] = ()  # input -> output that the in-place form writes
    forward: str | None = None  # the op that a backward op differentiates
    backward: str | None = None
    category: str = "general"
    autocast: str = "none"
    vmap: str = "loop"
    jvp: str | None = None
    order: str = "no"  # how often it can be differentiated: "any", "twice", "once", "no", or "composite": as often as that
    torch: str | None = None  # torch's function or method of the same meaning, without "torch."
    doc: bool = False
    kernel_args: tuple[str, ...] = ()  # what the kernel takes, "Tensor x", "bool approximate", ""  for a literal
    kernel_outputs: tuple[str, ...] = ()  # and writes, "Tensor out"
    namespace: str = "phi"  # of torch.ops
    custom: bool = False  # of PD_BUILD_OP: its kernel looks at dtypes by itself
    dense: bool = True  # whether a kernel takes dense tensors, which are what torch traces
    data_dependent: bool = False  # values decide on the shape of the result
    schemas: tuple[tuple[str, str], ...] = ()  # of a composite-only op of an extension: overload -> its schema

    @property
    def names(self) -> list[str]:
        """The names of the arguments."""
        function = ast.parse(f"lambda {self.params}: 0", mode="eval").body
        assert isinstance(function, ast.Lambda)
        return [argument.arg for argument in function.args.args]

    @property
    def takes_tensors_alone(self) -> bool:
        arguments = self.schema[1 : self.schema.index(")")].split(", ")
        return all(argument.startswith("Tensor ") for argument in arguments)

    @property
    def full_name(self) -> str:
        """`gelu`, or `my::gelu` for an operator of an extension."""
        return self.beside(self.name)

    def beside(self, name: str) -> str:
        """The full name of another operator of the same namespace."""
        return name if self.namespace == "phi" else f"{self.namespace}::{name}"

    @property
    def is_backward(self) -> bool:
        return self.forward is not None
