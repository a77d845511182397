"""Operators of Paddle 2 that are written with other slots than the IR's have."""

from pathlib import Path

import pytest
import torch

from phi_torch import ir, legacy
from phi_torch.legacy import Attribute, BlockDesc, OpDesc, ProgramDesc, VarDesc
from phi_torch.legacy.description import EMPTY

from .test_from_legacy import AGAIN, CONDITION, X, branch, counts, described, fill, loop, positive, same, scale, tensor


@pytest.mark.parametrize("bounds", ["numbers", "variables", "integers"])
@pytest.mark.parametrize("shape", ["attribute", "ShapeTensor", "ShapeTensorList"])
def test_random_numbers_of_a_range(bounds: str, shape: str):
    """Bounds and sizes as attributes, or as variables."""
    type, names = ("randint", ("low", "high")) if bounds == "integers" else ("uniform_random", ("min", "max"))
    kind = {"numbers": "FLOAT", "variables": "VAR", "integers": "INT"}[bounds]
    values = {"numbers": (2.0, 30.0), "variables": ("low", "high"), "integers": (2, 30)}[bounds]
    attrs = {name: Attribute(kind, value) for name, value in zip(names, values)}
    sizes = [4, 5] if shape == "attribute" else [-1, -1]
    attrs |= {"shape": Attribute("LONGS", sizes), "dtype": Attribute("INT", 3 if bounds == "integers" else 5)}
    slots = {"ShapeTensor": ["sizes"], "ShapeTensorList": ["rows", "columns"]}
    inputs = {} if shape == "attribute" else {shape: slots[shape]}
    op = OpDesc(type, inputs, {"Out": ["y"]}, attrs | {"seed": Attribute("INT", 0)})
    floats = {"low": [2.0], "high": [30.0]}
    integers = {"sizes": [4, 5], "rows": [4], "columns": [5]}
    dtype = torch.int64 if bounds == "integers" else torch.float32
    ops, variables = [], [tensor("y", *sizes, dtype=dtype)]
    for name, numbers in (floats | integers).items():
        is_float = name in floats
        said = {"fp32_values" if is_float else "int64_values": Attribute("FLOATS" if is_float else "LONGS", numbers)}
        said |= {"shape": Attribute("INTS", [len(numbers)]), "dtype": Attribute("INT", 5 if is_float else 3)}
        ops.append(OpDesc("assign_value", {}, {"Out": [name]}, said))
        variables.append(tensor(name, len(numbers), dtype=torch.float32 if is_float else torch.int64))
    program = ir.from_legacy(described([*ops, op], [], *variables))
    (found,) = ir.compile(program)(torch.zeros(1, 3))
    assert found.shape == (4, 5) and found.dtype == dtype
    assert 2 <= found.min() and found.max() <= 30 and found.unique().numel() > 5


def test_random_numbers_up_to_what_a_run_tells():
    attrs = {"min": Attribute("FLOAT", 2.0), "max": Attribute("VAR", "most"), "shape": Attribute("LONGS", [50])}
    ops = [
        OpDesc("reduce_max", {"X": ["x"]}, {"Out": ["most"]}, {"reduce_all": Attribute("BOOLEAN", True)}),
        OpDesc("uniform_random", {}, {"Out": ["y"]}, attrs | {"dtype": Attribute("INT", 5), "seed": Attribute("INT", 0)}),
    ]
    program = ir.from_legacy(described(ops, [], tensor("most"), tensor("y", 50)))
    (found,) = ir.compile(program)(torch.tensor([[0.0, 3.0, 1.0]]))
    assert found.shape == (50,) and 2 <= found.min() and 2.5 < found.max() <= 3


@pytest.mark.parametrize("shape", ["attribute", "ShapeTensorList"])
def test_random_numbers_beside_a_diagonal(shape: str):
    numbers = {"diag_num": Attribute("INT", 3), "diag_step": Attribute("INT", 4), "diag_val": Attribute("FLOAT", 9.0)}
    attrs = numbers | {"shape": Attribute("LONGS", [4, 4] if shape == "attribute" else [-1, -1]), "dtype": Attribute("INT", 5)}
    said = {"shape": Attribute("INTS", [1]), "dtype": Attribute("INT", 3), "int64_values": Attribute("LONGS", [4])}
    ops = [
        OpDesc("assign_value", {}, {"Out": ["size"]}, said),
        OpDesc("uniform_random", {} if shape == "attribute" else {shape: ["size", "size"]}, {"Out": ["y"]}, attrs),
    ]
    program = described(ops, [], tensor("size", 1, dtype=torch.int64), tensor("y", 4, 4))
    ways = legacy.Executor(program, {}).run({"x": X}, ["y"]), ir.compile(ir.from_legacy(program, fetch=["y"]))(X)
    for (found,) in ways:
        assert (found == 9.0).nonzero().tolist() == [[0, 0], [1, 1], [2, 2]]
        assert found.shape == (4, 4) and found[found != 9.0].abs().max() <= 1


@pytest.mark.parametrize("seed", [0, 7])
def test_seeds(seed: int):
    """Of what is dropped, in training with parts that are computed again."""
    attrs = {"dropout_prob": Attribute("FLOAT", 0.5), "is_test": Attribute("BOOLEAN", False)}
    ops = [
        OpDesc("seed", {}, {"Out": ["s"]}, {"seed": Attribute("INT", seed)}),
        *(OpDesc("dropout", {"X": ["x"], "Seed": ["s"]}, {"Out": [y], "Mask": [f"mask{y}"]}, attrs) for y in "yz"),
    ]
    masks = [tensor(f"mask{y}", 40, 3, dtype=torch.uint8) for y in "yz"]
    program = described(ops, [], tensor("s", 1, dtype=torch.int32), tensor("y", 40, 3), tensor("z", 40, 3), *masks)
    run = ir.compile(ir.from_legacy(program, fetch=["y", "z", "s"]))
    y, z, made = run(torch.ones(40, 3))
    assert torch.equal(y, z) and 0 < (y == 0).sum() < 120
    assert made.dtype == torch.int32 and (made.tolist() == [7] if seed else made > 0)
    again = run(torch.ones(40, 3))
    assert torch.equal(again[0], y) == (seed != 0)


@pytest.mark.parametrize("columns_from", [1, 2])
def test_gradients_of_mul(columns_from: int):
    dims = {1: (3, 6), 2: (2, 3, 2)}[columns_from]
    attrs = {"x_num_col_dims": Attribute("INT", columns_from), "y_num_col_dims": Attribute("INT", 1)}
    weight = [dims[-1], 5]
    said = {"shape": Attribute("INTS", weight), "dtype": Attribute("INT", 5)}
    numbers = torch.linspace(-1, 1, weight[0] * 5).tolist()
    ops = [
        OpDesc("assign_value", {}, {"Out": ["w"]}, said | {"fp32_values": Attribute("FLOATS", numbers)}),
        OpDesc("tanh", {"X": ["x"]}, {"Out": ["h"]}),
        OpDesc("mul", {"X": ["h"], "Y": ["w"]}, {"Out": ["y"]}, attrs),
        OpDesc("mul_grad", {"X": ["h"], "Y": ["w"], "Out@GRAD": ["y"]}, {"X@GRAD": ["dh"], "Y@GRAD": ["dw"]}, attrs),
    ]
    variables = [tensor("w", *weight), tensor("h", *dims), tensor("y", *dims[:columns_from], 5), tensor("dh", *dims)]
    variables += [tensor("x", *dims), tensor("dw", *weight)]
    for fetched in ("dh", "dw"):
        same(described(ops, [], *variables, fetch=fetched), torch.rand(dims))


def test_a_hierarchical_sigmoid_keeps_its_weight():
    said = {"shape": Attribute("INTS", [5, 3]), "dtype": Attribute("INT", 5)}
    label = {"shape": Attribute("INTS", [1, 1]), "dtype": Attribute("INT", 3), "int64_values": Attribute("LONGS", [4])}
    inputs, outputs = {"X": ["x"], "W": ["w"], "Label": ["t"]}, {"Out": ["loss"], "PreOut": ["pre"], "W_Out": ["w"]}
    ops = [
        OpDesc("assign_value", {}, {"Out": ["w"]}, said | {"fp32_values": Attribute("FLOATS", torch.linspace(-1, 1, 15).tolist())}),
        OpDesc("assign_value", {}, {"Out": ["t"]}, label),
        OpDesc("hierarchical_sigmoid", inputs, outputs, {"num_classes": Attribute("INT", 6)}),
        OpDesc("matmul_v2", {"X": ["x"], "Y": ["w"]}, {"Out": ["y"]}, {"trans_y": Attribute("BOOLEAN", True)}),
    ]
    variables = [tensor("w", 5, 3), tensor("t", 1, 1, dtype=torch.int64), tensor("y", 1, 5), tensor("x", 1, 3)]
    variables += [tensor("loss", 1, 1), tensor("pre", 1, 3)]
    for fetched in ("y", "loss"):
        same(described(ops, [], *variables, fetch=fetched), X)


@pytest.mark.parametrize("fetched", ["dx", "dw"])
def test_gradients_of_einsum(fetched: str):
    said = {"shape": Attribute("INTS", [3, 4]), "dtype": Attribute("INT", 5)}
    of = {"equation": Attribute("STRING", "bi,ij->bj")}
    kept = {"InnerCache": ["kept0", "kept1"], "XShape": ["shape0", "shape1"]}
    inputs = {"x_shape": kept["XShape"], "InnerCache": kept["InnerCache"], "Out@GRAD": ["y"]}
    ops = [
        OpDesc("assign_value", {}, {"Out": ["w"]}, said | {"fp32_values": Attribute("FLOATS", torch.linspace(-1, 1, 12).tolist())}),
        OpDesc("einsum", {"Operands": ["x", "w"]}, {"Out": ["y"], **kept}, of),
        OpDesc("einsum_grad", inputs, {"Operands@GRAD": ["dx", "dw"]}, of),
    ]
    variables = [tensor("x", 2, 3), tensor("w", 3, 4), tensor("y", 2, 4), tensor("dx", 2, 3), tensor("dw", 3, 4)]
    variables += [tensor(name, 2, 3) for name in ("kept0", "shape0")] + [tensor(name, 3, 4) for name in ("kept1", "shape1")]
    same(described(ops, [], *variables, fetch=fetched), torch.rand(2, 3))


@pytest.mark.parametrize("is_first", [False, True])
@pytest.mark.parametrize("op", ["add", "sub", "mul", "div"])
def test_a_real_operand_beside_a_complex_one(op: str, is_first: bool):
    """Paddle declares the result as the first operand is."""
    of = {"axis": Attribute("INT", -1)}
    operands = ["x", "z"] if is_first else ["z", "x"]
    ops = [
        OpDesc("complex", {"X": ["x"], "Y": ["x"]}, {"Out": ["z"]}, {}),
        OpDesc(f"elementwise_{op}", {"X": operands[:1], "Y": operands[1:]}, {"Out": ["w"]}, of),
        OpDesc("imag", {"X": ["w"]}, {"Out": ["y"]}, {}),
    ]
    dtype = torch.float32 if is_first else torch.complex64
    same(described(ops, [], tensor("z", -1, 3, dtype=torch.complex64), tensor("w", -1, 3, dtype=dtype)), X)


def test_a_number_that_a_variable_holds_where_only_one_is_taken():
    """An error of the conversion, not of a run."""
    value = {"paddings": Attribute("INTS", [0, 0, 1, 0]), "pad_value": Attribute("VAR", "v")}
    ops = [OpDesc("pad_grad", {"Out@GRAD": ["x"]}, {"X@GRAD": ["y"]}, value)]
    with pytest.raises(ir.ProgramError, match="op 1 .pad_grad.: the IR has no operator for the kernel"):
        ir.from_legacy(described(ops, [], tensor("v")))


def test_a_gradient_of_an_intermediate_result_that_nothing_makes():
    names = ("x", "y", "s", "z", "dx", "dy", "ds")
    attrs = {"functor_list": Attribute("STRINGS", ["elementwise_add", "relu"]), "axis": Attribute("INT", -1)}
    inputs = {"X": ["x"], "Y": ["x"]}
    results = {"Out": ["z"], "IntermediateOut": ["s"]}
    grads = {"X@GRAD": ["y"], "Y@GRAD": ["dy"], "IntermediateOut@GRAD": ["ds"]}
    of = {**attrs, "functor_list": Attribute("STRINGS", ["elementwise_add_grad", "relu_grad"])}
    ops = [
        OpDesc("fused_elemwise_activation", inputs, results, attrs),
        OpDesc("fused_elemwise_activation_grad", {**inputs, **results, "Out@GRAD": ["x"]}, grads, of),
    ]
    same(described(ops, [], *(tensor(name, -1, 3) for name in names)), X)


@pytest.mark.parametrize("fetched", ["y", "dv"])
def test_gradients_of_an_assignment(fetched: str):
    attrs = {name: Attribute("LONGS", [at]) for name, at in (("starts", 1), ("ends", 2), ("steps", 1), ("axes", 1))}
    attrs |= {name: Attribute("LONGS", numbers) for name, numbers in (("decrease_axes", [1]), ("none_axes", []))}
    grads = {"Input@GRAD": ["y"], "ValueTensor@GRAD": ["dv"]}
    said = {"shape": Attribute("INTS", [1]), "dtype": Attribute("INT", 5), "fp32_values": Attribute("FLOATS", [2.0])}
    ops = [
        OpDesc("assign_value", {}, {"Out": ["v"]}, said),
        OpDesc("set_value_grad", {"Out@GRAD": ["x"], "ValueTensor": ["v"]}, grads, attrs),
    ]
    same(described(ops, [], tensor("v", 1), tensor("dv", 1), tensor("x", 2, 3), tensor("y", 2, 3), fetch=fetched), torch.rand(2, 3))


def test_gradients_of_a_list_of_which_some_are_wanted():
    said = {"shape": Attribute("INTS", [3, 4]), "dtype": Attribute("INT", 5)}
    said["fp32_values"] = Attribute("FLOATS", torch.linspace(-1, 1, 12).tolist())
    attrs = {"equation": Attribute("STRING", "bi,ij->bj")}
    kept, shapes = ["kept0", "kept1"], ["shape0", "shape1"]
    read = {"x_shape": shapes, "InnerCache": kept, "Out@GRAD": ["y"]}
    ops = [
        OpDesc("assign_value", {}, {"Out": ["w"]}, said),
        OpDesc("einsum", {"Operands": ["x", "w"]}, {"Out": ["y"], "InnerCache": kept, "XShape": shapes}, attrs),
        OpDesc("einsum_grad", read, {"Operands@GRAD": [EMPTY, "dw"]}, attrs),
    ]
    variables = [tensor("w", 3, 4), tensor("y", 2, 4), tensor("dw", 3, 4)]
    variables += [tensor(name, *dims) for name, dims in zip((*kept, *shapes), ((2, 3), (3, 4)) * 2)]
    same(described(ops, [], tensor("x", 2, 3), *variables, fetch="dw"), torch.rand(2, 3))


@pytest.mark.parametrize("wanted", [[EMPTY, "dx"], ["dx", EMPTY]])
def test_gradients_of_a_stack_of_which_some_are_wanted(wanted: list[str]):
    back = OpDesc("stack_grad", {"Y@GRAD": ["x"]}, {"X@GRAD": wanted}, {"axis": Attribute("INT", 0)})
    same(described([back], [], tensor("x", 2, 3), tensor("dx", 3), fetch="dx"), torch.rand(2, 3))


def test_one_element_of_another_rank():
    """PaddlePaddle's loops and branches mix shapes [] and [1]."""
    times = OpDesc("elementwise_mul", {"X": ["x"], "Y": ["n"]}, {"Out": ["y"]}, {"axis": Attribute("INT", -1)})
    grow = OpDesc("elementwise_add", {"X": ["i"], "Y": ["one"]}, {"Out": ["i"]}, {"axis": Attribute("INT", -1)})
    start = [fill("i", 0.0), fill("one", 1.0, 1), fill("three", 3.0), counts()[1], scale("x", "y", 1.0)]
    inner = [BlockDesc(1, 0, {}, [grow, scale("y", "y", 2.0), counts()[1]])]
    variables = [tensor("again", dtype=torch.bool), tensor("i"), tensor("three"), tensor("one", 1), AGAIN[-1]]
    same(described([*start, loop(1, "i", "y")], inner, *variables), X)
    inner = [BlockDesc(1, 0, {}, [fill("n", 2.0, 1)])]
    ops = [fill("n", 5.0), *positive("c"), branch("c", 1, "n"), times]
    same(described(ops, inner, *CONDITION, tensor("n")), X, -X)
    mask = OpDesc("cast", {"X": ["c"]}, {"Out": ["mask"]}, {"in_dtype": Attribute("INT", 0), "out_dtype": Attribute("INT", 2)})
    choice = OpDesc("select_input", {"X": ["a", "b"], "Mask": ["mask"]}, {"Out": ["n"]})
    variables = [tensor("a"), tensor("b", 1), tensor("n", 1), tensor("mask", dtype=torch.int32)]
    ops = [*positive("c"), mask, fill("a", 5.0), fill("b", 2.0, 1), choice, times]
    same(described(ops, [], *CONDITION, *variables), X, -X)


def test_a_quantized_weight_is_declared_as_it_was_before(tmp_path: Path):
    """PaddlePaddle 3 writes steps to the weights of a program, and leaves their declarations."""
    block = BlockDesc(vars={name: VarDesc(name, dtype=torch.float32, dims=(2, 3)) for name in ("x", "w", "d", "y")})
    block.vars |= {name: VarDesc(name, dtype=torch.float32, dims=(2,), persistable=True) for name in ("scale", "zero")}
    block.vars["w"].persistable, block.vars["x"].need_check_feed = True, True
    steps = {"quant_axis": Attribute("INT", 0), "bit_length": Attribute("INT", 8), "is_test": Attribute("BOOLEAN", True)}
    block.ops = [
        OpDesc("dequantize_linear", {"X": ["w"], "Scale": ["scale"], "ZeroPoint": ["zero"]}, {"Y": ["d"]}, steps),
        OpDesc("elementwise_add", {"X": ["x"], "Y": ["d"]}, {"Out": ["y"]}, {"axis": Attribute("INT", -1)}),
    ]
    program, x = ProgramDesc([block]), torch.ones(2, 3)
    w = torch.tensor([[127, 0, -127], [127, 0, -127]], dtype=torch.int8)
    parameters = {"w": w, "scale": torch.tensor([1.0, 2.0]), "zero": torch.zeros(2)}
    legacy.write_model(tmp_path / "m", program, parameters)
    program, parameters = legacy.read_model(tmp_path)
    expected = [[2.0, 1.0, 0.0], [3.0, 1.0, -1.0]]
    assert legacy.Executor(program, parameters).run({"x": x}, ["y"])[0].tolist() == expected
    assert ir.compile(ir.from_legacy(program, parameters, fetch=["y"]))(x)[0].tolist() == expected
    parameters["scale"] = torch.tensor([[1.0, 2.0]])  # with a dimension more, as post-training quantization writes it
    legacy.write_model(tmp_path / "m", program, parameters)
    program, parameters = legacy.read_model(tmp_path)
    assert parameters["scale"].shape == (1, 2)
    assert legacy.Executor(program, parameters).run({"x": x}, ["y"])[0].tolist() == expected
    loaded = ir.from_legacy(program, parameters, fetch=["y"])
    assert ir.compile(loaded)(x)[0].tolist() == ir.to_module(loaded)(x).tolist() == expected
    with pytest.raises(
        ir.ProgramError, match=r"parameter 'scale': the program says torch.float32 \[2\], it is torch.float32 \[1, 3\]"
    ):
        ir.from_legacy(program, {**parameters, "scale": torch.ones(1, 3)}, fetch=["y"])
    block.ops[1].inputs["Y"] = ["w"]
    with pytest.raises(ir.ProgramError, match="parameter 'w': the program says torch.float32 .*, it is torch.int8"):
        ir.from_legacy(ProgramDesc([block]), parameters, fetch=["y"])


def test_a_quantized_weight_that_a_branch_reads(tmp_path: Path):
    """Which the operator with the block names, too."""
    steps = {"quant_axis": Attribute("INT", 0), "bit_length": Attribute("INT", 8), "is_test": Attribute("BOOLEAN", True)}
    inner = BlockDesc(idx=1, parent_idx=0, vars={"d": tensor("d", 3)})
    inner.ops = [
        OpDesc("dequantize_linear", {"X": ["w"], "Scale": ["scale"], "ZeroPoint": ["none"]}, {"Y": ["d"]}, steps),
        OpDesc("elementwise_add", {"X": ["x"], "Y": ["d"]}, {"Out": ["y"]}, {"axis": Attribute("INT", -1)}),
    ]
    choice = branch("c", 1, "y")
    choice.inputs["Input"] = ["x", "w", "scale", "none"]
    weights = [VarDesc(name, dtype=torch.float32, dims=(3,), persistable=True) for name in ("w", "scale", "none")]
    program = described([*positive("c"), scale("x", "y", 0.0), choice], [inner], *CONDITION, *weights)
    parameters = {"w": torch.tensor([127, 0, -127], dtype=torch.int8), "scale": torch.ones(3), "none": torch.zeros(3)}
    legacy.write_model(tmp_path / "m", program, parameters)
    program, parameters = legacy.read_model(tmp_path)
    for run in (legacy.Executor(program, parameters).run, lambda feed: ir.compile(ir.from_legacy(program, parameters))(feed["x"])):
        assert run({"x": torch.tensor([[1.0, -2.0, 3.0]])})[0].tolist() == [[2.0, -2.0, 2.0]]


FAKE_QUANTIZED = ("fake_quantize_dequantize_abs_max", "fake_channel_wise_quantize_dequantize_abs_max")


@pytest.mark.parametrize("type", [*FAKE_QUANTIZED, "fake_quantize_dequantize_moving_average_abs_max"])
def test_the_gradient_of_what_is_rounded_to_steps(type: str):
    attrs = {"bit_length": Attribute("INT", 4)}
    rounded = OpDesc(type, {"X": ["h"]}, {"Out": ["q"], "OutScale": ["s"]}, attrs)
    variables = [tensor("h", -1, 3), tensor("q", -1, 3), tensor("dh", -1, 3), tensor("s", 1)]
    ops = [scale("x", "h", 2.0), rounded]
    if type not in FAKE_QUANTIZED:
        ops.insert(0, fill("s0", 3.0, 1))
        rounded.inputs["InScale"], attrs["is_test"] = ["s0"], Attribute("BOOLEAN", True)
        variables.append(tensor("s0", 1))
    ops += [OpDesc(f"{type}_grad", {"Out@GRAD": ["q"]}, {"X@GRAD": ["dh"]}, attrs), scale("dh", "y", 3.0)]
    same(described(ops, [], *variables), X)


def test_steps_of_the_largest_value_of_training():
    attrs = {"bit_length": Attribute("INT", 4), "is_test": Attribute("BOOLEAN", True), "window_size": Attribute("INT", 5)}
    outputs = {"Out": ["y"], "OutScale": ["s"], "OutScales": ["all"]}
    ops = [fill("s", 2.5, 1), OpDesc("fake_quantize_range_abs_max", {"X": ["x"], "InScale": ["s"]}, outputs, attrs)]
    same(described(ops, [], tensor("s", 1), tensor("all", 5)), X)


@pytest.mark.parametrize("type", ["one_hot_v2", "fill_constant"])
def test_without_a_dtype_it_is_float32(type: str):
    integers = {"shape": Attribute("INTS", [2]), "dtype": Attribute("INT", 3), "int64_values": Attribute("LONGS", [1, 2])}
    ops = [OpDesc("assign_value", {}, {"Out": ["i"]}, integers)]
    if type == "one_hot_v2":
        ops.append(OpDesc(type, {"X": ["i"]}, {"Out": ["y"]}, {"depth": Attribute("INT", 3)}))
    else:
        ops.append(OpDesc(type, {"ShapeTensor": ["i"]}, {"Out": ["y"]}, {"value": Attribute("FLOAT", 2.0)}))
    same(described(ops, [], tensor("i", 2, dtype=torch.int64)), X)


def test_a_complex_tensor_of_a_shape_that_a_tensor_says():
    complex64 = {"dtype": Attribute("INT", 23), "value": Attribute("FLOAT", 2.0)}
    ops = [
        OpDesc("shape", {"Input": ["x"]}, {"Out": ["s"]}),
        OpDesc("fill_constant", {"ShapeTensor": ["s"]}, {"Out": ["z"]}, complex64),
        OpDesc("real", {"X": ["z"]}, {"Out": ["y"]}),
    ]
    same(described(ops, [], tensor("s", 2, dtype=torch.int32), tensor("z", -1, 3, dtype=torch.complex64)), X)


def test_sequences_are_searched_for_values_of_another_data_type():
    numbers = {"shape": Attribute("INTS", [3]), "dtype": Attribute("INT", 3), "int64_values": Attribute("LONGS", [-1, 0, 2])}
    ops = [
        OpDesc("assign_value", {}, {"Out": ["s"]}, numbers),
        OpDesc("searchsorted", {"SortedSequence": ["s"], "Values": ["x"]}, {"Out": ["y"]}),
    ]
    desc = described(ops, [], tensor("s", 3, dtype=torch.int64))
    desc.blocks[0].vars["y"] = tensor("y", -1, 3, dtype=torch.int64)
    same(desc, X)


@pytest.mark.parametrize("fetched", ["dx", "dz"])
@pytest.mark.parametrize("type", ["elementwise_mul", "matmul_v2"])
def test_gradients_of_a_real_operand_beside_a_complex_one(type: str, fetched: str):
    slots = {"X": ["x"], "Y": ["z"]}
    grads = {"X@GRAD": ["dx"], "Y@GRAD": ["dz"]}
    ops = [
        OpDesc("complex", {"X": ["x"], "Y": ["x"]}, {"Out": ["z"]}),
        OpDesc(type, slots, {"Out": ["w"]}),
        OpDesc(f"{type}_grad", {**slots, "Out@GRAD": ["w"]}, grads),
        OpDesc("imag", {"X": ["dz"]}, {"Out": ["y"]}),
    ]
    variables = [tensor(name, 3, 3, dtype=torch.complex64) for name in ("z", "w", "dz")]
    variables += [tensor("x", 3, 3), tensor("dx", 3, 3), tensor("y", 3, 3)]
    same(described(ops, [], *variables, fetch="y" if fetched == "dz" else "dx"), torch.rand(3, 3))


@pytest.mark.parametrize("type", ["isclose", "allclose"])
def test_tolerances_of_tensors(type: str):
    near = {"Rtol": ["r"], "Atol": ["a"]}
    ops = [scale("x", "z", 1.01), fill("r", 0.02, 1), fill("a", 0.0, 1)]
    ops.append(OpDesc(type, {"Input": ["x"], "Other": ["z"], **near}, {"Out": ["c"]}, {"equal_nan": Attribute("BOOLEAN", False)}))
    ops.append(OpDesc("cast", {"X": ["c"]}, {"Out": ["y"]}, {"in_dtype": Attribute("INT", 0), "out_dtype": Attribute("INT", 5)}))
    c = tensor("c", *([-1, 3] if type == "isclose" else []), dtype=torch.bool)
    variables = [tensor("z", -1, 3), tensor("r", 1), tensor("a", 1), c]
    same(described(ops, [], *variables), X)


def test_complex_numbers_of_a_program():
    numbers = [1 + 2j, -3.5j]
    said = {"values": Attribute("SCALARS", numbers), "shape": Attribute("INTS", [2]), "dtype": Attribute("INT", 23)}
    op = OpDesc("assign_value", {}, {"Out": ["y"]}, said)
    program = described([op], [], tensor("y", 2, dtype=torch.complex64))
    (found,) = ir.compile(ir.from_legacy(program))(torch.zeros(1, 3))
    assert found.dtype == torch.complex64 and found.tolist() == numbers


def test_a_shape_that_is_declared_with_another_data_type():
    ops = [
        OpDesc("cast", {"X": ["x"]}, {"Out": ["wide"]}, {"in_dtype": Attribute("INT", 5), "out_dtype": Attribute("INT", 6)}),
        OpDesc("flatten2", {"X": ["wide"]}, {"Out": ["y"], "XShape": ["shape"]}, {"axis": Attribute("INT", 0)}),
    ]
    desc = described(ops, [], tensor("wide", -1, 3, dtype=torch.float64), tensor("shape", 0, -1, 3))
    desc.blocks[0].vars["y"] = tensor("y", 1, -1, dtype=torch.float64)
    same(desc, X)
