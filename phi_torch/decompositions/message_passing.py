"""Composites of the ops that send rows of a tensor along the edges of a graph, or to segments, and of their gradients."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from .errors import indices_of
from .found_sizes import has_values, most, repeated, size_of

__all__ = [
    "reindex_graph",
    "segment_pool",
    "segment_pool_grad",
    "send_u_recv",
    "send_u_recv_grad",
    "send_ue_recv",
    "send_ue_recv_grad",
    "send_uv",
    "send_uv_grad",
]

_REDUCES = {"SUM": "sum", "MEAN": "sum", "MAX": "amax", "MIN": "amin"}


def _per_row(counts: Tensor, x: Tensor) -> Tensor:
    return counts.clamp(min=1).to(x.dtype).reshape([-1, *[1] * (x.dim() - 1)])


def _received(messages: Tensor, dst_index: Tensor, reduce_op: str, nodes: int) -> tuple[Tensor, Tensor]:
    at = dst_index.reshape(-1).long()
    wide = at.reshape([-1, *[1] * (messages.dim() - 1)]).expand(messages.shape)
    empty = messages.new_zeros([nodes, *messages.shape[1:]])
    adds = reduce_op in ("SUM", "MEAN")
    out = empty.scatter_reduce(0, wide, messages, _REDUCES[reduce_op], include_self=adds)
    counts = torch.zeros(nodes, dtype=torch.int32, device=messages.device)
    if reduce_op == "MEAN":
        counts = counts.index_add(0, at, torch.ones_like(at, dtype=torch.int32))
        share = _per_row(counts, out)
        out = out / share if out.is_floating_point() else torch.div(out, share, rounding_mode="trunc")
    return out, counts


def _nodes(x: Tensor, out_size: Sequence[int]) -> int:
    return out_size[0] if len(out_size) and out_size[0] > 0 else x.shape[0]


def _rows(x: Tensor, index: Tensor) -> Tensor:
    return x.index_select(0, index.reshape(-1))


def _aligned(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Rows that broadcast behind their first dimension."""
    rank = max(x.dim(), y.dim())
    x, y = (t.reshape([t.shape[0], *[1] * (rank - t.dim()), *t.shape[1:]]) for t in (x, y))
    return x, y


def _messages(x: Tensor, y: Tensor, message_op: str) -> Tensor:
    return x * y if message_op == "MUL" else x + y


def send_u_recv(
    x: Tensor, src_index: Tensor, dst_index: Tensor, reduce_op: str = "SUM", out_size: Sequence[int] = (0,)
) -> tuple[Tensor, Tensor]:
    return _received(_rows(x, src_index), dst_index, reduce_op, _nodes(x, out_size))


def send_ue_recv(
    x: Tensor,
    y: Tensor,
    src_index: Tensor,
    dst_index: Tensor,
    message_op: str = "ADD",
    reduce_op: str = "SUM",
    out_size: Sequence[int] = (0,),
) -> tuple[Tensor, Tensor]:
    messages = _messages(*_aligned(_rows(x, src_index), y), message_op)
    return _received(messages, dst_index, reduce_op, _nodes(x, out_size))


def _message_grads(
    messages: Tensor, dst_index: Tensor, out: Tensor | None, dst_count: Tensor | None, out_grad: Tensor, reduce_op: str
) -> Tensor:
    if reduce_op == "MEAN":
        assert dst_count is not None
        out_grad = out_grad / _per_row(dst_count, out_grad)
    grads = _rows(out_grad, dst_index)
    if reduce_op in ("SUM", "MEAN"):
        return grads
    assert out is not None
    return torch.where(messages == _rows(out, dst_index), grads, 0)


def _sent(x: Tensor, src_index: Tensor, grads: Tensor) -> Tensor:
    grads = grads.reshape([grads.shape[0], *x.shape[1:]])
    return grads.new_zeros(x.shape).index_add(0, src_index.reshape(-1), grads)


def _operand_grads(x: Tensor, y: Tensor, grads: Tensor, message_op: str) -> tuple[Tensor, Tensor]:
    """Of aligned rows that messages are made of."""
    to_x, to_y = (grads * y, grads * x) if message_op == "MUL" else (grads, grads)
    # a sum of integers is wider
    return to_x.sum_to_size(x.shape).to(x.dtype), to_y.sum_to_size(y.shape).to(y.dtype)


def send_u_recv_grad(
    x: Tensor,
    src_index: Tensor,
    dst_index: Tensor,
    out: Tensor | None,
    dst_count: Tensor | None,
    out_grad: Tensor,
    reduce_op: str = "SUM",
) -> Tensor:
    grads = _message_grads(_rows(x, src_index), dst_index, out, dst_count, out_grad, reduce_op)
    return _sent(x, src_index, grads)


def send_ue_recv_grad(
    x: Tensor,
    y: Tensor,
    src_index: Tensor,
    dst_index: Tensor,
    out: Tensor | None,
    dst_count: Tensor | None,
    out_grad: Tensor,
    message_op: str,
    reduce_op: str,
) -> tuple[Tensor, Tensor]:
    sent, edges = _aligned(_rows(x, src_index), y)
    grads = _message_grads(_messages(sent, edges, message_op), dst_index, out, dst_count, out_grad, reduce_op)
    to_x, to_y = _operand_grads(sent, edges, grads, message_op)
    return _sent(x, src_index, to_x), to_y.reshape(y.shape)


def _both_ends(x: Tensor, y: Tensor, src_index: Tensor, dst_index: Tensor) -> tuple[Tensor, Tensor]:
    with indices_of("src_index", f"the {x.shape[0]} rows of 'x'"):
        sent = _rows(x, src_index)
    with indices_of("dst_index", f"the {y.shape[0]} rows of 'y'"):
        return _aligned(sent, _rows(y, dst_index))


def send_uv(x: Tensor, y: Tensor, src_index: Tensor, dst_index: Tensor, message_op: str = "ADD") -> Tensor:
    return _messages(*_both_ends(x, y, src_index, dst_index), message_op)


def send_uv_grad(
    x: Tensor, y: Tensor, src_index: Tensor, dst_index: Tensor, out_grad: Tensor, message_op: str = "ADD"
) -> tuple[Tensor, Tensor]:
    to_x, to_y = _operand_grads(*_both_ends(x, y, src_index, dst_index), out_grad, message_op)
    return _sent(x, src_index, to_x), _sent(y, dst_index, to_y)


def reindex_graph(
    x: Tensor,
    neighbors: Tensor,
    count: Tensor,
    hashtable_value: Tensor | None = None,
    hashtable_index: Tensor | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    x, neighbors, count = x.flatten(), neighbors.flatten(), count.flatten()
    nodes, edges = x.shape[0], neighbors.shape[0]
    if count.is_cpu and has_values(count):
        if (count < 0).any():
            raise ValueError(f"argument 'count': expected no negative number, got {int(count.min())}")
        if int(count.sum()) != edges:
            raise ValueError(
                f"argument 'count': expected numbers of the sum {edges}, as many as 'neighbors', got {int(count.sum())}"
            )
    every = torch.cat([x, neighbors])
    name = torch.searchsorted(every.sort()[0], every)  # the same one for nodes that are equal
    place = torch.arange(nodes + edges, device=x.device)
    none = torch.zeros_like(place)
    first = none.scatter_reduce(0, name, place, "amin", include_self=False)
    in_x = (none - 1).scatter_reduce(0, name[:nodes], place[:nodes], "amax")
    is_new = (first[name[nodes:]] == place[nodes:]) & (in_x[name[nodes:]] < 0)
    after_x = none.scatter_reduce(0, name[nodes:], nodes + is_new.long().cumsum(0) - 1, "amin", include_self=False)
    number = torch.where(in_x < 0, after_x, in_x).to(x.dtype)
    targets = number[name[:nodes]].repeat(count.shape[0] // max(nodes, 1))  # once for each type of edge
    return number[name[nodes:]], targets[repeated(count, edges)], every[torch.cat([torch.ones_like(x, dtype=torch.bool), is_new])]


def segment_pool(x: Tensor, segment_ids: Tensor, pooltype: str = "SUM") -> tuple[Tensor, Tensor]:
    segments = size_of(most(segment_ids + 1), "segment_ids")
    if has_values(segment_ids) and segment_ids.numel() and int(segment_ids.min()) < 0:
        raise IndexError(f"argument 'segment_ids': expected numbers of at least 0, got {int(segment_ids.min())}")
    out, counts = _received(x, segment_ids, pooltype, segments)
    return out, counts.to(x.dtype).unsqueeze(1) if pooltype == "MEAN" else x.new_empty(0, 1)


def segment_pool_grad(
    x: Tensor, segment_ids: Tensor, out: Tensor, summed_ids: Tensor | None, out_grad: Tensor, pooltype: str = "SUM"
) -> Tensor:
    with indices_of("segment_ids", f"the {out_grad.shape[0]} rows of 'out_grad'"):
        return _message_grads(x, segment_ids, out, summed_ids, out_grad, pooltype).to(x.dtype)
