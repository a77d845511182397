"""Programs give what PaddlePaddle gave, operator by operator, under autograd, compiled and exported."""

from __future__ import annotations

import csv
import gc
import itertools
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch._dynamo.testing import CompileCounter

import phi_torch
from phi_torch import legacy
from phi_torch.legacy import Attribute, BlockDesc, Executor, OpDesc, ProgramDesc, ProgramError, VarDesc
from phi_torch.legacy._operators import OPERATORS

from .models import DATA, FOLDERS, INFERENCE, TRAINING, UNWRITTEN, assert_agrees, feed_of, intermediates_of, trace_of


def executor_of(folder: Path) -> Executor:
    program, parameters = legacy.read_model(folder)
    try:
        return Executor(program, parameters, source=folder.name)
    except ProgramError as error:
        if "cannot run" not in str(error):
            raise
        assert not folder.is_relative_to(DATA)
        pytest.skip(str(error))


@pytest.mark.parametrize("folder", INFERENCE, ids=lambda folder: folder.name)
def test_outputs(folder: Path):
    executor = executor_of(folder)
    for io in (np.load(file) for file in sorted(folder.glob("io*.npz"))):
        found = executor.run(feed_of(io))
        assert len(found) == len(executor.fetches)
        for index, value in enumerate(found):
            assert_agrees(value, io[f"out{index}"], executor.fetches[index])


def is_absent(inner: np.lib.npyio.NpzFile, key: str) -> bool:
    """Whether Paddle gave no value, which numpy keeps as an object."""
    with inner.zip.open(f"{key}.npy") as file:
        np.lib.format.read_magic(file)
        return np.lib.format.read_array_header_1_0(file)[2].hasobject


@pytest.mark.parametrize("folder", [f for f in INFERENCE if intermediates_of(f).is_file()], ids=lambda folder: folder.name)
def test_intermediates(folder: Path):
    executor, io, inner = executor_of(folder), np.load(folder / "io.npz"), np.load(intermediates_of(folder))
    names, absent = inner["names"].tolist(), {key for key in inner if is_absent(inner, key)}
    assert len(absent) < len(names) / 2
    with torch.no_grad():
        found = executor.run(feed_of(io), names)
    for index, (name, value) in enumerate(zip(names, found)):
        if f"v{index}" not in absent and name not in UNWRITTEN.get(folder.name, ()):
            assert_agrees(value, inner[f"v{index}"], f"{name} of {inner['op_type'][index]}")


@pytest.mark.parametrize("folder", TRAINING, ids=lambda folder: folder.name)
def test_training_steps(folder: Path):
    executor, io = executor_of(folder), np.load(folder / "io.npz")
    losses = [executor.run(feed_of(io), [str(io["loss_name"])])[0].item() for _ in range(int(io["steps"]))]
    np.testing.assert_allclose(losses, io["loss"].reshape(-1), rtol=1e-4, atol=1e-5)
    for name in io["persistables"].tolist():
        assert_agrees(executor.parameters[name], io[f"after.{name}"], name)


# kernels of Paddle 2.6.2 that 3.3.1, whose mapping ours is, calls otherwise
LATER = {
    **{f"{op}2": {op: f"{op}_with_xshape"} for op in ("reshape", "squeeze", "unsqueeze")},
    **{"flatten_contiguous_range": {"flatten_infer": "flatten", "flatten": "flatten_with_xshape"}, "fc": {"fc": "fc"}},
    "quantize_linear": {"quantize_linear": "quantize_linear_deprecated_infer"},
    "dequantize_linear": {"dequantize_linear": "dequantize_linear_deprecated"},
}
# arguments of the same kernels that one of the two versions does not have
OF_ONE_VERSION = {
    "adam": {"Moment2Max", "amsgrad", "Moment2MaxOut"},
    "argsort": {"stable"},
    "reshape2_grad": {"XShape"},
    "dequantize_linear": {"InAccum", "InState"},
}


def in_both_versions(ran: tuple[Any, ...]) -> tuple[Any, ...]:
    """An operator, its kernel and the inputs, attributes and outputs of that, without what the other version cannot have.

    Of kernels with other names the inputs are compared alone.
    """
    type, kernel, *signature = ran
    signature = signature[:1] if type in LATER else signature
    dropped = OF_ONE_VERSION.get(type, set())
    return (type, kernel, *(tuple(name for name in names if name not in dropped) for names in signature))


@pytest.mark.parametrize("folder", [f for f in FOLDERS if trace_of(f).is_file()], ids=lambda folder: folder.name)
def test_kernels_are_those_that_paddle_ran(folder: Path):
    executor, io = executor_of(folder), np.load(folder / "io.npz")
    executor.trace = []
    executor.run(feed_of(io), [] if folder in TRAINING else None)
    with trace_of(folder).open() as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["op_type"] not in OPERATORS and row["kernel"]]
    expected, unsigned = set(), {row["op_type"] for row in rows if not row["sig_outputs"]}
    assert unsigned <= {"quantize_linear"}, "what Paddle ran without a mapping"
    for row in rows:
        kernel = LATER.get(row["op_type"], {}).get(row["kernel"], row["kernel"])
        signature = (tuple(filter(None, row[key].split(", "))) for key in ("sig_inputs", "sig_attrs", "sig_outputs"))
        expected.add(in_both_versions((row["op_type"], kernel, *signature)))
    types = {row["op_type"] for row in rows}  # some had no phi kernel yet
    ran = [(one.type, *one.signature) for one in executor.trace if one.signature is not None and one.type in types]
    assert {one[:2] for one in ran} == {one[:2] for one in expected}
    ours = {in_both_versions(one) for one in ran}
    assert {one for one in ours if one[0] not in unsigned} == {one for one in expected if one[0] not in unsigned}


def test_a_startup_program_makes_the_parameters():
    made = Executor(legacy.read_program(DATA / "train_mlp_sgd" / "startup.pdmodel"), {})
    made.run({}, [])
    program, parameters = legacy.read_model(DATA / "train_mlp_sgd")
    assert {name: t.shape for name, t in made.parameters.items()} == {name: t.shape for name, t in parameters.items()}
    io = np.load(DATA / "train_mlp_sgd" / "io.npz")
    executor = Executor(program, made.parameters)
    losses = [executor.run(feed_of(io), [str(io["loss_name"])])[0].item() for _ in range(20)]
    assert losses[-1] < losses[0]


# ---- modules


def test_a_model_in_three_lines():
    model = legacy.load(DATA / "wide_deep")
    io = np.load(DATA / "wide_deep" / "io.npz")
    feed = feed_of(io)
    assert model.inputs == list(feed)
    assert_agrees(model(*feed.values()), io["out0"], "by position")
    assert_agrees(model(**feed), io["out0"], "by name")
    with pytest.raises(ProgramError, match=r"expected the inputs \['ids', 'dense'\], got \['ids', 'x'\]"):
        model(feed["ids"], x=feed["dense"])
    with pytest.raises(ProgramError, match="input 'ids': it is given twice"):
        model(feed["dense"], feed["dense"], ids=feed["ids"])
    with pytest.raises(TypeError, match="input 'dense': expected a tensor, got ndarray; torch.as_tensor makes one"):
        model(feed["ids"], feed["dense"].numpy())


def test_the_state_has_the_program_s_names():
    program, parameters = legacy.read_model(DATA / "dcgan")
    model = legacy.ProgramModule(program, parameters)
    assert model.state_dict().keys() == parameters.keys()
    buffers = {name for name, _ in model.named_buffers()}
    norm = next(op for op in program.blocks[0].ops if op.type == "batch_norm")
    assert {norm.inputs["Mean"][0], norm.inputs["Variance"][0]} <= buffers
    assert {norm.inputs["Scale"][0], *norm.inputs["Bias"]} <= {name for name, _ in model.named_parameters()}
    assert all(tensor.data_ptr() == model.state_dict()[name].data_ptr() for name, tensor in parameters.items()), "copied"


def test_names_that_modules_use_themselves():
    variables = {name: VarDesc(name, dtype=torch.float32, dims=(2,), persistable=True) for name in ("type", "a", "a.b", "x..y")}
    model = legacy.ProgramModule(ProgramDesc([BlockDesc(vars=variables)]), {name: torch.ones(2) for name in variables})
    assert len(model.state_dict()) == 4 and callable(model.type)


@pytest.mark.parametrize("name", ["dcgan", "wide_deep"])
def test_fullgraph_and_export(name: str):
    model = legacy.load(DATA / name).requires_grad_(False)
    inputs = tuple(feed_of(np.load(DATA / name / "io.npz")).values())
    expected = model(*inputs)
    torch._dynamo.reset()
    torch.testing.assert_close(torch.compile(model, fullgraph=True, backend="aot_eager")(*inputs), expected)
    exported = torch.export.export(model, inputs)
    torch.testing.assert_close(exported.module()(*inputs), expected)
    called = [str(node.target) for node in exported.graph.nodes if node.op == "call_function"]
    assert [name for name in called if name.startswith("phi.")]
    assert {name for name in called if name.startswith("aten.")} <= {"aten.new_empty.default"}  # a shape for a gradient


def sized_program(ranged: bool) -> ProgramDesc:
    """x as rows of 2, and numbers for its rows if they are `ranged`: sizes that are computed from its shape."""
    one = {"shape": Attribute("LONGS", [1]), "dtype": Attribute("INT", 2), "str_value": Attribute("STRING", "")}
    cut = {"axes": Attribute("INTS", [0]), "starts": Attribute("INTS", [0]), "ends": Attribute("INTS", [1])}
    cut |= {"infer_flags": Attribute("INTS", [1]), "decrease_axis": Attribute("INTS", [0])}
    twice = {"scale": Attribute("FLOAT", 2.0), "bias": Attribute("FLOAT", 0.0), "bias_after_scale": Attribute("BOOLEAN", True)}
    ops = [
        OpDesc("feed", {"X": ["feed"]}, {"Out": ["x"]}, {"col": Attribute("INT", 0)}),
        OpDesc("shape", {"Input": ["x"]}, {"Out": ["shape"]}),
        OpDesc("slice", {"Input": ["shape"]}, {"Out": ["rows"]}, cut),
        OpDesc("scale", {"X": ["rows"]}, {"Out": ["many"]}, twice),
        OpDesc("fill_constant", {}, {"Out": ["two"]}, {**one, "value": Attribute("FLOAT", 2.0)}),
        OpDesc("reshape2", {"X": ["x"], "ShapeTensor": ["many", "two"]}, {"Out": ["y"]}, {"shape": Attribute("INTS", [-1, -1])}),
        OpDesc("fill_constant", {}, {"Out": ["zero"]}, {**one, "value": Attribute("FLOAT", 0.0)}),
        OpDesc("fill_constant", {}, {"Out": ["by"]}, {**one, "value": Attribute("FLOAT", 1.0)}),
        OpDesc("range", {"Start": ["zero"], "End": ["many"], "Step": ["by"]}, {"Out": ["n"]}),
        OpDesc("fetch", {"X": ["y"]}, {"Out": ["fetch"]}, {"col": Attribute("INT", 0)}),
        OpDesc("fetch", {"X": ["n"]}, {"Out": ["fetch"]}, {"col": Attribute("INT", 1)}),
    ]
    program = program_of(*(ops if ranged else ops[:6] + ops[9:10]), x=(-1, 4), y=(-1, 2))
    for name in ("shape", "rows", "many", "two", "zero", "by", "n"):
        program.blocks[0].vars[name] = VarDesc(name, dtype=torch.int32, dims=(-1,))
    program.blocks[0].vars |= {"feed": VarDesc("feed", "feed_list"), "fetch": VarDesc("fetch", "fetch_list")}
    return program


@pytest.mark.parametrize("ranged", [False, True])
def test_sizes_from_shapes_are_symbolic_in_a_graph(ranged: bool):
    model, calls = legacy.ProgramModule(sized_program(ranged), {}), CompileCounter()
    torch._dynamo.reset()
    compiled = torch.compile(model, fullgraph=True, backend=calls, dynamic=True)
    for rows in (3, 5, 7):
        x = torch.arange(4.0 * rows).reshape(rows, 4)
        for found in (model(x), compiled(x)):
            y, *n = found if ranged else (found,)
            assert torch.equal(y, x.reshape(2 * rows, 2))
            assert not ranged or torch.equal(n[0], torch.arange(2 * rows, dtype=torch.int32))
    assert calls.frame_count == 1 + 2 * ranged  # a Scalar is not symbolic


def test_bfloat16():
    model = legacy.load(DATA / "dcgan")
    (x,) = feed_of(np.load(DATA / "dcgan" / "io.npz")).values()
    expected, found = model(x), model.to(torch.bfloat16)(x.bfloat16())
    assert found.dtype == torch.bfloat16
    torch.testing.assert_close(found.float(), expected, rtol=0.05, atol=0.05)


def test_what_a_program_makes_follows_the_parameters():
    variables = {name: VarDesc(name, dtype=torch.float32, dims=(2,)) for name in ("x", "one", "sum", "y")}
    variables["w"] = VarDesc("w", dtype=torch.float32, dims=(2,), persistable=True)
    variables |= {"feed": VarDesc("feed", "feed_list"), "fetch": VarDesc("fetch", "fetch_list")}
    full = {"shape": Attribute("LONGS", [2]), "dtype": Attribute("INT", 5), "value": Attribute("FLOAT", 1.0)}
    axis = {"axis": Attribute("INT", -1)}
    ops = [
        OpDesc("feed", {"X": ["feed"]}, {"Out": ["x"]}, {"col": Attribute("INT", 0)}),
        OpDesc("fill_constant", {}, {"Out": ["one"]}, {**full, "str_value": Attribute("STRING", "")}),
        OpDesc("elementwise_add", {"X": ["x"], "Y": ["one"]}, {"Out": ["sum"]}, axis),
        OpDesc("elementwise_mul", {"X": ["sum"], "Y": ["w"]}, {"Out": ["y"]}, axis),
        OpDesc("fetch", {"X": ["y"]}, {"Out": ["fetch"]}, {"col": Attribute("INT", 0)}),
    ]
    model = legacy.ProgramModule(ProgramDesc([BlockDesc(vars=variables, ops=ops)]), {"w": torch.ones(2)})
    for dtype in (torch.float32, torch.bfloat16, torch.float64):
        assert model.to(dtype)(torch.ones(2, dtype=dtype)).dtype == dtype


def test_a_fetch_has_a_variable_for_what_it_fetches():
    program = program_of(OpDesc("fetch", {"X": ["x"]}, {"Out": []}, {"col": Attribute("INT", 0)}), x=(2,))
    with pytest.raises(ProgramError, match=r"op 0 \(fetch\).*slot Out: expected a variable, got none"):
        Executor(program, {})


def test_fine_tuning():
    model = legacy.load(DATA / "wide_deep")
    inputs = tuple(feed_of(np.load(DATA / "wide_deep" / "io.npz")).values())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    losses = []
    for _ in range(5):
        loss = (model(*inputs) - 1).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0]


@pytest.mark.parametrize("name", ["ctl_while", "ctl_cond"])
def test_control_flow_has_gradients(name: str):
    model, feed = legacy.load(DATA / name).double(), feed_of(np.load(DATA / name / "io.npz"))

    def loss(x: torch.Tensor) -> torch.Tensor:
        return sum(out.square().sum() for out in model(**{**feed, "x": x}) if out.is_floating_point())

    x = feed["x"].double().requires_grad_()
    loss(x).backward()
    assert x.grad is not None and x.grad.abs().sum() > 0
    step = torch.zeros_like(x)
    step[0, 0] = 1e-6
    with torch.no_grad():
        expected = (loss(x + step) - loss(x - step)) / 2e-6
    torch.testing.assert_close(x.grad[0, 0], expected, rtol=1e-4, atol=1e-6)


# ---- the executor


def program_of(*ops: OpDesc, **variables: tuple[int, ...]) -> ProgramDesc:
    described = {name: VarDesc(name, dtype=torch.float32, dims=dims) for name, dims in variables.items()}
    return ProgramDesc([BlockDesc(vars=described, ops=list(ops))])


def unary(type: str, x: str, out: str, **attrs: Attribute) -> OpDesc:
    return OpDesc(type, {"X": [x]}, {"Out": [out]}, attrs)


def test_variables_go_after_their_last_use():
    alive: list[int] = []
    made: list[weakref.ref[torch.Tensor]] = []

    @legacy.operator("count_alive")
    def count_alive(op: legacy.Operands) -> None:
        made.append(weakref.ref(op.input("X")))
        gc.collect()
        alive.append(sum(ref() is not None for ref in made))
        op.set("Out", op.input("X") + 1)

    names = ["x", "a", "b", "c", "d"]
    ops = [unary("count_alive", x, out) for x, out in itertools.pairwise(names)]
    executor = Executor(program_of(*ops, **dict.fromkeys(names, (2,))), {})
    assert executor.run({"x": torch.zeros(2)}, ["d"])[0].tolist() == [4, 4]
    assert alive == [1, 2, 2, 2], "x is the caller's"
    assert [value.tolist() for value in executor.run({"x": torch.zeros(2)}, ["a", "d"])] == [[1, 1], [4, 4]]


def test_nan_names_the_operator():
    program = program_of(unary("sqrt", "x", "y"), unary("relu", "y", "z"), x=(2,), y=(2,), z=(2,))
    x = torch.tensor([-1.0, 4.0])
    assert Executor(program, {}).run({"x": x}, ["z"])[0][1] == 2
    with pytest.raises(ProgramError, match=r"block 0, op 0 \(sqrt\), slot Out: variable 'y': 1 of 2 elements are NaN"):
        Executor(program, {}, check_nan_inf=True).run({"x": x}, ["z"])


def test_the_trace():
    executor = Executor(program_of(unary("sqrt", "x", "y"), unary("relu", "y", "z"), x=(2,), y=(2,), z=(2,)), {})
    executor.trace = []
    executor.run({"x": torch.ones(2)}, ["z"])
    assert [(ran.type, ran.signature.kernel, ran.place) for ran in executor.trace] == [
        ("sqrt", "sqrt", "block 0, op 0 (sqrt)"),
        ("relu", "relu", "block 0, op 1 (relu)"),
    ]
    assert all(ran.seconds > 0 for ran in executor.trace)


def test_what_nothing_runs_is_listed():
    program = program_of(unary("qqq", "x", "y"), unary("qqq", "x", "z"), unary("selct_input", "x", "z"), x=(), y=(), z=())
    with pytest.raises(ProgramError) as caught:
        Executor(program, {}, source="m")
    title, twice, once = str(caught.value).splitlines()
    assert (title, twice) == ("m: 3 operators cannot run", "  2 x operator 'qqq'")
    assert once.startswith("  1 x operator 'selct_input'; near: select_input, select_output")


def test_faults_of_operators_at_once():
    program = program_of(
        OpDesc("elementwise_add", {"X": ["x"]}, {"Out": ["y"]}, {"axis": Attribute("INT", -1)}),
        unary("softmax", "x", "z", axis=Attribute("STRING", "last")),
        x=(2,), y=(2,), z=(2,),
    )  # fmt: skip
    with pytest.raises(ProgramError) as caught:
        Executor(program, {}, source="m")
    text = str(caught.value)
    assert "block 0, op 0 (elementwise_add), slot Y: expected a variable, got none" in text
    assert "block 0, op 1 (softmax), attribute axis: expected INT, got STRING 'last'" in text


def test_a_variable_without_a_value():
    executor = Executor(program_of(unary("relu", "x", "y"), x=(2,), y=(2,)), {})
    with pytest.raises(ProgramError, match=r"block 0, op 0 \(relu\), slot X: variable 'x' has no value yet"):
        executor.run({}, ["y"])
    with pytest.raises(ProgramError, match="variable 'other' has no value after the run"):
        executor.run({"x": torch.ones(2)}, ["other"])


def test_errors_of_kernels_say_which_operator():
    executor = Executor(program_of(unary("softmax", "x", "y", axis=Attribute("INT", 5)), x=(2,), y=(2,)), {})
    with pytest.raises(IndexError, match=r"block 0, op 0 \(softmax\): phi::softmax"):
        executor.run({"x": torch.ones(2)}, ["y"])
    executor = Executor(program_of(OpDesc("inverse", {"Input": ["x"]}, {"Output": ["y"]}), x=(2, 2), y=(2, 2)), {})
    with pytest.raises(RuntimeError, match=r"block 0, op 0 \(inverse\): phi::inverse"):
        executor.run({"x": torch.zeros(2, 2)}, ["y"])


def test_an_operator_from_python():
    @legacy.operator("twice_relu")
    def twice_relu(op: legacy.Operands) -> None:
        op.set("Out", phi_torch.scale(phi_torch.relu(op.input("X")), op.attr("factor", 2.0)))

    program = program_of(unary("twice_relu", "x", "y", factor=Attribute("FLOAT", 3.0)), x=(2,), y=(2,))
    x = torch.tensor([-1.0, 2.0], requires_grad=True)
    (y,) = Executor(program, {}).run({"x": x}, ["y"])
    y.sum().backward()
    assert x.grad is not None and y.tolist() == [0, 6] and x.grad.tolist() == [0, 3]
    assert legacy.run_op("twice_relu", {"X": x}, outputs=["Out"])["Out"].tolist() == [0, 4]


def test_arrays_and_assertions():
    fill = OpDesc("fill_constant", {}, {"Out": ["i"]}, {"shape": Attribute("LONGS", [1]), "dtype": Attribute("INT", 3)})
    fill.attrs |= {"value": Attribute("FLOAT", 0.0), "str_value": Attribute("STRING", "")}
    ops = [
        OpDesc("lod_array_length", {"X": ["array"]}, {"Out": ["before"]}),  # as lists that a loop fills begin
        fill,
        OpDesc("write_to_array", {"X": ["x"], "I": ["i"]}, {"Out": ["array"]}),
        OpDesc("increment", {"X": ["i"]}, {"Out": ["i"]}, {"step": Attribute("FLOAT", 1.0)}),
        OpDesc("write_to_array", {"X": ["x"], "I": ["i"]}, {"Out": ["array"]}),
        OpDesc("lod_array_length", {"X": ["array"]}, {"Out": ["n"]}),
        OpDesc("tensor_array_to_tensor", {"X": ["array"]}, {"Out": ["y"], "OutIndex": ["sizes"]}, {"axis": Attribute("INT", 0)}),
        OpDesc("assert", {"Cond": ["c"], "Data": ["n", "i"]}),
    ]
    program = program_of(*ops, x=(2,), i=(1,), y=(-1,), n=(1,), before=(1,), sizes=(-1,), c=(1,))
    program.blocks[0].vars["array"] = VarDesc("array", "tensor_array", torch.float32, (-1,))
    feed = {"x": torch.arange(2.0), "c": torch.tensor([True])}
    y, n, before, sizes = Executor(program, {}).run(feed, ["y", "n", "before", "sizes"])
    assert y.tolist() == [0, 1, 0, 1] and (before.tolist(), n.tolist()) == ([0], [2]) and sizes.tolist() == [2, 2]
    with pytest.raises(ValueError, match=r"block 0, op 7 \(assert\): slot Cond: expected True, got False; its data: \[2\], \[1\]"):
        Executor(program, {}).run({**feed, "c": torch.tensor([False])}, ["y"])


def test_a_layout_of_another_device():
    x = torch.arange(3.0)
    assert torch.equal(legacy.run_op("npu_identity", {"x": x}, {"format": -1})["out"], x)


@pytest.mark.parametrize("reverse", [False, True])
def test_the_steps_of_a_static_network(reverse: bool):
    """`recurrent` of Paddle 1: h = tanh(h w + x) of each step, which the block gives three times as large."""
    sizes = {"x": (4, 2, 3), "h0": (2, 3), "w": (3, 3), "out": (4, 2, 3), "y": (4, 2, 3)}
    axis = {"axis": Attribute("INT", -1)}
    states = {"ex_states": Attribute("STRINGS", ["before"]), "states": Attribute("STRINGS", ["h"])}
    flags = {"has_states": Attribute("BOOLEAN", True), "reverse": Attribute("BOOLEAN", reverse)}
    slots = {"inputs": ["x"], "initial_states": ["h0"], "parameters": ["w"]}
    op = OpDesc("recurrent", slots, {"outputs": ["out"], "step_scopes": ["scopes"]}, {**states, **flags})
    op.attrs["sub_block"] = Attribute("BLOCK", 1)
    program = program_of(op, OpDesc("elementwise_add", {"X": ["out"], "Y": ["x"]}, {"Out": ["y"]}, axis), **sizes)
    program.blocks[0].vars["scopes"] = VarDesc("scopes", "step_scopes")
    names = ("x", "before", "product", "sum", "h", "out")
    inner = BlockDesc(1, 0, {name: VarDesc(name, dtype=torch.float32, dims=(2, 3)) for name in names})
    inner.ops = [
        OpDesc("matmul", {"X": ["before"], "Y": ["w"]}, {"Out": ["product"]}),
        OpDesc("elementwise_add", {"X": ["product"], "Y": ["x"]}, {"Out": ["sum"]}, axis),
        OpDesc("tanh", {"X": ["sum"]}, {"Out": ["h"]}),
        OpDesc("scale", {"X": ["h"]}, {"Out": ["out"]}, {"scale": Attribute("FLOAT", 3.0)}),
    ]
    program.blocks.append(inner)
    feed = {name: torch.randn(sizes[name]) for name in ("x", "h0", "w")}
    h, steps = feed["h0"], {}
    for step in range(4)[:: -1 if reverse else 1]:
        h = torch.tanh(h @ feed["w"] + feed["x"][step])
        steps[step] = 3 * h
    expected = torch.stack([steps[step] for step in range(4)])
    for needs in (False, True):
        given = {name: one.clone().requires_grad_(needs) for name, one in feed.items()}
        found, y = Executor(program, {}).run(given, ["out", "y"])
        torch.testing.assert_close(found.detach(), expected)
        torch.testing.assert_close(y.detach(), expected + feed["x"])  # the x outside stays
    y.sum().backward()
    assert given["w"].grad.abs().sum() > 0
    with pytest.raises(ValueError, match="expected a step at least"):
        Executor(program, {}).run({**feed, "x": feed["x"][:0]}, ["out"])
