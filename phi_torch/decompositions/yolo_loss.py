"""Composites of yolo_loss: how far the boxes that the cells of a grid tell are from those that are there."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional

from .errors import indices_of

LEAST_SIZE, LEAST_SCORE, IGNORED = 1e-6, 1e-5, -1.0
CONFIDENCE = 4  # where it is among the numbers of a cell, after the box and before the classes


def _overlap(center: Tensor, size: Tensor, other_center: Tensor, other_size: Tensor) -> Tensor:
    """Intersection over union of boxes [..., 2]."""
    begin = torch.maximum(center - size / 2, other_center - other_size / 2)
    end = torch.minimum(center + size / 2, other_center + other_size / 2)
    both = torch.where((end >= begin).all(-1), (end - begin).prod(-1), 0)
    return both / (size.prod(-1) + other_size.prod(-1) - both)


def _cross_entropy(x: Tensor, label: Tensor | float) -> Tensor:
    return x.clamp(min=0) - x * label + (-x.abs()).exp().log1p()


class _Grid:
    """The numbers of the cells x, and the boxes [images, boxes] that are there."""

    def __init__(
        self, x: Tensor, gt_box: Tensor, anchors: Sequence[int], anchor_mask: Sequence[int], downsample_ratio: int
    ) -> None:
        self.size, self.mask = x.shape[2], list(anchor_mask)
        self.told = x.unflatten(1, (len(self.mask), x.shape[1] // len(self.mask)))  # [images, anchors, numbers, rows, columns]
        whole = downsample_ratio * self.size
        self.anchors = torch.stack([x.new_full((), length) for length in anchors]).reshape(-1, 2) / whole
        self.center, self.box_size = gt_box.detach().split(2, -1)
        self.exists = (self.box_size > LEAST_SIZE).all(-1)
        self.cell = (self.center * self.size).long().clamp(0, self.size - 1)

    def match(self) -> Tensor:
        """Of each box the place in the mask of the anchor that is most like it, -1 where it is not there."""
        none = torch.zeros_like(self.center).unsqueeze(2)
        best = _overlap(none, self.box_size.unsqueeze(2), none, self.anchors).argmax(-1)
        match = torch.full_like(best, -1)
        for place, anchor in reversed([*enumerate(self.mask)]):
            match = torch.where(self.exists & (best == anchor), place, match)
        return match.int()

    def best_overlap(self, scale: float) -> Tensor:
        """Of the box that each cell tells, the greatest with one that is there."""
        x, y, width, height = (self.told[:, :, i] for i in range(CONFIDENCE))
        number, shift = torch.arange(self.size, device=x.device), -0.5 * (scale - 1)
        center = torch.stack([number + x.sigmoid() * scale + shift, number.unsqueeze(1) + y.sigmoid() * scale + shift], -1)
        anchors = torch.stack([self.anchors[i] for i in self.mask]).reshape(-1, 1, 1, 2)
        size = torch.stack([width, height], -1).exp() * anchors
        there = [t.reshape(t.shape[0], 1, 1, 1, t.shape[1], 2) for t in (self.center, self.box_size)]
        found = _overlap((center / self.size).unsqueeze(-2), size.unsqueeze(-2), *there)
        found = torch.where(self.exists.reshape(found.shape[0], 1, 1, 1, found.shape[-1]), found, 0)
        return functional.pad(found, (0, 1)).amax(-1)  # 0 without a box

    def places(self, match: Tensor) -> Tensor:
        """Of each box that of its cell among `rows`, the first one for a box without an anchor."""
        return torch.where(match < 0, 0, (match.long() * self.size + self.cell[..., 1]) * self.size + self.cell[..., 0])

    def rows(self) -> Tensor:
        """[images, cells, numbers]"""
        return self.told.movedim(2, -1).flatten(1, 3)

    def from_rows(self, rows: Tensor) -> Tensor:
        return rows.unflatten(1, (len(self.mask), self.size, self.size)).movedim(-1, 2).flatten(1, 2)


class _Cells:
    """The numbers of each box's cell, what they should be, and how much a box counts."""

    def __init__(self, grid: _Grid, match: Tensor, gt_label: Tensor, score: Tensor, class_num: int, smooth: bool) -> None:
        self.place = grid.places(match).unsqueeze(-1).expand(*match.shape, CONFIDENCE + 1 + class_num)
        self.box, _, self.classes = grid.rows().gather(1, self.place).split([CONFIDENCE, 1, class_num], -1)
        anchor = torch.stack([grid.anchors[i] for i in grid.mask])[match.clamp(min=0).long()]
        size = torch.where(grid.exists.unsqueeze(-1), grid.box_size, 1)
        self.center, self.log_size = grid.center * grid.size - grid.cell, (size / anchor).log()
        least = min(1 / class_num, 1 / 40) if smooth else 0.0
        is_label = gt_label.unsqueeze(-1) == torch.arange(class_num, device=match.device)
        self.label = least + (1 - 2 * least) * is_label.to(score.dtype)
        self.weight = torch.where(match < 0, 0, score)
        self.box_weight = self.weight * (2 - grid.box_size.prod(-1))

    def loss(self) -> Tensor:
        box = _cross_entropy(self.box[..., :2], self.center) + (self.box[..., 2:] - self.log_size).abs()
        return (box.sum(-1) * self.box_weight + _cross_entropy(self.classes, self.label).sum(-1) * self.weight).sum(1)

    def grad(self) -> Tensor:
        center, size = self.box[..., :2].sigmoid() - self.center, (self.box[..., 2:] - self.log_size).sign()
        box, classes = torch.cat([center, size], -1), self.classes.sigmoid() - self.label
        none = torch.zeros_like(box[..., :1])
        return torch.cat([box * self.box_weight.unsqueeze(-1), none, classes * self.weight.unsqueeze(-1)], -1)


def yolo_loss(
    x: Tensor,
    gt_box: Tensor,
    gt_label: Tensor,
    gt_score: Tensor | None,
    anchors: Sequence[int] = (),
    anchor_mask: Sequence[int] = (),
    class_num: int = 1,
    ignore_thresh: float = 0.7,
    downsample_ratio: int = 32,
    use_label_smooth: bool = True,
    scale_x_y: float = 1.0,
) -> tuple[Tensor, Tensor, Tensor]:
    grid = _Grid(x, gt_box, anchors, anchor_mask, downsample_ratio)
    match = grid.match()
    score = torch.ones_like(grid.center[..., 0]) if gt_score is None else gt_score.detach()
    cells = _Cells(grid, match, gt_label, score, class_num, use_label_smooth)
    none = torch.where(grid.best_overlap(scale_x_y).detach() > ignore_thresh, IGNORED, 0.0).to(x.dtype).flatten(1)
    number = torch.where(match < 0, 0, torch.arange(1, match.shape[1] + 1, device=x.device))
    last = torch.zeros_like(none, dtype=torch.int64).scatter_reduce(1, cells.place[..., 0], number, "amax")
    mask = torch.where(last > 0, functional.pad(score, (1, 0)).gather(1, last), none)
    told = grid.rows()[..., CONFIDENCE]
    confidence = torch.where(
        mask > LEAST_SCORE, _cross_entropy(told, 1.0) * mask, torch.where(mask > IGNORED / 2, _cross_entropy(told, 0.0), 0)
    )
    return cells.loss() + confidence.sum(1), mask.unflatten(1, (len(anchor_mask), *x.shape[2:])), match


def yolo_loss_grad(
    x: Tensor,
    gt_box: Tensor,
    gt_label: Tensor,
    gt_score: Tensor | None,
    objectness_mask: Tensor,
    gt_match_mask: Tensor,
    loss_grad: Tensor,
    anchors: Sequence[int] = (),
    anchor_mask: Sequence[int] = (),
    class_num: int = 1,
    ignore_thresh: float = 0.7,
    downsample_ratio: int = 32,
    use_label_smooth: bool = True,
    scale_x_y: float = 1.0,
) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
    grid = _Grid(x, gt_box, anchors, anchor_mask, downsample_ratio)
    score = torch.ones_like(grid.center[..., 0]) if gt_score is None else gt_score.detach()
    with indices_of("gt_match_mask", f"places among the {len(anchor_mask)} of 'anchor_mask', or -1"):
        cells = _Cells(grid, gt_match_mask, gt_label, score, class_num, use_label_smooth)
    rows, mask = grid.rows(), objectness_mask.flatten(1)
    told = rows[..., CONFIDENCE].sigmoid()
    confidence = torch.where(mask > LEAST_SCORE, (told - 1) * mask, torch.where(mask > IGNORED / 2, told, 0))
    of_cells = functional.pad(confidence.unsqueeze(-1), (CONFIDENCE, class_num)).scatter_add(1, cells.place, cells.grad())
    x_grad = grid.from_rows(of_cells * loss_grad.reshape(-1, 1, 1))
    return x_grad, torch.zeros_like(gt_box), torch.zeros_like(gt_label), None if gt_score is None else torch.zeros_like(gt_score)
