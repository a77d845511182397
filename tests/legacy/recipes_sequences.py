"""Recipes of operators on sequences, which take tensors with levels of detail."""

from __future__ import annotations

import torch
from torch import Tensor

from phi_torch.legacy import LoDTensor

from .draw import FLOATS, WHOLE, Call, Draw
from .recipes import recipe


def lengths(draw: Draw, count: int, least: int = 0, most: int = 4) -> list[int]:
    return [draw.number(least, most) for _ in range(count)]


def level(sizes: list[int]) -> list[int]:
    return [sum(sizes[:at]) for at in range(len(sizes) + 1)]


def rows(draw: Draw, sizes: list[int], *more: int, dtype: torch.dtype = torch.float32) -> Tensor:
    return draw.tensor([sum(sizes), *more], dtype)


def sequence(draw: Draw, *more: int, least: int = 1, dtype: torch.dtype = torch.float32, count: int = 0) -> LoDTensor:
    """With a row at least."""
    sizes = lengths(draw, count or draw.number(1, 4), least)
    sizes[draw.number(0, len(sizes) - 1)] += not sum(sizes)
    return LoDTensor(rows(draw, sizes, *more, dtype=dtype), [level(sizes)])


def ids(draw: Draw, high: int, *more: int, least: int = 1, dtype: torch.dtype = torch.int64, count: int = 0) -> LoDTensor:
    of = sequence(draw, *more, least=least, count=count)
    return LoDTensor(draw.whole(of.shape, high, dtype), of.lod)


@recipe("lod_reset")
def lod_reset(draw: Draw) -> Call:
    append, sizes = draw.flag(0.3), lengths(draw, draw.number(1, 4), 0)
    sizes[0] += not sum(sizes)
    sizes = [1] * len(sizes) if append else sizes
    x: Tensor = rows(draw, sizes, *draw.sizes(0, 2), dtype=draw.one(*FLOATS))
    given = LoDTensor(x, [[0, len(x)]]) if append or draw.flag() else x
    form = draw.number(0, 2) if not append else 0
    if form == 0:
        return Call({"X": given}, {"target_lod": level(sizes), "append": append})
    if form == 1:
        return Call({"X": given, "Y": torch.tensor(level(sizes), dtype=torch.int32)})
    return Call({"X": given, "Y": LoDTensor(rows(draw, sizes, 2), [level(sizes)])})


@recipe("sequence_pool")
def sequence_pool(draw: Draw) -> Call:
    x = sequence(draw, *draw.sizes(1, 2), least=draw.one(0, 1), dtype=draw.one(*FLOATS))
    count = len(x.lod[0]) - 1
    if draw.flag(0.3):
        x = LoDTensor(x, [[0, count // 2, count], *x.lod])
    kind = draw.one("AVERAGE", "SUM", "SQRT", "MAX", "FIRST", "LAST")
    outputs = {"Out": 1, "MaxIndex": 1} if kind == "MAX" else {"Out": 1}
    return Call({"X": x}, {"pooltype": kind, "pad_value": draw.real()}, outputs)


@recipe("sequence_softmax")
def sequence_softmax(draw: Draw) -> Call:
    return Call({"X": sequence(draw, *draw.one((), (1,)), least=1, dtype=draw.one(*FLOATS))})


@recipe("sequence_conv")
def sequence_conv(draw: Draw) -> Call:
    width, length, start = draw.number(1, 3), draw.number(1, 4), draw.number(-3, 2)
    x, dtype = sequence(draw, width, dtype=torch.float32), torch.float32
    inputs = {"X": x, "Filter": draw.tensor([length * width, draw.number(1, 3)], dtype)}
    attrs = {"contextLength": length, "contextStart": start, "contextStride": 1}
    padding = max(0, -start) + max(0, start + length - 1)
    if draw.flag() and padding:
        inputs["PaddingData"] = draw.tensor([padding, width], dtype)
        return Call(inputs, attrs | {"paddingTrainable": True}, wanted=("X", "Filter", "PaddingData"))
    return Call(inputs, attrs, wanted=("X", "Filter") if start <= 0 else ("X",))  # Paddle's gradient of Filter is wrong then


@recipe("sequence_concat")
def sequence_concat(draw: Draw) -> Call:
    count, more, dtype = draw.number(1, 3), draw.sizes(0, 2), draw.one(*FLOATS)
    return Call({"X": [sequence(draw, *more, least=0, dtype=dtype, count=count) for _ in range(draw.number(1, 3))]})


@recipe("sequence_expand")
def sequence_expand(draw: Draw) -> Call:
    count, dtype = draw.number(1, 3), draw.one(*FLOATS)
    y = sequence(draw, 1, least=0, count=count, dtype=dtype)
    x = sequence(draw, 2, count=count, dtype=dtype) if draw.flag() else draw.tensor([count, 2], dtype)
    if draw.flag(0.3):
        y, ref = LoDTensor(y, [[0, *([1] * (count - 1)), count], y.lod[0]]), draw.one(-1, 0, 1)
    else:
        ref = draw.one(-1, 0)
    return Call({"X": x, "Y": y}, {"ref_level": ref})


@recipe("sequence_expand_as")
def sequence_expand_as(draw: Draw) -> Call:
    y, dtype = sequence(draw, 1, least=0), draw.one(*FLOATS)
    return Call({"X": draw.tensor([len(y.lod[0]) - 1, *draw.sizes(1, 2)], dtype), "Y": LoDTensor(y.to(dtype), y.lod)})


@recipe("sequence_pad")
def sequence_pad(draw: Draw) -> Call:
    more, dtype = draw.sizes(1, 2), draw.one(*FLOATS)
    x = sequence(draw, *more, least=0, dtype=dtype)
    pad = draw.tensor(draw.one([1], more), dtype)
    return Call({"X": x, "PadValue": pad}, draw.some({"padded_length": draw.one(-1, 5, 6)}), {"Out": 1, "Length": 1})


@recipe("sequence_unpad")
def sequence_unpad(draw: Draw) -> Call:
    x = draw.tensor([draw.number(1, 4), draw.number(1, 4), *draw.sizes(0, 2)], draw.one(*FLOATS))
    return Call({"X": x, "Length": torch.tensor(lengths(draw, len(x), 1, x.shape[1]))})


@recipe("sequence_reshape")
def sequence_reshape(draw: Draw) -> Call:
    times, old, dtype = draw.number(1, 3), draw.one(2, 4, 6, 12), draw.one(*FLOATS)
    sizes = [times * size for size in lengths(draw, draw.number(1, 3), 1)]
    x = LoDTensor(rows(draw, sizes, old, dtype=dtype), [level(sizes)])
    return Call({"X": x}, {"new_dim": draw.one(1, 2, old // 2, old * times)})


@recipe("sequence_reverse")
def sequence_reverse(draw: Draw) -> Call:
    return Call({"X": sequence(draw, *draw.sizes(0, 2), least=0, dtype=draw.one(*FLOATS))}, outputs={"Y": 1})


@recipe("sequence_slice")
def sequence_slice(draw: Draw) -> Call:
    x = sequence(draw, *draw.sizes(1, 2), dtype=draw.one(*FLOATS))
    sizes = [high - low for low, high in zip(x.lod[0], x.lod[0][1:])]
    begins = [draw.number(0, size - 1) for size in sizes]
    counts = [draw.number(1, size - begin) for size, begin in zip(sizes, begins)]
    given = {slot: torch.tensor(one).reshape(-1, 1) for slot, one in (("Offset", begins), ("Length", counts))}
    return Call({"X": x, **given})


@recipe("sequence_erase")
def sequence_erase(draw: Draw) -> Call:
    x = ids(draw, 5, 1, least=0, dtype=draw.one(*WHOLE))
    return Call({"X": x}, {"tokens": [draw.number(0, 5) for _ in range(draw.number(1, 3))]}, wanted=())


@recipe("sequence_enumerate")
def sequence_enumerate(draw: Draw) -> Call:
    x = ids(draw, 9, 1, least=0, dtype=draw.one(*WHOLE))
    return Call({"X": x}, {"win_size": draw.number(2, 4)} | draw.some({"pad_value": draw.number(-1, 9)}), wanted=())


@recipe("sequence_scatter")
def sequence_scatter(draw: Draw) -> Call:
    x = draw.tensor([draw.number(1, 4), draw.number(2, 5)], dtype := draw.one(*FLOATS))
    columns = ids(draw, x.shape[1], 1, count=len(x))
    updates = LoDTensor(draw.tensor(columns.shape, dtype), columns.lod)
    return Call({"X": x, "Ids": columns, "Updates": updates}, wanted=("X", "Updates"))


@recipe("row_conv")
def row_conv(draw: Draw) -> Call:
    width, dtype = draw.number(1, 3), torch.float32
    x = sequence(draw, width, dtype=dtype) if draw.flag() else draw.tensor([draw.number(1, 3), draw.number(1, 5), width], dtype)
    return Call({"X": x, "Filter": draw.tensor([draw.number(1, 4), width], dtype)}, wanted=("X", "Filter"))


@recipe("var_conv_2d")
def var_conv_2d(draw: Draw) -> Call:
    channels, high, wide = draw.number(1, 3), draw.number(1, 3), draw.number(1, 3)
    sizes = [(draw.number(1, 4), draw.number(1, 4)) for _ in range(draw.number(1, 3))]
    ends = [level(some) for some in ([channels * h * w for h, w in sizes], *map(list, zip(*sizes)))]
    x, rows, columns = (LoDTensor(draw.tensor([lod[-1], 1]), [lod]) for lod in ends)
    weight = draw.tensor([draw.number(1, 3), channels * high * wide])
    attrs = {"InputChannel": channels, "OutputChannel": len(weight), "KernelH": high, "KernelW": wide}
    attrs |= draw.some({"StrideH": draw.number(1, 2), "StrideW": draw.number(1, 2)})
    return Call({"X": x, "ROW": rows, "COLUMN": columns, "W": weight}, attrs, {"Out": 1, "Col": 1}, ())


@recipe("im2sequence")
def im2sequence(draw: Draw) -> Call:
    kernels, strides = ([draw.number(1, high), draw.number(1, high)] for high in (3, 2))
    paddings, steps = [draw.number(0, 1) for _ in range(4)], [draw.number(1, 3), draw.number(1, 3)]
    sizes = [kernels[at] + strides[at] * steps[at] - paddings[at] - paddings[at + 2] for at in range(2)]
    x = draw.tensor([draw.number(1, 3), draw.number(1, 3), *(max(size, 1) for size in sizes)])
    attrs = {"kernels": kernels, "strides": strides, "paddings": paddings}
    if draw.flag(0.3):
        scale = draw.number(1, 2)
        whole = torch.tensor([[size * scale for size in x.shape[2:]]] * len(x)).float()
        return Call({"X": x, "Y": whole}, attrs | {"out_stride": [scale, scale]}, wanted=())
    return Call({"X": x}, attrs)


@recipe("add_position_encoding")
def add_position_encoding(draw: Draw) -> Call:
    width, dtype = 2 * draw.number(1, 3), draw.one(*FLOATS)
    x = sequence(draw, width, dtype=dtype) if draw.flag() else draw.tensor([draw.number(1, 3), draw.number(1, 5), width], dtype)
    return Call({"X": x}, draw.some({"alpha": draw.real(0), "beta": draw.real(0)}))


# ---- labels


@recipe("linear_chain_crf")
def linear_chain_crf(draw: Draw) -> Call:
    tags, dtype = draw.number(1, 4), draw.one(*FLOATS)
    outputs = dict.fromkeys(("LogLikelihood", "Alpha", "EmissionExps", "TransitionExps"), 1)
    transition, wanted = draw.tensor([tags + 2, tags], dtype), ("Emission", "Transition")
    if draw.flag():
        scores = sequence(draw, tags, least=0, dtype=dtype)
        labels = LoDTensor(draw.whole([len(scores), 1], tags), scores.lod)
        return Call({"Emission": scores, "Transition": transition, "Label": labels}, {}, outputs, wanted)
    x = draw.tensor([draw.number(1, 3), draw.number(1, 4), tags], dtype)
    length = torch.tensor(lengths(draw, len(x), 1, x.shape[1])).reshape(-1, 1)
    label = draw.whole([*x.shape[:2]], tags)
    return Call({"Emission": x, "Transition": transition, "Label": label, "Length": length}, {}, outputs, wanted)


@recipe("crf_decoding")
def crf_decoding(draw: Draw) -> Call:
    call, labels = linear_chain_crf(draw), draw.flag()
    return Call({slot: one for slot, one in call.inputs.items() if labels or slot != "Label"}, {}, {"ViterbiPath": 1}, ())


@recipe("edit_distance of sequences")
def edit_distance(draw: Draw) -> Call:
    count = draw.number(1, 4)
    inputs = {slot: ids(draw, 4, 1, count=count) for slot in ("Hyps", "Refs")}
    return Call(inputs, draw.some({"normalized": draw.flag()}), {"Out": 1, "SequenceNum": 1}, ())


@recipe("warpctc of sequences")
def warpctc(draw: Draw) -> Call:
    classes, count, blank = draw.number(3, 5), draw.number(1, 3), draw.number(0, 2)
    sizes = lengths(draw, count, 1, 2)
    labels = draw.whole([sum(sizes), 1], classes - 1, torch.int32)
    labels += labels >= blank
    steps = [2 * size + 1 + draw.number(0, 2) for size in sizes]
    logits = LoDTensor(rows(draw, steps, classes, dtype=draw.one(*FLOATS)), [level(steps)])
    attrs = {"blank": blank} | draw.some({"norm_by_times": draw.flag()})
    outputs = {"Loss": 1, "WarpCTCGrad": 1}
    return Call({"Logits": logits, "Label": LoDTensor(labels, [level(sizes)])}, attrs, outputs, ["Logits"], ["WarpCTCGrad"])


@recipe("ctc_align")
def ctc_align(draw: Draw) -> Call:
    attrs = draw.some({"blank": draw.number(0, 2), "merge_repeated": draw.flag()})
    if draw.flag():
        return Call({"Input": ids(draw, 4, 1, least=draw.one(0, 1), dtype=draw.one(*WHOLE))}, attrs, {"Output": 1}, ())
    x = draw.whole([draw.number(1, 3), draw.number(1, 6)], 4, dtype := draw.one(*WHOLE))
    length = torch.tensor(lengths(draw, len(x), 0, x.shape[1]), dtype=dtype).reshape(-1, 1)
    attrs |= draw.some({"padding_value": draw.number(-1, 4)})
    return Call({"Input": x, "InputLength": length}, attrs, {"Output": 1, "OutputLength": 1}, ())


# ---- recurrent networks


def width_and_rows(draw: Draw, times: int) -> tuple[int, LoDTensor, int]:
    width = draw.number(1, 3)
    x = sequence(draw, times * width, dtype=draw.one(*FLOATS))
    return width, x, len(x.lod[0]) - 1


@recipe("lstm")
def lstm(draw: Draw) -> Call:
    width, x, count = width_and_rows(draw, 4)
    peepholes, dtype = draw.flag(), x.dtype
    inputs = {"Input": x, "Weight": draw.tensor([width, 4 * width], dtype)}
    inputs["Bias"] = draw.tensor([1, (7 if peepholes else 4) * width], dtype)
    if draw.flag():
        inputs |= {"H0": draw.tensor([count, width], dtype), "C0": draw.tensor([count, width], dtype)}
    names = {f"{name}_activation": draw.one("sigmoid", "tanh", "relu") for name in ("gate", "cell", "candidate")}
    attrs = {"use_peepholes": peepholes, "is_reverse": draw.flag()} | draw.some(names, 0.3)
    outputs = {"Hidden": 1, "Cell": 1, "BatchGate": 1, "BatchCellPreAct": 1}
    return Call(inputs, attrs, outputs, [*inputs])


@recipe("gru")
def gru(draw: Draw) -> Call:
    width, x, count = width_and_rows(draw, 3)
    inputs = {"Input": x, "Weight": draw.tensor([width, 3 * width], x.dtype)}
    if draw.flag():
        inputs["H0"] = draw.tensor([count, width], x.dtype)
    if draw.flag():
        inputs["Bias"] = draw.tensor([1, 3 * width], x.dtype)
    names = {name: draw.one("sigmoid", "tanh", "relu") for name in ("activation", "gate_activation")}
    attrs = {"is_reverse": draw.flag()} | draw.some({"origin_mode": draw.flag()}) | draw.some(names, 0.3)
    outputs = {"Hidden": 1, "BatchGate": 1, "BatchResetHiddenPrev": 1, "BatchHidden": 1}
    return Call(inputs, attrs, outputs, [*inputs])


@recipe("gru_unit")
def gru_unit(draw: Draw) -> Call:
    width, batch, dtype = draw.number(1, 3), draw.number(1, 4), draw.one(*FLOATS)
    sizes = {"Input": [batch, 3 * width], "HiddenPrev": [batch, width], "Weight": [width, 3 * width]}
    if draw.flag():
        sizes["Bias"] = [1, 3 * width]
    inputs = {slot: draw.tensor(size, dtype) for slot, size in sizes.items()}
    attrs = draw.some({"activation": draw.number(0, 3), "gate_activation": draw.number(0, 3), "origin_mode": draw.flag()})
    return Call(inputs, attrs, {"Hidden": 1, "Gate": 1, "ResetHiddenPrev": 1}, [*inputs])


@recipe("beam_search")
def beam_search(draw: Draw) -> Call:
    size, is_first = draw.number(1, 3), draw.flag(0.3)
    prefixes = [1 if is_first else draw.number(1, size) for _ in range(draw.number(1, 3))]
    count, width = sum(prefixes), draw.one(size, 2 * size, 5)
    levels = [level(prefixes), level([1] * count)]
    inputs = {"pre_ids": draw.whole([count, 1], 3), "pre_scores": draw.tensor([count, 1], low=0.1)}
    inputs["scores"] = draw.tensor([count, width], low=0.1)
    if draw.flag(0.7):
        inputs["ids"] = draw.whole([count, width], 6)
    attrs = {"level": 0, "beam_size": size, "end_id": 1, "is_accumulated": draw.flag()}
    outputs = {"selected_ids": 1, "selected_scores": 1, "parent_idx": 1}
    return Call({slot: LoDTensor(one, levels) for slot, one in inputs.items()}, attrs, outputs, ())


@recipe("chunk_eval")
def chunk_eval(draw: Draw) -> Call:
    types, (scheme, tags) = draw.number(1, 3), draw.one(("IOB", 2), ("IOE", 2), ("IOBES", 4), ("plain", 1))
    sizes, is_padded = lengths(draw, draw.number(1, 4), 1, 8), draw.flag()
    shape = [len(sizes), max(sizes)] if is_padded else [sum(sizes), 1]
    labels = draw.whole(shape, types * tags + 1)
    found = torch.where(draw.truths(shape) & draw.truths(shape), draw.whole(shape, types * tags + 1), labels)
    inputs: dict[str, Tensor] = {"Inference": found, "Label": labels}
    inputs = {slot: one if is_padded else LoDTensor(one, [level(sizes)]) for slot, one in inputs.items()}
    if is_padded:
        inputs["SeqLength"] = torch.tensor(sizes)
    names = ("Precision", "Recall", "F1-Score", "NumInferChunks", "NumLabelChunks", "NumCorrectChunks")
    attrs = {"num_chunk_types": types, "chunk_scheme": scheme, "excluded_chunk_types": draw.one([], [0])}
    return Call(inputs, attrs, dict.fromkeys(names, 1), ())


@recipe("match_matrix_tensor")
def match_matrix_tensor(draw: Draw) -> Call:
    width, matrices, count = draw.number(1, 4), draw.number(1, 3), draw.number(1, 3)
    x, y = (sequence(draw, width, count=count) for _ in range(2))
    inputs = {"X": x, "Y": y, "W": draw.tensor([width, matrices, width])}
    return Call(inputs, {"dim_t": matrices}, {"Out": 1, "Tmp": 1}, ("X", "Y", "W"))


@recipe("hash")
def hash(draw: Draw) -> Call:
    x = ids(draw, 1 << 31, draw.number(1, 12), dtype=draw.one(*WHOLE))
    return Call({"X": x}, {"num_hash": draw.number(1, 4), "mod_by": draw.number(1, 1 << 40)}, {"Out": 1}, ())
