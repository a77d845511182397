"""Composites of connectionist temporal classification: sums over all paths, step by step, in logarithms.

A path goes through the labels with blanks around them: [blank, label, blank, label, ..., blank].
"""

from __future__ import annotations

import torch
from torch import Tensor

from .errors import indices_of

_NEVER = -1e30  # the logarithm of no probability: finite, so that differences of two are a number


def _shifted(x: Tensor, by: int) -> Tensor:
    """`x` with what was `by` states before, or after if negative."""
    size = x.shape[-1]
    if size <= abs(by):
        return torch.full_like(x, _NEVER)
    none = torch.full_like(x.narrow(-1, 0, abs(by)), _NEVER)
    return torch.cat([none, x.narrow(-1, 0, size - by)] if by > 0 else [x.narrow(-1, -by, size + by), none], -1)


class _Paths:
    """The states of each sequence, and what its steps say of them."""

    def __init__(
        self, logits: Tensor, label: Tensor, logits_length: Tensor | None, labels_length: Tensor | None, blank: int
    ) -> None:
        steps, batch, _ = logits.shape
        count = label.shape[1]
        self.steps = torch.full([batch], steps, device=logits.device) if logits_length is None else logits_length.long()
        self.count = torch.full([batch], count, device=logits.device) if labels_length is None else labels_length.long()
        known = torch.arange(count, device=logits.device) < self.count.unsqueeze(1)
        labels = torch.where(known, label.long(), blank)
        states = torch.stack([torch.full_like(labels, blank), labels], -1).flatten(1)
        self.states = torch.cat([states, torch.full_like(self.count, blank).unsqueeze(1)], 1)
        before = torch.cat([torch.full_like(self.states[:, :2], blank), self.states], 1).narrow(1, 0, self.states.shape[1])
        self.place = torch.arange(self.states.shape[1], device=logits.device)
        last = 2 * self.count.unsqueeze(1)
        self.is_end = (self.place <= last) & (self.place >= last - 1)  # the last label, and the blank behind it
        # whether a path may come from two states before: to another label
        self.skips = (self.place % 2 == 1) & (self.states != before)
        self.log_probs = torch.log_softmax(logits, -1)
        with indices_of("label", f"the {logits.shape[2]} classes of 'logits'"):
            self.of_states = self.log_probs.gather(-1, self.states.expand(steps, *self.states.shape))

    def forward(self) -> list[Tensor]:
        """For each step the logarithm of the probability of all beginnings of paths that are in each state then."""
        now = torch.where((self.place < 2) & (self.place <= 2 * self.count.unsqueeze(1)), self.of_states[0], _NEVER)
        found = [now]
        for t in range(1, self.of_states.shape[0]):
            from_before = torch.where(self.skips, _shifted(now, 2), _NEVER)
            after = torch.logsumexp(torch.stack([now, _shifted(now, 1), from_before]), 0) + self.of_states[t]
            now = torch.where((t < self.steps).unsqueeze(1), after, now)
            found.append(now)
        return found

    def backward(self) -> list[Tensor]:
        """The same of the ends of paths, without the step itself."""
        now = torch.where(self.is_end, 0.0, _NEVER).to(self.of_states.dtype)
        found = [now]
        for t in range(self.of_states.shape[0] - 1, 0, -1):
            weighed = now + self.of_states[t]
            to_after = _shifted(torch.where(self.skips, weighed, _NEVER), -2)
            before = torch.logsumexp(torch.stack([weighed, _shifted(weighed, -1), to_after]), 0)
            now = torch.where((t < self.steps).unsqueeze(1), before, now)
            found.append(now)
        return found[::-1]

    def log_likelihood(self, forward: list[Tensor]) -> Tensor:
        """[batch], and about `_NEVER` where there are too few steps."""
        return torch.logsumexp(torch.where(self.is_end, forward[-1], _NEVER), -1)

    def is_possible(self, total: Tensor) -> Tensor:
        return (total > _NEVER / 2) & (self.steps > 0)

    def gradient(self) -> Tensor:
        """Of the loss by the logits: the softmax, less how likely a path is there."""
        forward = self.forward()
        total = self.log_likelihood(forward)
        possible = self.is_possible(total)
        there = torch.stack([a + b for a, b in zip(forward, self.backward())])
        there = torch.where(possible.unsqueeze(1), there - total.unsqueeze(1), _NEVER).exp()
        found = self.log_probs.exp()
        found = found - torch.zeros_like(found).scatter_add(-1, self.states.expand(there.shape), there)
        time = torch.arange(found.shape[0], device=found.device).unsqueeze(1)
        return torch.where(((time < self.steps) & possible).unsqueeze(-1), found, 0)


def warpctc(
    logits: Tensor,
    label: Tensor,
    logits_length: Tensor | None,
    labels_length: Tensor | None,
    blank: int = 0,
    norm_by_times: bool = False,
) -> tuple[Tensor, Tensor]:
    if norm_by_times:  # of the gradient alone
        steps = logits.shape[0] if logits_length is None else logits_length.clamp(min=1).unsqueeze(1)
        logits = logits.detach() + (logits - logits.detach()) / steps
    paths = _Paths(logits, label, logits_length, labels_length, blank)
    total = paths.log_likelihood(paths.forward())
    return torch.where(paths.is_possible(total), -total, 0).unsqueeze(1), paths.gradient().detach()


def warpctc_grad(
    logits: Tensor,
    label: Tensor,
    logits_length: Tensor | None,
    labels_length: Tensor | None,
    warpctcgrad: Tensor,
    loss_grad: Tensor,
    blank: int,
    norm_by_times: bool,
) -> Tensor:
    paths = _Paths(logits, label, logits_length, labels_length, blank)
    grad = loss_grad / paths.steps.clamp(min=1).unsqueeze(1) if norm_by_times else loss_grad
    return paths.gradient() * grad
