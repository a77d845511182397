"""The JSON of Paddle 3's programs: what is written is what was read, and a faulty file is an error that says where."""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from phi_torch import ir
from phi_torch._paddle.faults import ProgramError
from phi_torch._paddle.parameters import write_tensors
from phi_torch.ir.paddle import read_document, read_parameters, to_program, write_document, write_parameters
from phi_torch.ir.paddle.document import Attr, Document, Opaque, ScalarType, TensorType, VectorType

from .paddle_models import DATA, FOLDERS

F32 = {"#": "0.t_f32"}
TENSOR = {"#": "0.t_dtensor", "D": [F32, [-1, 4], "NCHW", [], 0]}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_files_come_back(folder: Path, tmp_path: Path):
    data = (folder / "model.json").read_bytes()
    document = read_document(data, folder.name)
    assert write_document(document) == data
    tensors = read_parameters(document, folder / "model.pdiparams")
    write_parameters(document, tmp_path / "model.pdiparams", tensors)
    assert (tmp_path / "model.pdiparams").read_bytes() == (folder / "model.pdiparams").read_bytes()


def op(name: str = "1.relu", inputs: tuple[int, ...] = (), results: tuple[int, ...] = (), **more: Any) -> dict[str, Any]:
    outputs = [{"%": id, "TT": TENSOR} for id in results]
    return {"#": name, "A": [], "I": [{"%": id} for id in inputs], "O": outputs, "OA": []} | more


def attribute(name: str, data: Any) -> dict[str, Any]:
    return {"N": name, "AT": {"#": name, "D": data}}


def program(*ops: dict[str, Any], version: int = 4, **block: Any) -> dict[str, Any]:
    blocks = [{"#": "block_0", "args": [], "ops": list(ops)} | block]
    base = {"magic": "pir", "trainable": True, "version": version}
    return {"base_code": base, "program": {"regions": [{"#": "region_0", "blocks": blocks}]}}


def read(value: Any) -> Document:
    return read_document(json.dumps(value).encode(), "m.json")


def fault(value: Any) -> str:
    with pytest.raises(ProgramError) as caught:
        read(value)
    return str(caught.value)


ATTRIBUTES: list[tuple[str, Any, Attr]] = [
    ("0.a_bool", True, Attr("bool", True)),
    ("0.a_i32", -7, Attr("i32", -7)),
    ("0.a_i64", 1 << 40, Attr("i64", 1 << 40)),
    ("0.a_index", 3, Attr("index", 3)),
    ("0.a_f32", 0.5, Attr("f32", 0.5)),
    ("0.a_f64", -0.0, Attr("f64", -0.0)),
    ("0.a_c64", [1.0, 2.0], Attr("c64", 1 + 2j)),
    ("0.a_c128", [1.0, -2.0], Attr("c128", 1 - 2j)),
    ("0.a_str", "é", Attr("str", "é")),
    ("0.a_tensorname", "x", Attr("tensor", "x")),
    ("0.a_array", [], Attr("array", ())),
    ("0.a_array", [{"#": "0.a_i32", "D": 1}, {"#": "0.a_i32", "D": 2}], Attr("array<i32>", (1, 2))),
    ("0.a_array", [{"#": "0.a_i32", "D": 1}, {"#": "0.a_f32", "D": 2.0}], Attr("array", (Attr("i32", 1), Attr("f32", 2.0)))),
    ("0.a_array", [{"#": "0.a_array", "D": []}], Attr("array", (Attr("array", ()),))),
    ("0.a_type", TENSOR, Attr("type", TensorType("dense_tensor", "float32", (-1, 4)))),
    ("1.a_intarray", [1, -2], Attr("intarray", (1, -2))),
    ("1.a_dtype", "bfloat16", Attr("dtype", "bfloat16")),
    ("1.a_dtype", "Undefined(ALL_DTYPE)", Attr("dtype", "undefined")),
    ("1.a_layout", "NHWC", Attr("layout", "NHWC")),
    ("1.a_place", [2, 1, "npu"], Attr("place", (2, 1, "npu"))),
    ("1.a_scalar", ["int64", 3], Attr("scalar", ("int64", 3))),
    ("1.a_scalar", ["complex128", 1.0, 2.0], Attr("scalar", ("complex128", 1 + 2j))),
    ("4.a_tensor_dist", [[[2], [0, 1], ["x"]], [-1], []], Attr("opaque", Opaque("4.a_tensor_dist", '[[[2],[0,1],["x"]],[-1],[]]'))),
]


@pytest.mark.parametrize(("name", "data", "expected"), ATTRIBUTES)
def test_attributes_come_back(name: str, data: Any, expected: Attr):
    file = program(op(A=[attribute(name, data)], results=(1,)))
    document = read(file)
    assert repr(document.block.ops[0].attributes) == repr({name: expected})  # tells 1 from 1.0, and 0.0 from -0.0
    assert json.loads(write_document(document)) == file


def test_an_attribute_that_is_a_keyword_of_python_has_a_name_of_ours():
    file = program(op("1.mish", A=[attribute("0.a_f32", 0.5) | {"N": "lambda"}], results=(1,)))
    document = read(file)
    assert document.block.ops[0].attributes == {"lambda_": Attr("f32", 0.5)}
    assert json.loads(write_document(document)) == file


def test_the_order_of_keys_does_not_matter():
    values = [{"D": True, "#": "0.a_bool"}, {"#": "0.a_bool", "D": False}]
    document = read(program(op(A=[{"AT": {"D": values, "#": "0.a_array"}, "N": "x"}])))
    assert document.block.ops[0].attributes == {"x": Attr("array<bool>", (True, False))}


@pytest.mark.parametrize("void", ["NaN", "NAN", "INF", "-INF"])
def test_numbers_that_are_not_finite(void: str):
    document = read(program(op(A=[{"N": "x", "AT": {"#": "0.a_f64", "VD": void}}])))
    value = document.block.ops[0].attributes["x"].value
    assert math.isnan(value) if "N" == void[0] else value == float(void)
    written = json.loads(write_document(document))["program"]["regions"][0]["blocks"][0]["ops"][0]["A"][0]["AT"]
    assert written == {"#": "0.a_f64", "VD": "NAN" if void == "NaN" else void}


TYPES: list[tuple[Any, Any]] = [
    (TENSOR, TensorType("dense_tensor", "float32", (-1, 4))),
    ({"#": "NULL"}, None),
    ({"#": "0.t_c128"}, ScalarType("complex128")),
    ({"#": "0.t_vec", "D": [TENSOR, {"#": "NULL"}]}, VectorType((TensorType("dense_tensor", "float32", (-1, 4)), None))),
    ({"#": "1.t_dense_tensor_array", "D": [F32, [], "NCHW"]}, TensorType("dense_tensor_array", "float32", ())),
    ({"#": "1.t_selected_rows", "D": [F32, [3], "NHWC", [], 0]}, TensorType("selected_rows", "float32", (3,), "NHWC")),
    ({"#": "0.t_dtensor", "D": [F32, [3], "NCHW", [[0, 3]], 0]}, Opaque("0.t_dtensor", '[{"#":"0.t_f32"},[3],"NCHW",[[0,3]],0]')),
    ({"#": "2.t_stack"}, Opaque("2.t_stack", None)),
    ({"#": "9.t_new", "D": {"a": [1.5, None]}}, Opaque("9.t_new", '{"a":[1.5,null]}')),
]


def test_products_of_unknown_sizes_are_unknown():
    """As the statistics of instance_norm, of a batch that is not known times 8 channels."""
    written = {"#": "0.t_dtensor", "D": [F32, [-8, 4], "NCHW", [], 0]}
    document = read(program(op(O=[{"%": 1, "TT": written}])))
    assert document.block.ops[0].results[0].type == TensorType("dense_tensor", "float32", (-1, 4))


@pytest.mark.parametrize(("written", "expected"), TYPES)
def test_types_come_back(written: Any, expected: Any):
    file = program(op(O=[{"%": 1, "TT": written}]))
    document = read(file)
    assert document.block.ops[0].results[0].type == expected
    assert json.loads(write_document(document)) == file


def test_blocks_have_arguments_by_name_too():
    inner = {
        "#": "block_1",
        "args": [{"#": -1, "TT": TENSOR}],
        "kwargs": [{"#": -2, "TT": TENSOR, "key": "x"}],
        "ops": [op(inputs=(-1, -2))],
    }
    file = program(op("my.loop", regions=[{"#": "region_1", "blocks": [inner]}]))
    document = read(file)
    assert document.block.ops[0].regions[0].blocks[0].keywords["x"].id == -2
    assert json.loads(write_document(document)) == file
    inner["kwargs"] = inner["args"]
    assert "ops[0].regions[0].blocks[0].kwargs[0]: it has no 'key': PaddlePaddle lost the names" in fault(file)


@pytest.mark.parametrize("version", range(5))
def test_versions(version: int):
    assert read(program(version=version)).version == version


def parameter(id: int = 1, **more: Any) -> dict[str, Any]:
    return {"#": "p", "A": [0, 1, 1, f"w{id}"], "DA": [], "QA": [], "O": {"%": id, "TT": TENSOR}, "OA": [1, 0, 1]} | more


FAULTS: dict[str, tuple[Any, str]] = {
    "magic": (
        {"base_code": {"magic": "x", "version": 1}, "program": {"regions": []}},
        "base_code: expected the magic 'pir', got 'x'",
    ),
    "version": (program(version=5), "base_code: expected an integer from 0 to 4, got 5"),
    "no program": ({"base_code": {"magic": "pir", "version": 1}}, "it has no 'program'"),
    "regions": (program() | {"program": {"regions": []}}, "its regions have [] blocks; expected one region of one block"),
    "key": (program(op(B=1)), "ops[0]: unknown key 'B'"),
    "no operands": (program({"#": "1.x", "O": [], "A": []}), "ops[0]: it has no 'I'"),
    "operands of a parameter": (program(parameter(I=[])), "ops[0]: it has 'I', which a parameter has not"),
    "name": (program(op("7.relu")), 'ops[0].#: expected one of 0, 1, 2, 3, 4, got "7"'),
    "no dialect": (program(op("relu")), "ops[0].#: expected a dialect and a name with a dot between them, got 'relu'"),
    "undefined": (program(op(inputs=(1, 9), results=(1,))), "ops[0].I[1]: pd_op.relu uses the value 9, which is not defined"),
    "later": (program(op(inputs=(1,)), op(results=(1,))), "ops[0].I[0]: pd_op.relu uses the value 1, which is defined later"),
    "twice": (program(op(results=(1,)), op(results=(1,))), "ops[1].O[0]: the id 1 is defined twice"),
    "negative result": (program(op(results=(-1,))), "ops[0].O[0]: expected an integer from 0 to"),
    "argument": (program(args=[{"#": 1, "TT": TENSOR}]), "args[0]: expected an integer from -9223372036854775808 to -1, got 1"),
    "rank": (
        program(op(O=[{"%": 1, "TT": {"#": "0.t_dtensor", "D": [F32, [1] * 10, "NCHW", [], 0]}}])),
        "O[0].TT.D[1]: 10 dimensions",
    ),
    "elements": (
        program(op(O=[{"%": 1, "TT": {"#": "0.t_dtensor", "D": [F32, [1 << 40] * 2, "NCHW", [], 0]}}])),
        "too many elements",
    ),
    "layout": (
        program(op(O=[{"%": 1, "TT": {"#": "0.t_dtensor", "D": [F32, [1], "N", [], 0]}}])),
        "O[0].TT.D[2]: expected one of NCDHW",
    ),
    "element": (
        program(op(O=[{"%": 1, "TT": {"#": "0.t_dtensor", "D": [TENSOR, [1], "NCHW", [], 0]}}])),
        "expected the type of an element",
    ),
    "kind": (
        program(op(A=[attribute("0.a_i32", 1.5)])),
        "ops[0].A[0].AT.D: attribute '0.a_i32': expected an integer from -2147483648",
    ),
    "i32": (program(op(A=[attribute("0.a_i32", 1 << 31)])), "expected an integer from -2147483648 to 2147483647, got 2147483648"),
    "bool": (program(op(A=[attribute("0.a_bool", 1)])), "expected true or false, got 1"),
    "f32": (program(op(A=[attribute("0.a_f32", 1e39)])), "1e+39 is beyond what float32 holds"),
    "f64": (program(op(A=[attribute("0.a_f64", 10**400)])), "expected a finite number, got 1000"),
    "dtype": (program(op(A=[attribute("1.a_dtype", "float31")])), "expected one of bfloat16, bool"),
    "inner": (
        program(op(A=[attribute("0.a_array", [{"#": "0.a_str", "D": 1}])])),
        "ops[0].A[0].AT.D[0].D: attribute '0.a_array': expected text",
    ),
    "attribute": (program(op(A=[attribute("0.a_i32", 1)] * 2)), "ops[0].A[1]: attribute '0.a_i32' is there twice"),
    "void": (program(op(A=[{"N": "x", "AT": {"#": "0.a_i32", "VD": "NaN"}}])), "'VD' of \"0.a_i32\""),
    "parameter": (program(parameter(A=[0, 1, 2, "w"])), "ops[0].A[2]: expected an integer from 0 to 1, got 2"),
    "parameters": (
        program(parameter(1, A=[0, 1, 1, "w"]), parameter(2, A=[0, 1, 1, "w"]) | {"O": {"%": 2, "TT": {"#": "NULL"}}}),
        "ops[1]: parameter 'w' is there twice, as tensors of two types",
    ),
    "zero": (program(op(results=(0,))), "ops[0].O[0]: the id 0 is that of no value, but it has a type"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults(name: str):
    file, message = FAULTS[name]
    assert message in fault(file)


def test_values_are_seen_in_their_region():
    inner = {"#": "region_1", "blocks": [{"#": "block_1", "args": [], "ops": [op(results=(2,)), op("2.yield", inputs=(1, 2))]}]}
    read(program(op(results=(1,)), op("1.if", regions=[inner])))
    text = fault(program(op(results=(1,)), op("1.if", regions=[inner]), op(inputs=(2,))))
    assert text == "m.json: ops[2].I[0]: pd_op.relu uses the value 2, which is defined later, or in another region"
    text = fault(program(op("1.if", results=(1,), regions=[inner])))
    assert "ops[0].regions[0].blocks[0].ops[1].I[0]: cf.yield uses the value 1" in text


def test_twenty_faults_at_once():
    text = fault(program(*(op(f"8.x{number}", inputs=(7,)) for number in range(15))))
    assert text.startswith("m.json: 30 faults\n  ops[0].#: expected") and text.endswith("\n  and 10 more")
    assert len(text.splitlines()) == 22


TEXTS: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "m.json: no JSON: Expecting value, line 1, column 1"),
    "list": (b"[]", "m.json: expected an object"),
    "text": (b"{ab", "m.json: no JSON: expected a key in double quotes, line 1, column 2"),
    "cut": (b'{"base_code":\n{"magic":', "m.json: no JSON: Expecting value, line 2, column 10"),
    "more": (json.dumps(program()).encode() + b"]", "expected the end of the file"),
    "utf-8": (b'{"\xff"', "m.json: no UTF-8: invalid start byte at byte 2"),
    "twice": (b'{"base_code":{"magic":"pir","magic":"pir"}}', "an object has a key twice, among ['magic', 'magic']"),
    "nan": (b'{"base_code":NaN}', "'NaN' is no value in JSON"),
    "digits": (b'{"base_code":' + b"1" * 5000 + b"}", "Exceeds the limit"),
    "deep": (b'{"base_code":' + b"[" * 10_000, "it is nested too deeply"),
    "lists": (b'{"base_code":[' + b"[]," * 300_000 + b"1]}", "its lists and objects may take"),
    "texts": (b'{"base_code":[' + b'"ab",' * 300_000 + b"1]}", "its lists and objects may take"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts_that_are_no_program(name: str):
    data, message = TEXTS[name]
    with pytest.raises(ProgramError) as caught:
        read_document(data, "m.json")
    assert message in str(caught.value)


def test_nested_attributes():
    value: Any = {"#": "0.a_i32", "D": 1}
    for _ in range(70):
        value = {"#": "0.a_array", "D": [value]}
    assert "nested more than 64 levels deep" in fault(program(op(A=[{"N": "x", "AT": value}])))


def test_parameters_that_do_not_fit(tmp_path: Path):
    folder, path = DATA / "wide_deep", tmp_path / "model.pdiparams"
    document = read_document((folder / "model.json").read_bytes())
    tensors = read_parameters(document, folder / "model.pdiparams")
    with pytest.raises(FileNotFoundError, match=f"the program has {len(tensors)} parameters"):
        read_parameters(document, path)
    name = next(name for name, tensor in tensors.items() if tensor.dim() == 2)
    with pytest.raises(ProgramError, match=f"parameter '{name}': the program says torch.float32 .*, it is torch.float32"):
        write_parameters(document, path, tensors | {name: torch.zeros(1)})
    del tensors[name]
    with pytest.raises(ProgramError, match="no tensor for the parameters"):
        write_parameters(document, path, tensors)


@pytest.mark.parametrize("name", ["model", "__model__"])
def test_parameters_in_other_files(name: str, tmp_path: Path):
    """Of `paddle.static.save`, and of a program whose parameters are saved apart, each in the file of its name."""
    expected = ir.load(DATA / "wide_deep").weights
    (tmp_path / f"{name}.json").write_bytes((DATA / "wide_deep" / "model.json").read_bytes())
    if name == "model":
        arrays = {key: expected[key].data.numpy() for key in expected}
        (tmp_path / "model.pdparams").write_bytes(pickle.dumps(arrays, 2))
    else:
        for key in expected:
            write_tensors(tmp_path / key, [expected[key].data])
    found = ir.load(tmp_path).weights
    assert list(found) == list(expected) and all(torch.equal(found[key].data, expected[key].data) for key in expected)


def test_a_program_without_parameters_needs_no_file(tmp_path: Path):
    document = read(program(parameter(OA=[0, 1, 0])))  # not persistable
    write_parameters(document, tmp_path / "m.pdiparams", {})
    assert not list(tmp_path.iterdir()) and read_parameters(document, tmp_path / "m.pdiparams") == {}


def mutated(change: Callable[[Any], None]) -> Any:
    file = program(parameter())
    change(file["program"]["regions"][0]["blocks"][0])
    return file


def test_flags_of_parameters_come_back():
    file = mutated(
        lambda block: block["ops"][0].update(QA=[{"N": "struct_name", "AT": {"#": "0.a_str", "D": "/Linear/"}}], OA=[1, 1, 0])
    )
    assert json.loads(write_document(read(file))) == file


def tensor(dtype: str, sizes: list[int]) -> dict[str, Any]:
    return {"#": "0.t_dtensor", "D": [{"#": dtype}, sizes, "NCHW", [], 0]}


def data(id: int, name: str, dtype: str, sizes: list[int]) -> dict[str, Any]:
    said = [("0.a_str", name, "name"), ("1.a_intarray", sizes, "shape"), ("1.a_dtype", dtype, "dtype")]
    attributes = [{"N": key, "AT": {"#": kind, "D": value}} for kind, value, key in said]
    kind = {"float32": "0.t_f32", "bool": "0.t_bool"}.get(dtype, "0.t_i64")
    return op("1.data", A=attributes, O=[{"%": id, "TT": tensor(kind, sizes)}])


def fetch(id: int, type: dict[str, Any]) -> dict[str, Any]:
    said = [{"N": "name", "AT": {"#": "0.a_str", "D": "y"}}, attribute("0.a_i32", 0) | {"N": "col"}]
    return op("1.fetch", (id,), A=said, O=[{"%": id + 100, "TT": type}])


@pytest.mark.parametrize("name", ["1.assign_out_", "1.assign_value_"])
def test_an_assignment_of_another_dtype_replaces_the_variable(name: str):
    """As `paddle.assign(x, output)` writes it: PaddlePaddle gives the variable another tensor."""
    values = {"#": "0.a_array", "D": [{"#": "0.a_f64", "D": number} for number in (7.0, 8.0)]}
    shape = {"#": "0.a_array", "D": [{"#": "0.a_i32", "D": 2}]}
    said = [{"N": "shape", "AT": shape}, {"N": "values", "AT": values}, {"N": "dtype", "AT": {"#": "1.a_dtype", "D": "int64"}}]
    is_value = name == "1.assign_value_"
    assign = op(name, (2,) if is_value else (1, 2), A=said if is_value else [], O=[{"%": 3, "TT": tensor("0.t_i64", [2])}])
    file = program(data(1, "x", "int64", [2]), data(2, "old", "float32", [3]), assign, fetch(3, tensor("0.t_i64", [2])))
    run = ir.compile(to_program(read(file), {}))
    x, old = torch.tensor([7, 8]), torch.zeros(3)
    (found,) = run(x, old)
    assert torch.equal(found, x) and torch.equal(old, torch.zeros(3))


@pytest.mark.parametrize("sizes", [[2, 3], [3]])
def test_a_fill_in_place_writes_to_its_operand(sizes: list[int]):
    """As `fill_constant(out=x)` writes it; a tensor of other sizes takes the place of the variable."""
    said = [("1.a_intarray", [2, 3], "shape"), ("0.a_f64", 1.5, "value"), ("1.a_dtype", "float32", "dtype")]
    attributes = [{"N": key, "AT": {"#": kind, "D": value}} for kind, value, key in said]
    filled, result = tensor("0.t_f32", sizes), tensor("0.t_f32", [2, 3])
    copy = op("1.assign", (1,), O=[{"%": 2, "TT": filled}])
    fill = op("1.full_", (2,), A=attributes, O=[{"%": 3, "TT": result}])
    file = program(data(1, "x", "float32", sizes), copy, fill, fetch(3, result), fetch(2, filled))
    x = torch.zeros(sizes)
    found, before = ir.compile(to_program(read(file), {}))(x)
    assert torch.equal(found, torch.full((2, 3), 1.5)) and torch.equal(x, torch.zeros(sizes))
    assert torch.equal(before, found if sizes == [2, 3] else x)


@pytest.mark.parametrize("place", [0, 1])
def test_moves_to_a_device_are_copies(place: int):
    """As `x.cpu()` and `x.cuda()` write them."""
    type = tensor("0.t_f32", [3])
    move = op("1.memcpy", (1,), A=[attribute("0.a_i32", place) | {"N": "dst_place_type"}], O=[{"%": 2, "TT": type}])
    x = torch.randn(3)
    (found,) = ir.compile(to_program(read(program(data(1, "x", "float32", [3]), move, fetch(2, type))), {}))(x)
    assert torch.equal(found, x)


@pytest.mark.parametrize("transposed", [False, True])
def test_a_linear_layer_of_one_operator_is_a_product_and_a_sum(transposed: bool):
    """As `linear` writes it on PaddlePaddle for GPUs."""
    sizes = {1: [2, 5, 3], 2: [4, 3] if transposed else [3, 4], 3: [4]}
    inputs = [data(id, name, "float32", sizes[id]) for id, name in ((1, "x"), (2, "weight"), (3, "bias"))]
    type = tensor("0.t_f32", [2, 5, 4])
    said = [{"N": "transpose_weight", "AT": {"#": "0.a_bool", "D": transposed}}]
    made = to_program(read(program(*inputs, op("1.linear_v2", (1, 2, 3), A=said, O=[{"%": 4, "TT": type}]), fetch(4, type))), {})
    assert [o.name for o in made.walk()][3:5] == ["pd_op.matmul", "pd_op.add"]
    x, weight, bias = (torch.randn(one) for one in sizes.values())
    (found,) = ir.compile(made)(x, weight, bias)
    torch.testing.assert_close(found, torch.nn.functional.linear(x, weight if transposed else weight.T, bias))


@pytest.mark.parametrize("name", ["var", "std"])
@pytest.mark.parametrize(("axis", "keepdim", "correction"), [([1], False, 1.0), ([], True, 0.0), ([0, -1], True, 2.0)])
def test_the_spread_of_one_operator_is_taken_apart(name: str, axis: list[int], keepdim: bool, correction: float):
    """As `paddle.var` and `paddle.std` write it on PaddlePaddle for GPUs; the sizes may be unknown."""
    axes = {"#": "0.a_array", "D": [{"#": "0.a_i64", "D": one} for one in axis]}
    values = {"axis": axes, "keepdim": {"#": "0.a_bool", "D": keepdim}, "correction": {"#": "0.a_f64", "D": correction}}
    said = [{"N": key, "AT": value} for key, value in values.items()]
    x = torch.randn(3, 4, 5)
    expected = getattr(torch, name)(x, axis or None, correction=correction, keepdim=keepdim)
    type = tensor("0.t_f32", [-1] * expected.dim())
    made = op(f"1.{name}", (1,), A=said, O=[{"%": 2, "TT": type}])
    run = ir.compile(to_program(read(program(data(1, "x", "float32", [-1, 4, -1]), made, fetch(2, type))), {}))
    torch.testing.assert_close(run(x)[0], expected)


def test_a_parameter_that_is_there_twice_is_one_weight(tmp_path: Path):
    """Each `rnn` of a static program has a state of the same name."""
    one = tensor("0.t_f32", [2])
    both = [parameter(id, A=[0, 1, 1, "w"], O={"%": id, "TT": one}) for id in (1, 2)]
    file = program(*both, op("1.add", (1, 2), O=[{"%": 3, "TT": one}]), fetch(3, one))
    (tmp_path / "model.json").write_text(json.dumps(file))
    write_parameters(read(file), tmp_path / "model.pdiparams", {"w": torch.tensor([1.0, 2.0])})
    assert ir.compile(ir.load(tmp_path))()[0].tolist() == [2, 4]


def test_what_an_optimizer_keeps_is_a_weight(tmp_path: Path):
    """A moment or a rate is an input that is persistable, and its values are among those of the parameters."""
    one = tensor("0.t_f32", [2])
    state, x = data(1, "moment", "float32", [2]), data(2, "x", "float32", [2])
    yes = {"#": "0.a_array", "D": [{"#": "0.a_bool", "D": True}]}
    state["OA"] = [{"N": name, "AT": yes} for name in ("persistable", "stop_gradient")]
    file = program(state, x, op("1.add_", (1, 2), O=[{"%": 3, "TT": one}]), fetch(3, one))
    (tmp_path / "model.json").write_text(json.dumps(file))
    moment = torch.tensor([1.0, 2.0])
    write_parameters(read(file), tmp_path / "model.pdiparams", {"moment": moment})
    loaded = ir.load(tmp_path)
    loaded.save(tmp_path / "again" / "model.json")
    for again in (loaded, ir.load(tmp_path / "again")):
        run = ir.compile(again)
        assert [port[0] for port in run.inputs] == ["x"]
        for step in range(3):
            (found,) = run(torch.ones(2))
            assert torch.equal(found, moment + step + 1)
        assert torch.equal(again.weights["moment"].data, moment + 3)
