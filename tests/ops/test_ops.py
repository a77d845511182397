"""The battery over all ops and their samples: `pytest tests/ops -k gelu-gradients` is one check of one op."""

import pytest
import torch
from emulated.device import emulated

from phi_torch.testing import CHECKS

from . import cases

DEVICES = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
# the checks in which it matters what a kernel does; the others are about what torch makes of an operator
ON_EMULATED = ("memory", "values", "layouts", "errors", "tensor_attributes", "gradients", "vmap", "inplace", "out", "overlap")
# with the number of processors, so that one block gets all of the work, and many get a part of it
ORDERS = [("descending", 1), ("random", 2)]


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


@pytest.mark.emulated
@pytest.mark.parametrize("check", ON_EMULATED)
@pytest.mark.parametrize("op", cases.names())
def test_emulated(op: str, check: str):
    """The kernels for GPUs, on an emulated one."""
    with emulated():
        CHECKS[check](cases.case(op, "emulated"))


@pytest.mark.emulated
@pytest.mark.parametrize("order, processors", ORDERS)
@pytest.mark.parametrize("op", cases.names())
def test_order(op: str, order: str, processors: int):
    """Values and gradients do not depend on the order in which blocks and threads run."""
    with emulated(order, processors):
        for check in ("values", "gradients"):
            CHECKS[check](cases.case(op, "emulated"))
