"""Composites of losses of many classes: hierarchical sigmoid, cross entropy with margins, and samples of the classes."""

from __future__ import annotations

import torch
from torch import Tensor

from .errors import indices_of
from .found_sizes import check_range
from .widened import widened

__all__ = ["class_center_sample", "hsigmoid_loss", "margin_cross_entropy"]


def _complete_tree(label: Tensor, num_classes: int) -> tuple[Tensor, Tensor, Tensor]:
    """Nodes, whether to go right, and whether it is a step of the path, each [batch, steps] from the leaf up."""
    check_range("label", label, "classes", 0, num_classes - 1)
    leaf = label.reshape(-1, 1).long() + num_classes
    step = torch.arange((num_classes - 1).bit_length(), device=label.device)
    above = leaf >> (step + 1)
    return (above - 1).clamp(min=0), (leaf >> step) & 1 != 0, above > 0


def hsigmoid_loss(
    x: Tensor,
    label: Tensor,
    w: Tensor,
    bias: Tensor | None,
    path: Tensor | None,
    code: Tensor | None,
    num_classes: int,
    is_sparse: bool,
) -> tuple[Tensor, Tensor, Tensor]:
    if path is None or code is None:
        node, right, there = _complete_tree(label, num_classes)
    else:
        there = (path < 0).cumsum(1) == 0
        node, right = torch.where(there, path, 0).long(), code != 0
    with indices_of("path", f"the {w.shape[0]} rows of 'w'"):
        z = (w.index_select(0, node.flatten()).reshape(*node.shape, w.shape[1]) * x.unsqueeze(1)).sum(-1)
        if bias is not None:
            z = z + bias.flatten().index_select(0, node.flatten()).reshape(node.shape)
    z = torch.where(there, z, 0)
    z = z.detach().clamp(-40, 40) + torch.where(z.isfinite(), z - z.detach(), 0)  # the gradient is that of z, as Paddle's is
    softplus = torch.log1p(torch.exp(z))
    out = (softplus - torch.where(there & right, z, 0)).sum(1, keepdim=True)
    return out, softplus, w.new_empty(0)


def margin_cross_entropy(
    logits: Tensor,
    label: Tensor,
    return_softmax: bool = False,
    ring_id: int = 0,
    rank: int = 0,
    nranks: int = 1,
    margin1: float = 1.0,
    margin2: float = 0.5,
    margin3: float = 0.0,
    scale: float = 64.0,
) -> tuple[Tensor, Tensor]:
    wide = widened(logits)
    at = label.long().reshape([*logits.shape[:-1], 1])
    with indices_of("label", f"the {logits.shape[-1]} classes of 'logits'"):
        cosine = wide.gather(-1, at)
    if margin1 != 1 or margin2 != 0:
        cosine = torch.cos(margin1 * torch.acos(cosine) + margin2)
    log_softmax = torch.log_softmax(scale * wide.scatter(-1, at, cosine - margin3), -1)
    loss = -log_softmax.gather(-1, at)
    return log_softmax.exp().to(logits.dtype), loss.to(logits.dtype)


def _shuffled(numbers: Tensor, seed: int) -> Tensor:
    """A permutation that `seed` alone decides on: numbers mixed as SplitMix64 does (Steele et al., 2014)."""
    mixed = numbers + seed
    for shift, factor in ((30, -0x40A7B892E31B1A47), (27, -0x6B2FB644ECCEEE15)):
        mixed = (mixed ^ (mixed >> shift)) * factor
    return mixed.argsort()


def class_center_sample(
    label: Tensor,
    num_classes: int,
    num_samples: int,
    ring_id: int = 0,
    rank: int = 0,
    nranks: int = 1,
    fix_seed: bool = False,
    seed: int = 0,
) -> tuple[Tensor, Tensor]:
    check_range("label", label, "classes", 0, num_classes - 1)
    classes, given = torch.arange(num_classes, device=label.device), label.long()
    seen = torch.zeros_like(classes, dtype=torch.bool).index_fill(0, given, True)
    place = _shuffled(classes, seed) if fix_seed else torch.randperm(num_classes, device=label.device)
    order = torch.where(seen, classes, num_classes + place).argsort()
    sampled = order[classes < seen.sum().clamp(min=num_samples)]
    return (seen.cumsum(0) - 1).index_select(0, given).to(label.dtype), sampled.to(label.dtype)
