"""Programs of Paddle 2 as programs: they give what Paddle gave, with each intermediate, and train to the same losses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from legacy.models import DATA, INFERENCE, TRAINING, UNWRITTEN, assert_agrees, feed_of, intermediates_of
from legacy.op_cases import CASES, Case

from phi_torch import ir, legacy
from phi_torch.legacy import Attribute, BlockDesc, OpDesc, ProgramDesc, VarDesc
from phi_torch.legacy.single import attribute_of

PASSES: tuple[Any, ...] = ([], "default")


def program_of(folder: Path, fetch: list[str] | None = None) -> ir.Program:
    try:
        program = ir.from_legacy(folder, fetch=fetch)
        ir.compile(program, passes=[])
    except (ir.ProgramError, NotImplementedError) as error:
        is_missing = "the IR has no operator for the kernel" in str(error) or "no kernel for them" in str(error)
        if not is_missing or folder.is_relative_to(DATA):
            raise
        pytest.skip(str(error))
    return program


def check(program: ir.Program, folder: Path, passes: str | list[str]) -> None:
    run = ir.compile(program, passes=passes)
    for io in (np.load(file) for file in sorted(folder.glob("io*.npz"))):
        feed = feed_of(io)
        found = run(*(feed[name] for name, _ in run.inputs))
        for index, (value, (name, _)) in enumerate(zip(found, run.outputs, strict=True)):
            assert_agrees(value, io[f"out{index}"], name)


@pytest.mark.parametrize("folder", INFERENCE, ids=lambda folder: folder.name)
def test_outputs(folder: Path, tmp_path: Path):
    program = program_of(folder)
    assert str(ir.parse(str(program))) == str(program)
    for passes in PASSES:
        check(program, folder, passes)
    program.save(tmp_path / "model.json")  # as a program of Paddle 3
    check(ir.load(tmp_path / "model.json"), folder, "default")


def tensors_of(inner: Any) -> Iterator[tuple[str, np.ndarray]]:
    """The values of variables, without arrays of tensors, and without what nobody has written."""
    for i, name in enumerate(inner["names"].tolist()):
        try:
            value = inner[f"v{i}"]
        except ValueError:  # no array of numbers
            continue
        if value.size and not name.endswith("XSHAPE"):
            yield name, value


@pytest.mark.parametrize("folder", [f for f in INFERENCE if intermediates_of(f).is_file()], ids=lambda folder: folder.name)
def test_intermediates(folder: Path):
    io, inner = np.load(folder / "io.npz"), np.load(intermediates_of(folder))
    expected = {name: value for name, value in tensors_of(inner) if name not in UNWRITTEN.get(folder.name, ())}
    run = ir.compile(program_of(folder, list(expected)), passes=[])
    feed = feed_of(io)
    for name, value in zip(expected, run(*(feed[name] for name, _ in run.inputs)), strict=True):
        assert_agrees(value, expected[name], name)


@pytest.mark.parametrize("passes", PASSES, ids=["no passes", "default"])
@pytest.mark.parametrize("folder", TRAINING, ids=lambda folder: folder.name)
def test_training_steps(folder: Path, passes):
    io = np.load(folder / "io.npz")
    program = program_of(folder, [str(io["loss_name"])])
    run, feed = ir.compile(program, passes=passes), feed_of(io)
    losses = [run(*(feed[name] for name, _ in run.inputs))[0].item() for _ in range(int(io["steps"]))]
    np.testing.assert_allclose(losses, io["loss"].reshape(-1), rtol=1e-4, atol=1e-5)
    for name in io["persistables"].tolist():
        assert_agrees(program.weights[name].data, io[f"after.{name}"], name)


# ---- assignments


def tensor(name: str, *dims: int, dtype: torch.dtype = torch.float32, persistable: bool = False) -> VarDesc:
    return VarDesc(name, dtype=dtype, dims=dims, persistable=persistable)


def scale(x: str, out: str, by: float) -> OpDesc:
    attrs = {"scale": Attribute("FLOAT", by), "bias": Attribute("FLOAT", 0.0), "bias_after_scale": Attribute("BOOLEAN", True)}
    return OpDesc("scale", {"X": [x]}, {"Out": [out]}, attrs)


def described(ops: list[OpDesc], inner: list[BlockDesc], *variables: VarDesc, fetch: str = "y") -> ProgramDesc:
    column = {"col": Attribute("INT", 0)}
    own = [VarDesc("feed", "feed_list"), VarDesc("fetch", "fetch_list"), tensor("x", -1, 3), tensor("y", -1, 3), *variables]
    ops = [OpDesc("feed", {"X": ["feed"]}, {"Out": ["x"]}, column), *ops]
    ops.append(OpDesc("fetch", {"X": [fetch]}, {"Out": ["fetch"]}, column))
    return ProgramDesc([BlockDesc(vars={var.name: var for var in own}, ops=ops), *inner])


def branch(condition: str, block: int, *out: str) -> OpDesc:
    attrs = {"sub_block": Attribute("BLOCK", block), "is_scalar_condition": Attribute("BOOLEAN", True)}
    return OpDesc("conditional_block", {"Cond": [condition], "Input": ["x"]}, {"Out": list(out), "Scope": ["scope"]}, attrs)


def positive(out: str) -> list[OpDesc]:
    """Whether the sum of x is above 0."""
    whole = {"dim": Attribute("INTS", [0]), "keep_dim": Attribute("BOOLEAN", False), "reduce_all": Attribute("BOOLEAN", True)}
    zero = {"shape": Attribute("LONGS", []), "dtype": Attribute("INT", 5), "value": Attribute("FLOAT", 0.0)}
    return [
        OpDesc("reduce_sum", {"X": ["x"]}, {"Out": ["sum"]}, {**whole, "in_dtype": Attribute("INT", -1)}),
        OpDesc("fill_constant", {}, {"Out": ["zero"]}, {**zero, "str_value": Attribute("STRING", "")}),
        OpDesc("greater_than", {"X": ["sum"], "Y": ["zero"]}, {"Out": [out]}, {"axis": Attribute("INT", -1)}),
    ]


CONDITION = (tensor("sum"), tensor("zero"), tensor("c", dtype=torch.bool), VarDesc("scope", "step_scopes"))


def same(desc: ProgramDesc, *inputs: torch.Tensor) -> ir.Program:
    program = ir.from_legacy(desc)
    for passes in PASSES:
        run = ir.compile(program, passes=passes)
        for x in inputs:
            torch.testing.assert_close(run(x)[0], legacy.Executor(desc, {}).run({"x": x})[0])
    return program


X = torch.tensor([[1.0, -2.0, 3.0]])


def test_a_variable_is_assigned_twice():
    desc = described([scale("x", "y", 2.0), scale("y", "y", 3.0)], [])
    program = same(desc, X)
    assert [op.attributes["scale"] for op in program.walk() if op.name == "pd_op.scale"] == [2.0, 3.0]


def test_what_is_detached_shares_its_data():
    same(described([OpDesc("share_data", {"X": ["x"]}, {"Out": ["y"]}), scale("y", "y", 2.0)], []), X)


def test_a_branch_that_does_not_run_keeps_what_was_there():
    inner = BlockDesc(1, 0, {}, [scale("x", "y", -1.0), scale("y", "y", 5.0)])
    desc = described([scale("x", "y", 2.0), *positive("c"), branch("c", 1, "y")], [inner], *CONDITION)
    program = same(desc, X, -X, torch.cat([X, X]))
    (found,) = [op for op in program.walk() if op.name == "pd_op.if"]
    assert len(found.results) == 1


def test_branches_in_branches():
    innermost = BlockDesc(2, 1, {}, [scale("x", "y", 7.0)])
    inner = BlockDesc(1, 0, {}, [scale("x", "y", -1.0), branch("c", 2, "y")])
    desc = described([scale("x", "y", 2.0), *positive("c"), branch("c", 1, "y")], [inner, innermost], *CONDITION)
    same(desc, X, -X)


def test_a_variable_without_a_value():
    inner = BlockDesc(1, 0, {}, [scale("x", "y", -1.0)])
    desc = described([*positive("c"), branch("c", 1, "y")], [inner], *CONDITION)
    (found,) = ir.compile(ir.from_legacy(desc))(X)
    assert torch.equal(found, -X)
    with pytest.raises(ir.ProgramError, match=r"op 1 \(scale\): variable 'y' has no value yet"):
        ir.from_legacy(described([scale("y", "y", 2.0)], []))


def fill(out: str, number: float, *shape: int, dtype: int = 5) -> OpDesc:
    said = {"shape": Attribute("LONGS", [*shape]), "dtype": Attribute("INT", dtype), "value": Attribute("FLOAT", number)}
    return OpDesc("fill_constant", {}, {"Out": [out]}, {**said, "str_value": Attribute("STRING", "")})


def undefined(out: str) -> OpDesc:
    """What PaddlePaddle assigns to a variable that has no value before a loop."""
    said = {"shape": Attribute("INTS", [1]), "dtype": Attribute("INT", 5), "fp32_values": Attribute("FLOATS", [1.77113e27])}
    return OpDesc("assign_value", {}, {"Out": [out]}, said)


def loop(block: int, *names: str) -> OpDesc:
    out = {"Out": [*names, "again"], "StepScopes": ["scope"]}
    return OpDesc("while", {"Condition": ["again"], "X": [*names]}, out, {"sub_block": Attribute("BLOCK", block)})


AGAIN = (tensor("again", 1, dtype=torch.bool), tensor("i", 1), tensor("three", 1), VarDesc("scope", "step_scopes"))


def counts() -> list[OpDesc]:
    return [
        OpDesc("increment", {"X": ["i"]}, {"Out": ["i"]}, {"step": Attribute("FLOAT", 1.0)}),
        OpDesc("less_than", {"X": ["i"], "Y": ["three"]}, {"Out": ["again"]}, {"axis": Attribute("INT", -1)}),
    ]


@pytest.mark.parametrize("before", [undefined("y"), fill("y", 0.0)])
@pytest.mark.parametrize("nested", [False, True])
def test_a_variable_has_its_first_value_in_a_loop(before: OpDesc, nested: bool):
    start = [fill("i", 0.0, 1), fill("three", 3.0, 1), counts()[1]]
    if nested:  # the inner loop runs once, and has the counter of the outer one
        inner = [BlockDesc(1, 0, {}, [loop(2, "i", "y")]), BlockDesc(2, 1, {}, [scale("x", "y", 2.0), *counts()])]
    else:
        inner = [BlockDesc(1, 0, {}, [scale("x", "y", 2.0), *counts()])]
    same(described([*start, before, loop(1, "i", "y")], inner, *AGAIN), X)


def test_a_branch_in_a_loop_gives_a_variable_its_first_value():
    inner = [BlockDesc(1, 0, {}, [branch("c", 2, "y"), *counts()]), BlockDesc(2, 1, {}, [scale("x", "y", 2.0)])]
    start = [fill("i", 0.0, 1), fill("three", 3.0, 1), counts()[1], *positive("c"), fill("y", 0.0)]
    same(described([*start, loop(1, "i", "y")], inner, *AGAIN, *CONDITION[:-1]), X)


def test_a_number_that_a_loop_reads_stays_one():
    add = OpDesc("elementwise_add", {"X": ["x"], "Y": ["y"]}, {"Out": ["y"]}, {"axis": Attribute("INT", -1)})
    start = [fill("i", 0.0, 1), fill("three", 3.0, 1), counts()[1], fill("y", 1.0)]
    desc = described([*start, loop(1, "i", "y")], [BlockDesc(1, 0, {}, [add, *counts()])], *AGAIN)
    with pytest.raises(ir.ProgramError, match=r"op 5 \(while\): variable 'y' is f32\[\] on one way, and f32\[s0,3\] on another"):
        ir.from_legacy(desc)


def test_an_input_that_is_assigned_has_its_own_shape():
    join = OpDesc("concat", {"X": ["x", "x"]}, {"Out": ["y"]}, {"axis": Attribute("INT", 0)})
    desc = described([join, OpDesc("assign", {"X": ["y"]}, {"Out": ["x"]}), scale("x", "y", 2.0)], [])
    for name, rows in (("x", 4), ("y", 4)):
        desc.blocks[0].vars[name] = tensor(name, rows, 3)
    same(desc, torch.cat([X, -X]), X)


def test_a_state_that_begins_with_more_than_its_operator_gives():
    inputs = {"Predict": ["x"], "Label": ["label"], "StatPos": ["pos"], "StatNeg": ["neg"]}
    attrs = {"curve": Attribute("STRING", "ROC"), "num_thresholds": Attribute("INT", 4), "slide_steps": Attribute("INT", 0)}
    auc = OpDesc("auc", inputs, {"AUC": ["y"], "StatPosOut": ["pos"], "StatNegOut": ["neg"]}, attrs)
    feed = OpDesc("feed", {"X": ["feed"]}, {"Out": ["label"]}, {"col": Attribute("INT", 1)})
    states = [tensor(name, 1, 5, dtype=torch.int64, persistable=True) for name in ("pos", "neg")]
    desc = described([feed, auc], [], tensor("label", -1, 1, dtype=torch.int64), *states)
    desc.blocks[0].vars |= {"x": tensor("x", -1, 2), "y": tensor("y", dtype=torch.float64)}
    x, label = torch.tensor([[0.7, 0.3], [0.4, 0.6], [0.1, 0.9]]), torch.tensor([[1], [0], [1]])

    def begin() -> dict[str, torch.Tensor]:
        return {name: torch.zeros(6, dtype=torch.int64) for name in ("pos", "neg")}  # as paddle.static.auc makes them

    run, executor = ir.compile(ir.from_legacy(desc, begin())), legacy.Executor(desc, begin())
    for more in range(2):
        torch.testing.assert_close(executor.run({"x": x, "label": label})[0], torch.tensor(0.5, dtype=torch.float64))
        torch.testing.assert_close(run(x, label)[0], torch.tensor(0.5, dtype=torch.float64))
        assert executor.parameters["pos"].tolist() == [[0, more + 1, 0, more + 1, 0]]
    module = legacy.ProgramModule(desc, begin())
    assert [module(x, label).item() for _ in range(2)] == [0.5, 0.5]
    with pytest.raises(ir.ProgramError, match="parameter 'pos': the program says torch.int64 .*, it is torch.int32"):
        ir.from_legacy(desc, {name: state.int() for name, state in begin().items()})


def test_a_parameter_that_is_declared_without_a_type():
    """As the padded weights that a pass of PaddlePaddle makes of those of `fc`."""
    attrs = {"in_num_col_dims": Attribute("INT", 1), "padding_weights": Attribute("BOOLEAN", True)}
    weight = torch.nn.functional.pad(torch.rand(3, 3), (0, 4, 0, 4))
    desc = described([OpDesc("fc", {"Input": ["x"], "W": ["w"]}, {"Out": ["y"]}, attrs)], [])
    desc.blocks[0].vars["w"] = VarDesc("w", dtype=None, dims=None, persistable=True)
    for run in (ir.compile(ir.from_legacy(desc, {"w": weight})), ir.to_module(ir.from_legacy(desc, {"w": weight}))):
        found = run(X)
        torch.testing.assert_close(found if isinstance(found, torch.Tensor) else found[0], X @ weight[:3, :3])


def test_a_saved_variable_gets_another_shape():
    join = OpDesc("concat", {"X": ["x", "x"]}, {"Out": ["kept"]}, {"axis": Attribute("INT", 0)})
    desc = described([join, scale("kept", "y", 2.0)], [], tensor("kept", -1, 3, persistable=True))
    executor, module = legacy.Executor(desc, {"kept": torch.ones(9, 3)}), legacy.ProgramModule(desc, {"kept": torch.ones(9, 3)})
    run = ir.compile(ir.from_legacy(desc, {"kept": torch.ones(9, 3)}))
    for x in (X, torch.cat([X] * 7), X):
        for found in (executor.run({"x": x})[0], module(x), run(x)[0]):
            torch.testing.assert_close(found, 2 * torch.cat([x, x]))
    assert executor.parameters["kept"].tolist() == torch.cat([X, X]).tolist()


def test_a_size_that_was_guessed_is_no_fault():
    one = {"axes": Attribute("INTS", [0]), "decrease_axis": Attribute("INTS", [0]), "infer_flags": Attribute("INTS", [1])}
    first = {**one, "starts": Attribute("INTS", [0]), "ends": Attribute("INTS", [1])}
    rows = {"axes": Attribute("INTS", [0]), "decrease_axis": Attribute("INTS", []), "infer_flags": Attribute("INTS", [-1])}
    part = {**rows, "starts": Attribute("INTS", [-1]), "ends": Attribute("INTS", [-1])}
    ops = [
        OpDesc("feed", {"X": ["feed"]}, {"Out": ["end"]}, {"col": Attribute("INT", 1)}),
        OpDesc("shape", {"Input": ["x"]}, {"Out": ["shape"]}),
        OpDesc("slice", {"Input": ["shape"]}, {"Out": ["rows"]}, first),
        OpDesc("cast", {"X": ["rows"]}, {"Out": ["count"]}, {"in_dtype": Attribute("INT", 2), "out_dtype": Attribute("INT", 3)}),
        OpDesc("elementwise_sub", {"X": ["end"], "Y": ["count"]}, {"Out": ["start"]}, {"axis": Attribute("INT", -1)}),
        OpDesc("concat", {"X": ["x", "pair"]}, {"Out": ["more"]}, {"axis": Attribute("INT", 0)}),
        OpDesc("scale", {"X": ["count"]}, {"Out": ["plus"]}, {**scale("", "", 1.0).attrs, "bias": Attribute("FLOAT", 2.0)}),
        OpDesc("elementwise_add", {"X": ["start"], "Y": ["plus"]}, {"Out": ["stop"]}, {"axis": Attribute("INT", -1)}),
        OpDesc("slice", {"Input": ["table"], "StartsTensorList": ["start"], "EndsTensorList": ["stop"]}, {"Out": ["part"]}, part),
        OpDesc("elementwise_add", {"X": ["more"], "Y": ["part"]}, {"Out": ["y"]}, {"axis": Attribute("INT", -1)}),
    ]
    numbers = [tensor(name, 1, dtype=torch.int64) for name in ("start", "stop", "end")]
    inner = [
        tensor("shape", 2, dtype=torch.int32),
        tensor("rows", dtype=torch.int32),
        *(tensor(name, dtype=torch.int64) for name in ("count", "plus")),
    ]
    desc = described(ops, [], *numbers, *inner, tensor("part", -1, 3), tensor("more", -1, 3))
    desc.blocks[0].vars |= {"table": tensor("table", 50, 3, persistable=True), "pair": tensor("pair", 2, 3, persistable=True)}
    table = torch.arange(150.0).reshape(50, 3)
    for passes in PASSES:
        run = ir.compile(ir.from_legacy(desc, {"table": table, "pair": torch.ones(2, 3)}), passes=passes)
        for count, end in ((2, 5), (5, 45)):
            torch.testing.assert_close(run(torch.ones(count, 3), torch.tensor([end]))[0], table[end - count : end + 2] + 1)


def test_a_scale_that_is_only_observed_stays_in_tests():
    attrs = {"moving_rate": Attribute("FLOAT", 0.9), "is_test": Attribute("BOOLEAN", True)}
    observe = OpDesc("moving_average_abs_max_scale", {"X": ["x"]}, {"Out": ["y"], "OutScale": ["scale"]}, attrs)
    desc = described([observe], [], tensor("scale", 1, persistable=True))
    executor, program = legacy.Executor(desc, {"scale": torch.ones(1)}), ir.from_legacy(desc, {"scale": torch.ones(1)})
    module = legacy.ProgramModule(desc, {"scale": torch.ones(1)})
    for found in (executor.run({"x": X})[0], ir.compile(program)(X)[0], module(X), module(X.clone().requires_grad_())):
        torch.testing.assert_close(found.detach(), X)
    kept = (executor.parameters["scale"], program.weights["scale"].data, module.get_buffer("scale"))
    assert [scale.tolist() for scale in kept] == [[1.0]] * 3


def test_a_scale_is_not_written_in_tests():
    attrs = {"moving_rate": Attribute("FLOAT", 0.9), "bit_length": Attribute("INT", 8), "is_test": Attribute("BOOLEAN", True)}
    inputs, outputs = {"X": ["x"], "InScale": ["scale"]}, {"Out": ["y"], "OutScale": ["scale"]}
    quantize = OpDesc("fake_quantize_dequantize_moving_average_abs_max", inputs, outputs, attrs)
    program = ir.from_legacy(described([quantize], [], tensor("scale", 1, persistable=True)), {"scale": torch.tensor([3.0])})
    assert not program.weights["scale"].is_mutable and "set_parameter" not in str(program)
    torch.testing.assert_close(ir.compile(program)(X)[0], torch.round(X.clip(-3, 3) / 3 * 127) * 3 / 127)


def test_operators_that_the_ir_lacks_are_listed_at_once():
    ops = [OpDesc("no_such", {"X": ["x"]}, {"Out": ["y"]}), scale("y", "y", 2.0), OpDesc("nor_such", {"X": ["x"]}, {"Out": ["y"]})]
    with pytest.raises(ir.ProgramError, match="no operator 'no_such'(.|\n)*no operator 'nor_such'") as error:
        ir.from_legacy(described(ops, []))
    assert "scale" not in str(error.value)


def test_paths(tmp_path: Path):
    text = str(ir.from_legacy(DATA / "wide_deep"))
    for path in (DATA / "wide_deep", DATA / "wide_deep" / "model.pdmodel", DATA / "wide_deep" / "model"):
        assert str(ir.load(path)) == text


# ---- one operator


def described_case(case: Case, results: dict[str, list[torch.Tensor]]) -> tuple[ProgramDesc, dict[str, torch.Tensor], list[str]]:
    block, op, feed = BlockDesc(), OpDesc(case.type), dict[str, torch.Tensor]()
    for slot, given in case.inputs.items():
        tensors = [given] if isinstance(given, torch.Tensor) else given
        op.inputs[slot] = [f"{slot}_{index}" for index in range(len(tensors))]
        feed |= zip(op.inputs[slot], tensors)
    op.attrs = {name: attribute_of(case.type, name, value) for name, value in case.attrs.items()}
    for name, value in feed.items():
        block.vars[name] = VarDesc(name, dtype=value.dtype, dims=tuple(value.shape), need_check_feed=True)
    names: list[str] = []
    for slot, values in results.items():
        op.outputs[slot] = [f"out_{slot}_{i}" for i in range(len(values))]
        for name, value in zip(op.outputs[slot], values):
            block.vars[name] = VarDesc(name, dtype=value.dtype, dims=tuple(value.shape))
        names += [name for name in op.outputs[slot] if slot != "XShape"]
    block.ops.append(op)
    return ProgramDesc([block]), feed, names


def test_a_size_like_one_that_is_not_known():
    attrs = {"shape": [-1, 3], "value": 1.5, "dtype": torch.float32, "input_dim_idx": 0, "output_dim_idx": 0}
    op = OpDesc("fill_constant_batch_size_like", {"Input": ["x"]}, {"Out": ["y"]})
    op.attrs = {name: attribute_of(op.type, name, value) for name, value in attrs.items()}
    run = ir.compile(ir.from_legacy(described([op], [])))
    for batch in (2, 5):
        assert torch.equal(run(torch.zeros(batch, 3))[0], torch.full((batch, 3), 1.5))


def test_a_number_in_a_tensor_that_no_operand_takes():
    median = OpDesc("nanmedian", {"X": ["x"], "AxisTensor": ["axis"]}, {"Out": ["y"]}, {"keepdim": Attribute("BOOLEAN", False)})
    axis = {"shape": Attribute("INTS", [1]), "dtype": Attribute("INT", 3), "int64_values": Attribute("LONGS", [1])}
    ops = [OpDesc("assign_value", {}, {"Out": ["axis"]}, axis), median]
    same(described(ops, [], tensor("axis", 1, dtype=torch.int64), tensor("y", -1)), X)


# of which the IR has no operator: what is given, and attributes
WHOLE: dict[str, tuple[dict[str, tuple[int, ...]], dict[str, Any], tuple[str, ...]]] = {
    "huber_loss_grad": ({"Residual": (4, 1), "Out@GRAD": (4, 1)}, {"delta": 0.5}, ("X@GRAD", "Y@GRAD")),
    "bilinear_tensor_product_grad": (
        {"X": (4, 3), "Y": (4, 2), "Weight": (5, 3, 2), "Out@GRAD": (4, 5)},
        {},
        ("X@GRAD", "Y@GRAD", "Weight@GRAD"),
    ),
    "instance_norm_grad": (
        {"X": (2, 3, 4, 4), "Scale": (3,), "SavedMean": (6,), "SavedVariance": (6,), "Y@GRAD": (2, 3, 4, 4)},
        {"epsilon": 1e-5},
        ("X@GRAD", "Scale@GRAD", "Bias@GRAD"),
    ),
    "tanh_grad_grad": ({"Out": (2, 3), "grad_out": (2, 3), "grad_x@GRAD": (2, 3)}, {}, ("Out@GRAD", "grad_out@GRAD")),
    "elementwise_add_grad_grad": ({"Y": (3,), "DOut": (2, 3), "DDX": (2, 3), "DDY": (3,)}, {"axis": -1}, ("DDOut",)),
    "mul_grad_grad": ({"X": (2, 3), "Y": (3, 4), "DOut": (2, 4), "DDX": (2, 3), "DDY": (3, 4)}, {}, ("DDOut", "DX", "DY")),
    "data_norm": ({"X": (4, 3), "BatchSize": (3,), "BatchSum": (3,), "BatchSquareSum": (3,)}, {}, ("Y", "Means", "Scales")),
    "row_conv": ({"X": (2, 5, 3), "Filter": (2, 3)}, {}, ("Out",)),
}


@pytest.mark.parametrize("type", WHOLE)
def test_operators_that_run_as_in_programs_of_paddle_2(type: str, tmp_path: Path):
    dims, attrs, outputs = WHOLE[type]
    inputs = {slot: torch.rand(sizes) + 0.1 for slot, sizes in dims.items()}
    results = {slot: [one] for slot, one in legacy.run_op(type, inputs, attrs, outputs).items()}
    desc, feed, names = described_case(Case(type, 0, inputs, attrs), results)
    program = ir.from_legacy(desc, fetch=names)
    program.save(tmp_path / "saved.phi")
    for run in (ir.compile(program), ir.compile(ir.load(tmp_path / "saved.phi"))):
        found = run(*(feed[name] for name, _ in run.inputs))
        torch.testing.assert_close(list(found), [many[0] for many in results.values()])


def test_an_operator_that_runs_as_in_programs_of_paddle_2_writes_to_its_parameter():
    slots = {"Param": ["w"], "Grad": ["w"], "Velocity": ["v"], "LearningRate": ["r"]}
    attrs = {"mu": 0.9, "lars_coeff": 0.1, "lars_weight_decay": [0.01], "epsilon": 0.0, "rescale_grad": 1.0}
    said = {name: attribute_of("lars_momentum", name, value) for name, value in attrs.items()}
    op = OpDesc("lars_momentum", slots, {"ParamOut": ["w"], "VelocityOut": ["v"]}, said)
    variables = [tensor("w", 3, persistable=True), tensor("v", 3, persistable=True), tensor("r", 1, persistable=True)]
    desc = described([op, OpDesc("elementwise_add", {"X": ["x"], "Y": ["w"]}, {"Out": ["y"]})], [], *variables)
    begin = {"w": torch.tensor([1.0, 2.0, 3.0]), "v": torch.zeros(3), "r": torch.tensor([0.5])}

    def copies() -> dict[str, torch.Tensor]:
        return {name: one.clone() for name, one in begin.items()}

    run, executor = ir.compile(ir.from_legacy(desc, copies())), legacy.Executor(desc, copies())
    for _ in range(3):
        torch.testing.assert_close(run(X)[0], executor.run({"x": X})[0])


@pytest.mark.parametrize("case", CASES, ids=str)
def test_operators(case: Case):
    found = legacy.run_op(case.type, case.inputs, case.attrs, case.outputs)
    results = {slot: [many] if isinstance(many, torch.Tensor) else list(many) for slot, many in found.items()}
    desc, feed, names = described_case(case, results)
    run = ir.compile(ir.from_legacy(desc, fetch=names), passes=[])
    expected = [value for slot, values in results.items() if slot != "XShape" for value in values]
    for name, ours, theirs in zip(names, run(*(feed[name] for name, _ in run.inputs)), expected, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-5, msg=lambda text, name=name: f"{name}: {text}")
