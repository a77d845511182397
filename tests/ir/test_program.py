"""The IR's classes in Python: what they do, and that nothing that is done with them ends the process."""

from __future__ import annotations

import gc
import os
import resource

import pytest
import torch

from phi_torch import ir

TEXT = """phi.program 1
symbols { s0 "image.0" >= 1 }
program {
  %w = builtin.parameter {name = "fc.w"} : f32[4,3]
  %image = pd_op.data {name = "image", shape = [-1,4], dtype = float32} : f32[s0,4]
  %0 = pd_op.matmul(%image, %w) : f32[s0,3]  loc("/fc")
  %c = pd_op.full {shape = [1], value = 0.0, dtype = bool} : bool[1]
  %1 = pd_op.if(%c) {
    %2 = pd_op.relu(%0) : f32[s0,3]
    cf.yield(%2)
  } else {
    cf.yield(%0)
  } : f32[s0,3]
  pd_op.fetch(%1) {name = "out", col = 0} : f32[s0,3]
}
"""


def find(program: ir.Program, name: str) -> ir.Operation:
    return next(op for op in program.walk() if op.name == name)


def test_text_reads_back():
    program = ir.parse(TEXT)
    program.verify()
    assert str(program) == TEXT
    assert str(ir.parse(program.to_text(full=True))) == TEXT
    assert "transpose_x = false" in program.to_text(full=True)


def test_graph():
    program = ir.parse(TEXT)
    matmul = find(program, "pd_op.matmul")
    assert [op.name.partition(".")[2] for op in program.walk()] == [
        *("parameter", "data", "matmul", "full", "if", "relu", "yield", "yield", "fetch")
    ]
    assert program.counts()["cf.yield"] == 2 and len(program.counts()) == 8
    assert [value.name for value in matmul.operands] == ["image", "w"]
    assert matmul.location == "/fc"
    (out,) = matmul.results
    assert out.defining_op == matmul
    assert [(op.name, index) for op, index in out.uses] == [("pd_op.relu", 0), ("cf.yield", 0)]
    assert str(out.type) == "f32[s0,3]"
    assert (out.type.dtype, out.type.shape, out.type.dims) == ("float32", [-1, 3], ["s0", 3])
    branch = find(program, "pd_op.if")
    assert [len(region.blocks[0]) for region in branch.regions] == [2, 1]
    relu = find(program, "pd_op.relu")
    assert (relu.parent_op, relu.parent_block.parent_op) == (branch, branch)
    assert branch.parent_op == program.module
    assert program.module.parent_op is None


def test_attributes():
    program = ir.parse(TEXT)
    attributes = find(program, "pd_op.matmul").attributes
    assert dict(attributes.items()) == {"transpose_x": False, "transpose_y": False}
    attributes["transpose_x"] = True
    with pytest.raises(ValueError, match="'pd_op.matmul' has no attribute 'transpose_z'; near: .*transpose_x"):
        attributes["transpose_z"] = True
    attributes.set("note", ["a", 1, 1.5], undeclared=True)
    attributes["note"] = ["a", 1, 1.5, {"b": None}]
    assert attributes["note"] == ["a", 1, 1.5, {"b": None}]
    assert '{transpose_x = true, note = ["a", 1 : i64, 1.5 : f64, {b = none}]}' in str(program)
    del attributes["note"]
    assert (list(attributes), len(attributes), "note" in attributes) == (["transpose_x", "transpose_y"], 2, False)
    assert attributes.get("note", 3) == 3
    with pytest.raises(KeyError):
        attributes["note"]
    with pytest.raises(TypeError, match="attribute 'transpose_x' of 'pd_op.matmul': expected a bool, got 1"):
        attributes["transpose_x"] = 1
    full = find(program, "pd_op.full")
    assert (full.attributes["shape"], full.attributes["dtype"], full.attributes["place"]) == ([1], "bool", "cpu")
    assert (full.attribute("value").kind, full.attribute("shape").kind) == ("f64", "intarray")
    with pytest.raises(ValueError, match="attribute 'dtype' of 'pd_op.full': .*unknown data type 'boole'"):
        full.attributes["dtype"] = "boole"


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("bool", True, "true"),
        ("i32", 5, "5 : i32"),
        ("i64", -(2**63), "-9223372036854775808 : i64"),
        ("f32", 0.5, "0.5 : f32"),
        ("f64", float("inf"), "inf : f64"),
        ("c64", 1 - 2j, "(1.0,-2.0) : c64"),
        ("c128", 1j, "(0.0,1.0) : c128"),
        ("str", "ä\udcff", '"ä\\xff"'),
        ("array", [True, "x"], '[true, "x"]'),
        ("array<i32>", [1, 2], "[1 : i32, 2 : i32]"),
        ("dict", {"b": 1, "a": [2.5]}, "{a = [2.5 : f64], b = 1 : i64}"),
        ("dtype", "bfloat16", "dtype<bfloat16>"),
        ("place", "gpu:1", "place<gpu:1>"),
        ("layout", "NHWC", "layout<NHWC>"),
        ("scalar", 3, "scalar<3>"),
        ("intarray", [1, -1], "intarray<[1,-1]>"),
        ("tensor", ("float32", [1], b"\0\0\0\0"), 'tensor<f32[1],"AAAAAA==">'),
        ("kernel_key", ("CPU", "NCHW", "float32"), "kernel_key<CPU,NCHW,float32>"),
        ("opaque", ("1.a_foo", "[]"), 'opaque<"1.a_foo","[]">'),
    ],
)
def test_kinds_of_attributes(kind, value, text):
    context = ir.Context()
    attribute = context.attribute(kind, value)
    assert (str(attribute), attribute.kind, attribute.value) == (text, kind.partition("<")[0], value)
    assert context.parse_attribute(text) == attribute
    assert hash(context.parse_attribute(text)) == hash(attribute)


def test_attributes_with_a_data_type():
    context = ir.Context()
    scalar = context.attribute("scalar", 0.1, "float32")
    assert (str(scalar), scalar.dtype) == ("scalar<0.1 : f32>", "float32")
    assert [item.kind for item in context.attribute("array", [scalar, 1]).items] == ["scalar", "i64"]
    with pytest.raises(ValueError, match="300 is no uint8"):
        context.attribute("scalar", 300, "uint8")
    for kind, value in [("i32", 2**31), ("i64", 2**63), ("place", "here"), ("i8", 1), ("array<", []), ("dtype", "float33")]:
        with pytest.raises(ValueError):
            context.attribute(kind, value)
    for kind, value in [("i32", True), ("i32", 1.0), ("f32", "1"), ("str", b"x"), ("array", "ab"), ("array<i32>", ["a"])]:
        with pytest.raises(TypeError):
            context.attribute(kind, value)


def test_types():
    context = ir.Context()
    dense = context.dense_tensor("float32", [2, -1, "2*s0+1"], layout="NHWC", value_semantics=False)
    assert (str(dense), dense.kind, dense.shape) == ("!f32[2,?,2*s0+1]@NHWC", "dense_tensor", [2, -1, -1])
    assert (dense.layout, dense.value_semantics) == ("NHWC", False)
    assert context.parse_type(str(dense)) == dense
    assert ir.Context().parse_type(str(dense)) != dense
    vector = context.vector([dense, None])
    assert vector.elements == [dense, None]
    assert str(context.tensor_like("selected_rows", "int64", [3])) == "selected_rows<i64[3]>"
    opaque = context.opaque_type("0.t_foo", "{}")
    assert (opaque.name, opaque.data) == ("0.t_foo", "{}")
    with pytest.raises(ValueError, match="has no elements"):
        _ = dense.elements
    with pytest.raises(ir.ParseError) as caught:
        context.parse_type("f32[")
    assert caught.value.errors[0][:2] == (1, 5)
    with pytest.raises(ValueError, match="another context"):
        ir.Context().vector([dense])


def test_builder():
    program = ir.Program()
    builder, context = ir.Builder(program), program.context
    f32 = context.dense_tensor("float32", [2])
    x = builder.create("pd_op.data", attributes={"name": "x", "shape": [2], "dtype": "float32"}, result_types=[f32])
    x.results[0].name = "x"
    y = builder.create("pd_op.relu", x.results, result_types=[f32], location="here")
    builder.before(y).create("custom_op.note", undeclared=True)
    builder.after(y).create("custom_op.end", [None, *y.results], {"n": context.attribute("i32", 1)}, undeclared=True)
    builder.at_start(program.block).create("custom_op.start", undeclared=True)
    loop = builder.create("custom_op.loop", regions=1, undeclared=True)
    body = loop.regions[0].add_block([f32])
    builder.at_end(body).create("custom_op.use", body.arguments, undeclared=True)
    program.verify()
    expected = """phi.program 1
program {
  custom_op.start()
  %x = pd_op.data {name = "x", shape = [2], dtype = float32} : f32[2]
  custom_op.note()
  %0 = pd_op.relu(%x) : f32[2]  loc("here")
  custom_op.end(none, %0) {n = 1 : i32}
  custom_op.loop() {
    ^(%1 : f32[2]):
    custom_op.use(%1)
  }
}
"""
    assert str(program) == expected
    assert str(program.clone()) == expected


def test_a_copy_of_what_was_moved_refers_to_nothing_of_the_original():
    program = ir.parse(TEXT)
    find(program, "pd_op.data").move_after(find(program, "pd_op.matmul"))
    copy = program.clone()
    del program  # which ended the process: its input was used by the copy
    gc.collect()
    assert find(copy, "pd_op.matmul").operands[0] == find(copy, "pd_op.data").results[0]
    with pytest.raises(ir.VerifyError, match="used before it is defined"):
        copy.verify()


def test_rewriting():
    program = ir.parse(TEXT)
    relu = find(program, "pd_op.relu")
    with pytest.raises(ValueError, match="'pd_op.relu' cannot be erased: 'cf.yield' uses a value of it"):
        relu.erase()
    relu.results[0].replace_all_uses_with(relu.operands[0])
    relu.erase()
    program.verify()
    assert "relu" not in str(program)
    full, matmul = find(program, "pd_op.full"), find(program, "pd_op.matmul")
    full.move_before(matmul)
    matmul.move_after(full)
    program.verify()
    matmul.set_operand(0, None)
    with pytest.raises(ir.VerifyError, match="operand 0 'x' is absent") as caught:
        program.verify()
    assert len(caught.value.errors) == 1


def test_erased_handles_say_who_erased():
    program = ir.parse(TEXT)
    branch, relu = find(program, "pd_op.if"), find(program, "pd_op.relu")
    value, block, region, builder = relu.results[0], relu.parent_block, branch.regions[0], ir.Builder(program).before(relu)
    attributes = relu.attributes
    find(program, "pd_op.fetch").erase()
    branch.erase()
    message = r"was erased by Operation\.erase\(\)"
    for use in (
        *(lambda: relu.name, lambda: relu.operands, lambda: value.type, lambda: value.uses, lambda: block.operations),
        *(lambda: region.blocks, lambda: builder.create("a.b", undeclared=True), lambda: list(attributes), lambda: branch.erase()),
        *(lambda: relu.move_before(branch), lambda: repr(relu), lambda: repr(value), lambda: len(block)),
    ):
        with pytest.raises(ReferenceError, match=message):
            use()
    assert relu.is_erased
    assert relu == relu
    assert hash(value) == hash(value)


def test_handles_keep_their_program():
    relu = find(ir.parse(TEXT), "pd_op.relu")
    gc.collect()
    assert relu.parent_op.results[0].uses[0][0].name == "pd_op.fetch"
    weights = ir.parse(TEXT).weights
    weights.set("w", torch.ones(2))
    assert weights["w"].data.sum() == 2


def test_programs_do_not_mix():
    a, b = ir.parse(TEXT), ir.parse(TEXT)
    relu, other = find(a, "pd_op.relu"), find(b, "pd_op.relu")
    for use in (
        *(lambda: relu.set_operand(0, other.results[0]), lambda: relu.results[0].replace_all_uses_with(other.results[0])),
        *(lambda: relu.move_before(other), lambda: ir.Builder(a).before(other), lambda: ir.Builder(a).at_end(b.block)),
        *(
            lambda: ir.Builder(a).create("u.v", [other.results[0]], undeclared=True),
            lambda: ir.Builder(a).create("u.v", result_types=[other.results[0].type], undeclared=True),
        ),
        *(lambda: setattr(relu.results[0], "type", other.results[0].type),),
        *(lambda: relu.attributes.set("x", b.context.attribute("i32", 1), undeclared=True),),
    ):
        with pytest.raises(ValueError, match="of another (program|context)"):
            use()


def test_what_cannot_be_done():
    program = ir.parse(TEXT)
    branch, relu, module = find(program, "pd_op.if"), find(program, "pd_op.relu"), program.module
    argument = branch.regions[0].blocks[0].add_argument(relu.results[0].type, "a")
    relu.set_operand(0, argument)
    for use in (
        *(
            lambda: branch.move_before(relu),
            lambda: module.erase(),
            lambda: module.move_before(relu),
            lambda: relu.move_before(module),
        ),
        *(lambda: module.regions[0].add_block(), lambda: program.block.add_argument(None), lambda: branch.erase()),
        *(lambda: branch.regions[0].blocks[0].erase_argument(0), lambda: ir.Builder(program).create("")),
        *(lambda: relu.has_trait("Fast"), lambda: ir.Builder(program).after(module), lambda: program.symbols.add(lower=2, upper=1)),
    ):
        with pytest.raises(ValueError):
            use()
    for use in (lambda: relu.set_operand(1, None), lambda: branch.regions[0].blocks[0].erase_argument(1)):
        with pytest.raises(IndexError):
            use()
    assert argument == branch.regions[0].blocks[0].arguments[0]


def test_an_invalid_program_ends_well():
    """Values used outside of their region, by themselves, or after what defines them is gone with the program."""
    program = ir.parse(TEXT)
    relu, fetch, matmul = find(program, "pd_op.relu"), find(program, "pd_op.fetch"), find(program, "pd_op.matmul")
    fetch.set_operand(0, relu.results[0])
    relu.set_operand(0, relu.results[0])
    matmul.set_operand(1, fetch.results[0])
    assert str(ir.parse(TEXT)) == TEXT
    assert "pd_op.relu" in str(program)
    with pytest.raises(ir.VerifyError):
        program.verify()
    del program, relu, fetch, matmul
    gc.collect()


def test_nesting_ends():
    program = ir.Program()
    builder = ir.Builder(program)
    with pytest.raises(ValueError, match="64 deep"):
        for _ in range(100):
            builder = builder.at_end(builder.create("a.b", regions=1, undeclared=True).regions[0].add_block())
    items: list = []
    items.append(items)
    with pytest.raises(ValueError, match="nested too deep"):
        program.module.attributes.set("x", items, undeclared=True)
    assert ir.parse(str(program)).to_text() == str(program)


def test_faults_of_a_text():
    with pytest.raises(ir.ParseError) as caught:
        ir.parse(TEXT.replace("%image,", "%imag,").replace("col = 0", "col = x"))
    assert [error[:2] for error in caught.value.errors] == [(6, 21), (14, 40)]
    assert "6:21: %imag is not defined" in str(caught.value)


def test_weights():
    program = ir.parse(TEXT)
    weights = program.weights
    tensor = torch.zeros(4, 3)
    parameter = weights.set("fc.w", tensor, is_mutable=True)
    assert (parameter.name, parameter.dtype, parameter.shape, parameter.is_mutable) == ("fc.w", "float32", [4, 3], True)
    assert weights["fc.w"].data is tensor
    assert program.clone().weights["fc.w"].data is tensor
    program.verify()
    assert weights.set("fc.w", torch.zeros(4, 3).double()).version == 1
    with pytest.raises(ir.VerifyError, match=r"the weight 'fc.w' is f64\[4,3\], but its result is f32"):
        program.verify()
    assert (list(weights), len(weights), "fc.w" in weights) == (["fc.w"], 1, True)
    del weights["fc.w"]
    with pytest.raises(KeyError):
        weights["fc.w"]
    with pytest.raises(ValueError, match="contiguous"):
        weights.set("x", torch.zeros(4, 3).t())
    with pytest.raises(TypeError):
        weights.set("x", [1.0])  # type: ignore[arg-type]
    for other in (torch.zeros(2, device="meta"), torch.eye(2).to_sparse()):
        with pytest.raises(ValueError, match="a weight is a dense tensor on the CPU, got one on"):
            weights.set("x", other)


def test_weights_hold_tensors():
    weights = ir.Builder().program.weights
    tensor = torch.zeros(4, 4)
    weights.set("x", tensor)
    assert weights.hold({}) and weights.hold({"x": tensor}) and weights.hold({"x": tensor.view(4, 4)})
    others = [tensor.clone(), tensor.t(), tensor.view(2, 8), tensor.view(torch.int32), tensor[:2], tensor.to("meta")]
    assert not any(weights.hold({"x": other}) for other in others)
    assert not weights.hold({"y": tensor}) and not weights.hold({"x": tensor, "y": tensor})
    with pytest.raises(TypeError):
        weights.hold({"x": 1.0})  # type: ignore[dict-item]


def test_symbols():
    program = ir.parse(TEXT)
    assert program.symbols.add("x.1", lower=2, upper=8, divisor=2) == "s1"
    assert {name: program.symbols[name] for name in program.symbols} == {"s0": ("image.0", 1, None, 1), "s1": ("x.1", 2, 8, 2)}
    assert 'symbols { s0 "image.0" >= 1, s1 "x.1" >= 2 <= 8 % 2 }' in str(program)


def test_tables_of_operators():
    names = ir.op_names()
    assert {"pd_op.conv2d", "pd_op.relu_", "pd_op.relu_grad", "pd_op.data", "builtin.module", "cf.yield", "torch.call"} <= {*names}
    scale = ir.op_info("pd_op.scale")
    assert [(i.name, i.is_mutable_attribute) for i in scale.inputs] == [("x", False), ("scale", True)]
    assert [(a.name, a.kind, a.default) for a in scale.attributes] == [
        *(("scale", "scalar", 1.0), ("bias", "scalar", 0.0), ("bias_after_scale", "bool", True))
    ]
    conv = {a.name: (a.kind, a.default) for a in ir.op_info("pd_op.conv2d").attributes}
    assert conv["strides"] == ("array<i32>", [1, 1])
    assert conv["data_format"] == ("str", "NCHW")
    assert ir.op_info("pd_op.clip_grad").inputs[-1].name == "max"
    assert {"Commutative", "Elementwise"} <= {*ir.op_info("pd_op.add").traits}
    assert "Inplace" in ir.op_info("pd_op.add_").traits
    assert "ViewLike" in ir.op_info("pd_op.reshape").traits
    assert ir.op_info("pd_op.nothing") is None


def test_a_builder_makes_what_is_declared():
    builder = ir.Builder()
    with pytest.raises(ValueError, match="there is no operator 'pd_op.rellu'; near: pd_op.relu"):
        builder.create("pd_op.rellu", [None])
    with pytest.raises(ValueError, match="operator 'pd_op.full' has no attribute 'shap'; near: shape"):
        builder.create("pd_op.full", [], {"shap": [2], "value": 0.0})
    assert not builder.program.block.operations
    assert builder.create("pd_op.rellu", undeclared=True).name == "pd_op.rellu"
    full = builder.create("pd_op.full", [], {"shape": [2], "value": 0.0, "note": 1, "stop_gradient": [True]}, undeclared=True)
    assert full.attributes["note"] == 1


def test_every_operator_round_trips():
    """Each operator of the tables, with the operands, results and attributes that it has."""
    program = ir.Program()
    builder, context = ir.Builder(program), program.context
    f32 = context.dense_tensor("float32", [2])
    vector = context.vector([f32])
    values = {"array": [], "str": "x", "dtype": "float32", "place": "cpu", "layout": "NHWC", "scalar": 2, "intarray": [1]}
    values["kernel_key"] = ("CPU", "NHWC", "float32")
    (tensor,) = builder.create("u.tensor", result_types=[f32], undeclared=True).results
    (items,) = builder.create("u.list", result_types=[vector], undeclared=True).results
    for name in ir.op_names():
        info = ir.op_info(name)
        given = {a.name: values.get(a.kind.partition("<")[0], 1) for a in info.attributes if not a.has_default and a.kind != "bool"}
        given |= {a.name: True for a in info.attributes if not a.has_default and a.kind == "bool"}
        operands = [None if i.is_mutable_attribute else items if i.is_list else tensor for i in info.inputs]
        builder.create(name, operands, given, [vector if o.is_list else f32 for o in info.outputs])
    text = str(program)
    assert str(ir.parse(text)) == text
    assert str(ir.parse(program.to_text(full=True))) == text


def test_programs_leave_no_memory_behind():
    def resident() -> int:
        with open(f"/proc/{os.getpid()}/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()

    def load(count: int) -> None:
        for i in range(count):
            program = ir.parse(TEXT.replace("fc.w", f"w{i}").replace("4,3", f"4,{i + 3}"))
            program.weights.set("x", torch.zeros(1000))
            find(program, "pd_op.relu").attributes.set("i", i, undeclared=True)
            str(program.clone())

    load(100)
    gc.collect()
    before = resident()
    load(1000)
    gc.collect()
    assert resident() - before < 2 << 20


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_a_real_operand_before_a_complex_one(dtype: str):
    """Its result is as large as what the kernel writes."""
    program = ir.Program()
    builder = ir.Builder(program)
    of = {"x": "float32", "z": dtype}
    values = [builder.create("pd_op.data", [], {"name": n, "shape": [5], "dtype": d}).results[0] for n, d in of.items()]
    builder.create("pd_op.fetch", builder.create("pd_op.multiply", values).results, {"name": "y", "col": 0})
    x, z = torch.arange(5.0), torch.full((5,), 1 + 2j, dtype=getattr(torch, dtype))
    assert torch.equal(ir.compile(program)(x, z)[0], x * z)
