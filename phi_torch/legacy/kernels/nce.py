"""Noise contrastive estimation: a class is told from others that are drawn, by the generator of torch."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import torch
from torch import Tensor

from .rows import rows_of
from .table import differentiated, kernel

UNIFORM, LOG_UNIFORM = 0, 1  # values of attribute sampler, of which the others draw from given probabilities
_TAKES = (
    "Tensor? sample_weight, Tensor? probs, Tensor? alias, Tensor? alias_probs{}, int num_total_classes,"
    " int[] custom_neg_classes=[], int num_neg_samples=10, int sampler=0, int seed=0, bool is_sparse=False,"
    " bool remote_prefetch=False, bool is_test=False"
)


@kernel(f"nce(Tensor input, Tensor label, Tensor weight, Tensor? bias, {_TAKES.format('')}) -> (Tensor, Tensor, Tensor)")
def nce(
    input: Tensor,
    label: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    sample_weight: Tensor | None,
    probs: Tensor | None,
    alias: Tensor | None,
    alias_probs: Tensor | None,
    classes: int,
    custom: Sequence[float] = (),
    count: int = 10,
    sampler: int = UNIFORM,
    seed: int = 0,
    *_: bool,
) -> tuple[Tensor, Tensor, Tensor]:
    label = label.reshape(len(label), -1)
    if custom:
        # Paddle's definition has them as numbers of any kind
        drawn = torch.tensor([*map(int, custom)], device=label.device).expand(len(label), -1)
    else:
        drawn = _draw((len(label), count), classes, sampler, seed, probs, label.device)
    labels = torch.cat([label.long(), drawn], 1)
    if labels.numel() and not 0 <= int(labels.min()) <= int(labels.max()) < classes:
        raise ValueError(f"slot Label: expected classes from 0 to {classes - 1}, got {int(labels.min())} to {int(labels.max())}")
    logits = torch.sigmoid(_scores(input, weight, bias, labels))
    cost = _cost(logits, labels, label.shape[1], sample_weight, probs, classes, count, sampler)
    return cost.unsqueeze(1), logits, labels


def _draw(shape: tuple[int, int], classes: int, sampler: int, seed: int, probs: Tensor | None, device: torch.device) -> Tensor:
    generator = torch.Generator(device).manual_seed(seed) if seed else None
    if sampler == UNIFORM:
        return torch.randint(classes, shape, generator=generator, device=device)
    if sampler == LOG_UNIFORM:
        found = torch.rand(shape, generator=generator, device=device, dtype=torch.float64)
        return ((found * log(classes)).exp().long() - 1).clamp(0, max(classes - 2, 0))  # never the last one, as Paddle
    assert probs is not None
    return torch.multinomial(probs.flatten(), shape[0] * shape[1], True, generator=generator).reshape(shape)


def _scores(input: Tensor, weight: Tensor, bias: Tensor | None, labels: Tensor) -> Tensor:
    found = (input.unsqueeze(1) * weight[labels]).sum(2)
    return found if bias is None else found + bias.flatten()[labels]


def _cost(
    logits: Tensor,
    labels: Tensor,
    true: int,
    sample_weight: Tensor | None,
    probs: Tensor | None,
    classes: int,
    count: int,
    sampler: int,
) -> Tensor:
    """The cost of each row, of which the first `true` columns are its own classes."""
    if sampler == UNIFORM:
        drawn = torch.full_like(logits, 1 / classes)
    elif sampler == LOG_UNIFORM:
        drawn = (((labels + 2.0) / (labels + 1.0)).log() / log(classes)).to(logits.dtype)
    else:
        assert probs is not None
        drawn = probs.flatten()[labels].to(logits.dtype)
    noise = drawn * count
    own = torch.arange(labels.shape[1], device=labels.device) < true
    cost = -torch.log(torch.where(own, logits, noise) / (logits + noise))
    return cost.sum(1) if sample_weight is None else cost.sum(1) * sample_weight.flatten()


@kernel(
    "nce_grad(Tensor input, Tensor label, Tensor? bias, Tensor weight, Tensor sample_logits, Tensor sample_labels,"
    f" {_TAKES.format(', Tensor cost_grad')}) -> (Tensor, Tensor?, Tensor)"
)
def nce_grad(
    input: Tensor,
    label: Tensor,
    bias: Tensor | None,
    weight: Tensor,
    sample_logits: Tensor,
    sample_labels: Tensor,
    sample_weight: Tensor | None,
    probs: Tensor | None,
    alias: Tensor | None,
    alias_probs: Tensor | None,
    cost_grad: Tensor,
    classes: int,
    custom: Sequence[float] = (),
    count: int = 10,
    sampler: int = UNIFORM,
    *_: int,
) -> tuple[Tensor, Tensor | None, Tensor]:
    """Of the classes that were drawn."""
    labels = sample_labels.reshape(len(input), -1).long()
    true = label.reshape(len(label), -1).shape[1]

    def cost(input: Tensor, weight: Tensor, *bias: Tensor) -> Tensor:
        logits = torch.sigmoid(_scores(input, weight, bias[0] if bias else None, labels))
        return _cost(logits, labels, true, sample_weight, probs, classes, count, sampler)

    given = [input, weight] if bias is None else [input, weight, bias]
    input_grad, weight_grad, *bias_grad = differentiated(cost, given, cost_grad.flatten())
    return input_grad, bias_grad[0] if bias_grad else None, weight_grad


@kernel(
    "nce_sr_grad(Tensor input, Tensor label, Tensor? bias, Tensor weight, Tensor sample_logits, Tensor sample_labels,"
    f" {_TAKES.format(', Tensor cost_grad')}) -> (Tensor, Tensor?, Tensor)"
)
def nce_sr_grad(*args: Tensor) -> tuple[Tensor, Tensor | None, Tensor]:
    """A row for each class of the batch."""
    input_grad, bias_grad, weight_grad = nce_grad(*args)  # type: ignore[arg-type]
    rows = args[5].flatten().unique()
    return input_grad, bias_grad, rows_of(rows.reshape(1, -1), weight_grad[rows], weight_grad.shape)
