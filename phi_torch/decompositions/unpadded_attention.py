"""Composites of attention of sequences that lie one after the other: each is padded, and a mask hides the padding."""

from __future__ import annotations

import itertools
import math

import torch
from torch import Tensor

from .attention import _heads_first, _softmax
from .differentiated import is_differentiated
from .found_sizes import has_values
from .roi_pool import image_of


def check_ends(ends: Tensor, count: int, most: int, argument: str) -> None:
    """Raises ValueError unless the ends are those of sequences of `count` elements in all, of `most` at most."""
    if not ends.is_cpu or not has_values(ends):
        return
    found = ends.tolist()
    lengths = [end - begin for begin, end in itertools.pairwise(found)]
    if found[0] != 0 or found[-1] != count or min(lengths) < 0:
        raise ValueError(f"argument '{argument}': expected increasing numbers from 0 to {count}, got {found}")
    if max(lengths) > most:
        raise ValueError(f"argument '{argument}': expected sequences of at most {most}, got one of {max(lengths)}")


def lengths(counts: tuple[int, int], ends: tuple[Tensor, Tensor], most: tuple[int, int], has_columns: bool) -> tuple[int, int]:
    """What to pad queries and keys to, of as many in all; checks their ends.

    No sequence of keys is longer than all are together, but where each of `most` has its columns in another tensor.
    """
    for which, count, end, longest in zip("qk", counts, ends, most):
        check_ends(end, count, longest, f"cu_seqlens_{which}")
    return most[0], most[1] if has_columns else torch.sym_min(most[1], torch.sym_max(counts[1], 1))


def padded(x: Tensor, ends: Tensor, most: int) -> tuple[Tensor, Tensor]:
    """[batch, most, ...] of [elements of all, ...], and [batch, most]: what is none of the padding, which is 0."""
    place = torch.arange(most, device=x.device)
    is_inside = place < ends.diff().unsqueeze(1)
    index = torch.where(is_inside, ends[:-1].unsqueeze(1) + place, x.shape[0])
    with_zero = torch.cat([x, x.new_zeros(1, *x.shape[1:])])
    return with_zero.index_select(0, index.reshape(-1)).reshape(ends.shape[0] - 1, most, *x.shape[1:]), is_inside


def unpadded(x: Tensor, ends: Tensor, count: int) -> Tensor:
    """What `padded` was given."""
    batch = image_of(ends.diff(), count)
    place = torch.arange(count, device=x.device) - ends.index_select(0, batch) + batch * x.shape[1]
    return x.reshape(x.shape[0] * x.shape[1], *x.shape[2:]).index_select(0, place)


def visible(queries: Tensor, keys: Tensor, causal: bool) -> Tensor:
    """[batch, 1, queries, keys]: of the elements that are none of the padding, with `causal` as flash_attn has it."""
    seen = queries.unsqueeze(2) & keys.unsqueeze(1)
    if causal:
        ahead = keys.sum(1) - queries.sum(1)
        row, column = (torch.arange(t.shape[1], device=t.device) for t in (queries, keys))
        seen = seen & (column <= row.unsqueeze(1) + ahead.reshape(-1, 1, 1))
    return seen.unsqueeze(1)


def _mask(like: Tensor, attn_mask: Tensor | None, queries: Tensor, keys: Tensor, causal: bool) -> Tensor:
    added = like.new_zeros(()) if attn_mask is None else attn_mask
    return torch.where(visible(queries, keys, causal), added, -torch.inf).to(like.dtype)


def flash_attn_unpadded(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    cu_seqlens_q: Tensor,
    cu_seqlens_k: Tensor,
    fixed_seed_offset: Tensor | None,
    attn_mask: Tensor | None,
    max_seqlen_q: int,
    max_seqlen_k: int,
    scale: float,
    dropout: float = 0.0,
    causal: bool = False,
    return_softmax: bool = False,
    is_test: bool = False,
    rng_name: str = "",
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    ends, most = (cu_seqlens_q, cu_seqlens_k), (int(max_seqlen_q), int(max_seqlen_k))
    most_q, most_k = lengths((q.shape[0], k.shape[0]), ends, most, return_softmax or attn_mask is not None)
    queries, q_inside = padded(q * (scale * math.sqrt(q.shape[2])), cu_seqlens_q, most_q)
    (keys, k_inside), values = padded(k, cu_seqlens_k, most_k), padded(v, cu_seqlens_k, most_k)[0]
    mask = _mask(q, attn_mask, q_inside, k_inside, causal)
    settings = (dropout, False, return_softmax, is_test, rng_name)
    out, softmax, lse, seed_offset = torch.ops.phi.flash_attn(queries, keys, values, fixed_seed_offset, mask, *settings)
    return unpadded(out, cu_seqlens_q, q.shape[0]), softmax, lse, seed_offset


def flash_attn_unpadded_grad(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    cu_seqlens_q: Tensor,
    cu_seqlens_k: Tensor,
    out: Tensor,
    softmax_lse: Tensor,
    seed_offset: Tensor,
    attn_mask: Tensor | None,
    out_grad: Tensor,
    max_seqlen_q: int,
    max_seqlen_k: int,
    scale: float,
    dropout: float,
    causal: bool,
    is_test: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    ends, most = (cu_seqlens_q, cu_seqlens_k), (int(max_seqlen_q), int(max_seqlen_k))
    most_q, most_k = lengths((q.shape[0], k.shape[0]), ends, most, attn_mask is not None)
    factor = scale * math.sqrt(q.shape[2])
    queries, q_inside = padded(q * factor, cu_seqlens_q, most_q)
    (keys, k_inside), values = padded(k, cu_seqlens_k, most_k), padded(v, cu_seqlens_k, most_k)[0]
    mask = _mask(q, attn_mask, q_inside, k_inside, causal)
    result, grad = (padded(t, cu_seqlens_q, most_q)[0] for t in (out, out_grad))
    found = torch.ops.phi.flash_attn_grad(
        *(queries, keys, values, result, softmax_lse, seed_offset, mask, grad, dropout, False, is_test)
    )
    each = zip(found, (cu_seqlens_q, cu_seqlens_k, cu_seqlens_k), (q, k, v))
    q_grad, k_grad, v_grad = (unpadded(one, ends, like.shape[0]) for one, ends, like in each)
    return q_grad * factor, k_grad, v_grad


class _Efficient:
    """A call of memory_efficient_attention as one of flash_attn, whose heads all have as many columns."""

    def __init__(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        bias: Tensor | None,
        ends: tuple[Tensor, Tensor] | None,
        diagonal: Tensor | None,
        seqlen_k: Tensor | None,
        most: tuple[int, int],
        causal: bool,
        scale: float,
    ) -> None:
        self.ends, self.most, self.value = ends, most, value
        self.columns = torch.sym_max(query.shape[3], value.shape[3])
        self.factor = (scale if scale >= 0 else 1 / math.sqrt(query.shape[3])) * math.sqrt(self.columns)
        if ends is not None:
            self.most = lengths((query.shape[1], key.shape[1]), ends, most, bias is not None)
        self.query, queries = self.batch(query * self.factor, 0)
        (self.key, keys), (self.values, _) = self.batch(key, 1), self.batch(value, 1)
        row, column = (torch.arange(t.shape[1], device=t.device) for t in (queries, keys))
        if seqlen_k is not None:
            keys = keys & (column < seqlen_k.reshape(-1, 1))
        seen = visible(queries, keys, False)
        if causal:
            more = torch.zeros((), dtype=torch.int64, device=row.device) if diagonal is None else diagonal.reshape(-1, 1, 1, 1)
            seen = seen & (column <= row.unsqueeze(1) + more)
        self.mask = torch.where(seen, query.new_zeros(()) if bias is None else bias, -torch.inf).to(query.dtype)

    def batch(self, x: Tensor, which: int) -> tuple[Tensor, Tensor]:
        """Of queries (0) or keys (1): [batch, most, heads, columns], and [batch, most]: what is none of the padding."""
        wide = torch.nn.functional.pad(x, (0, self.columns - x.shape[3]))
        if self.ends is not None:
            return padded(wide.squeeze(0), self.ends[which], self.most[which])
        return wide, torch.ones(x.shape[:2], dtype=torch.bool, device=x.device)

    def as_given(self, x: Tensor, which: int, like: Tensor) -> Tensor:
        """What `batch` was given."""
        whole = x if self.ends is None else unpadded(x, self.ends[which], like.shape[1]).unsqueeze(0)
        return whole[..., : like.shape[3]].contiguous()


def memory_efficient_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    bias: Tensor | None,
    cu_seqlens_q: Tensor | None,
    cu_seqlens_k: Tensor | None,
    causal_diagonal: Tensor | None,
    seqlen_k: Tensor | None,
    max_seqlen_q: int,
    max_seqlen_k: int,
    causal: bool,
    dropout_p: float,
    scale: float,
    is_test: bool,
) -> tuple[Tensor, Tensor, Tensor]:
    ends = None if cu_seqlens_q is None or cu_seqlens_k is None else (cu_seqlens_q, cu_seqlens_k)
    most = int(max_seqlen_q), int(max_seqlen_k)
    call = _Efficient(query, key, value, bias, ends, causal_diagonal, seqlen_k, most, causal, scale)
    if bias is not None and is_differentiated(bias):  # which flash_attn has none for
        _refuse_dropout(dropout_p, is_test)
        out, lse = _by_products(call)
        seed = torch.zeros(2, dtype=torch.int64, device=query.device)
    else:
        settings = (dropout_p, False, False, is_test, "")
        out, _, lse, seed = torch.ops.phi.flash_attn(call.query, call.key, call.values, None, call.mask, *settings)
    rows = query.new_empty(()).expand(*query.shape[:3], value.shape[3])
    return call.as_given(out, 0, rows), lse, seed


def memory_efficient_attention_grad(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    bias: Tensor | None,
    cu_seqlens_q: Tensor | None,
    cu_seqlens_k: Tensor | None,
    causal_diagonal: Tensor | None,
    seqlen_k: Tensor | None,
    output: Tensor,
    logsumexp: Tensor,
    seed_and_offset: Tensor,
    output_grad: Tensor,
    max_seqlen_q: int,
    max_seqlen_k: int,
    causal: bool,
    dropout_p: float,
    scale: float,
    is_test: bool = False,
) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
    ends = None if cu_seqlens_q is None or cu_seqlens_k is None else (cu_seqlens_q, cu_seqlens_k)
    most = int(max_seqlen_q), int(max_seqlen_k)
    call = _Efficient(query, key, value, bias, ends, causal_diagonal, seqlen_k, most, causal, scale)
    out, grad = call.batch(output, 0)[0], call.batch(output_grad, 0)[0]
    bias_grad: Tensor | None = None
    if bias is not None:
        _refuse_dropout(dropout_p, is_test)
        *found, scores = _products_grad(call, grad)
        bias_grad = scores.sum_to_size(bias.shape).to(bias.dtype)
    else:
        settings = (dropout_p, False, is_test)
        found = torch.ops.phi.flash_attn_grad(
            *(call.query, call.key, call.values, out, logsumexp, seed_and_offset, call.mask, grad, *settings)
        )
    likes = zip(found, (0, 1, 1), (query, key, value))
    query_grad, key_grad, value_grad = (call.as_given(one, which, like) for one, which, like in likes)
    return query_grad * call.factor, key_grad, value_grad, bias_grad


def _refuse_dropout(dropout: float, is_test: bool) -> None:
    if dropout > 0 and not is_test:
        raise NotImplementedError(
            "memory_efficient_attention: with dropout 'bias' has no gradient; pass dropout_p=0 or is_test=True"
        )


def _of_products(call: _Efficient) -> tuple[Tensor, ...]:
    """Queries, whose products with keys are the scores, keys and values with the heads first, softmax and its logarithms."""
    query, key, value = (_heads_first(t, t.shape[2]) for t in (call.query, call.key, call.values))
    return query, key, value, *_softmax(query, key, call.mask, False)


def _by_products(call: _Efficient) -> tuple[Tensor, Tensor]:
    _, _, value, softmax, lse = _of_products(call)
    return torch.matmul(softmax, value).transpose(1, 2).to(call.query.dtype), lse.detach()


def _products_grad(call: _Efficient, grad: Tensor) -> list[Tensor]:
    """The gradients of queries, keys and values, and of what is added to the scores."""
    query, key, value, softmax, _ = _of_products(call)
    gradient = _heads_first(grad, grad.shape[2])
    from_out = torch.matmul(gradient, value.transpose(2, 3))
    added = softmax * (from_out - (from_out * softmax).sum(-1, keepdim=True))
    scores = added / math.sqrt(query.shape[3])
    found = (
        torch.matmul(scores, key),
        torch.matmul(scores.transpose(2, 3), query),
        torch.matmul(softmax.transpose(2, 3), gradient),
    )
    return [*(one.transpose(1, 2).to(grad.dtype) for one in found), added]
