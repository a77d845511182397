"""The kinds of tensors that a kernel may take or make, each a class of PHI's, and where torch's dispatcher finds them."""

from __future__ import annotations

from dataclasses import dataclass

KEYS = ("Dense", "Sparse", "SparseCsr")  # of a call's tensors the last one has its key chosen, as torch has it


@dataclass(frozen=True)
class TensorKind:
    """One kind. How torch holds such a tensor, the specialisation of TorchForm for its class says (csrc/torch/tensor_kinds.h);
    what InferMeta sees of it, the class (`mutable_meta`).

    A new kind is a class, its TorchForm, and a row here, or the entry `- tensor_kind : name` of an extension.
    """

    name: str  # in the YAML; `vec::name` is a list
    cls: str  # in a kernel
    key: str  # torch's dispatch key, without the device
    header: str | None = None  # that of its TorchForm, where csrc/torch/tensor_kinds.h has none
    elements: str | None = None  # the member with the elements that are stored, where the class has CopyPatternOf

    @property
    def is_dense(self) -> bool:
        return self == DENSE

    def lent(self, tensor: str, rule: str) -> str:
        """C++: a torch tensor as an input of a call. A rule is about the transforms of dense tensors."""
        return f"Lend({tensor}, {rule})" if self.is_dense else f"LendAs<{self.cls}>({tensor})"

    @property
    def output(self) -> str:
        """C++: the class of an output that becomes a torch tensor."""
        return "OutTensor" if self.is_dense else f"OutOf<{self.cls}>"


DENSE = TensorKind("dense", "DenseTensor", "Dense")
KINDS: dict[str, TensorKind] = {
    kind.name: kind
    for kind in (
        DENSE,
        TensorKind("selected_rows", "SelectedRows", "Sparse", elements="value"),
        TensorKind("sparse_coo", "SparseCooTensor", "Sparse", elements="values"),
        TensorKind("sparse_csr", "SparseCsrTensor", "SparseCsr", elements="values"),
        TensorKind("string", "StringTensor", "Dense", "torch/string_tensor.h"),
    )
}
