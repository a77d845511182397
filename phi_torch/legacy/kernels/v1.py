"""Kernels of operators that newer ones have replaced, and of those that a program uses around its operators, with their
gradients.

Where a gradient is recorded it is that of the operators which they are made of.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from ... import ops as phi
from .rows import embedding_sparse_grad
from .table import kernel, shaped


def rows(x: Tensor, columns_from: int) -> Tensor:
    """x as a matrix, whose rows are the dimensions before `columns_from`."""
    if not 0 < columns_from <= x.dim():
        raise ValueError(f"num_col_dims: expected 1 to {x.dim()}, got {columns_from}")
    return shaped(x, [math.prod(x.shape[:columns_from]), math.prod(x.shape[columns_from:])])


@kernel("matmul_with_flatten(Tensor x, Tensor y, int x_num_col_dims, int y_num_col_dims) -> Tensor")
def matmul_with_flatten(x: Tensor, y: Tensor, x_num_col_dims: int, y_num_col_dims: int) -> Tensor:
    out = phi.matmul(rows(x, x_num_col_dims), rows(y, y_num_col_dims))
    return shaped(out, [*x.shape[:x_num_col_dims], *y.shape[y_num_col_dims:]])


@kernel("matmul_with_flatten_grad(Tensor x, Tensor y, Tensor out_grad, int x_num_col_dims, int y_num_col_dims) -> (Tensor, Tensor)")
def matmul_with_flatten_grad(
    x: Tensor, y: Tensor, out_grad: Tensor, x_num_col_dims: int, y_num_col_dims: int
) -> tuple[Tensor, Tensor]:
    grad = shaped(out_grad, [math.prod(x.shape[:x_num_col_dims]), math.prod(y.shape[y_num_col_dims:])])
    x_grad = phi.matmul(grad, rows(y, y_num_col_dims), False, True)
    y_grad = phi.matmul(rows(x, x_num_col_dims), grad, True, False)
    return shaped(x_grad, x.shape), shaped(y_grad, y.shape)


def _vectors(x: Tensor, y: Tensor, transpose_x: bool, transpose_y: bool) -> tuple[Tensor, Tensor, bool, bool]:
    """The arguments of `matmul`, for which a vector has no transpose: here x is a column then, and y a row."""
    if transpose_x and x.dim() == 1:
        x, transpose_x = phi.reshape(x, [-1, 1]), False
    if transpose_y and y.dim() == 1:
        y, transpose_y = phi.reshape(y, [1, -1]), False
    return x, y, transpose_x, transpose_y


@kernel("legacy_matmul(Tensor x, Tensor y, bool transpose_x, bool transpose_y, float alpha) -> Tensor")
def legacy_matmul(x: Tensor, y: Tensor, transpose_x: bool, transpose_y: bool, alpha: float) -> Tensor:
    out = phi.matmul(*_vectors(x, y, transpose_x, transpose_y))
    return out if alpha == 1.0 else phi.scale(out, alpha)


@kernel(
    "legacy_matmul_grad(Tensor x, Tensor y, Tensor out_grad, bool transpose_x, bool transpose_y, float alpha) -> (Tensor, Tensor)"
)
def legacy_matmul_grad(
    x: Tensor, y: Tensor, out_grad: Tensor, transpose_x: bool, transpose_y: bool, alpha: float
) -> tuple[Tensor, Tensor]:
    grad = out_grad if alpha == 1.0 else phi.scale(out_grad, alpha)
    left, right, *transposes = _vectors(x, y, transpose_x, transpose_y)
    x_grad, y_grad = torch.ops.phi.matmul_grad(left, right, grad, *transposes)
    return shaped(x_grad, x.shape), shaped(y_grad, y.shape)


@kernel("legacy_reshape(Tensor x, int[] shape) -> Tensor")
def legacy_reshape(x: Tensor, shape: Sequence[int] | Tensor) -> Tensor:
    return phi.reshape(x, shape)


@kernel("legacy_expand(Tensor x, int[] times) -> Tensor")
def legacy_expand(x: Tensor, times: Sequence[int] | Tensor) -> Tensor:
    return phi.tile(x, times)


@kernel("legacy_expand_grad(Tensor x, Tensor out_grad, int[] times) -> Tensor")
def legacy_expand_grad(x: Tensor, out_grad: Tensor, times: Sequence[int] | Tensor) -> Tensor:
    return torch.ops.phi.tile_grad(x, out_grad, times.tolist() if isinstance(times, Tensor) else times)


@kernel("topk_v1(Tensor x, Scalar k) -> (Tensor, Tensor)")
def topk_v1(x: Tensor, k: int | Tensor) -> tuple[Tensor, Tensor]:
    return phi.topk(x, k)


@kernel("topk_v1_grad(Tensor x, Tensor indices, Tensor out_grad, Scalar k) -> Tensor")
def topk_v1_grad(x: Tensor, indices: Tensor, out_grad: Tensor, k: int | Tensor) -> Tensor:
    return torch.ops.phi.topk_grad(x, indices, out_grad, int(k), -1, True, True)


@kernel(
    "lookup_table(Tensor weight, Tensor ids, bool is_sparse, bool is_distributed, int padding_idx, bool remote_prefetch,"
    " str entry_config, bool is_test, str entry, str table_class, str[] table_names, int trainer_id, bool grad_inplace,"
    " str[] epmap, int[] height_sections) -> Tensor"
)
def lookup_table(weight: Tensor, ids: Tensor, is_sparse: bool, is_distributed: bool, padding_idx: int, *rest: object) -> Tensor:
    return phi.embedding(_column(ids), weight, padding_idx, is_sparse)


def _column(ids: Tensor) -> Tensor:
    if ids.shape[-1] != 1:
        raise ValueError(f"slot Ids: expected a last dimension of 1, got shape {[*ids.shape]}")
    return phi.squeeze(ids, [-1])


def _table_grad(name: str, sparse: bool) -> None:
    @kernel(
        f"{name}(Tensor weight, Tensor ids, Tensor out_grad, bool is_sparse, bool is_distributed, int padding_idx,"
        " bool remote_prefetch, str entry_config, bool is_test, str entry, str table_class, str[] table_names, int trainer_id,"
        " bool grad_inplace, str[] epmap, int[] height_sections) -> Tensor"
    )
    def grad(
        weight: Tensor, ids: Tensor, out_grad: Tensor, is_sparse: bool, is_distributed: bool, padding_idx: int, *rest: object
    ) -> Tensor:
        if sparse:
            return embedding_sparse_grad(_column(ids), weight, out_grad, padding_idx)
        return torch.ops.phi.embedding_grad(_column(ids), weight, out_grad, padding_idx, False)


_table_grad("lookup_table_grad", False)
_table_grad("lookup_table_sparse_grad", True)


@kernel("arange_tensor(Tensor start, Tensor end, Tensor step) -> Tensor")
def arange_tensor(start: Tensor, end: Tensor, step: Tensor) -> Tensor:
    return phi.arange(start.item(), end.item(), step.item(), start.dtype, start.device)


@kernel("tril_triu(Tensor x, int diagonal, bool lower) -> Tensor")
def tril_triu(x: Tensor, diagonal: int, lower: bool) -> Tensor:
    return phi.tril(x, diagonal) if lower else torch.triu(x, diagonal)


@kernel("tril_triu_grad(Tensor out_grad, int diagonal, bool lower) -> Tensor")
def tril_triu_grad(out_grad: Tensor, diagonal: int, lower: bool) -> Tensor:
    return tril_triu(out_grad, diagonal, lower)


@kernel("add_n(Tensor[] x) -> Tensor", differs=True)
def add_n(x: Sequence[Tensor]) -> Tensor:
    """What has no elements does not count, whatever shape it has."""
    dense = [one for one in x if one.layout == torch.strided]
    out = phi.add_n([one for one in dense if one.numel()] or dense)
    for rows_ in (one for one in x if one.layout != torch.strided):  # a gradient of a table beside its decay
        out = torch.add(out, rows_)
    return out


# ---- equal elements: PaddlePaddle 2's programs gave each of them the whole gradient, phi_torch's operators share it


def extreme_grad(x: Tensor, out: Tensor, out_grad: Tensor, axis: Sequence[int] | Tensor, keepdim: bool, reduce_all: bool) -> Tensor:
    axis = axis.tolist() if isinstance(axis, Tensor) else axis
    reduced = range(x.dim()) if reduce_all or not axis or not x.dim() else [one % x.dim() for one in axis]
    sizes = [1 if at in reduced else size for at, size in enumerate(x.shape)]
    return torch.where(x == out.reshape(sizes), out_grad.reshape(sizes), out_grad.new_zeros(()))


for _name in ("max_grad", "min_grad"):
    _schema = f"{_name}(Tensor x, Tensor out, Tensor out_grad, int[] axis, bool keepdim, bool reduce_all) -> Tensor"
    kernel(_schema, differs=True)(extreme_grad)


def _split(out_grad: Tensor, to_x: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    zero = out_grad.new_zeros(())
    return torch.where(to_x, out_grad, zero).sum_to_size(x.shape), torch.where(to_x, zero, out_grad).sum_to_size(y.shape)


@kernel("maximum_grad(Tensor x, Tensor y, Tensor out_grad) -> (Tensor, Tensor)", differs=True)
def maximum_grad(x: Tensor, y: Tensor, out_grad: Tensor) -> tuple[Tensor, Tensor]:
    return _split(out_grad, x > y, x, y)


@kernel("minimum_grad(Tensor x, Tensor y, Tensor out_grad) -> (Tensor, Tensor)", differs=True)
def minimum_grad(x: Tensor, y: Tensor, out_grad: Tensor) -> tuple[Tensor, Tensor]:
    return _split(out_grad, x < y, x, y)


@kernel(
    "warpctc_grad(Tensor logits, Tensor? logits_length, Tensor warpctcgrad, Tensor loss_grad, int blank, bool norm_by_times)"
    " -> Tensor"
)
def warpctc_grad(
    logits: Tensor, logits_length: Tensor | None, warpctcgrad: Tensor, loss_grad: Tensor, blank: int, norm_by_times: bool
) -> Tensor:
    """Programs do not give it the labels, from which our operator has further gradients."""
    label = torch.empty(logits.shape[1], 0, dtype=torch.int64, device=logits.device)
    given = (logits, label, logits_length, None, warpctcgrad, loss_grad, blank, norm_by_times)
    return torch.ops.phi.warpctc_grad(*given)  # type: ignore[no-any-return]
