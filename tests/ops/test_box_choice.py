"""The choice among more boxes than a vector or a block of them has."""

import pytest
import torch

import phi_torch

from .samples import multiclass_nms3 as samples


@pytest.mark.parametrize("top_k, keep_top_k", [(-1, -1), (200, -1), (400, 40), (-1, 0)])
def test_many_boxes(top_k: int, keep_top_k: int):
    generator = torch.Generator().manual_seed(top_k + keep_top_k)
    corners = torch.rand(2, 700, 2, generator=generator) * 100
    boxes = torch.cat([corners, corners + torch.rand(2, 700, 2, generator=generator) * 8], -1)
    scores = (torch.rand(2, 3, 700, generator=generator) * 50).round() / 50  # many are equal
    call = boxes, scores, None, 0.11, top_k, keep_top_k, 0.3, True, 1.0, -1
    for found, expected in zip(phi_torch.multiclass_nms3(*call), samples.reference(*call), strict=True):
        assert torch.equal(found, expected)
