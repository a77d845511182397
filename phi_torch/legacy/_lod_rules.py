"""Which levels of detail the results of an operator have: mostly those of its first input.

The rules are what PaddlePaddle 2.6.2 does; `tests/legacy/test_lod_rules.py` asks it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from ._operators import OPERATORS, Operands, OperatorFunction, no_block
from .description import EMPTY, OpDesc
from .lod import Lod, LoDTensor, lengths_of, lod_of, offsets_of, with_lod

Values = dict[str, Any]
Run = Callable[[Values], None]

# operators that make levels where no input has any
MAKERS = frozenset(
    """
    array_to_lod_tensor detection_map generate_proposals im2sequence locality_aware_nms lod_reset mine_hard_examples multiclass_nms
    multiclass_nms2 retinanet_detection_output retinanet_target_assign rpn_target_assign sequence_unpad
    """.split()
)

# what operators that have a kernel do with levels of their inputs instead
LOD_FORMS: dict[str, OperatorFunction] = {}

# An operator that is in no table here: its result shares the levels of its first input, the others have none.
RESULTS, FIRST = ("Out", "out", "Output", "Y"), ("X", "x", "Input")
NONE = frozenset(
    """
    abs allclose angle arg_max arg_min auc channel_shuffle cholesky coalesce_tensor complex conv2d conv2d_transpose conv3d
    conv3d_transpose crop deformable_conv deformable_conv_v1 depthwise_conv2d depthwise_conv2d_transpose diag_embed diag_v2
    diagonal dist dot eigvals fft_c2r fft_r2c fill_constant_batch_size_like fill_diagonal fill_diagonal_tensor fold frame
    frobenius_norm fusion_squared_mat_sub graph_send_recv graph_send_ue_recv graph_send_uv identity_loss imag is_empty isclose
    isfinite_v2 isinf isinf_v2 isnan isnan_v2 kron l1_norm logsumexp lu masked_select matmul_v2 max_pool2d_with_index
    max_pool3d_with_index maxout mean meshgrid modified_huber_loss multinomial multiplex nanmedian nll_loss norm overlap_add
    p_norm pixel_shuffle pixel_unshuffle polygon_box_transform psroi_pool real reduce_all reduce_amax reduce_amin reduce_any
    reduce_max reduce_mean reduce_min reduce_prod reduce_sum rnn roi_align roi_pool segment_pool sequence_mask set_value shape
    share_data shuffle_channel size spp squared_l2_norm stft trace transpose transpose2 unfold uniform_random_inplace unique
    unique_consecutive unique_with_counts unpool unpool3d unstack
    """.split()
)
# operators whose result shares them where it has as many rows
BY_ROWS = frozenset("expand_v2 flatten_contiguous_range pad squeeze2 tile unsqueeze2".split())
SHARED = {
    "accuracy": {"Accuracy": "Out"},
    "addmm": {"Out": "Input"},
    "affine_grid": {"Output": "Theta"},
    "atan2": {"Out": "X1"},
    "hinge_loss": {"Loss": "Logits"},
    "index_sample": {"Out": "Index"},
    "log_loss": {"Loss": "Predicted"},
    "put_along_axis": {"Result": "Input"},
    "qr": {"Q": "X", "R": "X"},
    "softmax_with_cross_entropy": {"Loss": "Logits", "Softmax": "Logits"},
    "spectral_norm": {"Out": "Weight"},
    "svd": {"S": "X"},
    "triangular_solve": {"Out": "Y"},
    **{type: {"Out": "Ids"} for type in ("lookup_table", "lookup_table_v2")},
    **{type: {"Out": "X", "Indices": "X"} for type in ("argsort", "kthvalue", "mode", "top_k", "top_k_v2")},
    **{type: {"out": "x", "indices": "x"} for type in ("cummax", "cummin")},
}


def makes_lod(op: OpDesc) -> bool:
    """Whether an operator may give levels where no input has any."""
    return op.type in MAKERS


def carried(op: OpDesc, run: Run, key: Callable[[str], str]) -> Run:
    """`run`, after which what it gives has its levels. Operators that are functions, as those of sequences, give theirs."""
    if op.type in OPERATORS:
        return run
    run = _with_form(op, run, key)
    places = [(slot, key(name)) for slot, names in op.outputs.items() for name in names if name != EMPTY]
    sources = {slot: key(name) for slot in op.outputs if (name := source_of(op, slot)) is not None}
    computed, by_rows = COMPUTED.get(op.type), op.type in BY_ROWS

    def both(values: Values) -> None:
        given = {slot: values.get(source) for slot, source in sources.items()}
        lods = iter(computed(Operands(op, values, key, no_block)) if computed is not None else [])
        run(values)

        def leveled(slot: str, value: Any) -> Any:
            if isinstance(value, (list, tuple)):  # all results of a slot, of an operator by itself
                return [leveled(slot, one) for one in value]
            source = given.get(slot)
            lod: Lod = next(lods, []) if computed is not None and slot in OF_COMPUTED else lod_of(source)
            if not isinstance(value, Tensor) or (by_rows and isinstance(source, Tensor) and value.shape[:1] != source.shape[:1]):
                lod = []
            return with_lod(value, lod) if lod or isinstance(value, LoDTensor) else value

        for slot, place in places:
            if place in values:
                values[place] = leveled(slot, values[place])

    return both


def _with_form(op: OpDesc, run: Run, key: Callable[[str], str]) -> Run:
    """`run`, or for inputs with levels what the operator does with these."""
    form = LOD_FORMS.get(op.type)
    if form is None:
        return run

    def either(values: Values) -> None:
        operands = Operands(op, values, key, no_block)
        has_lod = any(lod_of(value) for slot in op.inputs for value in operands.inputs(slot))
        form(operands) if has_lod else run(values)

    return either


def source_of(op: OpDesc, slot: str) -> str | None:
    """The variable that the results of a slot share their levels with."""
    given = {slot: names[0] for slot, names in op.inputs.items() if names and names[0] != EMPTY}
    if slot.endswith("@GRAD"):
        grads = (one for one in op.inputs if one.endswith("@GRAD"))
        return next((given[one] for one in (slot.removesuffix("@GRAD"), "Out", *grads) if one in given), None)
    if op.type in SHARED:
        return given.get(SHARED[op.type].get(slot, ""))
    if op.type in NONE:
        return None
    if slot.removesuffix("Out") in given:  # what it changes, as ParamOut is Param
        return given[slot.removesuffix("Out")]
    if slot not in RESULTS:
        return None
    return next((given[first] for first in FIRST if first in given), None)


# ---- levels that follow from more than one input, or from attributes: those of the results of the slot, in their order

OF_COMPUTED = (*RESULTS, "OutputBox", "MultiFpnRois")


def _lods(op: Operands, slot: str) -> list[Lod]:
    return [lod_of(value) for value in op.inputs(slot)]


def _axis(op: Operands, slot: str) -> int:
    axis = int(op.input("AxisTensor")) if op.has("AxisTensor") else int(op.attr("axis", 0))
    return axis + op.inputs(slot)[0].dim() if axis < 0 else axis


def _concat(op: Operands) -> list[Lod]:
    """Of rows one after the other: so are the sequences, if all have levels."""
    first, *others = _lods(op, "X")
    if _axis(op, "X") != 0 or not first or not all(others):
        return [first]
    if any(len(other) != len(first) for other in others):
        raise ValueError(f"slot X: expected tensors with {len(first)} levels of detail, got {[len(other) for other in others]}")
    return [[offsets_of([one for level in levels for one in lengths_of(level)]) for levels in zip(first, *others)]]


def _where(condition: bool, slot: str, op: Operands) -> Iterator[Lod]:
    """Those of the first tensor of a slot for every result, where a condition holds."""
    lod = _lods(op, slot)[0] if condition and op.has(slot) else []
    while True:
        yield lod


def _interpolate(op: Operands) -> Iterator[Lod]:
    return _where(op.has("OutSize"), "X", op)


def _distributed(op: Operands) -> list[Lod]:
    """Those of the images; the boxes of a level are in the order in which they came."""
    rois = op.input("FpnRois")
    images = (lod_of(rois) or [[0, len(rois)]])[-1]
    counts = op.input("RoisNum") if op.has("RoisNum") else torch.tensor(lengths_of(images), dtype=torch.int32)
    names = ("min_level", "max_level", "refer_level", "refer_scale", "pixel_offset")
    _, numbers, _ = torch.ops.phi.distribute_fpn_proposals(with_lod(rois, []), counts, *map(op.attr, names))
    return [[offsets_of(number.tolist())] for number in numbers]


def _multi_dot(op: Operands) -> Iterator[Lod]:
    first, *_, last = op.inputs("X")
    return _where(len(op.inputs("X")) == 2 or first.dim() == 1 or last.dim() > 1, "X", op)


COMPUTED: dict[str, Callable[[Operands], Any]] = {
    **{f"{kind}_interp_v2": _interpolate for kind in ("bicubic", "bilinear", "linear", "nearest", "trilinear")},
    **{f"{kind}_interp": _interpolate for kind in ("bilinear", "nearest")},
    "box_coder": lambda op: _where(
        True, "PriorBox" if op.attr("axis", 0) == 1 and op.attr("code_type") == "decode_center_size" else "TargetBox", op
    ),
    "broadcast_tensors": lambda op: _lods(op, "X"),
    "concat": _concat,
    "distribute_fpn_proposals": _distributed,
    "expand": lambda op: _where((op.attr("expand_times") or [0])[0] == 1, "X", op),
    "flatten2": lambda op: _where(op.attr("axis") != 0, "X", op),
    "multi_dot": _multi_dot,
    "slice": lambda op: _where(op.attr("axes")[:1] != [0], "Input", op),
    "split": lambda op: _where(_axis(op, "X") != 0, "X", op),
}
