"""Composites of half types compute in float, as kernels do: squares, and what is as small as `epsilon`."""

import pytest
import torch

import phi_torch
from phi_torch.decompositions import composite

LARGE = torch.tensor([[3000.0, -20000.0, 700.0], [0.5, 0.0, 40000.0]], dtype=torch.float16)
ONES = torch.tensor([0.0, 0.3, 1.0, 1.0], dtype=torch.bfloat16)
ZEROS = torch.zeros(2, 3, dtype=torch.float16)
CALLS = {
    "frobenius_norm": [LARGE, [1], False, False],
    "frobenius_norm_grad": [LARGE, LARGE[:, 0], LARGE[:, 2], [1], False, False],
    "p_norm_grad": [LARGE, LARGE[:, 0].abs() + 1, LARGE[:, 2], 3.0, 1, 1e-12, False, False],
    "p_norm_grad of zeros": [ZEROS, ZEROS[:, 0], LARGE[:, 0], 2.0, 1, 1e-12, False, False],
    "squared_l2_norm_grad": [LARGE, torch.tensor([0.25], dtype=torch.float16)],
    "logit": [ONES, 1e-6],
    "logit beyond 0 and 1": [ONES * 2 - 0.5, 0.0],
    "logit_grad": [ONES, ONES + 1, 1e-6],
}


@pytest.mark.parametrize("name", CALLS)
def test_composites_give_what_kernels_give(name):
    op = name.split()[0]
    expected = getattr(torch.ops.phi, op)(*CALLS[name])
    found = composite(op)(*CALLS[name])
    assert found.dtype == expected.dtype
    torch.testing.assert_close(found, expected, equal_nan=True, rtol=1e-2, atol=1e-2)


def test_under_vmap():
    found = torch.vmap(lambda x: phi_torch.frobenius_norm(x, [0], False, False))(LARGE)
    torch.testing.assert_close(found, phi_torch.frobenius_norm(LARGE, [1], False, False))


NEAR = torch.tensor([0.09912109375, 0.10009765625, 0.1005859375], dtype=torch.bfloat16)  # 0.1, rounded, is the second
AROUND = torch.cat([NEAR, -NEAR])
THRESHOLDS = {
    "hardshrink": [AROUND, 0.1],
    "hardshrink_grad": [AROUND, AROUND, 0.1],
    "softshrink": [AROUND, 0.1],
    "softshrink_grad": [AROUND, AROUND, 0.1],
    "thresholded_relu": [AROUND, 0.1, 7.0],
    "thresholded_relu_grad": [AROUND, AROUND, 0.1, 7.0],
    "hardtanh_grad": [AROUND * 7, AROUND, -0.7, 0.7],
    "clip_grad": [AROUND, AROUND, -0.1, 0.1],
}


@pytest.mark.parametrize("op", THRESHOLDS)
def test_a_threshold_is_not_rounded(op):
    assert torch.equal(composite(op)(*THRESHOLDS[op]), getattr(torch.ops.phi, op)(*THRESHOLDS[op]))
