"""Operators that label sequences: conditional random fields, and what CTC needs."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from ... import ops as phi
from .._differentiable import differentiable
from .._lod_rules import LOD_FORMS
from .._operators import Operands, operator
from ..lod import Lod, lengths_of, offsets_of, with_lod
from .sequences import coarsest, numbers, places, sequences


def parts_of(op: Operands, slot: str) -> tuple[list[Tensor], Lod]:
    """The sequences of a slot: those of its levels, or the first `Length` steps of each row of a batch, without levels."""
    if not op.has("Length"):
        x, lod = sequences(op, slot, most=1)
        return list(x.split(lengths_of(lod[0]))), lod
    x = op.input(slot)
    if x.dim() < 2:
        raise ValueError(f"slot {slot}: expected a batch of shape [B, T, ...], got {[*x.shape]}")
    lengths = numbers(op, "Length", x.shape[0])
    if any(not 0 <= length <= x.shape[1] for length in lengths):
        raise ValueError(f"slot Length: expected 0 to {x.shape[1]}, got {lengths}")
    return [with_lod(row, [])[:length] for row, length in zip(x, lengths)], []


def _field(op: Operands) -> tuple[list[Tensor], Lod, Tensor]:
    """The scores of tags for the steps of sequences, and those of transitions: from the start, to the end, from tag to tag."""
    (emissions, lod), transition = parts_of(op, "Emission"), op.input("Transition")
    tags = op.input("Emission").shape[-1]
    if [*transition.shape] != [tags + 2, tags]:
        raise ValueError(f"slot Transition: expected shape {[tags + 2, tags]}, got {[*transition.shape]}")
    return emissions, lod, transition


def _labels(op: Operands, emissions: Sequence[Tensor]) -> list[Tensor]:
    parts, _ = parts_of(op, "Label")
    parts = [part.reshape(-1).long() for part in parts]
    if [*map(len, parts)] != [*map(len, emissions)]:
        raise ValueError(f"slot Label: expected sequences of lengths {[*map(len, emissions)]}, got {[*map(len, parts)]}")
    tags = op.input("Emission").shape[-1]
    if any(len(part) and not 0 <= int(part.min()) <= int(part.max()) < tags for part in parts):
        raise ValueError(f"slot Label: expected tags from 0 to {tags - 1}")
    return parts


@differentiable("linear_chain_crf")
def linear_chain_crf(op: Operands) -> None:
    """`LogLikelihood` is the negative logarithm, 0 of a sequence without steps; `Alpha` is what goes forward, normalized."""
    emissions, lod, transition = _field(op)
    labels = _labels(op, emissions)
    found = [_likelihood(x, transition, tags) for x, tags in zip(emissions, labels)]
    whole = op.input("Emission")
    largest = whole.detach().amax(-1, keepdim=True) if whole.numel() else whole[..., :1]
    op.set("EmissionExps", with_lod(torch.exp(whole.detach() - largest), []))
    op.set("TransitionExps", torch.exp(transition.detach()))
    op.set("Alpha", _like(whole, [alpha for alpha, _ in found], bool(lod)))
    op.set("LogLikelihood", torch.stack([loss for _, loss in found]).reshape(-1, 1))


def _likelihood(x: Tensor, transition: Tensor, tags: Tensor) -> tuple[Tensor, Tensor]:
    if not len(x):
        return x.detach(), x.sum()
    start, end, step = transition[0], transition[1], transition[2:]
    alpha = start + x[0]
    alphas = [alpha]
    for row in x[1:]:
        alpha = torch.logsumexp(alpha.unsqueeze(1) + step, 0) + row
        alphas.append(alpha)
    score = start[tags[0]] + end[tags[-1]] + x.gather(1, tags.unsqueeze(1)).sum() + step[tags[:-1], tags[1:]].sum()
    return torch.softmax(torch.stack(alphas).detach(), -1), torch.logsumexp(alpha + end, 0) - score


def _like(whole: Tensor, parts: Sequence[Tensor], one_by_one: bool) -> Tensor:
    """Sequences in the shape that they came in, zeros behind the last step of each row of a batch."""
    if one_by_one:
        return torch.cat([*parts])
    out = torch.zeros(whole.shape[:2] + parts[0].shape[1:], dtype=parts[0].dtype, device=whole.device)
    for row, part in zip(out, parts):
        row[: len(part)] = part
    return out


@operator("crf_decoding")
def crf_decoding(op: Operands) -> None:
    """The best tags; with `Label` 1 where these are the label, 0 elsewhere."""
    emissions, lod, transition = _field(op)
    paths = [_viterbi(x.detach(), transition.detach()) for x in emissions]
    if op.has("Label"):
        paths = [(path == label).long() for path, label in zip(paths, _labels(op, emissions))]
    path = _like(op.input("Emission"), paths, bool(lod))
    op.set("ViterbiPath", with_lod(path.reshape(-1, 1) if lod else path, lod))


def _viterbi(x: Tensor, transition: Tensor) -> Tensor:
    if not len(x):
        return torch.zeros(0, dtype=torch.int64, device=x.device)
    score, before = transition[0] + x[0], list[Tensor]()
    for row in x[1:]:
        best = (score.unsqueeze(1) + transition[2:]).max(0)
        score = best.values + row
        before.append(best.indices)
    path = [int((score + transition[1]).argmax())]
    for indices in reversed(before):
        path.append(int(indices[path[-1]]))
    return torch.tensor(path[::-1], device=x.device)


@operator("ctc_align")
def ctc_align(op: Operands) -> None:
    """Tokens without blanks, and one of those that repeat. If none is left of any sequence, there is one of -1."""
    blank, merge = op.attr("blank"), op.attr("merge_repeated")

    def aligned(part: Tensor) -> Tensor:
        part = part.reshape(-1)
        kept = part != blank
        if merge and len(part) > 1:
            kept[1:] &= part[1:] != part[:-1]
        return part[kept]

    x = op.input("Input")
    if op.has("InputLength"):
        lengths = numbers(op, "InputLength", x.shape[0])
        if x.dim() != 2 or any(not 0 <= length <= x.shape[1] for length in lengths):
            raise ValueError(f"slot InputLength: expected 0 to the steps of shape [B, T], got {lengths} for {[*x.shape]}")
        rows = [aligned(row[:length]) for row, length in zip(x, lengths)]
        out = torch.full_like(x, op.attr("padding_value"))
        for into, row in zip(out, rows):
            into[: len(row)] = row
        op.set("Output", out)
        op.set("OutputLength", torch.tensor([*map(len, rows)], dtype=x.dtype, device=x.device).reshape(-1, 1))
        return
    x, lod = sequences(op, "Input")
    rows = [aligned(part) for part in x.split(lengths_of(coarsest(lod)))]
    out = torch.cat(rows).reshape(-1, 1)
    op.set("Output", with_lod(out if len(out) else x.new_full((1, 1), -1), [offsets_of([*map(len, rows)])]))


# ---- operators of padded batches, for sequences


def _padded(op: Operands, slot: str, most: int = 1 << 30) -> tuple[Tensor, Tensor, Tensor]:
    """The sequences of a slot as a batch of shape [B, T, ...], their lengths, and the rows of the batch that they are."""
    x, lod = sequences(op, slot, most=most)
    lengths = lengths_of(coarsest(lod))
    steps = max(lengths)
    at = places([range(row * steps, row * steps + length) for row, length in enumerate(lengths)], x)
    batch = x.new_zeros(len(lengths) * steps, *x.shape[1:]).index_copy(0, at, x)
    return batch.reshape(len(lengths), steps, *x.shape[1:]), torch.tensor(lengths, device=x.device), at


def _edit_distance(op: Operands) -> None:
    (hyps, hyps_length, _), (refs, refs_length, _) = _padded(op, "Hyps", 1), _padded(op, "Refs", 1)
    hyps, refs = hyps.flatten(1), refs.flatten(1)
    count, out = phi.edit_distance(hyps, refs, hyps_length, refs_length, op.attr("normalized"))
    op.set("SequenceNum", count)
    op.set("Out", out)


def _warpctc(op: Operands) -> None:
    (logits, logits_length, _), (label, label_length, _) = _padded(op, "Logits"), _padded(op, "Label")
    given = (logits.transpose(0, 1), label.flatten(1), logits_length, label_length, op.attr("blank"), op.attr("norm_by_times"))
    loss, grad = torch.ops.phi.warpctc(*given)
    op.set("Loss", loss)
    op.set("WarpCTCGrad", grad)


def _warpctc_grad(op: Operands) -> None:
    logits, length, at = _padded(op, "Logits")
    label = torch.empty(len(logits), 0, dtype=torch.int64, device=logits.device)
    given = (op.input("WarpCTCGrad"), op.input("Loss@GRAD"), op.attr("blank"), op.attr("norm_by_times"))
    grad = torch.ops.phi.warpctc_grad(logits.transpose(0, 1), label, length, None, *given)
    op.set("Logits@GRAD", with_lod(grad.transpose(0, 1).flatten(0, 1)[at], sequences(op, "Logits")[1]))


LOD_FORMS.update(edit_distance=_edit_distance, warpctc=_warpctc, warpctc_grad=_warpctc_grad)
