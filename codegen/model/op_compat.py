"""What yaml/op_compat.yaml says: how programs name an op, its tensors and its attributes."""

from __future__ import annotations

from dataclasses import dataclass, field

from .op import Loc
from .program_op import Attribute


@dataclass(frozen=True)
class TensorAttribute:
    """An attribute that programs may give as tensors."""

    data_type: str  # of one element, in the operator of programs
    tensor_name: str | None  # the slot of one tensor
    tensors_name: str | None  # the slot of a list of tensors
    support_tensor: bool  # the attribute may name a variable

    @property
    def slots(self) -> tuple[str, ...]:
        """The slots that may hold it, the one that counts first."""
        return tuple(name for name in (self.tensor_name, self.tensors_name) if name is not None)


@dataclass(frozen=True)
class OpCompat:
    """The names of programs for an op, and for those of its gradients. What is not named has its name in the op."""

    op: str
    program_op: str
    grads: tuple[tuple[str, str], ...]  # op -> operator of programs
    inputs: dict[str, str] = field(hash=False)
    outputs: dict[str, str] = field(hash=False)
    attrs: dict[str, str] = field(hash=False)
    scalar: dict[str, TensorAttribute] = field(hash=False)
    int_array: dict[str, TensorAttribute] = field(hash=False)
    extra_inputs: tuple[str, ...]
    extra_outputs: tuple[str, ...]
    extra_attrs: tuple[Attribute, ...]
    loc: Loc = field(compare=False)

    def slot(self, name: str) -> str:
        """The slot of a tensor."""
        return self.inputs.get(name) or self.outputs.get(name) or name

    def attr(self, name: str) -> str:
        return self.attrs.get(name, name)

    def tensor_attr(self, name: str) -> TensorAttribute | None:
        return self.scalar.get(name) or self.int_array.get(name)

    @property
    def names(self) -> dict[str, str]:
        """Op -> operator of programs, of the op and its gradients."""
        return {self.op: self.program_op, **dict(self.grads)}
