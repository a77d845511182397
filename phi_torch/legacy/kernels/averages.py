"""What training keeps over its steps: sums of parameters, and the sums of the rows that `data_norm` has seen."""

from __future__ import annotations

import torch
from torch import Tensor

from .._operators import Operands, operator
from .table import kernel
from .tensors import seen

_MOST = 16384  # steps until a sum goes into the second one, so that small numbers still count


@kernel(
    "average_accumulates(Tensor param, Tensor in_sum_1, Tensor in_sum_2, Tensor in_sum_3, Tensor in_num_accumulates,"
    " Tensor in_old_num_accumulates, Tensor in_num_updates, float average_window, int max_average_window, int min_average_window)"
    " -> (Tensor, Tensor, Tensor, Tensor, Tensor, Tensor)"
)
def average_accumulates(
    param: Tensor,
    in_sum_1: Tensor,
    in_sum_2: Tensor,
    in_sum_3: Tensor,
    in_num_accumulates: Tensor,
    in_old_num_accumulates: Tensor,
    in_num_updates: Tensor,
    average_window: float,
    max_average_window: int,
    min_average_window: int,
) -> tuple[Tensor, ...]:
    """Three sums of a parameter, with how many it is in, and was in the window before, and all.

    Programs name one variable for a sum that comes and goes, so that Paddle's kernel reads what it wrote: the window that
    ends has this step's parameter, too.
    """
    count, updates, old = in_num_accumulates + 1, in_num_updates + 1, in_old_num_accumulates
    none = torch.zeros_like(in_sum_1)
    first, second, third = in_sum_1 + param, in_sum_2, in_sum_3
    if int(updates) % _MOST == 0:
        first, second = none, second + first
    if min_average_window <= int(count) >= min(max_average_window, int(int(updates) * average_window)):
        first, second, third = none, none, first + second
        count, old = torch.zeros_like(count), count
    return first, second, third, count, old, updates


@operator("data_norm_grad")
def data_norm_grad(op: Operands) -> None:
    """The sums of rows have as gradients what the rows of this step add to them."""
    x, mean, scale, grad = (op.input(slot) for slot in ("X", "Means", "Scales", "Y@GRAD"))
    slot_dim, shifts = op.attr("slot_dim", -1), op.attr("enable_scale_and_shift", False)
    x_grad = grad * scale
    if shifts:
        x_grad = x_grad * op.input("scale_w")
        op.set("scale_w@GRAD", (grad * (x - mean) * scale).sum(0))
        op.set("bias@GRAD", grad.sum(0))
    else:
        for slot in ("scale_w@GRAD", "bias@GRAD"):
            op.set(slot, scale.new_zeros(scale.shape))
    op.set("X@GRAD", x_grad)
    by_slot = slot_dim > 0 and not shifts
    shown = seen(x, slot_dim) if by_slot else torch.ones_like(x, dtype=torch.bool)
    count = shown.sum(0).to(x.dtype)
    total, square = (torch.where(shown, one, 0).sum(0) for one in (x, (x - mean).square()))
    epsilon = count * op.attr("epsilon", 1e-4)
    if by_slot:  # means of what was seen
        some = count.clamp(min=1)
        total, square, count = total / some, square / some, count.clamp(max=1)
    op.set("BatchSize@GRAD", count)
    op.set("BatchSum@GRAD", total)
    op.set("BatchSquareSum@GRAD", square + epsilon)
