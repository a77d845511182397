"""Kernels that only programs name: those of quantized networks, and the gradients of gradients."""

from __future__ import annotations

import math

import pytest
import torch

from phi_torch import ir, legacy
from phi_torch.legacy import Attribute, BlockDesc, OpDesc, ProgramDesc, VarDesc
from phi_torch.legacy._operators import OPERATORS
from phi_torch.legacy.kernels.table import KERNELS

SCALES = {-1: torch.tensor([2.0]), 0: torch.tensor([0.5, 2.0]), 1: torch.tensor([1.0, 2.0, 4.0])}


@pytest.mark.parametrize("axis", SCALES)
@pytest.mark.parametrize("round_type", [0, 1])
def test_quantize_and_dequantize(axis: int, round_type: int):
    x = torch.tensor([[-3.0, 0.01, 0.4], [1.0, 2.5, -0.7]])
    inputs = {"Scale": SCALES[axis], "ZeroPoint": torch.zeros(1)}
    attrs = {"quant_axis": axis, "bit_length": 8, "round_type": round_type, "is_test": True}
    steps = legacy.run_op("quantize_linear", {"X": x, **inputs}, attrs)["Y"]
    scale = SCALES[axis].reshape([-1 if i == axis else 1 for i in range(2)]).double()
    exact = x.double() / scale * 127
    assert torch.equal(steps, steps.round()) and steps.max() <= 127
    assert (steps - exact.clamp(-127 if round_type else -128, 127)).abs().max() <= 0.5 + 1e-6
    back = legacy.run_op("dequantize_linear", {"X": steps, **inputs}, attrs)["Y"]
    torch.testing.assert_close(back, (steps.double() * scale / 127).float())


def test_ties_of_quantization():
    x, inputs = torch.tensor([0.5, 1.5, 2.5, -2.5]), {"Scale": torch.tensor([127.0]), "ZeroPoint": torch.zeros(1)}
    attrs = {"quant_axis": -1, "bit_length": 8, "is_test": True}
    found = [legacy.run_op("quantize_linear", {"X": x, **inputs}, attrs | {"round_type": kind})["Y"].tolist() for kind in (0, 1)]
    assert found == [[0, 2, 2, -2], [1, 2, 3, -3]]


def test_programs_without_qmax_have_the_steps_of_their_bits():
    x, inputs = torch.tensor([0.5, 3.0, -3.0]), {"Scale": torch.ones(1), "ZeroPoint": torch.zeros(1)}
    attrs = {"quant_axis": -1, "bit_length": 4, "is_test": True}
    steps = legacy.run_op("quantize_linear", {"X": x, **inputs}, attrs)["Y"]
    assert steps.tolist() == [4, 7, -8]
    back = legacy.run_op("dequantize_linear", {"X": steps, **inputs}, attrs)["Y"]
    torch.testing.assert_close(back, steps / 7)


def test_training_observes():
    inputs = {"Scale": torch.ones(1), "ZeroPoint": torch.zeros(1), "InAccum": torch.ones(1), "InState": torch.ones(1)}
    attrs = {"quant_axis": -1, "bit_length": 8, "is_test": False}
    outputs = {"Y": 1, "OutState": 1, "OutAccum": 1, "OutScale": 1}
    found = legacy.run_op("quantize_linear", {"X": torch.tensor([1.1, -2.9]), **inputs}, attrs, outputs)
    torch.testing.assert_close(
        {name: found[name].item() for name in outputs if name != "Y"}, {"OutState": 1.9, "OutAccum": 3.8, "OutScale": 2.0}
    )
    assert found["Y"].tolist() == [70, -128]


def twice(function, operands, grad, seconds):
    """The gradients, for the operands and for `grad`, of the gradients of a function of the operands."""
    leaves = [one.clone().requires_grad_() for one in (*operands, grad)]
    firsts = torch.autograd.grad(function(*leaves[:-1]), leaves[:-1], leaves[-1], create_graph=True)
    return torch.autograd.grad(firsts, leaves, seconds, materialize_grads=True)


def double(*sizes):
    return torch.rand(*sizes, dtype=torch.float64) + 0.25


UNARY = {
    "log": (torch.log, {}),
    "square": (torch.square, {}),
    "elu": (lambda x: torch.nn.functional.elu(x, 0.7), {"alpha": 0.7}),
    "celu": (lambda x: torch.nn.functional.celu(x, 0.7), {"alpha": 0.7}),
}


@pytest.mark.parametrize("op", UNARY)
def test_gradients_of_gradients_of_unary_operators(op: str):
    function, attrs = UNARY[op]
    x, grad, second = double(3, 4) - 0.6 * (op in ("elu", "celu")), double(3, 4), double(3, 4)
    found = legacy.run_op(f"{op}_grad_grad", {"X": x, "grad_out": grad, "grad_x@GRAD": second}, attrs)
    expected = twice(function, [x], grad, [second])
    for ours, theirs in zip((found["X@GRAD"], found["grad_out@GRAD"]), expected, strict=True):
        torch.testing.assert_close(ours, theirs)


def test_gradients_of_gradients_that_read_the_result():
    x, grad, second = double(3, 4), double(3, 4), double(3, 4)
    for op, function in (("tanh", torch.tanh), ("sigmoid", torch.sigmoid)):
        found = legacy.run_op(f"{op}_grad_grad", {"Out": function(x), "grad_out": grad, "grad_x@GRAD": second})
        dx, expected = twice(function, [x], grad, [second])
        torch.testing.assert_close(found["grad_out@GRAD"], expected)
        slope = torch.autograd.functional.jvp(function, x, torch.ones_like(x))[1]
        torch.testing.assert_close(found["Out@GRAD"] * slope, dx)  # what follows from the operand, by the result
    for op, function in (("sqrt", torch.sqrt), ("rsqrt", torch.rsqrt)):
        leaf = x.clone().requires_grad_()
        (first,) = torch.autograd.grad(function(leaf), leaf, grad)
        found = legacy.run_op(f"{op}_grad_grad", {"Out": function(x), "grad_x": first, "grad_x@GRAD": second})
        dx, expected = twice(function, [x], grad, [second])
        torch.testing.assert_close(found["grad_out@GRAD"], expected)
        slope = torch.autograd.functional.jvp(function, x, torch.ones_like(x))[1]
        torch.testing.assert_close(found["Out@GRAD"] * slope, dx)


def test_gradients_of_gradients_with_fewer_operands():
    x, second = double(3, 4) - 0.6, double(3, 4)
    found = legacy.run_op("relu_grad_grad", {"Out": x.relu(), "grad_x@GRAD": second})
    assert torch.equal(found["grad_out@GRAD"], (x > 0) * second)
    x, y, grad, seconds = double(2, 3, 4), double(3), double(2, 3, 4), [double(2, 3, 4), double(3)]
    slots = {"Y": y, "Out": x / y[:, None], "DX": grad / y[:, None], "DDX": seconds[0], "DDY": seconds[1]}
    found = legacy.run_op("elementwise_div_grad_grad", slots, {"axis": 1})
    dx, dy, expected = twice(lambda x, y: x / y[:, None], [x, y], grad, seconds)
    torch.testing.assert_close(found["DDOut"], expected)
    torch.testing.assert_close(found["DOut"] / y[:, None], dx)
    torch.testing.assert_close(found["Y@GRAD"] - (found["DOut"] * slots["Out"] / y[:, None]).sum((0, 2)), dy)


def test_gradients_of_gradients_of_products():
    x, y, grad = double(3, 4), double(4), double(3, 4)
    seconds = [double(3, 4), double(4)]
    given = {"X": x, "Y": y, "DOut": grad, "DDX": seconds[0], "DDY": seconds[1]}
    found = legacy.run_op("elementwise_mul_grad_grad", given, {"axis": -1})
    for slot, theirs in zip(("X@GRAD", "Y@GRAD", "DDOut"), twice(torch.mul, [x, y], grad, seconds), strict=True):
        torch.testing.assert_close(found[slot], theirs)
    found = legacy.run_op("elementwise_add_grad_grad", {"Y": y, "DOut": grad, "DDX": seconds[0], "DDY": seconds[1]}, {"axis": -1})
    torch.testing.assert_close(found["DDOut"], seconds[0] + seconds[1])
    out = x / y
    given = {"Y": y, "Out": out, "Out@GRAD": grad, "DX": grad / y, "DDX": seconds[0], "DDY": seconds[1]}
    found = legacy.run_op("elementwise_div_grad_grad", given, {"axis": -1})
    dx, dy, expected = twice(torch.div, [x, y], grad, seconds)
    torch.testing.assert_close(found["DDOut"], expected)
    torch.testing.assert_close(found["DOut"] / y, dx)
    torch.testing.assert_close(found["Y@GRAD"] - (found["DOut"] * out / y).sum(0), dy)
    y = double(4, 5)
    given = {"X": x, "Y": y, "grad_out": double(3, 5), "grad_x@GRAD": seconds[0], "grad_y@GRAD": double(4, 5)}
    found = legacy.run_op("matmul_v2_grad_grad", given, {"trans_x": False, "trans_y": False})
    expected = twice(torch.matmul, [x, y], given["grad_out"], [given["grad_x@GRAD"], given["grad_y@GRAD"]])
    for slot, theirs in zip(("X@GRAD", "Y@GRAD", "grad_out@GRAD"), expected, strict=True):
        torch.testing.assert_close(found[slot], theirs)


def thrice(function, operands, grad, seconds, thirds):
    """The gradients, for the operands, `grad` and `seconds`, of what `twice` gives."""
    leaves = [one.clone().requires_grad_() for one in (*operands, grad, *seconds)]
    count = len(operands)
    firsts = torch.autograd.grad(function(*leaves[:count]), leaves[:count], leaves[count], create_graph=True)
    results = torch.autograd.grad(firsts, leaves[: count + 1], leaves[count + 1 :], create_graph=True)
    pairs = [(one, third) for one, third in zip(results, thirds, strict=True) if third is not None]
    return torch.autograd.grad([one for one, _ in pairs], leaves, [third for _, third in pairs], materialize_grads=True)


@pytest.mark.parametrize("missing", [(), (0,), (0, 1)])
def test_third_gradients(missing: tuple[int, ...]):
    def thirds(*shapes):
        return [None if at in missing else double(*shape) for at, shape in enumerate(shapes)]

    def check(op, slots, values, attrs, outs, expected):
        given = {slot: value for slot, value in zip(slots.split(), values, strict=True) if value is not None}
        found = legacy.run_op(op, given, attrs, outs.split())
        for slot, theirs in zip(outs.split(), expected, strict=True):
            torch.testing.assert_close(found[slot], theirs)

    x, grad, second, third = double(3, 4), double(3, 4), double(3, 4), thirds((3, 4), (3, 4))
    slots = "X grad_out_forward grad_x_grad_forward grad_x@GRAD grad_out_grad@GRAD"
    outs = "X@GRAD grad_out_forward@GRAD grad_x_grad_forward@GRAD"
    for op in ("sin", "cos"):
        expected = thrice(getattr(torch, op), [x], grad, [second], third)
        check(f"{op}_triple_grad", slots, [x, grad, second, *third], {}, outs, expected)
    slots, outs = "X grad_out grad_grad_x grad_x@GRAD grad_grad_out@GRAD", "X@GRAD grad_out@GRAD grad_grad_x@GRAD"
    expected = thrice(lambda x: x**3, [x], grad, [second], third)
    check("pow_triple_grad", slots, [x, grad, second, *third], {"factor": 3.0}, outs, expected)
    y, seconds, third = double(4), [double(3, 4), double(4)], thirds((3, 4), (4,), (3, 4))
    slots, outs = "X Y DOut DDX DDY D_DX D_DY D_DDOut", "D_X D_Y D_DOut D_DDX D_DDY"
    values = [x, y, grad, *seconds, *third]
    check("elementwise_mul_triple_grad", slots, values, {"axis": -1}, outs, thrice(torch.mul, [x, y], grad, seconds, third))
    y, grad, seconds, third = double(4, 5), double(3, 5), [double(3, 4), double(4, 5)], thirds((3, 4), (4, 5), (3, 5))
    slots = "X Y grad_out grad_grad_x grad_grad_y grad_x@GRAD grad_y@GRAD grad_grad_out@GRAD"
    outs = "X@GRAD Y@GRAD grad_out@GRAD grad_grad_x@GRAD grad_grad_y@GRAD"
    values, attrs = [x, y, grad, *seconds, *third], {"trans_x": False, "trans_y": False}
    check("matmul_v2_triple_grad", slots, values, attrs, outs, thrice(torch.matmul, [x, y], grad, seconds, third))


def test_third_gradients_of_results_and_of_a_sum():
    out, grad, second, thirds = torch.rand(3, 4).double(), double(3, 4), double(3, 4), [double(3, 4), double(3, 4)]
    slopes = {"tanh": lambda out: 1 - out * out, "sigmoid": lambda out: out - out * out}
    names = {"tanh": ("grad_out_forward", "grad_x_grad_forward", "grad_out_new@GRAD", "grad_out_grad@GRAD")}
    names["sigmoid"] = ("fwd_grad_out", "grad_grad_x", "grad_out@GRAD", "grad_grad_out@GRAD")
    for op, slots in names.items():
        leaves = [one.clone().requires_grad_() for one in (out, grad, second)]
        first = leaves[1] * slopes[op](leaves[0])
        results = torch.autograd.grad(first, leaves[:2], leaves[2], create_graph=True)
        expected = torch.autograd.grad(results, leaves, thirds)
        given = {"Out": out, **dict(zip(slots, (grad, second, *thirds), strict=True))}
        found = legacy.run_op(f"{op}_triple_grad", given, {}, [f"{slot}@GRAD" for slot in ("Out", *slots[:2])])
        torch.testing.assert_close(list(found.values()), list(expected))
    given = {"DDX": double(2, 3, 4), "DDY": double(3), "D_DDOut": double(2, 3, 4)}
    found = legacy.run_op("elementwise_add_triple_grad", given, {"axis": 1})
    assert torch.equal(found["D_DDX"], given["D_DDOut"])
    torch.testing.assert_close(found["D_DDY"], given["D_DDOut"].sum((0, 2)))


def test_a_detached_tensor_has_no_gradient():
    x = double(3).requires_grad_()
    found = legacy.run_op("share_data", {"X": x})["Out"]
    assert torch.equal(found, x) and not found.requires_grad and found.data_ptr() == x.data_ptr()


def test_gradients_of_gradients_of_norms():
    x, scale, grad = double(4, 3, 2, 2), double(3), double(4, 3, 2, 2)
    seconds = [double(4, 3, 2, 2), double(3), double(3)]
    mean, variance = x.mean((0, 2, 3)), x.var((0, 2, 3), correction=0)
    given = {"X": x, "Scale": scale, "SavedMean": mean, "SavedVariance": (variance + 1e-5).rsqrt(), "DY": grad}
    given |= {"Mean": mean, "Variance": variance} | dict(zip(("DDX", "DDScale", "DDBias"), seconds))
    found = legacy.run_op("batch_norm_grad_grad", given, {"epsilon": 1e-5, "data_layout": "NCHW"})

    def norm(x, scale, bias):
        return torch.nn.functional.batch_norm(x, None, None, scale, bias, True, 0.0, 1e-5)

    dx, dscale, _, dgrad = twice(norm, [x, scale, double(3)], grad, seconds)
    for slot, theirs in zip(("DX", "DScale", "DDY"), (dx, dscale, dgrad), strict=True):
        torch.testing.assert_close(found[slot], theirs)


def test_gradients_of_gradients_by_older_names():
    x, grad, second = torch.sigmoid(double(3, 4)), double(3, 4), double(3, 4)
    outs = ["Out@GRAD", "grad_out@GRAD"]
    found = legacy.run_op("sigmoid_grad_grad", {"Out": x, "grad_out": grad, "grad_x@GRAD": second}, {}, outs)
    values = {"out": x, "grad": grad, "second": second}
    inputs = {"Out": ["out"], "fwd_grad_out": ["grad"], "grad_x@GRAD": ["second"]}
    op = legacy.OpDesc("sigmoid_grad_grad", inputs, {"Out@GRAD": ["a"], "fwd_grad_out@GRAD": ["b"]})
    OPERATORS[op.type](legacy.Operands(op, values, str, lambda block, values: None))
    torch.testing.assert_close([values["a"], values["b"]], [found[one] for one in outs])
    x, y, grad, seconds = double(2, 3, 4), double(12, 5), double(2, 5), [double(2, 3, 4), double(12, 5)]
    given = {"X": x, "Y": y, "DOut": grad, "DDX": seconds[0], "DDY": seconds[1]}
    found = legacy.run_op("mul_grad_grad", given, {"x_num_col_dims": 1, "y_num_col_dims": 1}, ["DX", "DY", "DDOut"])
    expected = twice(lambda x, y: x.flatten(1) @ y, [x, y], grad, seconds)
    torch.testing.assert_close([found[slot] for slot in ("DX", "DY", "DDOut")], list(expected))


def test_a_hierarchical_sigmoid_keeps_its_weight():
    x, w, label = torch.rand(3, 4), torch.rand(5, 4), torch.tensor([[0], [3], [5]])
    found = legacy.run_op("hierarchical_sigmoid", {"X": x, "W": w, "Label": label}, {"num_classes": 6}, ["Out", "W_Out"])
    assert torch.equal(found["W_Out"], w)


def test_sums_of_a_parameter():
    param, zero, one = torch.tensor([2.0, 3.0]), torch.zeros(2), torch.tensor([1])
    sums = {"in_sum_1": param, "in_sum_2": zero, "in_sum_3": zero, "in_num_accumulates": one, "in_num_updates": one}
    given = {"param": param, **sums, "in_old_num_accumulates": torch.tensor([0])}
    outs = ["out_sum_1", "out_sum_2", "out_sum_3", "out_num_accumulates", "out_old_num_accumulates", "out_num_updates"]
    for window, expected in ((3, [2 * param, zero, zero, [2], [0], [2]]), (2, [zero, zero, 2 * param, [0], [2], [2]])):
        attrs = {"average_window": 1.0, "max_average_window": 10, "min_average_window": window}
        found = legacy.run_op("average_accumulates", given, attrs, outs)
        for name, theirs in zip(outs, expected):
            torch.testing.assert_close(found[name], torch.as_tensor(theirs))


def test_sums_of_rows_have_what_a_step_adds_as_gradients():
    """The numbers of PaddlePaddle 2.6.2: a slot whose first column is 0 was not seen."""
    x = torch.tensor([[2.0, 0.0], [0.0, 4.0], [4.0, 2.0]])
    given = {"X": x, "Means": torch.tensor([1.0, 1.0]), "Scales": torch.tensor([2.0, 0.5]), "Y@GRAD": torch.ones(3, 2)}
    outs = ["X@GRAD", "BatchSize@GRAD", "BatchSum@GRAD", "BatchSquareSum@GRAD"]
    for slot_dim, expected in ((-1, ([3, 3], [6, 6], [11, 11])), (2, ([1, 1], [3, 1], [5, 1]))):
        found = legacy.run_op("data_norm_grad", given, {"slot_dim": slot_dim, "epsilon": 0.0}, outs)
        torch.testing.assert_close(found["X@GRAD"], torch.tensor([[2.0, 0.5]]).expand(3, 2).contiguous())
        for name, theirs in zip(outs[1:], expected):
            torch.testing.assert_close(found[name], torch.tensor(theirs, dtype=torch.float32))


@pytest.mark.parametrize("sampler", [0, 1, 2])
def test_noise_contrastive_estimation(sampler: int):
    classes, count = 7, 4
    inputs = {"Input": torch.randn(5, 3), "Weight": torch.randn(classes, 3), "Bias": torch.randn(classes, 1)}
    inputs |= {"Label": torch.randint(classes, (5, 2)), "SampleWeight": torch.rand(5, 1)}
    if sampler == 2:
        inputs["CustomDistProbs"] = torch.tensor([0.0, 0.2, 0.2, 0.2, 0.2, 0.1, 0.1])
    attrs = {"num_total_classes": classes, "num_neg_samples": count, "sampler": sampler, "seed": 3}
    made = legacy.run_op("nce", inputs, attrs, ["Cost", "SampleLogits", "SampleLabels"])
    labels = made["SampleLabels"]
    assert torch.equal(labels[:, :2], inputs["Label"]) and labels.shape == (5, 2 + count)
    assert sampler != 2 or (labels[:, 2:] > 0).all()
    assert torch.equal(labels, legacy.run_op("nce", inputs, attrs, ["SampleLabels"])["SampleLabels"])
    chances = {0: torch.full((classes,), 1 / classes), 1: (1 + 1 / (torch.arange(classes) + 1.0)).log() / math.log(classes)}
    noise = chances.get(sampler, inputs.get("CustomDistProbs"))[labels] * count
    given = {slot: inputs[slot].clone().requires_grad_() for slot in ("Input", "Weight", "Bias")}
    told = torch.sigmoid((given["Input"].unsqueeze(1) * given["Weight"][labels]).sum(2) + given["Bias"].flatten()[labels])
    own, others = told[:, :2] / (told + noise)[:, :2], (noise / (told + noise))[:, 2:]
    cost = -inputs["SampleWeight"] * (own.log().sum(1, True) + others.log().sum(1, True))
    torch.testing.assert_close(made["Cost"], cost.detach())
    torch.testing.assert_close(made["SampleLogits"], told.detach())
    cost.sum().backward()
    known = inputs | {"SampleLogits": made["SampleLogits"], "SampleLabels": labels, "Cost@GRAD": torch.ones(5, 1)}
    found = legacy.run_op("nce_grad", known, attrs, [f"{slot}@GRAD" for slot in given])
    for slot, one in given.items():
        torch.testing.assert_close(found[f"{slot}@GRAD"], one.grad)
    slots = ("Input", "Label", "Bias", "Weight", "SampleLogits", "SampleLabels", "SampleWeight", "CustomDistProbs")
    tensors = [known.get(slot) for slot in slots]
    *_, rows = KERNELS["nce_sr_grad"].function(*tensors, None, None, known["Cost@GRAD"], classes, [], count, sampler)
    assert rows.is_sparse
    torch.testing.assert_close(rows.to_dense(), given["Weight"].grad)


def test_classes_of_noise_contrastive_estimation_that_a_program_gives():
    inputs = {"Input": torch.randn(2, 3), "Weight": torch.randn(5, 3), "Label": torch.tensor([[4], [0]])}
    attrs = {"num_total_classes": 5, "num_neg_samples": 2, "custom_neg_classes": [3, 1]}
    made = legacy.run_op("nce", inputs, attrs, ["SampleLogits", "SampleLabels"])
    assert made["SampleLabels"].tolist() == [[4, 3, 1], [0, 3, 1]]
    told = torch.sigmoid((inputs["Input"].unsqueeze(1) * inputs["Weight"][made["SampleLabels"]]).sum(2))
    torch.testing.assert_close(made["SampleLogits"], told)


def test_a_label_of_noise_contrastive_estimation_that_is_no_class():
    inputs = {"Input": torch.randn(1, 3), "Weight": torch.randn(4, 3), "Label": torch.tensor([[4]])}
    with pytest.raises(ValueError, match="slot Label: expected classes from 0 to 3, got"):
        legacy.run_op("nce", inputs, {"num_total_classes": 4}, ["Cost"])


def eigen_program() -> ProgramDesc:
    c, x = torch.complex128, VarDesc("x", dtype=torch.float64, dims=(3, 3), need_check_feed=True)
    given = {"Eigenvalues": ["w"], "Eigenvectors": ["v"]}
    ops = [
        OpDesc("eig", {"X": ["x"]}, given),
        OpDesc("eig_grad", given | {"Eigenvalues@GRAD": ["w"], "Eigenvectors@GRAD": ["z"]}, {"X@GRAD": ["g"]}),
    ]
    ops.insert(1, OpDesc("elementwise_mul", {"X": ["v"], "Y": ["v"]}, {"Out": ["z"]}, {"axis": Attribute("INT", -1)}))
    variables = [x, VarDesc("g", dtype=torch.float64, dims=(3, 3)), VarDesc("w", dtype=c, dims=(3,))]
    variables += [VarDesc(name, dtype=c, dims=(3, 3)) for name in "vz"]
    return ProgramDesc([BlockDesc(vars={one.name: one for one in variables}, ops=ops)])


def test_gradients_of_eigenvectors():
    x, program = torch.tensor([[1.0, 2.0, 0.5], [-3.0, 0.2, 1.0], [0.3, 0.1, 2.0]], dtype=torch.float64), eigen_program()
    leaf = x.clone().requires_grad_()
    values, vectors = torch.linalg.eig(leaf)
    w, v = values.detach(), vectors.detach()
    # what depends on no phase of the vectors
    across = v * v - v * 1j * (v.conj() * v * v).sum(0).imag
    given = {"Eigenvalues": w, "Eigenvectors": v, "Eigenvalues@GRAD": w, "Eigenvectors@GRAD": across}
    (expected,) = torch.autograd.grad([values, vectors], leaf, [w, across])
    torch.testing.assert_close(legacy.run_op("eig_grad", given, {}, ["X@GRAD"])["X@GRAD"].real, expected)
    (found,) = legacy.Executor(program, {}).run({"x": x}, ["g"])
    assert found.dtype == torch.float64
    (again,) = ir.compile(ir.from_legacy(program, fetch=["g"]))(x)
    torch.testing.assert_close(again, found)


def test_steps_of_the_largest_value_of_some_batches():
    x, outputs = torch.tensor([1.0, -4.0]), {"Out": 1, "OutScale": 1, "OutScales": 1}
    attrs = {"window_size": 2, "bit_length": 8, "round_type": 1}
    given = {"X": x, "InScale": torch.tensor([2.0]), "Iter": torch.tensor([3])}
    found = legacy.run_op("fake_quantize_range_abs_max", given, attrs, outputs)
    assert found["OutScale"].tolist() == [4] and found["Out"].tolist() == [32, -127] and found["OutScales"].tolist() == [0, 4]
    tested = legacy.run_op("fake_quantize_range_abs_max", {"X": x, "InScale": torch.tensor([2.0])}, {**attrs, "is_test": True})
    assert tested["Out"].tolist() == [64, -127]


@pytest.mark.parametrize(("round_type", "last"), [(0, [13, 127, -128]), (1, [0, 0, 0])])
def test_steps_of_channels_are_those_of_training_in_a_test(round_type: int, last: list[int]):
    x = torch.tensor([[0.5, 0.25, -1.0], [0.126, 0.3, -0.2], [1e-7, 2.0, -1.0]])
    block = BlockDesc(vars={name: VarDesc(name, dtype=torch.float32, dims=(3, 3)) for name in ("x", "y")})
    block.vars["x"].need_check_feed = True
    block.vars["scale"] = VarDesc("scale", dtype=torch.float32, dims=(3,), persistable=True)
    op = OpDesc("fake_channel_wise_quantize_abs_max", {"X": ["x"]}, {"Out": ["y"], "OutScale": ["scale"]})
    op.attrs = {"round_type": Attribute("INT", round_type), "is_test": Attribute("BOOLEAN", False)}
    block.ops.append(op)
    program, parameters = ProgramDesc([block]), {"scale": torch.tensor([2.0, 0.5, 0.0])}
    executor = legacy.Executor(program, {"scale": torch.zeros(3)})
    executor.run({"x": x}, ["y"])
    assert executor.parameters["scale"].tolist() == x.abs().amax(1).tolist()
    op.attrs["is_test"] = Attribute("BOOLEAN", True)
    for found, kept in (
        legacy.Executor(program, parameters).run({"x": x}, ["y", "scale"]),
        ir.compile(ir.from_legacy(program, parameters, fetch=["y", "scale"]))(x),
    ):
        assert found.int().tolist() == [[32, 16, -64], [32, 76, -51], last]
        assert torch.equal(kept, parameters["scale"])
    with pytest.raises(ValueError, match="slot OutScale: expected a variable with the scales of training"):
        legacy.run_op(op.type, {"X": x}, {"is_test": True})


def test_steps_of_the_largest_value_keep_their_batches():
    """OutScales is read, too: it is no function of the operands, but in a test it is not read."""
    sizes = {"x": (2,), "y": (2,), "scale": (1,), "scales": (2,), "count": (1,)}
    block = BlockDesc(vars={name: VarDesc(name, dtype=torch.float32, dims=dims) for name, dims in sizes.items()})
    block.vars |= {name: VarDesc(name, dtype=torch.float32, dims=sizes[name], persistable=True) for name in ("scale", "scales")}
    block.vars["count"] = VarDesc("count", dtype=torch.int64, dims=(1,), need_check_feed=True)
    block.vars["x"].need_check_feed = True
    inputs = {"X": ["x"], "InScale": ["scale"], "Iter": ["count"]}
    op = OpDesc("fake_quantize_range_abs_max", inputs, {"Out": ["y"], "OutScale": ["scale"], "OutScales": ["scales"]})
    op.attrs = {"window_size": Attribute("INT", 2), "bit_length": Attribute("INT", 8), "is_test": Attribute("BOOLEAN", False)}
    block.ops.append(op)
    program, parameters = ProgramDesc([block]), {"scale": torch.tensor([0.0]), "scales": torch.zeros(2)}
    executor = legacy.Executor(program, parameters)
    for count, (largest, expected) in enumerate([(8.0, 8), (2.0, 8), (4.0, 4), (1.0, 4)]):
        feed = {"x": torch.tensor([largest, 0.0]), "count": torch.tensor([count])}
        executor.run(feed, ["y"])
        assert executor.parameters["scale"].item() == expected
    with pytest.raises(ir.ProgramError, match="the IR has no operator 'fake_quantize_range_abs_max'"):
        ir.from_legacy(program, parameters, fetch=["y"])
    op.attrs["is_test"] = Attribute("BOOLEAN", True)
    del op.inputs["Iter"], op.outputs["OutScales"]
    run = ir.compile(ir.from_legacy(program, {**parameters, "scale": torch.tensor([2.0])}, fetch=["y"]))
    given = {"x": torch.tensor([1.0, -4.0]), "count": torch.tensor([0])}
    assert run(*(given[name] for name, _ in run.inputs))[0].tolist() == [64, -127]


def test_gradients_of_integers():
    """PaddlePaddle has some, which hand on what they are given."""
    given = {"Input": torch.arange(9).reshape(3, 3), "Out@GRAD": torch.tensor([1, 2, 2**40])}
    found = legacy.run_op("diagonal_grad", given, {"offset": 0, "axis1": 0, "axis2": 1})["Input@GRAD"]
    assert torch.equal(found, torch.diag(given["Out@GRAD"]))


def test_numbers_that_are_none_are_counted(capsys: pytest.CaptureFixture[str]):
    """What PaddlePaddle 2.6.2 gives and prints."""
    x = torch.tensor([[0.5, math.nan, 0.25], [1.0, math.inf, 0.0]])
    attrs = {"op_type": "a", "var_name": "b", "check_nan_inf_level": 1}
    found = legacy.run_op("check_numerics", {"tensor": x}, attrs)
    assert found["stats"].tolist() == [1, 1, 1] and found["values"][:2].tolist() == [math.inf, 0] and found["values"][2].isnan()
    printed = "[PRECISION] [ERROR] in [device=cpu, op=a, tensor=b, dtype=fp32], numel=6, num_nan=1, num_inf=1, num_zero=1, max=inf"
    assert capsys.readouterr().out.startswith(printed)
    with pytest.raises(ValueError, match="slot tensor: expected finite numbers, got in .*num_nan=1"):
        legacy.run_op("check_numerics", {"tensor": x}, {**attrs, "check_nan_inf_level": 0})
    found = legacy.run_op("check_numerics", {"tensor": x[:, 2]}, {**attrs, "check_nan_inf_level": 0})
    assert found["stats"].tolist() == [0, 0, 1] and found["values"].tolist() == [0.25, 0, 0.125]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("axis", [0, 1])
def test_a_step_on_some_rows_is_one_on_all(axis: int):
    param, velocity, rate = double(4, 4), double(4, 4), torch.tensor([0.1], dtype=torch.float64)
    index, grad = torch.tensor([2, 0, 2]), double(*((3, 4) if axis == 0 else (4, 3)))
    attrs = {
        "mu": 0.9,
        "rescale_grad": 0.5,
        "regularization_method": "l2_decay",
        "regularization_coeff": 0.25,
        "use_nesterov": True,
    }
    given = {"Param": param, "Grad": grad, "Velocity": velocity, "LearningRate": rate}
    found = legacy.run_op("sparse_momentum", {**given, "Index": index}, {**attrs, "axis": axis}, ["ParamOut", "VelocityOut"])
    whole = torch.zeros_like(param).index_add(axis, index, grad)
    expected = legacy.run_op("momentum", {**given, "Grad": whole}, attrs, ["ParamOut", "VelocityOut"])
    for slot in ("ParamOut", "VelocityOut"):
        torch.testing.assert_close(found[slot], expected[slot])
    other = {**given, "Index": torch.tensor([2, 4, 2]), "MasterParam": param}
    with pytest.raises(ValueError, match=r"slot Index: expected indices from 0 to 3, got \[4\]"):
        legacy.run_op("sparse_momentum", other, {"axis": axis, "mu": 0.9}, ["ParamOut", "VelocityOut"])
