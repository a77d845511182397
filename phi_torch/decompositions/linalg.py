"""Composites of matrix products, lookup and of the ops that rearrange tensors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import torch
from torch import Tensor

__all__ = [
    "addmm_grad",
    "bmm",
    "bmm_grad",
    "concat",
    "einsum",
    "embedding",
    "embedding_grad",
    "fc",
    "fc_grad",
    "matmul",
    "matmul_grad",
    "reshape",
    "split",
    "split_with_num",
    "topk",
    "topk_grad",
    "transpose",
    "transpose_grad",
]

_NO_PADDING = -1
_PADDED_WEIGHTS = 4  # rows and columns


def matmul(x: Tensor, y: Tensor, transpose_x: bool = False, transpose_y: bool = False) -> Tensor:
    return torch.matmul(_transposed(x, transpose_x), _transposed(y, transpose_y))


def addmm_grad(input: Tensor, x: Tensor, y: Tensor, out_grad: Tensor, alpha: float, beta: float) -> tuple[Tensor, Tensor, Tensor]:
    weighted = alpha * out_grad
    return (beta * out_grad).sum_to_size(input.shape), weighted @ y.conj().t(), x.conj().t() @ weighted


def _transposed(x: Tensor, transpose: bool) -> Tensor:
    return x.transpose(-1, -2) if transpose and x.dim() > 1 else x


def matmul_grad(
    x: Tensor, y: Tensor, out_grad: Tensor, transpose_x: bool = False, transpose_y: bool = False
) -> tuple[Tensor, Tensor]:
    """The gradients of the product of matrices; vectors are made matrices before."""
    a = x.unsqueeze(0) if x.dim() == 1 else _transposed(x, transpose_x)
    b = y.unsqueeze(1) if y.dim() == 1 else _transposed(y, transpose_y)
    grad = out_grad.unsqueeze(-1) if y.dim() == 1 else out_grad
    grad = grad.unsqueeze(-2) if x.dim() == 1 else grad
    a_grad = _sum_to(torch.matmul(grad, b.conj().transpose(-1, -2)), a)
    b_grad = _sum_to(torch.matmul(a.conj().transpose(-1, -2), grad), b)
    x_grad = a_grad.squeeze(0) if x.dim() == 1 else _transposed(a_grad, transpose_x)
    y_grad = b_grad.squeeze(1) if y.dim() == 1 else _transposed(b_grad, transpose_y)
    return x_grad, y_grad


def bmm(x: Tensor, y: Tensor) -> Tensor:
    return torch.bmm(x, y)


def bmm_grad(x: Tensor, y: Tensor, out_grad: Tensor) -> tuple[Tensor, Tensor]:
    return torch.bmm(out_grad, y.mH), torch.bmm(x.mH, out_grad)


def _sum_to(grad: Tensor, like: Tensor) -> Tensor:
    """Sums the dimensions before the last two of which `like` has one element or none."""
    missing = grad.dim() - like.dim()
    if missing:
        grad = grad.sum(tuple(range(missing)))
    broadcast = [i for i in range(like.dim() - 2) if like.shape[i] == 1 and grad.shape[i] != 1]
    return grad.sum(broadcast, keepdim=True) if broadcast else grad


def fc(
    input: Tensor,
    w: Tensor,
    bias: Tensor | None = None,
    in_num_col_dims: int = 1,
    activation_type: str = "",
    padding_weights: bool = False,
) -> Tensor:
    weight = w[:-_PADDED_WEIGHTS, :-_PADDED_WEIGHTS] if padding_weights else w
    out = torch.matmul(input.flatten(in_num_col_dims), weight)
    if bias is not None:
        out = out + bias.flatten()
    return torch.relu(out) if activation_type == "relu" else out


def fc_grad(
    input: Tensor,
    w: Tensor,
    bias: Tensor | None,
    out: Tensor,
    out_grad: Tensor,
    in_num_col_dims: int,
    activation_type: str,
    padding_weights: bool,
) -> tuple[Tensor, Tensor, Tensor | None]:
    """The gradients of `fc`, without padding of the weights."""
    grad = torch.where(out > 0, out_grad, 0) if activation_type == "relu" else out_grad
    rows, columns = grad.flatten(0, in_num_col_dims - 1), input.flatten(0, in_num_col_dims - 1).flatten(1)
    input_grad = torch.matmul(rows, w.t()).reshape(input.shape)
    w_grad = torch.matmul(columns.t(), rows)
    return input_grad, w_grad, None if bias is None else rows.sum(0).reshape(bias.shape)


def _rows(weight: Tensor, x: Tensor) -> Tensor:
    if weight.is_complex():  # of which torch's operator has no derivative
        return weight.index_select(0, x.flatten()).reshape(*x.shape, weight.shape[1])
    return torch.embedding(weight, x)


def embedding(x: Tensor, weight: Tensor, padding_idx: int = _NO_PADDING, sparse: bool = False) -> Tensor:
    if padding_idx == _NO_PADDING:
        return _rows(weight, x)
    is_padding = x == padding_idx
    rows = _rows(weight, torch.where(is_padding, 0, x))
    return torch.where(is_padding.unsqueeze(-1), 0, rows)


def embedding_grad(x: Tensor, weight: Tensor, out_grad: Tensor, padding_idx: int = _NO_PADDING, sparse: bool = False) -> Tensor:
    if sparse:
        raise NotImplementedError("embedding_grad: the sparse gradient cannot be traced, nor differentiated; pass sparse=False")
    rows = out_grad
    if padding_idx != _NO_PADDING:
        rows = torch.where((x == padding_idx).unsqueeze(-1), 0, rows)
        x = torch.where(x == padding_idx, 0, x)
    rows = rows.reshape(x.numel(), weight.shape[1])
    return out_grad.new_zeros(weight.shape).index_add(0, x.reshape(x.numel()), rows)


def topk(x: Tensor, k: int = 1, axis: int = -1, largest: bool = True, sorted: bool = True) -> tuple[Tensor, Tensor]:
    values, indices = torch.topk(x, int(k) if x.dim() else 1, axis, largest, sorted)
    return values, indices


def topk_grad(x: Tensor, indices: Tensor, out_grad: Tensor, k: int, axis: int, largest: bool, sorted: bool) -> Tensor:
    return out_grad.new_zeros(x.shape).scatter(axis, indices, out_grad)


def concat(x: Sequence[Tensor], axis: int = 0) -> Tensor:
    return torch.cat(list(x), int(axis))


def split(x: Tensor, sections: Sequence[int], axis: int) -> list[Tensor]:
    """Copies of the parts, since the outputs of an op that is no view own their memory."""
    sizes = list(sections)
    if -1 in sizes:
        unknown = sizes.index(-1)
        sizes[unknown] = 0
        sizes[unknown] = x.shape[int(axis)] - sum(sizes)
    return [part.clone() for part in torch.split(x, sizes, int(axis))]


def split_with_num(x: Tensor, num: int, axis: int) -> list[Tensor]:
    size = x.shape[int(axis)] // num
    return split(x, [size] * num, axis)


def reshape(x: Tensor, shape: Sequence[int]) -> Tensor:
    """Zero stands for the dimension of x, or for itself if x is empty and that does not fit; torch infers -1 unless another
    dimension is zero.
    """
    sizes = [x.shape[i] if size == 0 and i < x.dim() else size for i, size in enumerate(shape)]
    if -1 in sizes and 0 in sizes:
        unknown = sizes.index(-1)
        sizes[unknown] = _product(x.shape) // _product(size for size in sizes if size != -1)
    elif 0 in shape and 0 not in sizes and -1 not in sizes and x.numel() == 0:
        sizes = list(shape)
    return x.reshape(sizes)


def _product(sizes: Iterable[int]) -> int:
    """Of the sizes that are not zero."""
    result = 1
    for size in sizes:
        result = result if size == 0 else result * size
    return result


def transpose(x: Tensor, perm: Sequence[int]) -> Tensor:
    return x.permute(list(perm))


def transpose_grad(out_grad: Tensor, perm: Sequence[int]) -> Tensor:
    inverse = [0] * len(perm)
    for i, axis in enumerate(perm):
        inverse[axis % len(perm)] = i
    return out_grad.permute(inverse)


def einsum(x: Sequence[Tensor], equation: str) -> tuple[Tensor, list[Tensor], list[Tensor]]:
    out = torch.einsum(equation, list(x))
    return out, [t.new_empty(0) for t in x], [t.new_empty(0) for t in x]
