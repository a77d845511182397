"""Operators with slots and attributes as programs have them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from phi_torch.legacy import Attribute

Slots = Mapping[str, Tensor | Sequence[Tensor]]


@dataclass(frozen=True)
class Case:
    """A call of an operator; `outputs` are the slots that are looked at, with how many variables each has."""

    type: str
    number: int
    inputs: Slots
    attrs: Mapping[str, Any] = field(default_factory=dict)
    outputs: Mapping[str, int] = field(default_factory=lambda: {"Out": 1})

    def __str__(self) -> str:
        return f"{self.type}-{self.number}"


GENERATOR = torch.Generator().manual_seed(0)


def real(*shape: int, dtype: torch.dtype = torch.float32, low: float = -2.0, high: float = 2.0) -> Tensor:
    return (torch.rand(shape, generator=GENERATOR, dtype=torch.float64) * (high - low) + low).to(dtype)


def whole(*shape: int, high: int = 5, dtype: torch.dtype = torch.int64) -> Tensor:
    return torch.randint(0, high, shape, generator=GENERATOR).to(dtype)


def shape_tensor(*sizes: int) -> Tensor:
    return torch.tensor(sizes, dtype=torch.int32)


def binary(op: str) -> Iterator[tuple[Slots, Mapping[str, Any]]]:
    low = 0.5 if op == "elementwise_div" else -2.0
    for dtype in (torch.float32, torch.float64, torch.int64):
        for x, y, axis in (
            *(((3, 4), (3, 4), -1), ((2, 3, 4), (4,), -1), ((2, 3, 4), (3,), 1), ((2, 3, 4), (2, 3), 0)),
            *(((2, 3, 4), (3, 1), 1), ((2, 1, 4), (3, 4), -1), ((3,), (2, 3), -1)),
        ):
            second = real(*y, low=low) if dtype.is_floating_point else whole(*y, high=4) + 1
            yield {"X": (real(*x) * 3).to(dtype), "Y": second.to(dtype)}, {"axis": axis}


UNARY = ("relu", "tanh", "sigmoid", "exp", "abs", "square", "sin", "cos", "silu", "gelu", "hard_swish")
POSITIVE = ("sqrt", "rsqrt", "log")
BINARY = tuple(f"elementwise_{op}" for op in ("add", "sub", "mul", "div", "max", "min"))
REDUCTIONS = ("reduce_sum", "reduce_mean", "reduce_max")
COMPARISONS = ("equal", "not_equal", "less_than", "greater_than")


def calls() -> Iterator[tuple[Any, ...]]:
    for op in UNARY:
        for shape in ((3, 4), (7,), (2, 1, 5)):
            yield op, {"X": real(*shape)}, {"approximate": True} if op == "gelu" else {}
        yield f"{op}", {"X": real(3, dtype=torch.float64)}, {}
    for op in POSITIVE:
        yield op, {"X": real(3, 4, low=0.1)}, {}
    for op in BINARY:
        yield from ((op, *one) for one in binary(op))
    for op in COMPARISONS:
        yield op, {"X": whole(3, 4), "Y": whole(3, 4)}, {"axis": -1}
        yield op, {"X": real(2, 3, 4), "Y": real(4)}, {"axis": -1}
    for op in REDUCTIONS:
        for dim, keep, whole_ in (
            ([0], False, False),
            ([-1], True, False),
            ([0, 2], False, False),
            ([], False, True),
            ([1], True, True),
        ):
            attrs = {"dim": dim, "keep_dim": keep, "reduce_all": whole_, "in_dtype": -1, "out_dtype": -1}
            yield op, {"X": real(2, 3, 4)}, attrs
        for dtype in (torch.int32, torch.int64):
            yield op, {"X": whole(3, 4, dtype=dtype)}, {**attrs, "dim": [1], "reduce_all": False}
    for dtype in (torch.int32, torch.int64):
        x = whole(3, 4, dtype=dtype)
        yield "scale", {"X": x}, {"scale": 1.5, "bias": 1.0, "bias_after_scale": True}
        yield "clip", {"X": x}, {"min": 1.0, "max": 3.0}
        yield "cumsum", {"X": x}, {"axis": 1, "flatten": False, "exclusive": False, "reverse": False}
        yield "abs", {"X": x - 2}, {}
        yield "square", {"X": x}, {}
        yield "pow", {"X": x}, {"factor": 2.0}
    yield from shapes()
    yield from matrices()
    yield from networks()


def shapes() -> Iterator[tuple[Any, ...]]:
    x = real(2, 3, 4)
    both = {"Out": 1, "XShape": 1}
    for shape in ([6, 4], [0, -1], [-1], [2, 1, 3, 4]):
        yield "reshape2", {"X": x}, {"shape": shape}, both
        yield "reshape2", {"X": x}, {"shape": shape}
    yield "reshape2", {"X": x, "Shape": shape_tensor(4, 6)}, {"shape": [-1]}
    yield "reshape2", {"X": x, "ShapeTensor": [shape_tensor(4), shape_tensor(6)]}, {"shape": [-1, -1]}
    for perm in ([2, 0, 1], [0, 2, 1]):
        yield "transpose2", {"X": x}, {"axis": perm}
    yield "squeeze2", {"X": real(2, 1, 3, 1)}, {"axes": [1]}, both
    yield "squeeze2", {"X": real(2, 1, 3, 1)}, {"axes": []}
    yield "unsqueeze2", {"X": x}, {"axes": [0, 2]}, both
    yield "unsqueeze2", {"X": x, "AxesTensor": shape_tensor(1)}, {"axes": []}
    for start, stop in ((0, 1), (1, 2), (0, -1)):
        yield "flatten_contiguous_range", {"X": x}, {"start_axis": start, "stop_axis": stop}, both
    for axis in (0, 1, -1):
        yield "concat", {"X": [x, x + 1]}, {"axis": axis}
        yield "stack", {"X": [x, x + 1]}, {"axis": axis}, {"Y": 1}
    yield "concat", {"X": [x, x], "AxisTensor": shape_tensor(2)}, {"axis": 0}
    yield "split", {"X": x}, {"num": 2, "sections": [], "axis": 2}, {"Out": 2}
    yield "split", {"X": x}, {"num": 0, "sections": [1, 3], "axis": 2}, {"Out": 2}
    yield "split", {"X": x, "AxisTensor": shape_tensor(1)}, {"num": 3, "sections": [], "axis": 0}, {"Out": 3}
    cut = {"axes": [0, 2], "starts": [0, 1], "ends": [1, 3], "infer_flags": [1, 1], "decrease_axis": []}
    yield "slice", {"Input": x}, cut
    yield "slice", {"Input": x}, {**cut, "decrease_axis": [0]}
    yield "slice", {"Input": x}, {**cut, "starts": [-1, -3], "ends": [2, 100]}
    yield "slice", {"Input": x, "StartsTensor": shape_tensor(1, 0)}, {**cut, "ends": [2, 2], "infer_flags": [-1, -1]}
    yield "expand_v2", {"X": real(3, 1)}, {"shape": [2, -1, 4]}
    yield "expand_v2", {"X": real(3, 1), "Shape": shape_tensor(2, 3, 4)}, {"shape": []}
    yield "tile", {"X": real(3, 2)}, {"repeat_times": [2, 1, 3]}
    yield "unbind", {"X": x}, {"axis": 1}, {"Out": 3}
    yield "gather", {"X": real(5, 3), "Index": whole(4)}, {"axis": 0}
    yield "index_select", {"X": real(5, 3), "Index": whole(4)}, {"dim": 0}
    yield "shape", {"Input": x}, {}
    yield "cast", {"X": x}, {"in_dtype": torch.float32, "out_dtype": torch.int64}
    yield "assign", {"X": x}, {}
    yield "scale", {"X": x}, {"scale": 2.0, "bias": 1.0, "bias_after_scale": True}
    yield "scale", {"X": x}, {"scale": 2.0, "bias": 1.0, "bias_after_scale": False}
    yield "scale", {"X": x, "ScaleTensor": torch.tensor([3.0])}, {"scale": 2.0, "bias": 1.0, "bias_after_scale": False}
    yield "clip", {"X": x}, {"min": -1.0, "max": 0.5}
    yield "clip", {"X": x, "Min": torch.tensor([-0.5]), "Max": torch.tensor([0.25])}, {"min": -1.0, "max": 1.0}
    yield "scale", {"X": x, "BiasTensor": torch.tensor([3.0])}, {"scale": 2.0, "bias_after_scale": True}
    numbers = {"ScaleTensor": torch.tensor([3.0]), "BiasTensor": torch.tensor([0.5])}
    yield "scale", {"X": x, **numbers}, {"scale": 2.0, "bias": 1.0, "bias_after_scale": False}
    yield "pow", {"X": x}, {"factor": 2.0}
    yield "pow", {"X": x, "FactorTensor": torch.tensor([3.0])}, {"factor": 1.0}
    yield "pow", {"X": whole(3, 4), "FactorTensor": torch.tensor([2.0])}, {"factor": 1.0}
    signs = torch.tensor([[7, -7, 7, -7, 6], [-6, 0, 1, -1, 9]], dtype=torch.int32)
    yield "elementwise_div", {"X": signs, "Y": torch.tensor([2, 2, -2, -2, 3], dtype=torch.int32)}, {"axis": -1}
    yield "elementwise_div", {"X": signs.long(), "Y": torch.tensor([4, -5])}, {"axis": 0}
    yield "elementwise_div", {"X": signs > 0, "Y": torch.tensor([True, True])}, {"axis": 0}
    sized = {"shape": [-1, 3], "value": 1.5, "str_value": "", "dtype": torch.float32}
    yield "fill_constant_batch_size_like", {"Input": x}, {**sized, "input_dim_idx": 2, "output_dim_idx": 0}
    yield "cumsum", {"X": x}, {"axis": 1, "flatten": False, "exclusive": False, "reverse": False}
    yield "cumsum", {"X": x}, {"axis": 1, "flatten": False, "exclusive": True, "reverse": True}
    yield "where", {"Condition": x > 0, "X": x, "Y": -x}, {}
    yield "logical_not", {"X": x > 0}, {}
    yield "logical_and", {"X": x > 0, "Y": x > 1}, {}
    yield "one_hot_v2", {"X": whole(3, 2)}, {"depth": 6, "dtype": torch.float32, "allow_out_of_range": False}
    yield "one_hot_v2", {"X": whole(3, 2)}, {"depth": 5, "dtype": torch.int64, "allow_out_of_range": True}
    yield "arg_max", {"X": x}, {"axis": 1, "keepdims": False, "flatten": False, "dtype": torch.int64}
    yield "arg_max", {"X": x}, {"axis": 0, "keepdims": True, "flatten": True, "dtype": torch.int32}
    pair = {"Out": 1, "Indices": 1}
    yield "top_k_v2", {"X": x}, {"k": 2, "axis": -1, "largest": True, "sorted": True}, pair
    yield "top_k_v2", {"X": x, "K": shape_tensor(2)}, {"k": 1, "axis": 1, "largest": False, "sorted": True}, pair
    full = {"dtype": torch.float32, "value": 1.5, "str_value": "", "shape": [2, 3]}
    yield "fill_constant", {}, full
    yield "fill_constant", {}, {**full, "str_value": "2.25"}
    yield "fill_constant", {"ShapeTensorList": [shape_tensor(2), shape_tensor(2)]}, {**full, "shape": [-1, -1]}
    yield "fill_constant", {"ValueTensor": torch.tensor([4.0])}, full
    yield "fill_any_like", {"X": x}, {"value": 3.0, "dtype": -1}
    yield "fill_any_like", {"X": x}, {"value": 3.0, "dtype": torch.int64}
    yield "increment", {"X": torch.tensor([2.0])}, {"step": 1.5}
    yield "range", {"Start": torch.tensor([1.0]), "End": torch.tensor([4.0]), "Step": torch.tensor([0.5])}, {}
    yield "tril_triu", {"X": real(4, 4)}, {"diagonal": 1, "lower": True}
    yield "tril_triu", {"X": real(4, 4)}, {"diagonal": -1, "lower": False}
    yield "sum", {"X": [x, x, x + 1]}, {}
    yield "grad_add", {"X": x, "Y": x + 1}, {}
    yield "assign_value", {}, {"shape": [2, 2], "dtype": torch.float32, "fp32_values": [1.0, 2.0, 3.0, 4.0]}


def matrices() -> Iterator[tuple[Any, ...]]:
    sizes: tuple[tuple[tuple[int, ...], tuple[int, ...], int, int], ...]
    sizes = (((2, 3), (3, 4), 0, 0), ((3, 2), (4, 3), 1, 1), ((2, 2, 3), (2, 3, 4), 0, 0), ((3,), (3,), 0, 0))
    for x, y, tx, ty in (*sizes, ((2, 2, 3), (3, 4), 0, 0)):
        yield "matmul_v2", {"X": real(*x), "Y": real(*y)}, {"trans_x": bool(tx), "trans_y": bool(ty)}
    for x, y, tx, ty in sizes:
        yield "matmul", {"X": real(*x), "Y": real(*y)}, {"transpose_X": bool(tx), "transpose_Y": bool(ty), "alpha": 0.5}
    yield "mul", {"X": real(2, 3, 4), "Y": real(12, 5)}, {"x_num_col_dims": 1, "y_num_col_dims": 1}
    yield "mul", {"X": real(2, 3, 4), "Y": real(4, 5, 2)}, {"x_num_col_dims": 2, "y_num_col_dims": 1}
    yield "bmm", {"X": real(2, 3, 4), "Y": real(2, 4, 5)}, {}
    fc = {"in_num_col_dims": 1, "activation_type": "relu", "padding_weights": False}
    yield "fc", {"Input": real(2, 3), "W": real(3, 4), "Bias": real(4)}, fc
    yield "fc", {"Input": real(2, 3, 4), "W": real(4, 5)}, {**fc, "in_num_col_dims": 2, "activation_type": ""}


def networks() -> Iterator[tuple[Any, ...]]:
    image = real(2, 3, 8, 8)
    conv: dict[str, Any] = {
        "strides": [1, 1],
        "paddings": [0, 0],
        "dilations": [1, 1],
        "groups": 1,
        "padding_algorithm": "EXPLICIT",
    }
    conv |= {"data_format": "NCHW"}
    for more in ({}, {"strides": [2, 1], "paddings": [1, 2]}, {"padding_algorithm": "SAME"}, {"dilations": [2, 2]}):
        yield "conv2d", {"Input": image, "Filter": real(4, 3, 3, 3)}, {**conv, **more}, {"Output": 1}
    yield "depthwise_conv2d", {"Input": image, "Filter": real(3, 1, 3, 3)}, {**conv, "groups": 3}, {"Output": 1}
    transposed: dict[str, Any] = {**conv, "output_padding": [], "output_size": []}
    yield "conv2d_transpose", {"Input": image, "Filter": real(3, 4, 2, 2)}, {**transposed, "strides": [2, 2]}, {"Output": 1}
    pool: dict[str, Any] = {
        "ksize": [2, 2],
        "strides": [2, 2],
        "paddings": [0, 0],
        "ceil_mode": False,
        "exclusive": True,
        "data_format": "NCHW",
    }
    pool |= {"pooling_type": "max", "global_pooling": False, "adaptive": False, "padding_algorithm": "EXPLICIT"}
    average = {"pooling_type": "avg"}
    adaptive: dict[str, Any] = {**average, "adaptive": True, "ksize": [3, 3]}
    for changed in ({}, {**average, "paddings": [1, 1]}, {"global_pooling": True}, adaptive):
        yield "pool2d", {"X": image}, {**pool, **changed}
    norm: dict[str, Any] = {"is_test": True, "momentum": 0.9, "epsilon": 1e-5, "data_layout": "NCHW", "use_global_stats": False}
    norm |= {"trainable_statistics": False}
    statistics = {"X": image, "Scale": real(3), "Bias": real(3), "Mean": real(3), "Variance": real(3, low=0.1)}
    yield "batch_norm", statistics, norm, {"Y": 1, "MeanOut": 1, "VarianceOut": 1}
    outputs = {"Y": 1, "MeanOut": 1, "VarianceOut": 1, "SavedMean": 1, "SavedVariance": 1, "ReserveSpace": 1}
    yield "batch_norm", statistics, {**norm, "is_test": False}, outputs
    parts = {"X": real(4, 6), "Scale": real(6), "Bias": real(6)}
    yield "layer_norm", parts, {"epsilon": 1e-5, "begin_norm_axis": 1}, {"Y": 1, "Mean": 1, "Variance": 1}
    for axis in (-1, 1):
        yield "softmax", {"X": real(2, 3, 4)}, {"axis": axis}
        yield "log_softmax", {"X": real(2, 3, 4)}, {"axis": axis}
    loss: dict[str, Any] = {"soft_label": False, "use_softmax": True, "numeric_stable_mode": True, "ignore_index": -100, "axis": -1}
    labelled = {"Logits": real(3, 5), "Label": whole(3, 1)}
    yield "softmax_with_cross_entropy", labelled, loss, {"Softmax": 1, "Loss": 1}
    yield "lookup_table_v2", {"Ids": whole(3, 2), "W": real(5, 4)}, {"padding_idx": -1}
    yield "lookup_table_v2", {"Ids": whole(3, 2), "W": real(5, 4)}, {"padding_idx": 2}
    yield "dropout", {"X": real(3, 4)}, {"dropout_prob": 0.4, "is_test": True, "dropout_implementation": "downgrade_in_infer"}
    yield "dropout", {"X": real(3, 4)}, {"dropout_prob": 0.4, "is_test": True, "dropout_implementation": "upscale_in_train"}
    yield "hard_sigmoid", {"X": real(3, 4)}, {"slope": 0.2, "offset": 0.4}
    yield "sequence_mask", {"X": whole(2, 3)}, {"maxlen": 4, "out_dtype": 3}, {"Y": 1}
    yield "sequence_mask", {"X": whole(2, 3), "MaxLenTensor": shape_tensor(7)}, {"maxlen": -1, "out_dtype": 5}, {"Y": 1}
    recurrent: dict[str, Any] = {"mode": "GRU", "input_size": 3, "hidden_size": 4, "num_layers": 1, "is_bidirec": False}
    recurrent |= {"dropout_prob": 0.0, "is_test": True, "seed": 0}
    steps = {"Input": real(5, 2, 3), "PreState": [real(1, 2, 4)]}
    steps["WeightList"] = [real(12, 3), real(12, 4), real(12), real(12)]
    yield "rnn", steps, recurrent, {"Out": 1, "State": 1}
    interp: dict[str, Any] = {
        "data_layout": "NCHW",
        "out_d": -1,
        "out_h": 5,
        "out_w": 6,
        "scale": Attribute("FLOATS", []),
        "align_corners": False,
        "align_mode": 1,
    }
    yield "bilinear_interp_v2", {"X": image}, {**interp, "interp_method": "bilinear"}
    yield "nearest_interp_v2", {"X": image}, {**interp, "interp_method": "nearest", "scale": [2.0, 2.0], "out_h": -1, "out_w": -1}
    yield "nearest_interp_v2", {"X": image, "OutSize": shape_tensor(4, 4)}, {**interp, "interp_method": "nearest"}
    gradients = {"X": real(2, 3, 4), "Y": real(3), "Out@GRAD": real(2, 3, 4)}
    for op in ("elementwise_add", "elementwise_mul", "elementwise_sub", "elementwise_div"):
        divided = {"Out": gradients["X"] / gradients["Y"][:, None]} if op == "elementwise_div" else {}
        yield f"{op}_grad", {**gradients, **divided}, {"axis": 1}, {"X@GRAD": 1, "Y@GRAD": 1}
    yield "relu_grad", {"Out": real(3, 4), "Out@GRAD": real(3, 4)}, {}, {"X@GRAD": 1}
    yield "tanh_grad", {"Out": real(3, 4, low=-1, high=1), "Out@GRAD": real(3, 4)}, {}, {"X@GRAD": 1}
    both = {"X": real(2, 3), "Y": real(3, 4), "Out@GRAD": real(2, 4)}
    yield "matmul_v2_grad", both, {"trans_x": False, "trans_y": False}, {"X@GRAD": 1, "Y@GRAD": 1}
    filters = {"Input": image, "Filter": real(4, 3, 3, 3), "Output@GRAD": real(2, 4, 6, 6)}
    yield "conv2d_grad", filters, conv, {"Input@GRAD": 1, "Filter@GRAD": 1}

    yield from gradients_of_one()
    yield from found_sizes()
    yield from quantized()


def gradients_of_one() -> Iterator[tuple[Any, ...]]:
    x, grad, given = real(2, 3, 4), real(2, 3, 4), {"X@GRAD": 1}
    for op in ("sigmoid", "sqrt", "exp"):
        yield f"{op}_grad", {"Out": real(3, 4, low=0.1, high=0.9), "Out@GRAD": real(3, 4)}, {}, given
    for op in ("square", "abs", "sin", "log"):
        yield f"{op}_grad", {"X": real(3, 4, low=0.1), "Out@GRAD": real(3, 4)}, {}, given
    yield "gelu_grad", {"X": x, "Out@GRAD": grad}, {"approximate": False}, given
    yield "silu_grad", {"X": x, "Out": torch.nn.functional.silu(x), "Out@GRAD": grad}, {}, given
    for dim, keep, whole_ in (([1], False, False), ([1], True, False), ([], False, True)):
        reduced = real(2, 1, 4) if keep else real(2, 4) if dim else real()
        attrs = {"dim": dim, "keep_dim": keep, "reduce_all": whole_, "in_dtype": -1, "out_dtype": -1}
        for op in ("reduce_mean", "reduce_sum"):
            yield f"{op}_grad", {"X": x, "Out@GRAD": reduced}, attrs, given
    yield "softmax_grad", {"Out": torch.softmax(x, -1), "Out@GRAD": grad}, {"axis": -1}, given
    yield "log_softmax_grad", {"Out": torch.log_softmax(x, -1), "Out@GRAD": grad}, {"axis": -1}, given
    yield "transpose2_grad", {"XShape": torch.empty(0, 3, 2, 4), "Out@GRAD": grad}, {"axis": [1, 0, 2]}, given
    yield "clip_grad", {"X": x, "Out@GRAD": grad}, {"min": -1.0, "max": 0.5}, given
    yield "pow_grad", {"X": x, "Out@GRAD": grad}, {"factor": 3.0}, given
    yield "hard_swish_grad", {"X": real(3, 4) * 3, "Out@GRAD": real(3, 4)}, {}, given
    yield "gather_grad", {"X": real(5, 3), "Index": whole(4), "Out@GRAD": real(4, 3)}, {"axis": 0}, given
    yield "stack_grad", {"Y@GRAD": grad}, {"axis": 1}, {"X@GRAD": 3}
    yield "concat_grad", {"X": [x, x], "Out@GRAD": real(4, 3, 4)}, {"axis": 0}, {"X@GRAD": 2}
    for op in ("elementwise_max", "elementwise_min"):
        pair = {"X": x, "Y": real(2, 3, 4), "Out@GRAD": grad}
        yield f"{op}_grad", pair, {"axis": -1}, {"X@GRAD": 1, "Y@GRAD": 1}
    table = {"Ids": whole(3, 2), "W": real(5, 4), "Out@GRAD": real(3, 2, 4)}
    yield "lookup_table_v2_grad", table, {"padding_idx": -1, "is_sparse": False}, {"W@GRAD": 1}
    probabilities = torch.softmax(real(3, 5), -1)
    loss = {"soft_label": False, "use_softmax": True, "numeric_stable_mode": True, "ignore_index": -100, "axis": -1}
    entropy = {"Label": whole(3, 1), "Softmax": probabilities, "Loss@GRAD": real(3, 1)}
    yield "softmax_with_cross_entropy_grad", entropy, loss, {"Logits@GRAD": 1}
    rows = {"X": real(4, 6), "Scale": real(6), "Bias": real(6), "Mean": real(4), "Variance": real(4, low=0.5)}
    parts = {"X@GRAD": 1, "Scale@GRAD": 1, "Bias@GRAD": 1}
    yield "layer_norm_grad", {**rows, "Y@GRAD": real(4, 6)}, {"epsilon": 1e-5, "begin_norm_axis": 1}, parts


def found_sizes() -> Iterator[tuple[Any, ...]]:
    """Of whose results values decide on a size."""
    found = {"Out": 1, "Indices": 1, "Index": 1, "Counts": 1}
    attrs = {"return_index": True, "return_inverse": True, "return_counts": True, "dtype": 3, "is_sorted": True}
    yield "unique", {"X": whole(7)}, {**attrs, "axis": Attribute("INTS", [])}, found
    yield "unique", {"X": whole(6, 2, high=2)}, {**attrs, "axis": [0], "dtype": 2}, found
    number = torch.tensor([5], dtype=torch.int32)
    yield "linspace", {"Start": real(1), "Stop": real(1), "Num": number}, {"dtype": 5}
    repeats = {"X": real(3, 4), "RepeatsTensor": torch.tensor([2, 0, 1])}
    yield "repeat_interleave", repeats, {"dim": 0, "Repeats": 0}
    grads = {**repeats, "Out@GRAD": real(3, 4)}
    yield "repeat_interleave_grad", grads, {"dim": 0, "Repeats": 0, "output_size": Attribute("LONG", -1)}, {"X@GRAD": 1}
    sequences = {"Input": real(3, 5, 4), "Transition": real(4, 4), "Length": torch.tensor([4, 2, 1])}
    for ends in (True, False):
        yield "viterbi_decode", sequences, {"include_bos_eos_tag": ends}, {"Scores": 1, "Path": 1}
    rows, segments = {"X": real(5, 3)}, torch.tensor([0, 0, 2, 2, 2])
    for pooltype in ("SUM", "MEAN", "MAX", "MIN"):
        yield "segment_pool", {**rows, "SegmentIds": segments}, {"pooltype": pooltype}
    given = {**rows, "SegmentIds": segments, "Out": real(3, 3), "Out@GRAD": real(3, 3)}
    counts = {"SummedIds": torch.tensor([[2.0], [0.0], [3.0]])}
    yield "segment_pool_grad", {**given, **counts}, {"pooltype": "MEAN"}, {"X@GRAD": 1}
    corners = real(2, 8, 2, low=0.0)
    boxes = torch.cat([corners, corners + real(2, 8, 2, low=0.5)], -1)
    best: dict[str, Any] = {"score_threshold": 0.1, "nms_top_k": 6, "keep_top_k": 5, "nms_threshold": 0.3}
    best |= {"background_label": 0, "normalized": True, "nms_eta": 0.9}
    scored = {"BBoxes": boxes, "Scores": real(2, 3, 8, low=0.0, high=1.0)}
    yield "multiclass_nms3", scored, best, {"Out": 1, "Index": 1, "NmsRoisNum": 1}
    own = {"BBoxes": boxes.reshape(8, 2, 4), "Scores": real(8, 2, low=0.0, high=1.0)}
    numbers = {"RoisNum": torch.tensor([3, 5], dtype=torch.int32)}
    yield "multiclass_nms3", {**own, **numbers}, best, {"Out": 1, "Index": 1, "NmsRoisNum": 1}
    steps: dict[str, Any] = {"axes": [1, 2], "infer_flags": [1, 1], "decrease_axis": []}
    for start, end, stride in ((0, 4, 3), (2, -4, -1), (-1, 0, -2)):
        along = {"starts": [1, start], "ends": [3, end], "strides": [1, stride]}
        yield "strided_slice", {"Input": real(2, 4, 5)}, {**steps, **along}
    yield "reduce_prod", {"X": real(2, 3)}, {"dim": [1], "keep_dim": True, "reduce_all": False}


def quantized() -> Iterator[tuple[Any, ...]]:
    attrs: dict[str, Any] = {"bit_length": 8, "qmin": -128, "qmax": 127, "is_test": True, "only_observer": False}
    for axis, count in ((-1, 1), (0, 3), (1, 4)):
        given = {"X": real(3, 4), "Scale": real(count, low=0.5), "ZeroPoint": torch.zeros(count)}
        for op in ("quantize_linear", "dequantize_linear"):
            for round_type in (0, 1):
                yield op, given, {**attrs, "quant_axis": axis, "round_type": round_type}, {"Y": 1}


CASES = [Case(call[0], number, *call[1:]) for number, call in enumerate(calls())]
