"""Tensors and lists of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .base import Type


@dataclass(frozen=True, kw_only=True)
class TensorType(Type):
    """A tensor, or a list of tensors; `optional` says that it may be absent."""

    optional: bool = False

    is_tensor: ClassVar[bool] = True
    can_be_optional: ClassVar[bool] = True

    def form(self, optional: bool, has_default: bool) -> Type:
        return (OPTIONAL_TENSORS if self.is_list else OPTIONAL_TENSOR) if optional else self

    def kernel_of(self, cls: str) -> str:
        """What a kernel takes whose tensors are of another class."""
        return self.kernel.replace("DenseTensor", cls)


TENSOR = TensorType(
    name="Tensor",
    schema="Tensor",
    dispatcher="const at::Tensor&",
    kernel="const DenseTensor&",
    infer="const MetaTensor<Dim>&",
    paddle="const Tensor&",
    python="Tensor",
    argument="TensorArg",
)
OPTIONAL_TENSOR = TensorType(
    name="Tensor",
    schema="Tensor?",
    dispatcher="const std::optional<at::Tensor>&",
    kernel="const paddle::optional<DenseTensor>&",
    infer="const MetaTensor<Dim>&",
    paddle="const paddle::optional<Tensor>&",
    python="Tensor",
    argument="OptionalTensorArg",
    optional=True,
)
TENSORS = TensorType(
    name="Tensor[]",
    schema="Tensor[]",
    dispatcher="at::TensorList",
    kernel="const std::vector<const DenseTensor*>&",
    infer="const std::vector<const MetaTensor<Dim>*>&",
    paddle="const std::vector<Tensor>&",
    python="Sequence[Tensor]",
    argument="TensorListArg",
    element=TENSOR,
)
OPTIONAL_TENSORS = TensorType(
    name="Tensor[]",
    schema="Tensor[]?",
    dispatcher="const std::optional<std::vector<at::Tensor>>&",
    kernel="const paddle::optional<std::vector<const DenseTensor*>>&",
    infer="const std::vector<const MetaTensor<Dim>*>&",
    paddle="const paddle::optional<std::vector<Tensor>>&",
    python="Sequence[Tensor]",
    argument="OptionalTensorListArg",
    element=TENSOR,
    optional=True,
)
