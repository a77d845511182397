"""Kernels of small operators that programs of PaddlePaddle 1 and 2 hold, with their gradients."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from ... import ops as phi
from .table import differentiated, expect_shape, kernel

ALIGNED = 4096  # bytes, to which Paddle rounds up what lies in one memory: a page


@kernel("minus(Tensor x, Tensor y) -> Tensor")
def minus(x: Tensor, y: Tensor) -> Tensor:
    expect_shape(x.shape, Y=y)
    return phi.subtract(x, y)


@kernel("grad_add(Tensor x, Tensor y) -> Tensor")
def grad_add(x: Tensor, y: Tensor) -> Tensor:
    return phi.add(x, y)


@kernel("soft_relu(Tensor x, float threshold) -> Tensor")
def soft_relu(x: Tensor, threshold: float) -> Tensor:
    return (1 + x.clamp(-threshold, threshold).exp()).log()


@kernel("soft_relu_grad(Tensor out, Tensor out_grad, float threshold) -> Tensor")
def soft_relu_grad(out: Tensor, out_grad: Tensor, threshold: float) -> Tensor:
    return torch.where((out > -threshold) & (out < threshold), out_grad * (1 - (-out).exp()), 0)


@kernel("fill_zeros_like(Tensor x) -> Tensor")
def fill_zeros_like(x: Tensor) -> Tensor:
    return torch.zeros_like(x)


@kernel("fill_zeros_like2(Tensor x, ScalarType dtype) -> Tensor")
def fill_zeros_like2(x: Tensor, dtype: torch.dtype) -> Tensor:
    return torch.zeros_like(x, dtype=dtype)


for _name in ("share_data", "share_data_sr"):

    @kernel(f"{_name}(Tensor x) -> Tensor")
    def share_data(x: Tensor) -> Tensor:
        """What `detach` of a tensor writes: the memory of `x`, and no gradient."""
        return x.detach()


for _name in ("memcpy_h2d", "memcpy_d2h"):

    @kernel(f"{_name}(Tensor x, int dst_place_type) -> Tensor")
    def memcpy_between(x: Tensor, dst_place_type: int) -> Tensor:
        """The memory of `x`, where the program runs."""
        return x.view_as(x) if x.layout == torch.strided else x


@kernel("npu_identity(Tensor x, int format) -> Tensor")
def npu_identity(x: Tensor, format: int) -> Tensor:
    """A copy, in the layout that a device of another kind has."""
    return x.clone()


@kernel("memcpy(Tensor x, int dst_place_type) -> Tensor")
def memcpy(x: Tensor, dst_place_type: int) -> Tensor:
    return x.clone()


for _name in ("isinf", "isnan"):

    @kernel(f"legacy_{_name}(Tensor x) -> Tensor")
    def has_any(x: Tensor, find: str = _name) -> Tensor:
        """Whether any element is, shape [1]."""
        return getattr(torch, find)(x).any().reshape(1)


@kernel("transfer_dtype(Tensor x, ScalarType out_dtype, int in_dtype) -> Tensor")
def transfer_dtype(x: Tensor, out_dtype: torch.dtype, in_dtype: int) -> Tensor:
    return phi.cast(x, out_dtype)


@kernel("unique_with_counts(Tensor x, ScalarType dtype) -> (Tensor, Tensor, Tensor)")
def unique_with_counts(x: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor, Tensor]:
    """In the order in which they occur first."""
    if x.dim() != 1:
        raise ValueError(f"slot X: expected one dimension, got shape {[*x.shape]}")
    values, index, counts = torch.unique(x, return_inverse=True, return_counts=True)
    places = torch.arange(len(x), device=x.device)
    first = torch.full_like(counts, len(x)).scatter_reduce(0, index, places, "amin")
    order = first.argsort()
    return values[order], order.argsort()[index].to(dtype), counts[order].to(dtype)


@kernel(
    "unique_raw(Tensor x, bool return_index, bool return_inverse, bool return_counts, int[] axis, ScalarType dtype,"
    " bool is_sorted) -> (Tensor, Tensor, Tensor, Tensor)"
)
def unique_raw(
    x: Tensor,
    return_index: bool,
    return_inverse: bool,
    return_counts: bool,
    axis: Sequence[int],
    dtype: torch.dtype,
    is_sorted: bool,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Elements that are not sorted, in the order in which they occur first: of these Paddle gives the places and no more."""
    values, index, _ = unique_with_counts(x, dtype)
    return values, x.new_empty(0, dtype=dtype), index, x.new_empty(0, dtype=dtype)


@kernel(
    "coalesce_tensor(Tensor[] input, ScalarType dtype, bool copy_data, bool set_constant, bool persist_output, float constant,"
    " bool use_align, int align_size, int user_defined_size_of_dtype, int[] concated_shapes, int[] concated_ranks)"
    " -> (Tensor[], Tensor)"
)
def coalesce_tensor(
    input: Sequence[Tensor],
    dtype: torch.dtype,
    copy_data: bool,
    set_constant: bool,
    persist_output: bool,
    constant: float,
    use_align: bool,
    align_size: int,
    user_defined_size_of_dtype: int,
    concated_shapes: Sequence[int],
    concated_ranks: Sequence[int],
) -> tuple[list[Tensor], Tensor]:
    """One memory, and tensors of the inputs' shapes in it, one after another; zeros where it gets no values."""
    size = user_defined_size_of_dtype if user_defined_size_of_dtype > 0 else dtype.itemsize
    step = (align_size if align_size > 0 else ALIGNED) if use_align else size
    taken = [-(-one.numel() * size // step) * step // size for one in input]
    fused = torch.full((sum(taken),), constant if set_constant and not copy_data else 0, dtype=dtype, device=input[0].device)
    parts = [part[: one.numel()].view(one.shape) for part, one in zip(fused.split(taken), input)]
    if copy_data:
        for part, one in zip(parts, input):
            part.copy_(one)
    return parts, fused


@kernel(
    "data_norm(Tensor? scale_w, Tensor? bias, Tensor x, Tensor batch_size, Tensor batch_sum, Tensor batch_square_sum,"
    " float epsilon, int slot_dim, float summary_decay_rate, bool enable_scale_and_shift, str data_layout, bool sync_stats)"
    " -> (Tensor, Tensor, Tensor)"
)
def data_norm(
    scale_w: Tensor | None,
    bias: Tensor | None,
    x: Tensor,
    batch_size: Tensor,
    batch_sum: Tensor,
    batch_square_sum: Tensor,
    epsilon: float,
    slot_dim: int,
    summary_decay_rate: float,
    enable_scale_and_shift: bool,
    data_layout: str,
    sync_stats: bool,
) -> tuple[Tensor, Tensor, Tensor]:
    """Columns by the sums over all rows so far; a slot of `slot_dim` columns whose first one is 0 has not been seen, and is 0."""
    if x.dim() != 2:
        raise ValueError(f"slot X: expected two dimensions, got shape {[*x.shape]}")
    expect_shape([x.shape[1]], BatchSize=batch_size, BatchSum=batch_sum, BatchSquareSum=batch_square_sum)
    mean, scale = batch_sum / batch_size, (batch_size / batch_square_sum).sqrt()
    y = (x - mean) * scale
    if enable_scale_and_shift:
        if scale_w is None or bias is None:
            raise ValueError("slot scale_w: expected a variable, and one in bias, with enable_scale_and_shift, got none")
        y = y * scale_w + bias
    return torch.where(seen(x, slot_dim), y, 0) if slot_dim > 0 else y, mean, scale


def seen(x: Tensor, slot_dim: int) -> Tensor:
    if x.shape[1] % slot_dim != 0:
        raise ValueError(f"attribute slot_dim: expected a divisor of the {x.shape[1]} columns of X, got {slot_dim}")
    return (x[:, ::slot_dim].abs() >= 1e-7).repeat_interleave(slot_dim, 1)


@kernel("partial_concat(Tensor[] x, int start_index, int length) -> Tensor")
def partial_concat(x: Sequence[Tensor], start_index: int, length: int) -> Tensor:
    return phi.concat(_columns(x, start_index, length), 1)


@kernel("partial_sum(Tensor[] x, int start_index, int length) -> Tensor")
def partial_sum(x: Sequence[Tensor], start_index: int, length: int) -> Tensor:
    return phi.add_n(_columns(x, start_index, length))


def _columns(x: Sequence[Tensor], start_index: int, length: int) -> list[Tensor]:
    columns = x[0].shape[-1]
    start = start_index + columns if start_index < 0 else start_index
    end = start + length if length >= 0 else columns
    if any(one.dim() != 2 or one.shape != x[0].shape for one in x):
        raise ValueError(f"slot X: expected matrices of one shape, got {[[*one.shape] for one in x]}")
    if not 0 <= start < end <= columns:
        raise ValueError(f"attributes start_index, length: expected columns of {columns}, got {start_index}, {length}")
    return [one[:, start:end] for one in x]


for _function in (partial_concat, partial_sum):

    @kernel(f"{_function.__name__}_grad(Tensor[] x, Tensor out_grad, int start_index, int length) -> Tensor[]")
    def partial_grad(
        x: Sequence[Tensor], out_grad: Tensor, start_index: int, length: int, of: Callable[..., Tensor] = _function
    ) -> list[Tensor]:
        return differentiated(lambda *x: of(x, start_index, length), x, out_grad)


@kernel("batch_fc(Tensor input, Tensor w, Tensor bias) -> Tensor")
def batch_fc(input: Tensor, w: Tensor, bias: Tensor) -> Tensor:
    """A layer for each of the slots: [slots, rows, in], [slots, in, out] and [slots, out]."""
    return phi.add(phi.bmm(input, w), phi.unsqueeze(bias, [1]))


@kernel("batch_fc_grad(Tensor input, Tensor w, Tensor bias, Tensor out_grad) -> (Tensor, Tensor, Tensor)")
def batch_fc_grad(input: Tensor, w: Tensor, bias: Tensor, out_grad: Tensor) -> tuple[Tensor, ...]:
    return tuple(differentiated(batch_fc, [input, w, bias], out_grad))


@kernel("cvm(Tensor x, Tensor cvm, bool use_cvm) -> Tensor")
def cvm(x: Tensor, cvm: Tensor, use_cvm: bool) -> Tensor:
    """The first two columns are counts of shows and clicks: logarithms of them, or without them."""
    if x.dim() != 2 or x.shape[1] < 2:
        raise ValueError(f"slot X: expected rows of at least 2 columns, got shape {[*x.shape]}")
    if not use_cvm:
        return x[:, 2:]
    shows = (x[:, :1] + 1).log()
    return phi.concat([shows, (x[:, 1:2] + 1).log() - shows, x[:, 2:]], 1)


@kernel("cvm_grad(Tensor x, Tensor cvm, Tensor y_grad, bool use_cvm) -> Tensor")
def cvm_grad(x: Tensor, cvm: Tensor, y_grad: Tensor, use_cvm: bool) -> Tensor:
    """The first two columns are those of `cvm`."""
    return phi.concat([cvm.expand(len(x), 2), y_grad[:, 2:] if use_cvm else y_grad], 1)


NHWC, NCHW = 1, 2  # the numbers of layouts


@kernel("transfer_layout(Tensor x, int src_layout, int dst_layout) -> Tensor")
def transfer_layout(x: Tensor, src_layout: int, dst_layout: int) -> Tensor:
    """Between the layouts of images; a source that is not known is NCHW."""
    if dst_layout not in (NHWC, NCHW) or src_layout not in (-1, 0, NHWC, NCHW):
        raise ValueError(
            f"attributes src_layout, dst_layout: expected {NHWC} (NHWC) or {NCHW} (NCHW), got {src_layout}, {dst_layout}"
        )
    if (src_layout == NHWC) == (dst_layout == NHWC):
        return x.clone()
    return phi.transpose(x, [0, 2, 3, 1] if dst_layout == NHWC else [0, 3, 1, 2])
