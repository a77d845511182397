"""Composites of the losses. Half types are computed in float32."""

from __future__ import annotations

import torch
from torch import Tensor

from .transforms import is_transformed
from .widened import widened


def bce_loss(input: Tensor, label: Tensor) -> Tensor:
    x, y = widened(input), widened(label)
    log_x, log_rest = (v.log().clamp(min=-100) for v in (x, 1 - x))
    return ((y - 1) * log_rest - y * log_x).to(input.dtype)


def bce_loss_grad(input: Tensor, label: Tensor, out_grad: Tensor) -> Tensor:
    x, y, g = (widened(t) for t in (input, label, out_grad))
    return (g * (x - y) / ((1 - x) * x).clamp(min=1e-12)).to(input.dtype)


def huber_loss(input: Tensor, label: Tensor, delta: float) -> tuple[Tensor, Tensor]:
    residual = label - input
    if not is_transformed():
        return torch.nn.functional.huber_loss(input, label, reduction="none", delta=delta), residual
    size = residual.abs()  # torch's rule of vmap mixes up batches of one side
    return torch.where(size <= delta, residual * residual / 2, delta * (size - delta / 2)), residual


def _kldiv_count(x: Tensor, reduction: str) -> int:
    return {"mean": x.numel(), "batchmean": x.shape[0] if x.dim() else 1}.get(reduction, 1)


def kldiv_loss(x: Tensor, label: Tensor, reduction: str = "mean", log_target: bool = False) -> Tensor:
    wide, y = widened(x), widened(label)
    if log_target:
        losses = y.exp() * (y - wide)
    else:
        positive = y > 0
        losses = torch.where(positive, y * (torch.where(positive, y, 1).log() - wide), torch.where(y <= 0, 0, y))
    if reduction != "none":
        count = _kldiv_count(x, reduction)
        losses = losses.sum() * (1 / count if count else torch.inf)
    return losses.to(x.dtype)


def kldiv_loss_grad(x: Tensor, label: Tensor, out_grad: Tensor, reduction: str, log_target: bool) -> Tensor:
    y = widened(label)
    weight = y.exp() if log_target else torch.where(y <= 0, 0, y)
    return (-weight * widened(out_grad) / _kldiv_count(label, reduction)).to(label.dtype)


def label_smooth(label: Tensor, prior_dist: Tensor | None = None, epsilon: float = 0.0) -> Tensor:
    added = epsilon / torch.sym_max(label.shape[-1], 1) if prior_dist is None else epsilon * widened(prior_dist).flatten()
    return ((1 - epsilon) * widened(label) + added).to(label.dtype)


def _nll_weights(input: Tensor, label: Tensor, weight: Tensor | None, ignore_index: int) -> tuple[Tensor, Tensor]:
    """The classes and weights of the labels; those that are ignored are class 0 with the weight 0."""
    counts = label != ignore_index
    classes = torch.where(counts, label, 0).long()
    ones = torch.ones((), dtype=widened(input).dtype, device=input.device)
    return classes, torch.where(counts, ones if weight is None else widened(weight)[classes], 0)


def nll_loss(
    input: Tensor, label: Tensor, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean"
) -> tuple[Tensor, Tensor]:
    classes, weights = _nll_weights(input, label, weight, ignore_index)
    losses = -widened(input).gather(1, classes.unsqueeze(1)).squeeze(1) * weights
    total = weights.sum()
    if reduction == "none":
        return losses.to(input.dtype), torch.zeros_like(total).to(input.dtype)
    loss = losses.sum()
    if reduction == "mean":
        loss = torch.where(total == 0, 0, loss / torch.where(total == 0, 1, total))
    return loss.to(input.dtype), total.detach().to(input.dtype)


def nll_loss_grad(
    input: Tensor,
    label: Tensor,
    weight: Tensor | None,
    total_weight: Tensor,
    out_grad: Tensor,
    ignore_index: int,
    reduction: str,
) -> Tensor:
    classes, weights = _nll_weights(input, label, weight, ignore_index)
    shares = -weights * widened(out_grad)
    if reduction == "mean":
        total = widened(total_weight)
        shares = torch.where(total == 0, 0, shares / torch.where(total == 0, 1, total))
    grad = torch.zeros(input.shape, dtype=shares.dtype, device=input.device)
    return grad.scatter_add(1, classes.unsqueeze(1), shares.unsqueeze(1)).to(input.dtype)


def _over_count(x: Tensor, label: Tensor, normalize: bool, ignore_index: int) -> Tensor:
    counts = label != ignore_index
    x = torch.where(counts, x, 0)
    return x / counts.to(x.dtype).sum().clamp(min=1e-5) if normalize else x


def sigmoid_cross_entropy_with_logits(
    x: Tensor, label: Tensor, pos_weight: Tensor | None = None, normalize: bool = False, ignore_index: int = -100
) -> Tensor:
    wide, y = widened(x), widened(label)
    softplus = -torch.nn.functional.logsigmoid(wide)
    weighted = softplus if pos_weight is None else widened(pos_weight) * softplus
    return _over_count((1 - y) * wide + weighted, label, normalize, ignore_index).to(x.dtype)


def sigmoid_cross_entropy_with_logits_grad(
    x: Tensor, label: Tensor, pos_weight: Tensor | None, out_grad: Tensor, normalize: bool, ignore_index: int
) -> Tensor:
    rest = torch.sigmoid(-widened(x))
    grad = 1 - widened(label) - (rest if pos_weight is None else widened(pos_weight) * rest)
    return _over_count(grad * widened(out_grad), label, normalize, ignore_index).to(x.dtype)
