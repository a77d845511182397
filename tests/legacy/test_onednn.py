"""Operators to which Paddle's passes for oneDNN fused others, as Paddle Inference saves them."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from phi_torch import ir, legacy
from phi_torch.legacy import Attribute, BlockDesc, LoDTensor, OpDesc, ProgramDesc, VarDesc
from phi_torch.legacy.single import attribute_of

X, Y, BIAS = torch.randn(2, 4, 5, 5), torch.randn(6, 2, 3, 3), torch.randn(6)
RESIDUAL = torch.randn(2, 6, 3, 3)
CONV = {"strides": [2, 2], "paddings": [1, 1], "dilations": [1, 1], "groups": 2}
MATRIX, PARTS = torch.randn(2, 5, 6), torch.randn(2, 2, 4, 3)
MEAN, VARIANCE = torch.randn(4), torch.rand(4) + 0.5


def convolved() -> Tensor:
    return functional.conv2d(X, Y, BIAS, 2, 1, groups=2)


def product() -> Tensor:
    return 0.5 * MATRIX.unflatten(2, (2, 3)).transpose(1, 2) @ PARTS.mT


CASES: list[tuple[str, dict[str, Tensor], dict[str, Any], str, Tensor]] = [
    (
        "fused_conv2d",
        {"Input": X, "Filter": Y, "Bias": BIAS, "ResidualData": RESIDUAL},
        {**CONV, "fuse_activation": "leaky_relu", "fuse_alpha": 0.1, "Scale_weights": [1.0], "Scale_out": 1.0},
        "Output",
        functional.leaky_relu(convolved() + RESIDUAL, 0.1),
    ),
    (
        "conv2d",
        {"Input": X, "Filter": Y},
        {**CONV, "fuse_activation": "relu"},
        "Output",
        functional.conv2d(X, Y, None, 2, 1, groups=2).relu(),
    ),
    (  # of cuDNN, where the filter has the layout of the images
        "fused_conv2d_add_act",
        {"Input": X.permute(0, 2, 3, 1), "Filter": Y.permute(0, 2, 3, 1), "Bias": BIAS},
        {**CONV, "data_format": "NHWC", "activation": "relu"},
        "Output",
        functional.conv2d(X, Y, BIAS, 2, 1, groups=2).relu().permute(0, 2, 3, 1),
    ),
    (
        "conv2d_transpose",
        {"Input": X, "Filter": Y.transpose(0, 1)[:1].repeat(4, 1, 1, 1), "Bias": BIAS},
        {"strides": [1, 1], "paddings": [0, 0], "dilations": [1, 1], "groups": 1, "fuse_relu": True},
        "Output",
        functional.conv_transpose2d(X, Y.transpose(0, 1)[:1].repeat(4, 1, 1, 1), BIAS).relu(),
    ),
    (
        "fused_matmul",
        {"X": MATRIX, "Y": PARTS},
        {
            **{"fused_reshape_X": [0, 0, 2, 3], "fused_transpose_X": [0, 2, 1, 3], "trans_y": True, "matmul_alpha": 0.5},
            **{"fused_transpose_Out": [0, 2, 1, 3], "fused_reshape_Out": [0, 0, 8]},
        },
        "Out",
        product().transpose(1, 2).flatten(2),
    ),
    (
        "matmul",
        {"X": MATRIX, "Y": PARTS},
        {
            **{"fused_reshape_X": [0, 0, 2, 3], "fused_transpose_X": [0, 2, 1, 3], "transpose_Y": True, "alpha": 0.5},
            **{"fused_transpose_Out": [0, 2, 1, 3], "fused_reshape_Out": [0, 0, 8]},
        },
        "Out",
        product().transpose(1, 2).flatten(2),
    ),
    (
        "matmul_v2",
        {"X": MATRIX, "Y": MATRIX},
        {"trans_x": False, "trans_y": True, "fuse_activation": "tanh"},
        "Out",
        (MATRIX @ MATRIX.mT).tanh(),
    ),
    (
        "fused_elementwise_sub",
        {"X": MATRIX, "Y": MATRIX[0]},
        {"axis": -1, "fused_output_scale": 2.0, "fused_unsqueeze2_axes": [1]},
        "Out",
        2 * (MATRIX - MATRIX[0])[:, None],
    ),
    ("fused_elementwise_add", {"X": X, "Y": MEAN}, {"axis": 1, "fuse_activation": "relu"}, "Out", (X + MEAN[:, None, None]).relu()),
    ("fused_elementwise_div", {"X": MATRIX[0], "Y": MATRIX}, {"axis": 1}, "Out", MATRIX[0] / MATRIX),
    ("fused_elementwise_mul", {"X": X[:, :, 0, 0], "Y": X}, {"axis": 0}, "Out", X[:, :, :1, :1] * X),
    ("elementwise_add", {"X": MATRIX, "Y": MATRIX}, {"axis": -1, "fuse_activation": "relu"}, "Out", (2 * MATRIX).relu()),
    ("fused_transpose", {"X": MATRIX}, {"axis": [0, 2, 1], "fused_reshape2_shape": [-1, 5]}, "Out", MATRIX.mT.reshape(-1, 5)),
    (
        "fc",
        {"Input": MATRIX[0], "W": torch.eye(6), "Bias": BIAS},
        {"in_num_col_dims": 1, "fuse_activation": "sigmoid", "fused_reshape2_shape": [-1, 2, 3]},
        "Out",
        (MATRIX[0] + BIAS).sigmoid().view(-1, 2, 3),
    ),
    (
        "batch_norm",
        {"X": X, "Mean": MEAN, "Variance": VARIANCE, "Scale": MEAN, "Bias": VARIANCE},
        {"fuse_with_relu": True, "is_test": True, "epsilon": 1e-5},
        "Y",
        functional.batch_norm(X, MEAN, VARIANCE, MEAN, VARIANCE).relu(),
    ),
]


def program_of(type: str, inputs: dict[str, Tensor], attrs: dict[str, Any], out: str, rank: int) -> ProgramDesc:
    variables = {slot: VarDesc(slot, dtype=one.dtype, dims=tuple(one.shape), need_check_feed=True) for slot, one in inputs.items()}
    variables["y"] = VarDesc("y", dtype=torch.float32, dims=(-1,) * rank)
    said = {name: attribute_of(type, name, value) for name, value in attrs.items()}
    kept = {"MeanOut": ["Mean"], "VarianceOut": ["Variance"]} if type == "batch_norm" else {}
    op = OpDesc(type, {slot: [slot] for slot in inputs}, {out: ["y"], **kept}, said)
    return ProgramDesc([BlockDesc(vars=variables, ops=[op])])


@pytest.mark.parametrize(("type", "inputs", "attrs", "out", "expected"), CASES, ids=[case[0] for case in CASES])
def test_what_was_fused(type: str, inputs: dict[str, Tensor], attrs: dict[str, Any], out: str, expected: Tensor):
    program = program_of(type, inputs, attrs, out, expected.dim())
    (found,) = legacy.Executor(program, {}).run(inputs, ["y"])
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)
    run = ir.compile(ir.from_legacy(program, fetch=["y"]))
    assert "torch.call" not in ir.from_legacy(program, fetch=["y"]).counts()
    torch.testing.assert_close(run(*(inputs[name] for name, _ in run.inputs))[0], expected, rtol=1e-4, atol=1e-5)


def test_results_of_elementwise_operators_have_the_levels_of_the_first_operand():
    x, lod = torch.randn(5, 4), [[0, 2, 5]]
    found = legacy.run_op("fused_elementwise_add", {"X": LoDTensor(x, lod), "Y": MEAN}, {"axis": 1, "fuse_activation": "relu"})
    torch.testing.assert_close(found["Out"].as_subclass(Tensor), (x + MEAN).relu())
    assert found["Out"].lod == lod
    assert not isinstance(legacy.run_op("fused_matmul", {"X": LoDTensor(x, lod), "Y": x.T}, {})["Out"], LoDTensor)


GATES, STATES = torch.randn(6, 9) / 3, torch.randn(3, 9) / 3
LEVELED = LoDTensor(MATRIX[0], [[0, 2, 5]])
OF_BFLOAT16: list[tuple[str, dict[str, Tensor], dict[str, Any]]] = [
    ("conv2d", {"Input": X, "Filter": Y}, {**CONV, "mkldnn_data_type": "bfloat16"}),
    ("fused_conv2d", {"Input": X, "Filter": Y, "Bias": BIAS, "ResidualData": RESIDUAL}, {**CONV, "fuse_activation": "relu"}),
    ("matmul_v2", {"X": MATRIX, "Y": MATRIX[0].T}, {"mkldnn_data_type": "bfloat16"}),
    ("fc", {"Input": MATRIX[0], "W": torch.eye(6), "Bias": BIAS}, {"in_num_col_dims": 1, "use_mkldnn": True}),
    ("fusion_gru", {"X": LEVELED, "WeightX": GATES, "WeightH": STATES}, {"use_mkldnn": True}),
]


@pytest.mark.parametrize("is_wide", [False, True])
@pytest.mark.parametrize(("type", "inputs", "attrs"), OF_BFLOAT16, ids=[case[0] for case in OF_BFLOAT16])
def test_weights_of_float32_beside_bfloat16(type: str, inputs: dict[str, Tensor], attrs: dict[str, Any], is_wide: bool):
    (slot, first), out = next(iter(inputs.items())), {"fc": "Out", "matmul_v2": "Out", "fusion_gru": "Hidden"}.get(type, "Output")
    given = {**inputs, slot: LoDTensor(first.bfloat16(), first.lod) if isinstance(first, LoDTensor) else first.bfloat16()}
    said = {**attrs, "force_fp32_output": is_wide}
    ways = [legacy.run_op(type, given, said)[out]]
    if type != "fusion_gru":
        run = ir.compile(
            ir.from_legacy(program_of(type, given, said, out, 4 if "conv" in type else 2 + (type != "fc")), fetch=["y"])
        )
        ways.append(run(*(given[name] for name, _ in run.inputs))[0])
    plain = {name: one for name, one in attrs.items() if name != "mkldnn_data_type"}
    expected = legacy.run_op(type, inputs, plain)[out]
    for found in ways:
        assert found.dtype == (torch.float32 if is_wide else torch.bfloat16)
        torch.testing.assert_close(found.float(), expected, rtol=3e-2, atol=5e-2)


def test_variables_of_bfloat16_have_no_declared_type():
    """As passes leave them; weights are rounded, and all is summed up in float32."""
    program = program_of("conv2d", {"Input": X, "Filter": Y}, {**CONV, "mkldnn_data_type": "bfloat16"}, "Output", 4)
    (block,) = program.blocks
    (conv,) = block.ops
    conv.inputs["Input"], conv.outputs["Output"] = ["q"], ["r"]
    block.ops = [
        OpDesc("quantize", {"Input": ["Input"]}, {"Output": ["q"]}, {"bfloat16": Attribute("BOOLEAN", True)}),
        conv,
        OpDesc("dequantize", {"Input": ["r"]}, {"Output": ["y"]}, {}),
    ]
    block.vars |= {name: VarDesc(name) for name in "qr"}
    expected = functional.conv2d(X.bfloat16().float(), Y.bfloat16().float(), None, 2, 1, groups=2).bfloat16().float()
    torch.testing.assert_close(
        legacy.Executor(program, {}).run({"Input": X, "Filter": Y}, ["y"])[0], expected, rtol=1e-5, atol=1e-5
    )
    run = ir.compile(ir.from_legacy(program, fetch=["y"]))
    torch.testing.assert_close(run(*({"Input": X, "Filter": Y}[name] for name, _ in run.inputs))[0], expected, rtol=1e-5, atol=1e-5)


UNKNOWN = [({"fuse_activation": "unknown"}, "'fuse_activation': 'unknown'"), ({"scale_out": 0.1}, "'scale_out': 0.1")]


@pytest.mark.parametrize(("attrs", "got"), UNKNOWN, ids=["activation", "integers"])
def test_what_is_not_known_is_an_error(attrs: dict[str, Any], got: str):
    inputs = {"X": MATRIX, "Y": MATRIX}
    program = program_of("fused_elementwise_add", inputs, {"axis": -1, **attrs}, "Out", 3)
    match = f"expected tensors of floating point and a known activation, got {{{got}"
    with pytest.raises(ValueError, match=match):
        legacy.Executor(program, {}).run(inputs, ["y"])
    with pytest.raises(ir.ProgramError, match=match):
        ir.from_legacy(program, fetch=["y"])


NUMBERS = torch.tensor([-3.0, -1.3, -0.5, -0.25, 0.25, 0.5, 0.75, 1.25, 300.0, -300.0])
BYTES = torch.tensor([156, 253, 0, 1, 2, 7]).to(torch.uint8)
# what PaddlePaddle 2.6.2 gives
OF_INTEGERS: list[tuple[str, Tensor, dict[str, Any], torch.dtype, list[float]]] = [
    ("quantize", NUMBERS, {"Scale": 2.0}, torch.uint8, [0, 0, 0, 0, 0, 1, 2, 2, 255, 0]),
    ("quantize", NUMBERS, {"Scale": 2.0, "is_negative_input": True}, torch.int8, [-6, -3, -1, 0, 0, 1, 2, 2, 127, -128]),
    (
        *("quantize", NUMBERS, {"Scale": 2.0, "is_negative_input": True, "Shift": 10.6}, torch.uint8),
        [4, 7, 9, 10, 10, 11, 12, 12, 255, 0],
    ),
    ("quantize", NUMBERS[3:6], {"bfloat16": True}, torch.bfloat16, [-0.25, 0.25, 0.5]),
    ("dequantize", BYTES, {"Scale": 2.0, "Shift": 10.6}, torch.float32, [73.0, 121.5, -5.0, -4.5, -4.0, -1.5]),
    ("dequantize", BYTES.view(torch.int8), {"Scale": 2.0}, torch.float32, [-50.0, -1.5, 0.0, 0.5, 1.0, 3.5]),
    (
        *("requantize", BYTES, {"Scale_in": 3.0, "Scale_out": 2.0, "Shift_in": 2.0, "Shift_out": 10.0}, torch.uint8),
        [113, 178, 9, 10, 10, 14],
    ),
    (
        *("requantize", BYTES.view(torch.int8), {"Scale_in": 2.0, "Scale_out": 3.0, "Shift_in": 0.0, "Shift_out": 0.0}, torch.int8),
        [-128, -4, 0, 2, 3, 10],
    ),
]


@pytest.mark.parametrize(("type", "x", "attrs", "dtype", "expected"), OF_INTEGERS)
def test_steps_around_layers_of_integers(type: str, x: Tensor, attrs: dict[str, Any], dtype: torch.dtype, expected: list[float]):
    program = program_of(type, {"Input": x}, attrs, "Output", 1)
    program.blocks[0].vars["y"] = VarDesc("y", dtype=dtype, dims=(-1,))
    ways = legacy.Executor(program, {}).run({"Input": x}, ["y"])[0], ir.compile(ir.from_legacy(program, fetch=["y"]))(x)[0]
    for found in ways:
        assert found.dtype == dtype and found.tolist() == expected


@pytest.mark.parametrize(
    ("type", "attrs", "message"),
    [
        ("quantize", {"Scale": 0.0}, "attribute Scale: expected another number than 0, got 0.0"),
        ("dequantize", {"Shift": 256.0}, "attribute Shift: expected a number from 0 to 255, got 256.0"),
        ("requantize", {}, "slot Input: expected uint8 where there are shifts, got torch.int8"),
    ],
)
def test_steps_that_are_none(type: str, attrs: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        legacy.run_op(type, {"Input": BYTES.view(torch.int8)}, attrs)
