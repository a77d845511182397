"""What runs a kernel that a program asks for: an operator of ours, or one of `kernels/`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from .. import _namespaces
from .._arguments import as_tensor, int_array
from .._op_info import OpInfo
from .._op_table import OPS
from .._undifferentiated import detaching
from . import kernels  # noqa: F401  # they register themselves
from .kernels.table import KERNELS

TENSORS = ("Tensor", "Optional[Tensor]", "List[Tensor]", "Optional[List[Tensor]]", "List[Optional[Tensor]]")


class Parameter(NamedTuple):
    """An argument of a kernel; `type` is that of torch's schema."""

    name: str
    type: str
    default: Any
    has_default: bool

    @property
    def is_tensor(self) -> bool:
        return self.type in TENSORS

    @property
    def is_list(self) -> bool:
        return "List" in self.type


class Callee(NamedTuple):
    """A function with a kernel's arguments: its tensors, then its attributes; the rest has defaults."""

    name: str
    function: Callable[..., Any]
    of_tensors: Callable[..., Any]  # the same, when an attribute is a tensor
    tensors: tuple[Parameter, ...]
    attrs: tuple[Parameter, ...]
    device: str | None  # the keyword of a device, for a kernel without tensors
    mask: int  # how many outputs its `output_mask` chooses from
    outputs: tuple[str, ...]
    lists: tuple[bool, ...]  # for each output, whether it is a list of tensors
    inplace: dict[int, int]  # output -> the tensor argument that it is written to
    is_binary: bool = False  # of two operands with elements of one data type

    @property
    def returns(self) -> int:
        """How many values a call gives."""
        return len(self.outputs) - len(self.inplace)


@functools.cache
def find(kernel: str) -> Callee | None:
    """What runs a kernel; None if nothing does."""
    if kernel in KERNELS:
        function, schema, _ = KERNELS[kernel]
        outputs = tuple(str(index) for index in range(len(schema.returns)))
        of = OPS.get(kernel.removesuffix("_raw"))
        is_binary = of is not None and of.category == "binary"
        return _callee(kernel, function, function, schema, outputs, {})._replace(is_binary=is_binary)
    op = _by_kernel().get(kernel)
    return None if op is None else of_operator(op)


def operator_of(kernel: str) -> OpInfo | None:
    """The operator that looks a kernel up, whatever else may run it; None if none does."""
    return _by_kernel().get(kernel)


@functools.cache
def of_operator(op: OpInfo) -> Callee:
    """What runs an operator."""
    packet = getattr(torch.ops.phi, op.name)
    schema = packet.default._schema
    names = [argument.name for argument in schema.arguments]
    inplace = {op.outputs.index(out): names.index(into) for into, out in op.inplace} if op.name.endswith("_") else {}
    public = _namespaces.function(op.name)
    drops = bool(op.intermediate)  # outputs that a program may read
    gives_all = 0 < len(inplace) < len(op.outputs)  # what it wrote as well, where the operator gives the others
    function = packet.default if public is None or drops or gives_all else public
    of_tensors = _of_tensors(packet) if "tensor" in packet.overloads() else _of_numbers(packet.default)
    function, of_tensors = detaching(function, op), detaching(of_tensors, op)
    found = _callee(op.name, function, of_tensors, schema, op.outputs, inplace)
    return found._replace(is_binary=op.category == "binary")


def known() -> list[str]:
    """The names of all kernels that something runs."""
    return sorted({*_by_kernel(), *KERNELS})


@functools.cache
def _by_kernel() -> dict[str, OpInfo]:
    """The operator of each kernel's name: the one of that name, or the first that looks it up."""
    found: dict[str, OpInfo] = {}
    for op in OPS.values():
        for kernel in op.kernels:
            found.setdefault(kernel, op)
    for op in OPS.values():
        found[op.name.removesuffix("_")] = op
    return found


def _callee(
    name: str,
    function: Callable[..., Any],
    of_tensors: Callable[..., Any],
    schema: torch.FunctionSchema,
    outputs: Sequence[str],
    inplace: dict[int, int],
) -> Callee:
    arguments = [argument for argument in schema.arguments if argument.name != "device"]
    parameters = [
        Parameter(a.name, str(a.real_type), a.default_value, a.has_default_value()) for a in arguments if not a.kwarg_only
    ]
    tensors = tuple(p for p in parameters if p.is_tensor)
    attrs = tuple(p for p in parameters if not p.is_tensor)
    mask = len(outputs) if any(argument.name == "output_mask" for argument in arguments) else 0
    returned = (str(one.type) for one in schema.returns)
    kinds = [tensors[inplace[at]].type if at in inplace else next(returned) for at in range(len(outputs))]
    lists = tuple("List" in kind for kind in kinds)
    keyword = None if len(arguments) == len(schema.arguments) else "device"
    if keyword is not None and function is not of_tensors and not isinstance(function, torch._ops.OpOverload):
        keyword = "place"
    return Callee(name, function, of_tensors, tensors, attrs, keyword, mask, tuple(outputs), lists, inplace)


def _of_tensors(packet: Any) -> Callable[..., Any]:
    """The overload whose attributes are tensors; it takes numbers and lists too."""
    overload = packet.tensor
    both = zip(packet.default._schema.arguments, overload._schema.arguments)
    changed = [str(one.type) != str(other.type) and "Tensor" not in str(one.type) for one, other in both]
    lists = ["List" in str(argument.type) for argument in packet.default._schema.arguments]

    def call(*args: Any, **kwargs: Any) -> Any:
        given = [as_tensor(int_array(a) if many else a) if change else a for a, change, many in zip(args, changed, lists)]
        return overload(*given, **kwargs)

    return call


def _of_numbers(overload: Any) -> Callable[..., Any]:
    """An operator whose attributes are never tensors, for the values of tensors."""
    tensors = [str(argument.type) in TENSORS for argument in overload._schema.arguments]

    def call(*args: Any, **kwargs: Any) -> Any:
        given = [a.tolist() if isinstance(a, Tensor) and not is_tensor else a for a, is_tensor in zip(args, tensors)]
        return overload(*given, **kwargs)

    return call
