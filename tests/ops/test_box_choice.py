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


POINTS = torch.tensor([[[0, 0, 0, 0], [5, 5, 5, 5], [10, 10, 12, 12], [7, 7, 6, 6], [11, 11, 11, 11]]], dtype=torch.float32)
SCORES = torch.tensor([[[0.9, 0.8, 0.7, 0.6, 0.5]]])


def test_boxes_without_an_area_cover_no_others():
    """As padding has, for which the common area and what both cover are 0."""
    call = POINTS, SCORES, None, 0.11, -1, -1, 0.3, True, 1.0, -1
    out, index, _ = phi_torch.multiclass_nms3(*call)
    assert index.flatten().tolist() == [0, 1, 2, 3, 4]
    for found, expected in zip(phi_torch.multiclass_nms3(*call), samples.reference(*call), strict=True):
        assert torch.equal(found, expected)
    composite = torch.ops.phi_composite.multiclass_nms3(*call)
    assert torch.equal(composite[0], out) and torch.equal(composite[1], index)
    decayed = phi_torch.matrix_nms(POINTS, SCORES, 0.11, -1, -1, background_label=-1)
    assert torch.equal(decayed[0], out) and torch.equal(decayed[1], index)


def test_points_in_one_place_cover_each_other():
    boxes = POINTS[:, [0, 0, 1]]
    assert phi_torch.multiclass_nms3(boxes, SCORES[..., :3], None, 0.11, -1, -1, background_label=-1)[1].flatten().tolist() == [
        0,
        2,
    ]


@pytest.mark.parametrize("use_gaussian", [False, True])
def test_equal_boxes_have_gradients(use_gaussian: bool):
    """Of a box that others cover as a whole, and of one without an area."""
    boxes = torch.tensor([[[0, 0, 2, 2], [0, 0, 2, 2], [0, 0, 2, 2], [1, 0, 2, 2], [3, 3, 3, 3]]], dtype=torch.float64)
    boxes, scores = boxes.requires_grad_(), SCORES.double().requires_grad_()
    out, index, _ = phi_torch.matrix_nms(boxes, scores, 0.11, -1, -1, -1.0, use_gaussian, 2.0, -1)
    assert sorted(index.flatten().tolist()) == [0, 1, 2, 3, 4]
    assert all(torch.isfinite(grad).all() for grad in torch.autograd.grad(out.sum(), (boxes, scores)))
