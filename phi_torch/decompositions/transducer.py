"""The composite of the loss of transducers: sums over all paths, in logarithms.

A path goes from cell to cell of [steps, labels + 1]: to the next step by the blank, to the next label by that label. Cells of
one diagonal, step + labels, depend on those of the one before alone, and are computed at once.
"""

from __future__ import annotations

import torch
from torch import Tensor

from .errors import indices_of
from .found_sizes import check_range

__all__ = ["warprnnt"]

_NEVER = -1e30  # the logarithm of no probability: finite, so that differences of two are a number


def _behind(x: Tensor) -> Tensor:
    """Each column one to the right."""
    return torch.cat([torch.full_like(x[..., :1], _NEVER), x[..., :-1]], -1)


def _before(x: Tensor) -> Tensor:
    return torch.cat([x[..., 1:], torch.full_like(x[..., :1], _NEVER)], -1)


def _either(a: Tensor, b: Tensor) -> Tensor:
    """The logarithm of a sum; the second derivative of logaddexp is no number where one is much less."""
    return torch.stack([a, b]).logsumexp(0)


class _Cells:
    """The moves out of each cell, by diagonals: [batch, diagonals, labels + 1]."""

    def __init__(self, blanks: Tensor, emits: Tensor, steps: Tensor, labels: Tensor) -> None:
        self.steps, width = blanks.shape[1:]
        self.column = torch.arange(width, device=blanks.device)
        self.row = torch.arange(self.steps + width - 1, device=blanks.device).unsqueeze(1) - self.column
        steps, labels = steps.reshape(-1, 1, 1), labels.reshape(-1, 1, 1)
        self.is_end = (self.row == steps - 1) & (self.column == labels)
        counts = (self.row >= 0) & (self.row < steps) & (self.column <= labels)
        self.blanks = torch.where(counts, self.of_diagonals(blanks), _NEVER)
        self.emits = torch.where(counts & (self.column < labels), self.of_diagonals(emits), _NEVER)

    def of_diagonals(self, cells: Tensor) -> Tensor:
        return cells[:, self.row.clamp(0, self.steps - 1), self.column]

    def of_steps(self, diagonals: Tensor) -> Tensor:
        row = torch.arange(self.steps, device=self.row.device).unsqueeze(1)
        return diagonals[:, row + self.column, self.column]

    def forward(self) -> Tensor:
        """The logarithm of the probability of all ways to each cell."""
        now = torch.where(self.column == 0, 0.0, _NEVER).to(self.blanks.dtype).expand(self.blanks[:, 0].shape)
        found = [now]
        for d in range(self.row.shape[0] - 1):
            now = _either(now + self.blanks[:, d], _behind(now + self.emits[:, d]))
            found.append(now)
        return torch.stack(found, 1)

    def backward(self) -> tuple[Tensor, Tensor]:
        """The same of all ways to the end from each cell, by its blank and by its label."""
        now = torch.full_like(self.blanks[:, 0], _NEVER)
        by_blank, by_label = [], []
        for d in range(self.row.shape[0] - 1, -1, -1):
            by_blank.append(torch.where(self.is_end[:, d], 0.0, now) + self.blanks[:, d])
            by_label.append(_before(now) + self.emits[:, d])
            now = _either(by_blank[-1], by_label[-1])
        return torch.stack(by_blank[::-1], 1), torch.stack(by_label[::-1], 1)


def warprnnt(
    input: Tensor,
    label: Tensor,
    input_lengths: Tensor,
    label_lengths: Tensor,
    blank: int = 0,
    fastemit_lambda: float = 0.0,
) -> tuple[Tensor, Tensor]:
    check_range("input_lengths", input_lengths, "numbers", 1, input.shape[1])
    check_range("label_lengths", label_lengths, "numbers", 0, label.shape[1])
    known = torch.arange(label.shape[1], device=label.device) < label_lengths.unsqueeze(1)
    labels = torch.nn.functional.pad(torch.where(known, label.long(), 0), (0, 1))
    place = labels.unsqueeze(1).expand(input.shape[:3]).unsqueeze(-1)
    with indices_of("label", f"the {input.shape[3]} classes of 'input'"):
        emits = input.gather(-1, place).squeeze(-1)
    weighed = emits.detach() + (1 + fastemit_lambda) * (emits - emits.detach())  # of the gradient alone
    cells = _Cells(input[..., blank], weighed, input_lengths, label_lengths)
    ways = cells.forward()
    ends = torch.where(cells.is_end, ways + cells.blanks, 0).sum((1, 2))

    with torch.no_grad():
        by_blank, by_label = cells.backward()
        share = [cells.of_steps((ways + by - ends.reshape(-1, 1, 1)).exp()).unsqueeze(-1) for by in (by_blank, by_label)]
        grad = torch.zeros_like(input).scatter_add(-1, place, -(1 + fastemit_lambda) * share[1])
        grad = grad.index_add(-1, torch.full([1], blank, device=input.device), -share[0])
    return -ends, grad
