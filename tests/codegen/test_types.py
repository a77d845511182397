"""Every type of the YAML, on every side of the border: a new one gets its lines here.

Changed on purpose: `EXPECTTEST_ACCEPT=1 pytest tests/codegen/test_types.py` rewrites the expected texts.
"""

from collections.abc import Iterator

import _yaml  # noqa: F401  which finds the generator
from expecttest import assert_expected_inline

from codegen.types.base import Type
from codegen.types.table import TYPES
from codegen.types.values import RequiredDataType


def described(*types: Type) -> str:
    return "\n".join(line for type in types for line in _lines(type))


def _lines(type: Type) -> Iterator[str]:
    yield f"{type.name}: {type.schema} | {type.dispatcher}"
    yield from (f"  {key} {getattr(type, key)}" for key in ("kernel", "typed", "infer", "paddle"))
    yield f"  python {type.annotation} | {type.or_tensor or '-'} | {type.argument} | {type.example}"
    if not type.is_tensor:
        for symbolic in (False, True):
            statement, value = type.convert("a", "a_v", None, symbolic)
            yield f"  {'symbolic' if symbolic else 'eager'} {statement or '-'} {value}"
        yield f"  saved {type.saved} a_{f' = {type.zero}' if type.zero else ''}; {type.save.format('a') or 'not'}"


def named(*names: str) -> str:
    return described(*(TYPES[name] for name in names))


def test_tensors():
    optional = (TYPES[name].form(optional=True, has_default=True) for name in ("Tensor", "Tensor[]"))
    assert_expected_inline(
        described(TYPES["Tensor"], TYPES["Tensor[]"], *optional),
        """\
Tensor: Tensor | const at::Tensor&
  kernel const DenseTensor&
  typed const DenseTensor&
  infer const MetaTensor<Dim>&
  paddle const Tensor&
  python Tensor | - | TensorArg | None
Tensor[]: Tensor[] | at::TensorList
  kernel const std::vector<const DenseTensor*>&
  typed const std::vector<const DenseTensor*>&
  infer const std::vector<const MetaTensor<Dim>*>&
  paddle const std::vector<Tensor>&
  python Sequence[Tensor] | - | TensorListArg | None
Tensor: Tensor? | const std::optional<at::Tensor>&
  kernel const paddle::optional<DenseTensor>&
  typed const paddle::optional<DenseTensor>&
  infer const MetaTensor<Dim>&
  paddle const paddle::optional<Tensor>&
  python Tensor | - | OptionalTensorArg | None
Tensor[]: Tensor[]? | const std::optional<std::vector<at::Tensor>>&
  kernel const paddle::optional<std::vector<const DenseTensor*>>&
  typed const paddle::optional<std::vector<const DenseTensor*>>&
  infer const std::vector<const MetaTensor<Dim>*>&
  paddle const paddle::optional<std::vector<Tensor>>&
  python Sequence[Tensor] | - | OptionalTensorListArg | None""",
    )


def test_numbers():
    assert_expected_inline(
        named("bool", "int", "int64_t", "size_t", "float", "double", "Scalar"),
        """\
bool: bool | bool
  kernel bool
  typed bool
  infer bool
  paddle bool
  python bool | - | BoolArg | True
  eager - a
  symbolic - a
  saved bool a_ = false; a
int: int | int64_t
  kernel int
  typed int64_t
  infer int64_t
  paddle int
  python int | - | IntArg | 1
  eager const int64_t a_v = CheckInt32(a, "a"); a_v
  symbolic const int64_t a_v = CheckInt32(a, "a"); a_v
  saved int64_t a_ = 0; a
int64_t: int | int64_t
  kernel int64_t
  typed int64_t
  infer int64_t
  paddle int64_t
  python int | - | IntArg | 1
  eager - a
  symbolic - a
  saved int64_t a_ = 0; a
size_t: int | int64_t
  kernel size_t
  typed int64_t
  infer int64_t
  paddle size_t
  python int | - | IntArg | 1
  eager - a
  symbolic - a
  saved int64_t a_ = 0; a
float: float | double
  kernel float
  typed double
  infer double
  paddle float
  python float | - | FloatArg | 1.0
  eager - a
  symbolic - a
  saved double a_ = 0; a
double: float | double
  kernel double
  typed double
  infer double
  paddle double
  python float | - | FloatArg | 1.0
  eager - a
  symbolic - a
  saved double a_ = 0; a
Scalar: Scalar | const at::Scalar&
  kernel const Scalar&
  typed const Scalar&
  infer const Scalar&
  paddle const Scalar&
  python Number | Number | Tensor | ScalarArg | 1.0
  eager const Scalar a_v = ToPhi(a, "a"); a_v
  symbolic const Scalar a_v = ToPhi(a, "a"); a_v
  saved at::Scalar a_; a""",
    )


def test_values():
    assert_expected_inline(
        named("str", "DataLayout", "Place", "DataType") + "\n" + described(RequiredDataType()),
        """\
str: str | std::string_view
  kernel const std::string&
  typed const std::string&
  infer const std::string&
  paddle const std::string&
  python str | - | StringArg | ""
  eager const std::string a_v(a); a_v
  symbolic const std::string a_v(a); a_v
  saved std::string a_; std::string(a)
DataLayout: str | std::string_view
  kernel DataLayout
  typed DataLayout
  infer DataLayout
  paddle DataLayout
  python str | - | StringArg | "NCHW"
  eager const DataLayout a_v = StringToDataLayout(std::string(a)); a_v
  symbolic const DataLayout a_v = StringToDataLayout(std::string(a)); a_v
  saved std::string a_; std::string(a)
Place: Device? | std::optional<at::Device>
  kernel const Place&
  typed const Place&
  infer const Place&
  paddle const Place&
  python Device | - | PlaceArg | "cpu"
  eager const Place a_v = ToPhi(WithIndex(a), Place()); a_v
  symbolic const Place a_v = ToPhi(a, Place()); a_v
  saved std::optional<at::Device> a_; a
DataType: ScalarType? | std::optional<at::ScalarType>
  kernel DataType
  typed DataType
  infer DataType
  paddle DataType
  python torch.dtype | None | - | DataTypeArg | torch.float32
  eager const DataType a_v = ToPhi(a, DataType::UNDEFINED); a_v
  symbolic const DataType a_v = ToPhi(a, DataType::UNDEFINED); a_v
  saved std::optional<at::ScalarType> a_; a
DataType: ScalarType | at::ScalarType
  kernel DataType
  typed DataType
  infer DataType
  paddle DataType
  python torch.dtype | - | RequiredDataTypeArg | torch.float32
  eager const DataType a_v = ToPhi(a); a_v
  symbolic const DataType a_v = ToPhi(a); a_v
  saved at::ScalarType a_ = at::ScalarType::Undefined; a""",
    )


def test_lists():
    assert_expected_inline(
        named("IntArray", "int[]", "int64_t[]", "bool[]", "float[]", "str[]", "Scalar[]"),
        """\
IntArray: SymInt[] | c10::SymIntArrayRef
  kernel const IntArray&
  typed const IntArray&
  infer const IntArrayBase<Dim>&
  paddle const IntArray&
  python int | Sequence[int] | None | IntArray | IntArrayArg | [0]
  eager const IntArray a_v = ToIntArray(a); a_v
  symbolic const IntArrayBase<SymInt> a_v(a.data(), a.size()); a_v
  saved std::vector<c10::SymInt> a_; a.vec()
int[]: int[] | at::IntArrayRef
  kernel const std::vector<int>&
  typed const std::vector<int>&
  infer const std::vector<int>&
  paddle const std::vector<int>&
  python int | Sequence[int] | None | - | ListArg<int64_t> | [1]
  eager const std::vector<int> a_v = ToVector<int>(a, "a"); a_v
  symbolic const std::vector<int> a_v = ToVector<int>(a, "a"); a_v
  saved std::vector<int64_t> a_; a.vec()
int64_t[]: int[] | at::IntArrayRef
  kernel const std::vector<int64_t>&
  typed const std::vector<int64_t>&
  infer const std::vector<int64_t>&
  paddle const std::vector<int64_t>&
  python int | Sequence[int] | None | - | ListArg<int64_t> | [1]
  eager const std::vector<int64_t> a_v = ToVector<int64_t>(a, "a"); a_v
  symbolic const std::vector<int64_t> a_v = ToVector<int64_t>(a, "a"); a_v
  saved std::vector<int64_t> a_; a.vec()
bool[]: bool[] | at::ArrayRef<bool>
  kernel const std::vector<bool>&
  typed const std::vector<bool>&
  infer const std::vector<bool>&
  paddle const std::vector<bool>&
  python Sequence[bool] | - | ListArg<bool> | [True]
  eager const std::vector<bool> a_v = ToVector<bool>(a, "a"); a_v
  symbolic const std::vector<bool> a_v = ToVector<bool>(a, "a"); a_v
  saved std::vector<bool> a_; not
float[]: float[] | at::ArrayRef<double>
  kernel const std::vector<float>&
  typed const std::vector<float>&
  infer const std::vector<float>&
  paddle const std::vector<float>&
  python Sequence[float] | - | ListArg<double> | [1.0]
  eager const std::vector<float> a_v = ToVector<float>(a, "a"); a_v
  symbolic const std::vector<float> a_v = ToVector<float>(a, "a"); a_v
  saved std::vector<double> a_; a.vec()
str[]: str[] | at::ArrayRef<std::string>
  kernel const std::vector<std::string>&
  typed const std::vector<std::string>&
  infer const std::vector<std::string>&
  paddle const std::vector<std::string>&
  python Sequence[str] | - | ListArg<std::string> | [""]
  eager const std::vector<std::string> a_v = ToVector<std::string>(a, "a"); a_v
  symbolic const std::vector<std::string> a_v = ToVector<std::string>(a, "a"); a_v
  saved std::vector<std::string> a_; a.vec()
Scalar[]: Scalar[] | at::ArrayRef<at::Scalar>
  kernel const std::vector<Scalar>&
  typed const std::vector<Scalar>&
  infer const std::vector<Scalar>&
  paddle const std::vector<Scalar>&
  python Sequence[Number] | - | ListArg<at::Scalar> | [1.0]
  eager const std::vector<Scalar> a_v = ToVector<Scalar>(a, "a"); a_v
  symbolic const std::vector<Scalar> a_v = ToVector<Scalar>(a, "a"); a_v
  saved std::vector<at::Scalar> a_; a.vec()""",
    )


def test_spellings_of_one_type_differ_in_the_name_alone():
    for names in (("int", "int32_t"), ("int64_t", "long"), ("int[]", "int32_t[]"), ("int64_t[]", "long[]")):
        first, second = (described(TYPES[name]).partition(":")[2] for name in names)
        assert first == second


def test_what_a_backward_op_takes_of_its_forward_op():
    """For each pair of types the expression; those that are left out cannot be given."""
    names = ("bool", "int", "double", "Scalar", "int64_t[]", "IntArray", "str", "DataType")
    types = [*(TYPES[name] for name in names), RequiredDataType()]
    found = [
        f"{source.dispatcher} -> {target.dispatcher}: {expression.format('a')}"
        for source in types
        for target in types
        if source is not target and (expression := target.taken_from(source)) is not None
    ]
    assert_expected_inline(
        "\n".join(found),
        """\
bool -> const at::Scalar&: at::Scalar(a)
int64_t -> double: static_cast<double>(a)
int64_t -> const at::Scalar&: at::Scalar(a)
int64_t -> at::IntArrayRef: std::vector<int64_t>{a}
int64_t -> c10::SymIntArrayRef: std::vector<c10::SymInt>{a}
double -> const at::Scalar&: at::Scalar(a)
const at::Scalar& -> bool: a.toBool()
const at::Scalar& -> int64_t: a.toLong()
const at::Scalar& -> double: a.toDouble()
at::IntArrayRef -> c10::SymIntArrayRef: c10::fromIntArrayRefSlow(a)
c10::SymIntArrayRef -> at::IntArrayRef: C10_AS_INTARRAYREF_SLOW(a)
at::ScalarType -> std::optional<at::ScalarType>: a""",
    )
