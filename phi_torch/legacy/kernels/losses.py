"""Kernels of losses of PaddlePaddle 1 and 2 that no operator of phi_torch has the name of, with their gradients."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from ... import ops as phi
from .table import differentiated, expect_shape, kernel

GREATEST = 1e20  # what Paddle puts in the place of the logarithm of 0


def tolerable(x: Tensor) -> Tensor:
    return torch.nan_to_num(x, nan=float("nan"), posinf=GREATEST, neginf=-GREATEST)


def hard_labels(x: Tensor, label: Tensor) -> Tensor:
    """Labels with a last dimension of 1.

    Raises:
        ValueError: they are not one for each row of x.
    """
    if label.dim() == x.dim() - 1:
        label = label.unsqueeze(-1)
    if label.shape != (*x.shape[:-1], 1):
        raise ValueError(f"slot Label: expected a label for each row of {[*x.shape]}, got shape {[*label.shape]}")
    return label


def at_labels(x: Tensor, label: Tensor, ignore_index: int | None = None) -> tuple[Tensor, Tensor]:
    """The elements of x at the labels, 1 where they are ignored, and which are not."""
    counts = torch.ones_like(label, dtype=torch.bool) if ignore_index is None else label != ignore_index
    if bool(((label < 0) | (label >= x.shape[-1]))[counts].any()):
        other = "" if ignore_index is None else f", or {ignore_index}"
        raise ValueError(f"slot Label: expected labels from 0 to {x.shape[-1] - 1}{other}, got {label.unique().tolist()}")
    found = torch.take_along_dim(x, torch.where(counts, label, 0).long(), -1)
    return torch.where(counts, found, 1), counts


@kernel("cross_entropy(Tensor x, Tensor label, bool soft_label, int ignore_index) -> Tensor")
def cross_entropy(x: Tensor, label: Tensor, soft_label: bool, ignore_index: int) -> Tensor:
    """Of probabilities; see `cross_entropy_with_softmax` for those of logits."""
    if soft_label:
        if label.shape != x.shape:
            raise ValueError(f"slot Label: expected the shape of X, {[*x.shape]}, got {[*label.shape]}")
        return -(label * tolerable(x.log())).sum(-1, keepdim=True)
    found, counts = at_labels(x, hard_labels(x, label), ignore_index)
    return torch.where(counts, -tolerable(found.log()), 0).reshape(label.shape)


@kernel("cross_entropy_grad(Tensor x, Tensor label, Tensor y_grad, bool soft_label, int ignore_index) -> Tensor")
def cross_entropy_grad(x: Tensor, label: Tensor, y_grad: Tensor, soft_label: bool, ignore_index: int) -> Tensor:
    if soft_label:
        return -y_grad * label / x
    label = hard_labels(x, label)
    found, counts = at_labels(x, label, ignore_index)
    grad = torch.where(counts, -y_grad.reshape(label.shape) / found, 0)
    return torch.zeros_like(x).scatter(-1, torch.where(counts, label, 0).long(), grad)


@kernel("cross_entropy2(Tensor x, Tensor label, int ignore_index) -> (Tensor, Tensor, Tensor)")
def cross_entropy2(x: Tensor, label: Tensor, ignore_index: int) -> tuple[Tensor, Tensor, Tensor]:
    found, counts = at_labels(x, hard_labels(x, label), ignore_index)
    loss = torch.where(counts, -tolerable(found.log()), 0).reshape(label.shape)
    return loss, x.new_empty([*x.shape, 0]), torch.where(counts, found, 0).detach()


@kernel("cross_entropy_grad2(Tensor xshape, Tensor label, Tensor match_x, Tensor y_grad, int ignore_index) -> Tensor")
def cross_entropy_grad2(xshape: Tensor, label: Tensor, match_x: Tensor, y_grad: Tensor, ignore_index: int) -> Tensor:
    x = y_grad.new_zeros(xshape.shape[:-1])
    label = hard_labels(x, label)
    counts = label != ignore_index
    grad = torch.where(counts, -y_grad.reshape(label.shape) / match_x.reshape(label.shape), 0)
    return x.scatter(-1, torch.where(counts, label, 0).long(), grad)


@kernel("bpr_loss(Tensor x, Tensor label) -> Tensor")
def bpr_loss(x: Tensor, label: Tensor) -> Tensor:
    """Bayesian personalized ranking (arXiv 1205.2618): how far the label's score is above the others, of logits."""
    if x.shape[-1] < 2:
        raise ValueError(f"slot X: expected at least 2 classes, got shape {[*x.shape]}")
    label = hard_labels(x, label)
    own, _ = at_labels(x, label)
    losses = (1 + (x - own).exp()).log()  # as Paddle computes it: no rounding off for scores that are far apart
    others = torch.ones_like(x, dtype=torch.bool).scatter(-1, label.long(), False)
    return torch.where(others, losses, 0).sum(-1, keepdim=True) / (x.shape[-1] - 1)


@kernel("bpr_loss_grad(Tensor x, Tensor label, Tensor y_grad) -> Tensor")
def bpr_loss_grad(x: Tensor, label: Tensor, y_grad: Tensor) -> Tensor:
    return differentiated(lambda x: bpr_loss(x, label), [x], y_grad)[0]


@kernel("rank_loss(Tensor label, Tensor left, Tensor right) -> Tensor")
def rank_loss(label: Tensor, left: Tensor, right: Tensor) -> Tensor:
    """RankNet's (Burges et al., 2005); columns are vectors, too."""
    difference = _difference(label, left, right)
    return (1 + difference.exp()).log() - label * difference


def _difference(label: Tensor, left: Tensor, right: Tensor) -> Tensor:
    for slot, one in (("Left", left), ("Right", right)):
        if one.numel() != label.numel() or one.shape[:1] != label.shape[:1]:
            expect_shape(label.shape, **{slot: one})
    return (left.reshape(-1) - right.reshape(-1)).reshape(label.shape)


@kernel("rank_loss_grad(Tensor label, Tensor left, Tensor right, Tensor out_grad) -> (Tensor, Tensor)")
def rank_loss_grad(label: Tensor, left: Tensor, right: Tensor, out_grad: Tensor) -> tuple[Tensor, Tensor]:
    grad = out_grad * (torch.sigmoid(_difference(label, left, right)) - label)
    return grad.reshape(left.shape), -grad.reshape(right.shape)


@kernel("huber_loss_grad(Tensor residual, Tensor out_grad, float delta) -> (Tensor, Tensor)")
def huber_loss_grad(residual: Tensor, out_grad: Tensor, delta: float) -> tuple[Tensor, Tensor]:
    """By what the label is more than the input."""
    grad = residual.clamp(-delta, delta) * out_grad
    return -grad, grad


@kernel("modified_huber_loss(Tensor x, Tensor y) -> (Tensor, Tensor)")
def modified_huber_loss(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Of scores and labels that are 0 or 1."""
    expect_shape(x.shape, Y=y)
    value = x * (2 * y - 1)
    return value, torch.where(value < -1, -4 * value, torch.where(value < 1, (1 - value).square(), 0))


@kernel("modified_huber_loss_grad(Tensor y, Tensor value, Tensor out_grad) -> Tensor")
def modified_huber_loss_grad(y: Tensor, value: Tensor, out_grad: Tensor) -> Tensor:
    slope = torch.where(value < -1, -4, torch.where(value < 1, -2 * (1 - value), 0))
    return slope * (2 * y - 1) * out_grad


@kernel("teacher_student_sigmoid_loss(Tensor x, Tensor label, float soft_max_up_bound, float soft_max_lower_bound) -> Tensor")
def teacher_student_sigmoid_loss(x: Tensor, label: Tensor, soft_max_up_bound: float, soft_max_lower_bound: float) -> Tensor:
    """Labels below -1 are of no click without a teacher, below 0 of a click without one; else the teacher's score, and 1 more
    for a click."""
    expect_shape(x.shape, Label=label)
    entropy = functional.relu(x) + (-x.abs()).exp().log1p()
    clicked = ((label >= -1) & (label < 0)) | (label >= 1)
    own = entropy - torch.where(clicked, x, 0)
    teacher = entropy - x * torch.where(label >= 1, label - 1, label)
    return own + torch.where(label >= 0, teacher, 0)


@kernel(
    "teacher_student_sigmoid_loss_grad(Tensor x, Tensor label, Tensor y_grad, float soft_max_up_bound, float soft_max_lower_bound)"
    " -> Tensor"
)
def teacher_student_sigmoid_loss_grad(
    x: Tensor, label: Tensor, y_grad: Tensor, soft_max_up_bound: float, soft_max_lower_bound: float
) -> Tensor:
    score = x.clamp(soft_max_lower_bound, soft_max_up_bound).sigmoid()
    slope = torch.where(label < -1, score, torch.where(label < 0, score - 1, 2 * score - label))
    return torch.where((x >= soft_max_up_bound) | (x <= soft_max_lower_bound), 0, slope * y_grad)


@kernel("fsp(Tensor x, Tensor y) -> Tensor")
def fsp(x: Tensor, y: Tensor) -> Tensor:
    """The flow of solution procedure of two layers' images of one size, for distillation (Yim et al., 2017)."""
    if x.dim() != 4 or y.dim() != 4 or (x.shape[0], *x.shape[2:]) != (y.shape[0], *y.shape[2:]):
        raise ValueError(f"slot Y: expected as many images of the size of X, {[*x.shape]}, got shape {[*y.shape]}")
    return phi.scale(phi.matmul(phi.flatten(x, 2, 3), phi.flatten(y, 2, 3), False, True), 1 / (x.shape[2] * x.shape[3]))


@kernel("fsp_grad(Tensor x, Tensor y, Tensor out_grad) -> (Tensor, Tensor)")
def fsp_grad(x: Tensor, y: Tensor, out_grad: Tensor) -> tuple[Tensor, Tensor]:
    x_grad, y_grad = differentiated(fsp, [x, y], out_grad)
    return x_grad, y_grad


@kernel(
    "hsigmoid_loss(Tensor x, Tensor label, Tensor w, Tensor? bias, Tensor? path, Tensor? code, int num_classes, bool is_sparse)"
    " -> (Tensor, Tensor, Tensor)",
    differs=True,
)
def hsigmoid_loss(x: Tensor, label: Tensor, w: Tensor, *others: Any) -> tuple[Tensor, Tensor, Tensor]:
    """The third result is the weight in programs, of which it is the same variable."""
    out, pre_out, _ = torch.ops.phi.hsigmoid_loss(x, label, w, *others)
    return out, pre_out, w


@kernel(
    "hsigmoid_loss_grad(Tensor x, Tensor w, Tensor label, Tensor? path, Tensor? code, Tensor? bias, Tensor pre_out,"
    " Tensor out_grad, int num_classes, bool is_sparse) -> (Tensor, Tensor, Tensor?)"
)
def hsigmoid_loss_grad(
    x: Tensor,
    w: Tensor,
    label: Tensor,
    path: Tensor | None,
    code: Tensor | None,
    bias: Tensor | None,
    pre_out: Tensor,
    out_grad: Tensor,
    num_classes: int,
    is_sparse: bool,
) -> tuple[Tensor, Tensor, Tensor | None]:
    def loss(x: Tensor, w: Tensor, *bias: Tensor) -> Tensor:
        return phi.hsigmoid_loss(x, label, w, bias[0] if bias else None, path, code, num_classes, is_sparse)[0]

    x_grad, w_grad, *bias_grad = differentiated(loss, [x, w] if bias is None else [x, w, bias], out_grad)
    return x_grad, w_grad, bias_grad[0] if bias_grad else None


@kernel(
    "margin_cross_entropy_grad(Tensor logits, Tensor label, Tensor softmax, Tensor loss_grad, bool return_softmax, int ring_id,"
    " int rank, int nranks, float margin1, float margin2, float margin3, float scale) -> Tensor"
)
def margin_cross_entropy_grad(logits: Tensor, label: Tensor, softmax: Tensor, loss_grad: Tensor, *attrs: Any) -> Tensor:
    return differentiated(lambda one: phi.margin_cross_entropy(one, label, *attrs)[1], [logits], loss_grad)[0]


@kernel(
    "warprnnt_grad(Tensor input, Tensor input_lengths, Tensor warprnntgrad, Tensor loss_grad, int blank, float fastemit_lambda)"
    " -> Tensor"
)
def warprnnt_grad(
    input: Tensor, input_lengths: Tensor, warprnntgrad: Tensor, loss_grad: Tensor, blank: int, fastemit_lambda: float
) -> Tensor:
    return warprnntgrad * loss_grad.reshape(-1, 1, 1, 1)
