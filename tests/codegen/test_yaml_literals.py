"""Defaults: C++ text -> value -> torch schema, Python and C++ text."""

import math

import pytest
from _yaml import op

from codegen.model.op import Arg, Loc
from codegen.types.literals import DATA_TYPES, LiteralError, Symbol
from codegen.types.table import TYPES
from codegen.view.defaults import cpp_default, python_default, schema_default, schema_defaults

INT64_MAX = 2**63 - 1
VALUES = [
    ("0", "int", 0),
    ("-100", "int", -100),
    ("true", "int", 1),
    ("(2 << 12) - 1", "int", 8191),
    ("0x1F", "int", 31),
    ("010", "int", 8),
    ("-7 / 2", "int", -3),
    ("-7 % 2", "int", -1),
    ("~0", "int", -1),
    ("INT64_MAX", "int64_t", INT64_MAX),
    ("-9223372036854775807 - 1", "int64_t", -(2**63)),
    ("std::numeric_limits<int64_t>::max()", "int64_t", INT64_MAX),
    ("10000L", "int64_t", 10000),
    ("0L", "long", 0),
    ("7UL", "size_t", 7),
    ("true", "bool", True),
    ("0", "bool", False),
    ("1.0e-8f", "float", 1e-08),
    (".5f", "float", 0.5),
    ("2.", "float", 2.0),
    ("24", "float", 24.0),
    ("-127.0", "float", -127.0),
    ("1.0f/8", "float", 0.125),
    ("1e-5", "double", 1e-05),
    ("INFINITY", "float", math.inf),
    ("-std::numeric_limits<float>::infinity()", "float", -math.inf),
    ("1", "Scalar", 1),
    ("1.0", "Scalar", 1.0),
    ("false", "Scalar", False),
    ("1", "Scalar(float)", 1.0),
    ("1", "Scalar(int64_t)", 1),
    ("{}", "int[]", ()),
    ("{1, 1}", "int[]", (1, 1)),
    ("{0,-1 , 2}", "int64_t[]", (0, -1, 2)),
    ("{1, 2.5f}", "float[]", (1.0, 2.5)),
    ("{true,false}", "bool[]", (True, False)),
    ('{"a,b", "c"}', "str[]", ("a,b", "c")),
    ("{1, 2.0}", "Scalar[]", (1, 2.0)),
    ("{}", "IntArray", ()),
    ("{0}", "IntArray", (0,)),
    ("-1", "IntArray", (-1,)),
    ('"EXPLICIT"', "str", "EXPLICIT"),
    ('""', "str", ""),
    (r'"a\"b\n"', "str", 'a"b\n'),
    ('std::string("x")', "str", "x"),
    ("DataType::UNDEFINED", "DataType", Symbol("DataType", "UNDEFINED")),
    ("phi::DataType::FLOAT32", "DataType", Symbol("DataType", "FLOAT32")),
    ("DataLayout::NCHW", "DataLayout", Symbol("DataLayout", "NCHW")),
    ("{}", "Place", Symbol("Place", "UNDEFINED")),
    ("Place()", "Place", Symbol("Place", "UNDEFINED")),
    ("CPUPlace()", "Place", Symbol("Place", "CPUPlace()")),
    ("phi::GPUPlace(1)", "Place", Symbol("Place", "GPUPlace(1)")),
]


@pytest.mark.parametrize(("text", "type", "expected"), VALUES)
def test_value(text: str, type: str, expected: object):
    value = TYPES[type].literal(text)
    assert repr(value) == repr(expected)  # tells 1 from 1.0 and True


WRONG = [
    ("", "int"),
    ("1.5", "int"),
    ("2147483648", "int"),
    ("-1", "size_t"),
    ("9223372036854775808", "int64_t"),
    ("1 << 64", "int64_t"),
    ("1 / 0", "int"),
    ("2 ** 9", "int"),
    ("x", "float"),
    ("1 2", "int"),
    ("f(1)", "int"),
    ("(" * 500, "int"),
    ("9" * 5000, "int64_t"),
    ("2", "bool"),
    ("NCHW", "str"),
    ("'NCHW'", "str"),
    ('"a" "b"', "str"),
    ("1, 1", "int[]"),
    ("{1, 1,}", "int[]"),
    ("{,}", "int[]"),
    ("{1, a}", "int[]"),
    ("FLOAT32", "DataType"),
    ("DataType::FLOAT", "DataType"),
    ("DataLayout::NCWH", "DataLayout"),
    ("XPU", "Place"),
    ("1", "Tensor"),
]


@pytest.mark.parametrize(("text", "type"), WRONG)
def test_no_literal_of_the_type(text: str, type: str):
    with pytest.raises(LiteralError, match=r"\w+"):
        TYPES[type].literal(text)


def arg(type: str, default: str | None, optional: bool = False) -> Arg:
    return Arg("a", type, default, optional, Loc("f", 1))


TEXTS = [
    ("int[]", "{1, 1}", "[1, 1]", "(1, 1)", "{1, 1}"),
    ("int[]", "{}", "[]", "()", "{}"),
    ("int[]", "{3}", "[3]", "(3,)", "{3}"),
    ("float[]", "{1, 2.5f}", "[1.0, 2.5]", "(1.0, 2.5)", "{1.0, 2.5}"),
    ("float", "1.0e-8f", "1e-08", "1e-08", "1e-08"),
    ("float", "INFINITY", None, 'float("inf")', "std::numeric_limits<double>::infinity()"),
    ("bool", "true", "True", "True", "true"),
    ("str", '"EXPLICIT"', '"EXPLICIT"', '"EXPLICIT"', '"EXPLICIT"'),
    ("str", r'"a\"b"', r'"a\"b"', r'"a\"b"', r'"a\"b"'),
    ("str[]", '{"a"}', None, '("a",)', '{"a"}'),
    ("Scalar[]", "{1}", None, "(1,)", "{1}"),
    ("int64_t", "INT64_MAX", "9223372036854775807", "9223372036854775807", "INT64_C(9223372036854775807)"),
    ("int64_t", "INT64_MIN", "-9223372036854775808", "-9223372036854775808", "std::numeric_limits<int64_t>::min()"),
    ("Scalar", "1.0", "1.0", "1.0", "1.0"),
    ("DataType", "DataType::UNDEFINED", "None", "None", "DataType::UNDEFINED"),
    ("DataType", "DataType::FLOAT32", "6", "torch.float32", "DataType::FLOAT32"),
    ("DataType", "DataType::INT64", "4", "torch.int64", "DataType::INT64"),
    ("Place", "{}", "None", "None", "Place()"),
    ("Place", "CPUPlace()", "None", "None", "CPUPlace()"),
    ("Place", "GPUPlace(1)", "None", "None", "GPUPlace(1)"),
    ("DataLayout", "DataLayout::NHWC", '"NHWC"', '"NHWC"', "DataLayout::NHWC"),
    ("DataLayout", "DataLayout::UNDEFINED", '"ALL_LAYOUT"', '"ALL_LAYOUT"', "DataLayout::UNDEFINED"),
    ("int", None, None, None, None),
]


@pytest.mark.parametrize(("type", "default", "schema", "python", "cpp"), TEXTS)
def test_texts(type: str, default: str | None, schema: str | None, python: str | None, cpp: str | None):
    a = arg(type, default)
    assert (schema_default(a), python_default(a), cpp_default(a)) == (schema, python, cpp)


def test_optional_defaults_to_none():
    for a in (arg("Tensor", None, True), arg("Tensor[]", None, True), arg("int", None, True), arg("float", "paddle::none", True)):
        assert (schema_default(a), python_default(a), cpp_default(a)) == ("None", "None", "paddle::none")
    assert schema_default(arg("int", "3", True)) == "3"
    for none in ("{}", "none", "paddle::none", "nullptr"):
        a = op(f"- op : f\n  args : (Tensor x, int k = {none})\n  output : Tensor\n  optional : k\n").args[1]
        assert schema_default(a) == "None"


def test_schema_allows_no_default_before_an_argument_without():
    args = [arg("Tensor", None, True), arg("int", "1"), arg("int", None), arg("int", "2"), arg("str[]", '{"a"}'), arg("int", "3")]
    assert schema_defaults(args) == [None, None, None, None, None, "3"]


def test_torch_reads_every_schema_default():
    torch = pytest.importorskip("torch")
    words = {"DataType": "ScalarType?", "Place": "Device?", "DataLayout": "str", "int64_t": "int"}
    for type, default, schema, python, _ in TEXTS:
        if schema is None:
            continue
        text = f"phi::f({words.get(type, type)} a={schema}) -> Tensor"
        value = torch._C.parse_schema(text).arguments[0].default_value
        expected = eval(python, {"torch": torch})
        if type == "DataType" and default != "DataType::UNDEFINED":
            assert getattr(torch, DATA_TYPES[default.split("::")[1]][0]) == expected
            assert value == DATA_TYPES[default.split("::")[1]][1]
        else:
            assert value == (list(expected) if isinstance(expected, tuple) else expected), text


def test_codes_are_those_of_torch():
    torch = pytest.importorskip("torch")
    for name, (python, code) in DATA_TYPES.items():
        assert schema_default(arg("DataType", f"DataType::{name}")) == str(code)
        assert torch.ops.aten.empty_like(torch.zeros(1), dtype=code).dtype == getattr(torch, python)


def test_defaults_reach_the_model_as_written():
    (axes,) = op("- op : f\n  args : (int[] axes={1,\n    1})\n  output : Tensor\n").args
    assert (axes.default, python_default(axes)) == ("{1, 1}", "(1, 1)")
