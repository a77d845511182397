"""The battery over all ops and their samples: `pytest tests/ops -k gelu-gradients` is one check of one op."""

import pytest
import torch

from phi_torch.testing import CHECKS

from . import cases

DEVICES = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]


@pytest.fixture(autouse=True)
def fresh_state():
    torch.manual_seed(0)
    yield
    torch._dynamo.reset()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("op", cases.names())
def test_op(op: str, check: str, device: str):
    CHECKS[check](cases.case(op, device))
