"""Composites of the ops whose tensors of indices or masks name elements of another tensor."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import torch
from torch import Tensor
from torch.autograd import forward_ad

from .differentiated import is_differentiated
from .transforms import is_transformed

__all__ = [
    "gather_nd",
    "gather_nd_grad",
    "index_add",
    "index_add_grad",
    "index_put",
    "index_put_grad",
    "masked_fill_grad",
    "put_along_axis",
    "put_along_axis_grad",
    "roll",
    "roll_grad",
    "scatter",
    "scatter_grad",
    "scatter_nd_add",
    "scatter_nd_add_grad",
    "take_along_axis",
    "take_along_axis_grad",
]


def _wrapped(index: Tensor, size: int) -> Tensor:
    """Indices that do not count from the end."""
    index = index.long()
    return torch.where(index < 0, index + size, index)


def _along(x: Tensor, indices: Tensor, axis: int) -> Tensor:
    return _wrapped(indices, x.shape[axis] if x.dim() else 1)


def take_along_axis(arr: Tensor, indices: Tensor, axis: int) -> Tensor:
    return arr.gather(axis, _along(arr, indices, axis))


def take_along_axis_grad(arr: Tensor, indices: Tensor, out_grad: Tensor, axis: int) -> Tensor:
    return out_grad.new_zeros(arr.shape).scatter_add(axis, _along(arr, indices, axis), out_grad)


def _nd_places(index: Tensor, shape: Sequence[int]) -> tuple[Tensor, int, list[int]]:
    """Which of the slices of a tensor `index` names, how many there are, and their shape."""
    depth = index.shape[-1]
    places, count = index.new_zeros(index.shape[:-1], dtype=torch.int64), 1
    for d in range(depth):
        places = places * shape[d] + _wrapped(index[..., d], shape[d])
        count = count * shape[d]
    return places.reshape(-1), count, list(shape[depth:])


def gather_nd(x: Tensor, index: Tensor) -> Tensor:
    places, count, rest = _nd_places(index, x.shape)
    return x.reshape([count, *rest]).index_select(0, places).reshape([*index.shape[:-1], *rest])


def gather_nd_grad(x: Tensor, index: Tensor, out_grad: Tensor) -> Tensor:
    places, count, rest = _nd_places(index, x.shape)
    rows = out_grad.reshape([places.shape[0], *rest])
    return out_grad.new_zeros([count, *rest]).index_add(0, places, rows).reshape(x.shape)


def roll(x: Tensor, shifts: Sequence[int] = (), axis: Sequence[int] = ()) -> Tensor:
    if x.dim() == 0:
        return x.clone()  # under vmap torch's operator would move the batch
    return torch.roll(x, list(shifts), list(axis))


def roll_grad(x: Tensor, out_grad: Tensor, shifts: Sequence[int], axis: Sequence[int]) -> Tensor:
    if x.dim() == 0:
        return out_grad.clone()
    sizes = [out_grad.shape[i] for i in axis] or [out_grad.numel()]
    back = [-shift % max(size, 1) for shift, size in zip(shifts, sizes)]  # the negative of a large one overflows
    return torch.roll(out_grad, back, list(axis))


def masked_fill_grad(x: Tensor, mask: Tensor, value: Tensor, out_grad: Tensor) -> tuple[Tensor, Tensor]:
    x_grad, value_grad = torch.where(mask, 0, out_grad), torch.where(mask, out_grad, 0)
    return x_grad.sum_to_size(x.shape), value_grad.sum_to_size(value.shape)


def _last(places: Tensor, axis: int, x: Tensor) -> Tensor:
    """Whether each of the indices along `axis` of `x` is the last one that names its place."""
    shape = [-1 if i == axis % places.dim() else 1 for i in range(places.dim())]
    number = torch.arange(places.shape[axis], device=places.device).reshape(shape).expand_as(places)
    last = torch.full_like(x, -1, dtype=torch.int64).scatter_reduce(axis, places, number, "amax")
    return last.gather(axis, places) == number


def scatter(x: Tensor, index: Tensor, updates: Tensor, overwrite: bool = True) -> Tensor:
    rows = _wrapped(index.reshape(-1), x.shape[0])
    updates = updates.reshape([rows.shape[0], *x.shape[1:]])
    if overwrite:
        last = _last(rows, 0, x.new_zeros(x.shape[0]))
        updates = torch.where(last.reshape([-1, *[1] * (x.dim() - 1)]), updates, 0)
    return _cleared(x, rows).index_add(0, rows, updates)


def _cleared(x: Tensor, rows: Tensor) -> Tensor:
    """Zeros in these rows. Not by index_fill, for which vmap has no rule if `rows` alone are batched."""
    return x.index_put((rows,), x.new_zeros(()))


def scatter_grad(index: Tensor, updates: Tensor, out_grad: Tensor, overwrite: bool) -> tuple[Tensor, Tensor]:
    rows = _wrapped(index.reshape(-1), out_grad.shape[0])
    return _cleared(out_grad, rows), out_grad.index_select(0, rows).reshape(updates.shape)


def scatter_nd_add(x: Tensor, index: Tensor, updates: Tensor) -> Tensor:
    places, count, rest = _nd_places(index, x.shape)
    rows = updates.reshape([places.shape[0], *rest])
    return x.reshape([count, *rest]).index_add(0, places, rows).reshape(x.shape)


def scatter_nd_add_grad(index: Tensor, updates: Tensor, out_grad: Tensor) -> tuple[Tensor, Tensor]:
    return out_grad.clone(), gather_nd(out_grad, index)


def index_add(x: Tensor, index: Tensor, add_value: Tensor, axis: int = 0) -> Tensor:
    return x.index_add(axis, _wrapped(index, x.shape[axis]), add_value)


def index_add_grad(index: Tensor, add_value: Tensor, out_grad: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    return out_grad.clone(), out_grad.index_select(axis, _wrapped(index, out_grad.shape[axis]))


def _leading(values: Tensor, shape: Sequence[int]) -> Tensor:
    """The part of `values` that indices of this shape reach."""
    for d, size in enumerate(shape if values.shape != shape else ()):
        values = values.narrow(d, 0, size)
    return values


def _multiplied(arr: Tensor, axis: int, places: Tensor, values: Tensor, include_self: bool = True) -> Tensor:
    """`arr` times what comes to each place."""
    if forward_ad._current_level < 0:
        return arr.scatter_reduce(axis, places, values, "prod", include_self=include_self)
    # the tangents of torch's operator are zero
    if arr.dim() == 0:
        return _multiplied(arr.reshape(1), 0, places.reshape(1), values.reshape(1), include_self).reshape([])
    lines, places, values = (t.movedim(axis, -1) for t in (arr, places, values))
    comes = places.unsqueeze(-2) == torch.arange(lines.shape[-1], device=arr.device).unsqueeze(-1)
    rest = [side for d in reversed(range(comes.dim() - 1)) for side in (0, lines.shape[d] - comes.shape[d])]
    product = torch.nn.functional.pad(torch.where(comes, values.unsqueeze(-2), 1).prod(-1), rest, value=1)
    kept = lines if include_self else torch.where(torch.nn.functional.pad(comes.any(-1), rest), 1, lines)
    return (kept * product).movedim(-1, axis)


def put_along_axis(
    arr: Tensor, indices: Tensor, values: Tensor, axis: int, reduce: str = "assign", include_self: bool = True
) -> Tensor:
    places, values = _along(arr, indices, axis), _leading(values, indices.shape)
    if reduce in ("mul", "multiply"):
        return _multiplied(arr, axis, places, values, include_self)
    if reduce != "assign":
        return arr.scatter_reduce(axis, places, values, "sum" if reduce == "add" else reduce, include_self=include_self)
    if arr.dim() == 0:
        return values.reshape([]).clone()
    return arr.scatter(axis, places, 0).scatter_add(axis, places, torch.where(_last(places, axis, arr), values, 0))


def put_along_axis_grad(
    arr: Tensor,
    indices: Tensor,
    values: Tensor,
    out: Tensor,
    out_grad: Tensor,
    axis: int,
    reduce: str,
    include_self: bool,
) -> tuple[Tensor, Tensor]:
    places = _along(arr, indices, axis)
    if values.shape != indices.shape:
        part = _leading(values, indices.shape)
        grads = put_along_axis_grad(arr, indices, part, out, out_grad, axis, reduce, include_self)
        beyond = [side for d in reversed(range(values.dim())) for side in (0, values.shape[d] - indices.shape[d])]
        return grads[0], torch.nn.functional.pad(grads[1], beyond)
    taken, cleared = out_grad.gather(axis, places), out_grad.scatter(axis, places, 0)
    if reduce == "assign":
        return cleared, torch.where(_last(places, axis, out_grad), taken, 0) if places.dim() else taken
    if reduce == "add":
        return out_grad.clone() if include_self else cleared, taken
    if reduce in ("mul", "multiply"):
        own, put = arr == 0, values == 0
        nothing = torch.zeros_like(own)
        zeros = (own if include_self else nothing).long().scatter_add(axis, places, put.long())
        kept = torch.where(own, 1, arr) if include_self else torch.ones_like(arr)
        product = _multiplied(kept, axis, places, torch.where(put, 1, values))
        arr_share = torch.where(own, torch.where(zeros == 1, product, 0), torch.where(zeros == 0, product / kept, 0))
        zeros, product = zeros.gather(axis, places), product.gather(axis, places)
        others = product / torch.where(put, 1, values)
        values_share = torch.where(put, torch.where(zeros == 1, product, 0), torch.where(zeros == 0, others, 0))
    else:
        own, put = torch.ones_like(arr), torch.ones_like(values)
        if reduce != "mean":
            own, put = (arr == out).to(arr.dtype), (values == out.gather(axis, places)).to(arr.dtype)
        own = own if include_self else torch.zeros_like(arr)
        share = 1 / own.scatter_add(axis, places, put).clamp(min=1)
        arr_share, values_share = own * share, put * share.gather(axis, places)
    return out_grad * arr_share if include_self else cleared, taken * values_share


def _put_indices(indices: Sequence[Tensor]) -> tuple[Tensor, ...]:
    if not is_transformed():
        return tuple(index if index.dtype == torch.bool else index.long() for index in indices)
    # under vmap torch takes no masks beside indices
    places = (index.nonzero().unbind(-1) if index.dtype == torch.bool else (index.long(),) for index in indices)
    return tuple(chain.from_iterable(places))


def index_put(x: Tensor, indices: Sequence[Tensor], value: Tensor, accumulate: bool = False) -> Tensor:
    return _put(x, _put_indices(indices), value, accumulate)


def _put(x: Tensor, places: tuple[Tensor, ...], value: Tensor, accumulate: bool = False) -> Tensor:
    if is_transformed() and any(place.numel() == 0 for place in places):
        return x.clone()  # torch's rule of vmap fails without indices
    return x.index_put(places, value, accumulate)


def index_put_grad(
    x: Tensor, indices: Sequence[Tensor], value: Tensor, out_grad: Tensor, accumulate: bool = False
) -> tuple[Tensor, Tensor]:
    at = _put_indices(indices)
    x_grad = out_grad.clone() if accumulate else _put(out_grad, at, out_grad.new_zeros([]))
    return x_grad, torch.ops.aten.index(out_grad, list(at)).sum_to_size(value.shape)


def masked_select_grad(x: Tensor, mask: Tensor, out_grad: Tensor) -> Tensor:
    shape = torch.broadcast_shapes(x.shape, mask.shape)
    wide = out_grad.new_zeros(shape).masked_scatter(mask.expand(shape), out_grad)
    return wide.sum_to_size(x.shape)


def unique_consecutive(
    x: Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: Sequence[int] = (),
    dtype: torch.dtype | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Where ATen has no kernel, by the places where something new begins, as many as `nonzero` finds."""
    if len(axis) > 1:
        raise ValueError(f"argument 'axis': expected at most one axis, got {list(axis)}")
    dtype, wants = dtype or torch.float32, return_inverse or return_counts
    if wants and dtype not in (torch.int32, torch.int64):
        raise TypeError(f"argument 'dtype': expected int32 or int64, got {str(dtype).removeprefix('torch.')}")
    none = x.new_empty(0, dtype=torch.int64 if not wants else dtype)
    has_kernel = not x.is_complex() and not (x.is_floating_point() and x.element_size() == 1)
    if not axis and has_kernel and not is_differentiated(x):  # which ATen does not differentiate
        out, *found = torch.ops.aten.unique_consecutive.default(x, return_inverse, return_counts)
        index, counts = (t.to(dtype) if flag else none for t, flag in zip(found, (return_inverse, return_counts)))
        return out, index.reshape(-1), counts
    rows = x.movedim(axis[0], 0) if axis else x.reshape(-1)
    place = torch.arange(rows.shape[0], device=x.device)
    flat = rows.detach().unsqueeze(1).flatten(1)
    begins = torch.cat([torch.ones_like(place[:1], dtype=torch.bool), (flat[1:] != flat[:-1]).any(1)])
    first = torch.nonzero(begins).reshape(-1)
    out = rows.index_select(0, first)
    index, counts = none, none
    if return_inverse:
        index = (begins.cumsum(0) - 1).to(dtype)
    if return_counts:
        counts = torch.diff(first, append=first.new_full((1,), rows.shape[0])).to(dtype)
    return out.movedim(0, axis[0]).contiguous() if axis else out, index, counts
