"""Kernels of operators that newer ones have replaced, and of those that a program uses around its operators.

Where a gradient is recorded it is that of the operators which they are made of.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from .. import ops as phi
from ._kernels import kernel


def rows(x: Tensor, columns_from: int) -> Tensor:
    """x as a matrix, whose rows are the dimensions before `columns_from`."""
    if not 0 < columns_from <= x.dim():
        raise ValueError(f"num_col_dims: expected 1 to {x.dim()}, got {columns_from}")
    return phi.reshape(x, [math.prod(x.shape[:columns_from]), math.prod(x.shape[columns_from:])])


@kernel("matmul_with_flatten(Tensor x, Tensor y, int x_num_col_dims, int y_num_col_dims) -> Tensor")
def matmul_with_flatten(x: Tensor, y: Tensor, x_num_col_dims: int, y_num_col_dims: int) -> Tensor:
    out = phi.matmul(rows(x, x_num_col_dims), rows(y, y_num_col_dims))
    return phi.reshape(out, [*x.shape[:x_num_col_dims], *y.shape[y_num_col_dims:]])


@kernel("legacy_matmul(Tensor x, Tensor y, bool transpose_x, bool transpose_y, float alpha) -> Tensor")
def legacy_matmul(x: Tensor, y: Tensor, transpose_x: bool, transpose_y: bool, alpha: float) -> Tensor:
    """A vector is a row of `x`, or a column of `y`; transposing turns it over."""
    if x.dim() == 1 and transpose_x:
        x, transpose_x = phi.reshape(x, [-1, 1]), False
    if y.dim() == 1 and transpose_y:
        y, transpose_y = phi.reshape(y, [1, -1]), False
    out = phi.matmul(x, y, transpose_x, transpose_y)
    return out if alpha == 1.0 else phi.scale(out, alpha)


@kernel("legacy_reshape(Tensor x, int[] shape) -> Tensor")
def legacy_reshape(x: Tensor, shape: Sequence[int] | Tensor) -> Tensor:
    return phi.reshape(x, shape)


@kernel("legacy_expand(Tensor x, int[] times) -> Tensor")
def legacy_expand(x: Tensor, times: Sequence[int] | Tensor) -> Tensor:
    return phi.tile(x, times)


@kernel("topk_v1(Tensor x, Scalar k) -> (Tensor, Tensor)")
def topk_v1(x: Tensor, k: int | Tensor) -> tuple[Tensor, Tensor]:
    return phi.topk(x, k)


@kernel(
    "lookup_table(Tensor weight, Tensor ids, bool is_sparse, bool is_distributed, int padding_idx, bool remote_prefetch,"
    " str entry_config, bool is_test, str entry, str table_class, str[] table_names, int trainer_id, bool grad_inplace,"
    " str[] epmap, int[] height_sections) -> Tensor"
)
def lookup_table(weight: Tensor, ids: Tensor, is_sparse: bool, is_distributed: bool, padding_idx: int, *rest: object) -> Tensor:
    if ids.shape[-1] != 1:
        raise ValueError(f"slot Ids: expected a last dimension of 1, got shape {[*ids.shape]}")
    return phi.embedding(phi.squeeze(ids, [-1]), weight, padding_idx, is_sparse)


@kernel("shape(Tensor x) -> Tensor")
def shape(x: Tensor) -> Tensor:
    if torch.compiler.is_compiling() and x.dim() > 0:  # torch.tensor would make constants of symbolic sizes
        return torch.stack([torch.scalar_tensor(size, dtype=torch.int32) for size in x.shape])
    return torch.tensor(x.shape, dtype=torch.int32)


@kernel("increment(Tensor x, float step) -> Tensor")
def increment(x: Tensor, step: float) -> Tensor:
    return phi.scale(x, 1.0, step)


@kernel("arange_tensor(Tensor start, Tensor end, Tensor step) -> Tensor")
def arange_tensor(start: Tensor, end: Tensor, step: Tensor) -> Tensor:
    return phi.arange(start.item(), end.item(), step.item(), start.dtype, start.device)


@kernel("tril_triu(Tensor x, int diagonal, bool lower) -> Tensor")
def tril_triu(x: Tensor, diagonal: int, lower: bool) -> Tensor:
    return phi.tril(x, diagonal) if lower else torch.triu(x, diagonal)


@kernel("add_n(Tensor[] x) -> Tensor")
def add_n(x: Sequence[Tensor]) -> Tensor:
    out = phi.assign(x[0])
    for other in x[1:]:
        out = phi.add(out, other)
    return out


@kernel("squared_l2_norm(Tensor x) -> Tensor")
def squared_l2_norm(x: Tensor) -> Tensor:
    return phi.reshape(phi.sum(phi.square(x)), [1])
