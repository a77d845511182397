"""Kernels on trees of items, of which each layer has nodes: recommendation walks down them."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from .table import expect, kernel


@kernel("tdm_child(Tensor x, Tensor tree_info, int child_nums, ScalarType dtype) -> (Tensor, Tensor)")
def tdm_child(x: Tensor, tree_info: Tensor, child_nums: int, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """The children of nodes, and which of these are leaves. A row of `tree_info` is a node's item, layer, parent and children;
    node 0 stands for none.
    """
    _expect_nodes("X", x, len(tree_info))
    expect("slot TreeInfo", tree_info.shape[1] >= 3 + child_nums, f"{3 + child_nums} columns", f"shape {[*tree_info.shape]}")
    children = tree_info[x.long(), 3 : 3 + child_nums]
    has_children = (x != 0).unsqueeze(-1) & (children[..., :1] != 0)
    is_leaf = has_children & (tree_info[children.long(), 0] != 0)
    return torch.where(has_children, children, 0).to(dtype), is_leaf.to(dtype)


@kernel(
    "tdm_sampler(Tensor x, Tensor travel, Tensor layer, bool output_positive, int[] neg_samples_num_list, int[] layer_offset,"
    " int seed, ScalarType dtype) -> (Tensor, Tensor, Tensor)"
)
def tdm_sampler(
    x: Tensor,
    travel: Tensor,
    layer: Tensor,
    output_positive: bool,
    neg_samples_num_list: Sequence[int],
    layer_offset: Sequence[int],
    seed: int,
    dtype: torch.dtype,
) -> tuple[Tensor, Tensor, Tensor]:
    """For each item and each layer the node on its way, a positive sample, and as many others as `neg_samples_num_list` says; with
    labels, and a mask that is 0 where a way has ended before. Random numbers are torch's.
    """
    _expect_nodes("X", x, len(travel))
    generator = torch.Generator().manual_seed(seed) if seed else None
    nodes, out, labels, mask = layer.reshape(-1), list[Tensor](), list[Tensor](), list[Tensor]()
    for at, count in enumerate(neg_samples_num_list):
        of_layer = nodes[layer_offset[at] : layer_offset[at + 1]]
        most = len(of_layer) - 1
        expect(f"attribute neg_samples_num_list[{at}]", count <= most, f"{most} at most, as the layer has one more node", count)
        positive = travel[x.reshape(-1).long(), at].unsqueeze(1)
        weights = torch.rand(len(positive), len(of_layer), generator=generator).to(x.device)
        negative = of_layer[weights.masked_fill(positive == of_layer, -1.0).topk(count, 1).indices]
        samples = torch.cat([positive, negative], 1) if output_positive else negative
        label = torch.zeros_like(samples)
        label[:, : int(output_positive)] = 1
        there = (positive != 0).expand_as(samples)
        out.append(torch.where(there, samples, 0))
        labels.append(torch.where(there, label, 0))
        mask.append(there)
    found = tuple(torch.cat(some, 1).to(dtype) for some in (out, labels, mask))
    return found[0], found[1], found[2]


def _expect_nodes(slot: str, ids: Tensor, count: int) -> None:
    expect(f"slot {slot}", bool(((ids >= 0) & (ids < count)).all()), f"numbers of 0 to {count - 1}", ids.reshape(-1).tolist()[:10])
