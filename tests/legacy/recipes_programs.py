"""Recipes of operators that programs alone have: losses, steps of optimizers, and what passes leave."""

from __future__ import annotations

import itertools
from typing import Any

import torch

from .draw import FLOATS, WHOLE, Call, Draw
from .recipes import recipe


def probabilities(draw: Draw, sizes: list[int], dtype: torch.dtype) -> torch.Tensor:
    return draw.tensor(sizes, dtype, 0.05, 1.0).softmax(-1)


def hard_label(draw: Draw, x: torch.Tensor, ignored: int | None = None) -> torch.Tensor:
    label = draw.whole(x.shape[:-1], x.shape[-1])
    if ignored is not None:
        label = torch.where(draw.truths(label.shape), label, ignored)
    return label.unsqueeze(-1)


@recipe("cross_entropy")
def cross_entropy(draw: Draw) -> Call:
    sizes, dtype, soft, ignored = [*draw.sizes(1, 3), draw.number(2, 5)], draw.one(*FLOATS), draw.flag(), draw.one(-100, -1, 1)
    x = probabilities(draw, sizes, dtype)
    label = probabilities(draw, sizes, dtype) if soft else hard_label(draw, x, ignored)
    return Call({"X": x, "Label": label}, {"soft_label": soft, "ignore_index": ignored}, {"Y": 1})


@recipe("cross_entropy2")
def cross_entropy2(draw: Draw) -> Call:
    x, ignored = probabilities(draw, [*draw.sizes(1, 3), draw.number(2, 5)], draw.one(*FLOATS)), draw.one(-100, -1)
    inputs = {"X": x, "Label": hard_label(draw, x, ignored)}
    return Call(inputs, {"ignore_index": ignored}, {"Y": 1, "XShape": 1, "MatchX": 1}, (), ("MatchX",))


@recipe("bpr_loss")
def bpr_loss(draw: Draw) -> Call:
    # Paddle's gradient takes the second size for that of a row
    x = draw.tensor([draw.number(1, 5), draw.number(2, 5)], draw.one(*FLOATS))
    return Call({"X": x, "Label": hard_label(draw, x)}, {}, {"Y": 1})


@recipe("rank_loss")
def rank_loss(draw: Draw) -> Call:
    rows = [draw.number(1, 5), 1]
    label = draw.truths(rows).float() if draw.flag() else draw.tensor(rows, low=0.0, high=1.0)
    return Call({"Label": label, "Left": draw.tensor(rows), "Right": draw.tensor(rows)}, wanted=("Left", "Right"))


@recipe("modified_huber_loss")
def modified_huber_loss(draw: Draw) -> Call:
    rows = [draw.number(1, 8), 1]
    return Call({"X": draw.tensor(rows), "Y": draw.truths(rows).float()}, {}, {"IntermediateVal": 1, "Out": 1})


@recipe("teacher_student_sigmoid_loss")
def teacher_student_sigmoid_loss(draw: Draw) -> Call:
    rows, dtype = [draw.number(1, 8), 1], draw.one(*FLOATS)
    attrs = draw.some({"soft_max_up_bound": draw.real(0.5, 3), "soft_max_lower_bound": draw.real(-3, -0.5)})
    return Call({"X": draw.tensor(rows, dtype), "Label": draw.tensor(rows, dtype)}, attrs, {"Y": 1})


@recipe("fsp")
def fsp(draw: Draw) -> Call:
    batch, height, width = draw.sizes(3, 3)
    x, y = ([batch, draw.number(1, 4), height, width] for _ in range(2))
    dtype = draw.one(*FLOATS)
    return Call({"X": draw.tensor(x, dtype), "Y": draw.tensor(y, dtype)}, wanted=("X", "Y"))


@recipe("ftrl")
def ftrl(draw: Draw) -> Call:
    sizes = draw.sizes()
    inputs = {name: draw.tensor(sizes) for name in ("Param", "Grad", "LinearAccumulator")}
    inputs |= {"SquaredAccumulator": draw.tensor(sizes, low=0.1), "LearningRate": draw.tensor([1], low=0.01, high=1.0)}
    attrs = draw.some({"l1": draw.real(0, 1), "l2": draw.real(0, 1), "lr_power": draw.one(-0.5, -0.7)})
    return Call(inputs, attrs, {"ParamOut": 1, "SquaredAccumOut": 1, "LinearAccumOut": 1}, ())


@recipe("lars_momentum")
def lars_momentum(draw: Draw) -> Call:
    count = draw.number(1, 3)
    sizes = [draw.sizes() for _ in range(count)]
    inputs: dict[str, Any] = {name: [draw.tensor(one) for one in sizes] for name in ("Param", "Grad", "Velocity")}
    inputs["Param"][0] *= draw.number(0, 1)  # as biases begin
    inputs["LearningRate"] = [draw.tensor([1], low=0.01, high=1.0) for _ in range(count)]
    attrs = {"mu": draw.real(0, 1), "lars_weight_decay": [draw.one(0.0, draw.real(0, 0.5)) for _ in range(count)]}
    attrs |= draw.some({"lars_coeff": draw.real(0, 0.1), "epsilon": draw.real(0, 0.1), "rescale_grad": draw.real(0.5, 2)})
    return Call(inputs, attrs, {"ParamOut": count, "VelocityOut": count}, ())


@recipe("proximal_gd")
def proximal_gd(draw: Draw) -> Call:
    sizes = draw.sizes()
    inputs = {"Param": draw.tensor(sizes), "Grad": draw.tensor(sizes), "LearningRate": draw.tensor([1], low=0.01, high=1.0)}
    return Call(inputs, draw.some({"l1": draw.real(0, 1), "l2": draw.real(0, 1)}), {"ParamOut": 1}, ())


@recipe("decayed_adagrad")
def decayed_adagrad(draw: Draw) -> Call:
    sizes = draw.sizes()
    inputs = {"Param": draw.tensor(sizes), "Grad": draw.tensor(sizes), "Moment": draw.tensor(sizes, low=0.0)}
    inputs["LearningRate"] = draw.tensor([1], low=0.01, high=1.0)
    return Call(
        inputs, draw.some({"decay": draw.real(0, 1), "epsilon": draw.real(0.001, 0.1)}), {"ParamOut": 1, "MomentOut": 1}, ()
    )


@recipe("dpsgd")
def dpsgd(draw: Draw) -> Call:
    sizes = draw.sizes()
    inputs = {"Param": draw.tensor(sizes), "Grad": draw.tensor(sizes), "LearningRate": draw.tensor([1], low=0.01, high=1.0)}
    return Call(inputs, {"clip": draw.real(0.1, 5), "sigma": 0.0, "batch_size": 16.0}, {"ParamOut": 1}, ())


@recipe("minus")
def minus(draw: Draw) -> Call:
    sizes = draw.sizes()
    return Call({"X": draw.tensor(sizes), "Y": draw.tensor(sizes)}, wanted=())


@recipe("grad_add")
def grad_add(draw: Draw) -> Call:
    sizes, dtype = draw.sizes(), draw.one(*FLOATS, *WHOLE)
    return Call({"X": draw.tensor(sizes, dtype), "Y": draw.tensor(sizes, dtype)}, wanted=())


@recipe("soft_relu")
def soft_relu(draw: Draw) -> Call:
    return Call({"X": draw.tensor(draw.sizes(), draw.one(*FLOATS))}, draw.some({"threshold": draw.real(0.5, 3)}))


@recipe("fill_zeros_like")
def fill_zeros_like(draw: Draw) -> Call:
    return Call({"X": draw.tensor(draw.sizes(), draw.one(*FLOATS, *WHOLE))}, wanted=())


@recipe("fill_zeros_like2")
def fill_zeros_like2(draw: Draw) -> Call:
    number, dtype = draw.one((2, torch.int32), (3, torch.int64), (5, torch.float32), (6, torch.float64))
    return Call({"X": draw.tensor(draw.sizes(), dtype)}, {"dtype": number}, wanted=())


@recipe("share_data")
def share_data(draw: Draw) -> Call:
    return Call({"X": draw.tensor(draw.sizes(), draw.one(*FLOATS, *WHOLE))}, wanted=())


@recipe("isinf")
@recipe("isnan")
def has_any(draw: Draw) -> Call:
    x = draw.tensor(draw.sizes(), draw.one(*FLOATS))
    return Call({"X": torch.where(x > draw.real(0, 2), draw.one(float("inf"), float("nan")), x)}, wanted=())


@recipe("transfer_dtype")
def transfer_dtype(draw: Draw) -> Call:
    number = draw.one(2, 3, 5, 6)
    return Call({"X": draw.tensor(draw.sizes())}, {"in_dtype": 5, "out_dtype": number}, wanted=())


@recipe("unique")
def unique(draw: Draw) -> Call:
    x = draw.whole([draw.number(1, 8)], 5, draw.one(*WHOLE)) if draw.flag() else draw.tensor([draw.number(1, 3)] * 2)
    every = dict.fromkeys(("Out", "Index", "Indices", "Counts"), 1)
    if x.dim() == 1 and draw.flag():
        return Call({"X": x}, draw.some({"dtype": draw.one(2, 3)}), {"Out": 1, "Index": 1}, ())
    given = {f"return_{what}": True for what in ("index", "inverse", "counts")}
    return Call({"X": x}, {"is_sorted": True, "axis": draw.one([], [0]), "dtype": draw.one(2, 3), **given}, every, ())


@recipe("unique_with_counts")
def unique_with_counts(draw: Draw) -> Call:
    x = draw.whole([draw.number(1, 12)], 5, draw.one(*WHOLE))
    return Call({"X": x}, {"dtype": draw.one(2, 3)}, {"Out": 1, "Index": 1, "Count": 1}, ())


@recipe("coalesce_tensor")
def coalesce_tensor(draw: Draw) -> Call:
    count, (number, dtype) = draw.number(1, 3), draw.one((5, torch.float32), (6, torch.float64), (2, torch.int32))
    form = draw.one({"copy_data": True}, {"set_constant": True, "constant": draw.real()})
    attrs = {**form, "dtype": number, **draw.some({"use_align": draw.flag(), "align_size": draw.one(-1, 64, 16)})}
    # between the parts Paddle's memory is what it was
    unspecified = ("FusedOutput",) if "copy_data" in form else ()
    outputs = {"Output": count, "FusedOutput": 1}
    return Call({"Input": [draw.tensor(draw.sizes(), dtype) for _ in range(count)]}, attrs, outputs, (), unspecified)


@recipe("data_norm")
def data_norm(draw: Draw) -> Call:
    slot, slots, dtype = draw.number(1, 3), draw.number(1, 3), draw.one(*FLOATS)
    columns, by_slot = slot * slots, draw.flag()
    x = draw.tensor([draw.number(1, 4), columns], dtype)
    if by_slot:
        x[:, ::slot] *= draw.truths([len(x), slots]).to(dtype)
    inputs = {name: draw.tensor([columns], dtype, 0.5, 3.0) for name in ("BatchSize", "BatchSum", "BatchSquareSum")}
    attrs = {"slot_dim": slot} if by_slot else {}
    if draw.flag(0.4):
        inputs |= {name: draw.tensor([columns], dtype) for name in ("scale_w", "bias")}
        attrs["enable_scale_and_shift"] = True
    return Call({"X": x, **inputs}, {**attrs, **draw.some({"epsilon": 0.0005})}, {"Y": 1, "Means": 1, "Scales": 1}, ())


def partial(draw: Draw, least: int) -> Call:
    rows, columns, dtype = draw.number(1, 4), draw.number(2, 5), draw.one(*FLOATS)
    start = draw.number(least * columns, columns - 1)
    length = draw.one(-1, draw.number(1, columns - start % columns))
    x = [draw.tensor([rows, columns], dtype) for _ in range(draw.number(1, 3))]
    return Call({"X": x}, {"start_index": start, "length": length})


@recipe("partial_concat")
def partial_concat(draw: Draw) -> Call:
    return partial(draw, -1)


@recipe("partial_sum")
def partial_sum(draw: Draw) -> Call:
    return partial(draw, 0)  # Paddle's process ends where it counts from the last column


@recipe("cvm")
def cvm(draw: Draw) -> Call:
    rows, dtype = draw.number(1, 4), draw.one(*FLOATS)
    x = draw.tensor([rows, draw.number(3, 6)], dtype, 0.0, 3.0)
    return Call({"X": x, "CVM": draw.tensor([rows, 2], dtype, 0.0, 3.0)}, {"use_cvm": draw.flag()}, {"Y": 1})


@recipe("fusion_repeated_fc_relu")
def fusion_repeated_fc_relu(draw: Draw) -> Call:
    widths = [draw.number(1, 5) for _ in range(draw.number(3, 5))]
    inputs: dict[str, Any] = {"X": draw.tensor([draw.number(1, 4), widths[0]])}
    inputs["W"] = [draw.tensor([a, b]) for a, b in itertools.pairwise(widths)]
    inputs["Bias"] = [draw.tensor(draw.one([b], [1, b])) for b in widths[1:]]
    return Call(inputs, {}, {"ReluOut": len(widths) - 2, "Out": 1}, ())


@recipe("fusion_squared_mat_sub")
def fusion_squared_mat_sub(draw: Draw) -> Call:
    rows, inner, columns = draw.sizes(3, 3)
    inputs = {"X": draw.tensor([rows, inner]), "Y": draw.tensor([inner, columns])}
    outputs = {"SquaredX": 1, "SquaredY": 1, "SquaredXY": 1, "Out": 1}
    return Call(inputs, draw.some({"scalar": draw.real()}), outputs, (), ("SquaredXY",))


def fused_elemwise(draw: Draw, *functors: list[str]) -> Call:
    sizes = draw.sizes(2, 3)
    axis = draw.one(-1, draw.number(0, len(sizes) - 1))
    y = sizes if axis == -1 else sizes[axis : draw.number(axis + 1, len(sizes))]
    inputs = {"X": draw.tensor(sizes), "Y": draw.tensor(y)}
    attrs = {"functor_list": draw.one(*functors), "axis": axis, "save_intermediate_out": True}
    return Call(inputs, {**attrs, **draw.some({"scale": draw.real()})}, {"Out": 1, "IntermediateOut": 1}, ())


@recipe("fused_elemwise_activation")
def fused_elemwise_activation(draw: Draw) -> Call:
    add, multiply = "elementwise_add", "elementwise_mul"
    return fused_elemwise(draw, [add, "relu"], ["relu", add], ["tanh", add], [add, "scale"], [multiply, "scale"], ["gelu", add])


@recipe("fused_elemwise_add_activation")
def fused_elemwise_add_activation(draw: Draw) -> Call:
    return fused_elemwise(draw, ["elementwise_add", "relu"], ["relu", "elementwise_add"])


@recipe("hierarchical_sigmoid")
def hierarchical_sigmoid(draw: Draw) -> Call:
    rows, features, classes, dtype = draw.number(1, 4), draw.number(1, 4), draw.number(2, 9), draw.one(*FLOATS)
    inputs = {"X": draw.tensor([rows, features], dtype), "W": draw.tensor([classes - 1, features], dtype)}
    inputs["Label"] = draw.whole([rows, 1], classes)
    if draw.flag():
        inputs["Bias"] = draw.tensor([classes - 1, 1], dtype)
    if draw.flag():
        steps = [rows, draw.number(1, 4)]
        inputs |= {"PathTable": draw.whole(steps, classes) - 1, "PathCode": draw.whole(steps, 2)}
    attrs = {"num_classes": classes, **draw.some({"is_sparse": False})}
    wanted = [slot for slot in ("X", "W", "Bias") if slot in inputs]
    return Call(inputs, attrs, {"Out": 1, "PreOut": 1, "W_Out": 1}, wanted, ("PreOut", "W_Out"))


@recipe("warprnnt")
def warprnnt(draw: Draw) -> Call:
    batch, steps, labels, classes = (draw.number(1, 4) for _ in range(4))
    logs = draw.tensor([batch, steps, labels + 1, classes + 1], draw.one(*FLOATS)).log_softmax(-1)
    inputs = {"input": logs, "label": draw.whole([batch, labels], classes, torch.int32) + 1}
    inputs["input_lengths"] = draw.whole([batch], steps, torch.int32) + 1
    inputs["label_lengths"] = draw.whole([batch], labels + 1, torch.int32)
    attrs = draw.some({"blank": 0, "fastemit_lambda": draw.real(0, 1)})
    return Call(inputs, attrs, {"loss": 1, "warprnntgrad": 1}, ("input",), ("warprnntgrad",))


@recipe("graph_reindex")
def graph_reindex(draw: Draw) -> Call:
    dtype, nodes = draw.one(*WHOLE), draw.number(1, 5)
    x = torch.tensor(draw.random.sample(range(9), nodes), dtype=dtype)
    count = draw.whole([nodes], 4, torch.int32)
    count[0] += 1  # Paddle has no graph without edges
    inputs = {"X": x, "Neighbors": draw.whole([int(count.sum())], 12, dtype), "Count": count}
    return Call(inputs, {}, {"Reindex_Src": 1, "Reindex_Dst": 1, "Out_Nodes": 1}, ())


@recipe("tdm_child")
def tdm_child(draw: Draw) -> Call:
    nodes, children = draw.number(2, 8), draw.number(1, 3)
    tree = draw.whole([nodes, 3 + children], nodes, draw.one(*WHOLE))
    x = draw.whole([*draw.sizes(1, 2)], nodes, draw.one(*WHOLE))
    return Call({"X": x, "TreeInfo": tree}, {"child_nums": children, "dtype": draw.one(2, 3)}, {"Child": 1, "LeafMask": 1}, ())


@recipe("lookup_table_dequant")
def lookup_table_dequant(draw: Draw) -> Call:
    rows = draw.number(1, 5)
    inputs = {"W": draw.tensor([rows, 2 + draw.number(1, 3)]), "Ids": draw.whole([*draw.sizes(1, 2), 1], rows)}
    return Call(inputs, draw.some({"padding_idx": draw.number(-1, rows - 1)}), {"Out": 1}, ())


@recipe("positive_negative_pair")
def positive_negative_pair(draw: Draw) -> Call:
    rows, columns = [count := draw.number(1, 9), 1], draw.number(1, 3)
    inputs = {
        "Score": draw.whole([count, columns], 4).float(),
        "Label": draw.whole(rows, 3).float(),
        "QueryID": draw.whole(rows, 3),
    }
    if draw.flag():
        inputs["Weight"] = draw.tensor(rows, low=0.0)
    if draw.flag():
        inputs |= {f"Accumulate{name}Pair": draw.tensor([1], low=0.0) for name in ("Positive", "Negative", "Neutral")}
    return Call(inputs, {"column": draw.axis(columns)}, {"PositivePair": 1, "NegativePair": 1, "NeutralPair": 1}, ())


@recipe("precision_recall")
def precision_recall(draw: Draw) -> Call:
    rows, classes, dtype = [draw.number(1, 9), 1], draw.number(2, 4), draw.one(*FLOATS)
    inputs = {"MaxProbs": draw.tensor(rows, dtype, low=0.0)}
    inputs |= {slot: draw.whole(rows, classes, torch.int32) for slot in ("Indices", "Labels")}
    if draw.flag():
        inputs["Weights"] = draw.tensor(rows, dtype, low=0.0)
    if draw.flag():
        inputs["StatesInfo"] = draw.tensor([classes, 4], dtype, low=0.0)
    return Call(inputs, {"class_number": classes}, {"BatchMetrics": 1, "AccumMetrics": 1, "AccumStatesInfo": 1}, ())
