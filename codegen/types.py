"""The one table of YAML types: how each is spelled on every side of the border."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Type:
    """The spellings of one YAML type.

    `schema` torch's schema language; `dispatcher` the C++ type of a dispatcher kernel's argument;
    `kernel` what a kernel author writes; `typed` the canonical type of a typed kernel call (KernelFactory
    normalises authors' signatures to it); `infer` the argument of an InferMeta function; `python` annotation.
    The `opt_*` forms are for optional arguments.
    """

    schema: str
    dispatcher: str
    kernel: str
    typed: str
    infer: str
    python: str
    opt_dispatcher: str | None = None
    opt_kernel: str | None = None
    opt_infer: str | None = None

    @property
    def can_be_optional(self) -> bool:
        return self.opt_dispatcher is not None


_TENSOR = Type(
    schema="Tensor",
    dispatcher="const at::Tensor&",
    kernel="const DenseTensor&",
    typed="const DenseTensor&",
    infer="const MetaTensor<Dim>&",
    python="Tensor",
    opt_dispatcher="const std::optional<at::Tensor>&",
    opt_kernel="const paddle::optional<DenseTensor>&",
    opt_infer="const MetaTensor<Dim>&",
)
_TENSORS = Type(
    schema="Tensor[]",
    dispatcher="at::TensorList",
    kernel="const std::vector<const DenseTensor*>&",
    typed="const std::vector<const DenseTensor*>&",
    infer="const std::vector<const MetaTensor<Dim>*>&",
    python="Sequence[Tensor]",
    opt_dispatcher="const std::optional<std::vector<at::Tensor>>&",
    opt_kernel="const paddle::optional<std::vector<const DenseTensor*>>&",
    opt_infer="const std::vector<const MetaTensor<Dim>*>&",
)
_SCALAR = Type("Scalar", "const at::Scalar&", "const Scalar&", "const Scalar&", "const Scalar&", "Number")
_INT64 = Type("int", "int64_t", "int64_t", "int64_t", "int64_t", "int")
_INT = Type("int", "int64_t", "int", "int64_t", "int64_t", "int")
_SIZE = Type("int", "int64_t", "size_t", "int64_t", "int64_t", "int")
_FLOAT = Type("float", "double", "float", "double", "double", "float")
_DOUBLE = Type("float", "double", "double", "double", "double", "float")
_BOOL = Type("bool", "bool", "bool", "bool", "bool", "bool")


def _vector(schema: str, dispatcher: str, element: str, python: str) -> Type:
    vector = f"const std::vector<{element}>&"
    return Type(f"{schema}[]", dispatcher, vector, vector, vector, f"Sequence[{python}]")


TYPES: dict[str, Type] = {
    "Tensor": _TENSOR,
    "Tensor[]": _TENSORS,
    "Scalar": _SCALAR,
    "Scalar(bool)": _SCALAR,
    "Scalar(int)": _SCALAR,
    "Scalar(int64_t)": _SCALAR,
    "Scalar(float)": _SCALAR,
    "Scalar(double)": _SCALAR,
    "Scalar[]": Type(
        "Scalar[]",
        "at::ArrayRef<at::Scalar>",
        "const std::vector<Scalar>&",
        "const std::vector<Scalar>&",
        "const std::vector<Scalar>&",
        "Sequence[Number]",
    ),
    # sizes, so that they stay symbolic under torch.compile
    "IntArray": Type(
        "SymInt[]",
        "c10::SymIntArrayRef",
        "const IntArray&",
        "const IntArray&",
        "const IntArrayBase<Dim>&",
        "Sequence[int]",
    ),
    "bool": _BOOL,
    "int": _INT,
    "int32_t": _INT,
    "int64_t": _INT64,
    "long": _INT64,
    "size_t": _SIZE,
    "float": _FLOAT,
    "double": _DOUBLE,
    "str": Type("str", "std::string_view", "const std::string&", "const std::string&", "const std::string&", "str"),
    "Place": Type("Device?", "std::optional<at::Device>", "const Place&", "const Place&", "const Place&", "Device | None"),
    "DataLayout": Type("str", "std::string_view", "DataLayout", "DataLayout", "DataLayout", "str"),
    "DataType": Type("ScalarType?", "std::optional<at::ScalarType>", "DataType", "DataType", "DataType", "dtype | None"),
    "bool[]": _vector("bool", "at::ArrayRef<bool>", "bool", "bool"),
    "int[]": _vector("int", "at::IntArrayRef", "int", "int"),
    "int32_t[]": _vector("int", "at::IntArrayRef", "int", "int"),
    "int64_t[]": _vector("int", "at::IntArrayRef", "int64_t", "int"),
    "long[]": _vector("int", "at::IntArrayRef", "int64_t", "int"),
    "float[]": _vector("float", "at::ArrayRef<double>", "float", "float"),
    "double[]": _vector("float", "at::ArrayRef<double>", "double", "float"),
    "str[]": _vector("str", "at::ArrayRef<std::string>", "std::string", "str"),
}

# attributes that Paddle's C++ API may take as paddle::optional<...>
OPTIONAL_ATTRS = {"int", "int32_t", "int64_t", "float", "double", "bool", "Place", "DataLayout", "DataType"}
TENSOR_ABLE = {name for name in TYPES if name.startswith("Scalar") and name != "Scalar[]"} | {"IntArray"}
