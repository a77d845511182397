"""Recipes of operators that passes put in the place of several on sequences, or around layers of integers."""

from __future__ import annotations

import torch
from torch import Tensor

from phi_torch.legacy import LoDTensor

from .draw import FLOATS, Call, Draw, Slots
from .recipes import recipe
from .recipes_sequences import ids, sequence

STEPS = ("XX", "BatchedInput", "ReorderedH0")  # what Paddle computes on the way
ONEDNN = {"use_mkldnn": True}  # which alone has the kernels


def first_states(draw: Draw, x: LoDTensor, width: int, dtype: torch.dtype, *slots: str) -> dict[str, Tensor]:
    return {slot: draw.tensor([len(x.lod[0]) - 1, width], dtype) for slot in slots} if draw.flag() else {}


def of_lstm(draw: Draw, inputs: dict[str, Tensor], width: int, dtype: torch.dtype) -> Call:
    peepholes = draw.flag()
    inputs["WeightH"] = draw.tensor([width, 4 * width], dtype)
    inputs["Bias"] = draw.tensor([1, (7 if peepholes else 4) * width], dtype)
    names = {f"{name}_activation": draw.one("sigmoid", "tanh", "relu") for name in ("gate", "cell", "candidate")}
    attrs = {"use_peepholes": peepholes, "is_reverse": draw.flag(), "use_seq": draw.flag()} | draw.some(names, 0.3)
    steps = (*STEPS, "BatchedHidden", "BatchedCell", "ReorderedC0")
    return Call(inputs, attrs, dict.fromkeys(("Hidden", "Cell", *steps), 1), (), steps)


@recipe("fusion_lstm")
def fusion_lstm(draw: Draw) -> Call:
    width, columns, dtype = draw.number(1, 3), draw.number(1, 4), draw.one(*FLOATS)
    x = sequence(draw, columns, dtype=dtype)
    inputs = {"X": x, "WeightX": draw.tensor([columns, 4 * width], dtype), **first_states(draw, x, width, dtype, "H0", "C0")}
    return of_lstm(draw, inputs, width, dtype)


@recipe("fused_embedding_fc_lstm")
def fused_embedding_fc_lstm(draw: Draw) -> Call:
    width, dtype = draw.number(1, 3), draw.one(*FLOATS)
    rows = ids(draw, 7, 1)
    inputs = {"Ids": rows, "Embeddings": draw.tensor([7, 4 * width], dtype), **first_states(draw, rows, width, dtype, "H0", "C0")}
    return of_lstm(draw, inputs, width, dtype)


@recipe("fusion_gru")
def fusion_gru(draw: Draw) -> Call:
    width, columns, dtype = draw.number(1, 3), draw.number(1, 4), draw.one(*FLOATS)
    x = sequence(draw, columns, dtype=dtype)
    inputs = {"X": x, "WeightX": draw.tensor([columns, 3 * width], dtype), "WeightH": draw.tensor([width, 3 * width], dtype)}
    inputs |= first_states(draw, x, width, dtype, "H0")
    if draw.flag():
        inputs["Bias"] = draw.tensor([1, 3 * width], dtype)
    names = {name: draw.one("sigmoid", "tanh", "relu") for name in ("activation", "gate_activation")}
    attrs = {one: draw.flag() for one in ("is_reverse", "use_seq", "origin_mode")} | draw.some(names, 0.3)
    steps = (*STEPS, "BatchedOut")
    return Call(inputs, attrs, dict.fromkeys(("Hidden", *steps), 1), (), steps)


@recipe("multi_gru")
def multi_gru(draw: Draw) -> Call:
    width, columns, layers = draw.number(2, 4), draw.number(1, 4), draw.number(1, 3)  # of a width of 1 oneDNN mixes up the gates
    reads = [columns, columns, *[2 * width] * (2 * layers - 2)]
    inputs: Slots = {"X": sequence(draw, columns, dtype=torch.float32)}
    inputs["WeightX"] = [draw.tensor([one, 3 * width], low=-0.5, high=0.5) for one in reads]
    inputs["WeightH"] = [draw.tensor([width, 3 * width], low=-0.5, high=0.5) for _ in reads]
    if draw.flag():
        inputs["Bias"] = [draw.tensor([1, 3 * width]) for _ in reads]
    return Call(inputs, {"layers": layers, "origin_mode": draw.flag(), **ONEDNN}, {"Hidden": 1}, ())


@recipe("fusion_seqconv_eltadd_relu")
def fusion_seqconv_eltadd_relu(draw: Draw) -> Call:
    columns, length, out, dtype = draw.number(1, 4), draw.number(1, 4), draw.number(1, 3), draw.one(*FLOATS)
    x = sequence(draw, columns, dtype=dtype)
    inputs = {"X": x, "Filter": draw.tensor([length * columns, out], dtype), "Bias": draw.tensor([1, out], dtype)}
    attrs = {"contextLength": length, "contextStart": draw.number(-length, 1), "contextStride": 1}
    return Call(inputs, attrs, {"Out": 1, "ColMat": 1}, (), ("ColMat",))


@recipe("fusion_seqpool_concat")
def fusion_seqpool_concat(draw: Draw) -> Call:
    columns, count, dtype = draw.number(1, 4), draw.number(1, 4), draw.one(*FLOATS)
    x = [sequence(draw, columns, dtype=dtype, count=count) for _ in range(draw.number(1, 3))]
    return Call({"X": x}, {"pooltype": draw.one("SUM", "AVERAGE", "SQRT"), "axis": 1}, {"Out": 1}, ())


@recipe("fusion_seqpool_cvm_concat")
def fusion_seqpool_cvm_concat(draw: Draw) -> Call:
    columns, count, dtype = draw.number(2, 4), draw.number(1, 4), draw.one(*FLOATS)
    x = [sequence(draw, columns, dtype=dtype, count=count) for _ in range(draw.number(1, 3))]
    x = [LoDTensor(one.as_subclass(Tensor).abs(), one.lod) for one in x]
    attrs = {"pooltype": draw.one("SUM", "AVERAGE", "SQRT"), "axis": 1, "use_cvm": True}
    return Call({"X": x, "CVM": draw.tensor([count, 2], dtype)}, attrs, {"Out": 1}, ())


@recipe("attention_lstm")
def attention_lstm(draw: Draw) -> Call:
    width, columns, dtype = draw.number(1, 3), draw.number(1, 4), draw.one(*FLOATS)
    x = sequence(draw, columns, dtype=dtype)
    states = {slot: draw.tensor([len(x.lod[0]) - 1, width], dtype) for slot in ("C0", "H0")[: draw.number(1, 2)]}
    inputs = {"X": x, **states, "AttentionWeight": draw.tensor([columns + width, 1], dtype)}
    slots = ("AttentionBias", "AttentionScalar", "AttentionScalarBias")
    inputs |= {slot: draw.tensor([1, 1], dtype) for slot in slots[: draw.number(0, 3)]}
    inputs["LSTMWeight"] = draw.tensor([width + columns, 4 * width], dtype)
    inputs["LSTMBias"] = draw.tensor([1, 4 * width], dtype)
    names = {f"{name}_activation": draw.one("sigmoid", "tanh", "relu") for name in ("gate", "cell", "candidate")}
    steps = ("AttentionedX", "AttentionFCOut", "LSTMX", "LSTMOUT")
    return Call(inputs, draw.some(names, 0.3), dict.fromkeys(("Hidden", "Cell", *steps), 1), (), steps)


@recipe("quantize")
def quantize(draw: Draw) -> Call:
    attrs = {"Scale": draw.one(1.0, 2.0, 31.7), "Shift": draw.one(0.0, 0.0, 10.6), "is_negative_input": draw.flag()}
    return Call({"Input": draw.tensor([*draw.sizes(2, 4)])}, attrs | ONEDNN | {"output_format": "NCHW"}, {"Output": 1}, ())


@recipe("dequantize")
def dequantize(draw: Draw) -> Call:
    dtype = draw.one(torch.int8, torch.uint8)
    x = draw.whole(draw.sizes(2, 4), 256, torch.uint8).view(dtype)
    return Call({"Input": x}, ONEDNN | {"Scale": draw.one(1.0, 2.0, 31.7), "Shift": draw.one(0.0, 0.0, 10.6)}, {"Output": 1}, ())


@recipe("requantize")
def requantize(draw: Draw) -> Call:
    dtype = draw.one(torch.int8, torch.uint8)
    x = draw.whole(draw.sizes(2, 4), 256, torch.uint8).view(dtype)
    shifts = [0.0, 0.0] if dtype == torch.int8 else [draw.one(0.0, 3.2, 10.0), draw.one(0.0, 3.2, 10.0)]
    attrs = {"Scale_in": draw.one(1.0, 3.0), "Scale_out": draw.one(0.7, 2.0, 9.1), "Shift_in": shifts[0], "Shift_out": shifts[1]}
    return Call({"Input": x}, attrs | ONEDNN, {"Output": 1}, ())
