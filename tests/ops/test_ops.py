"""The battery over all ops and their samples: `pytest tests/ops -k gelu-gradients` is one check of one op."""

import pytest
import torch
from emulated import two_devices
from emulated.device import emulated, library

import phi_torch
from phi_torch.testing import CHECKS, Case
from phi_torch.testing.compiled import check_inductor

from . import cases

DEVICES = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
# not what torch traces and transforms, which is the same on the CPU; memory of emulated GPUs is guarded in all checks
ON_THE_CPU = ("memory", "composite", "vmap", "func", "opcheck", "compile", "inductor", "export")
ON_EMULATED = [name for name in CHECKS if name not in ON_THE_CPU]
# the checks in which it matters where memory lies
ON_DEVICE = ("values", "layouts", "tensor_attributes", "gradients", "inplace", "out")
# of blocks and threads, with the number of processors: one block gets all of the work, or many get a part of it
ORDERS = [("ascending", 132), ("descending", 1), ("random", 2)]


@pytest.fixture(autouse=True)
def fresh_state():
    torch.manual_seed(0)
    yield
    torch._dynamo.reset()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("check", [name for name in CHECKS if name != "inductor"])
@pytest.mark.parametrize("op", cases.names())
def test_op(op: str, check: str, device: str):
    CHECKS[check](cases.case(op, device))


GROUP = 12  # ops that are compiled as one graph: each compilation takes a second or more before it comes to an op


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("first", range(0, len(cases.names()), GROUP), ids=lambda at: "-".join(cases.names()[at : at + GROUP]))
def test_ops_in_one_graph(first: int, device: str):
    found = [cases.case(op, device) for op in cases.names()[first : first + GROUP]]
    try:
        check_inductor(*found)
    except Exception:
        for case in found:  # which one it is
            torch._dynamo.reset()
            check_inductor(case)
        raise


def on_gpu(op: str) -> Case:
    """The case of an op with kernels for GPUs; others are skipped before one is emulated, which takes longer than many a check."""
    library()
    return cases.on_gpu(op)


@pytest.mark.emulated
@pytest.mark.parametrize("check", ON_EMULATED)
@pytest.mark.parametrize("op", cases.names())
def test_emulated(op: str, check: str):
    """The kernels for GPUs, on an emulated one; the checks of an op take turns with the orders."""
    case = on_gpu(op)
    with emulated(*ORDERS[(cases.names().index(op) + ON_EMULATED.index(check)) % len(ORDERS)]):
        cases.check(check, case)


@pytest.mark.emulated
@pytest.mark.parametrize("check", ("values", "layouts", "gradients"))
@pytest.mark.parametrize("op", cases.CONVOLUTIONS)
def test_emulated_without_libraries(op: str, check: str):
    """Convolutions by our own kernels, which run on a GPU where cuDNN does not."""
    case = on_gpu(op)
    with emulated(*ORDERS[-1]), phi_torch.flags(use_onednn=False):
        cases.check(check, case)


@pytest.mark.emulated
@pytest.mark.orders
@pytest.mark.parametrize("order, processors", ORDERS)
@pytest.mark.parametrize("op", cases.names())
def test_order(op: str, order: str, processors: int):
    """Values and gradients do not depend on the order in which blocks and threads run."""
    case = on_gpu(op)
    with emulated(order, processors):
        for check in ("values", "layouts", "gradients"):
            cases.check(check, case)


@pytest.mark.emulated
@pytest.mark.parametrize("check", ON_DEVICE)
@pytest.mark.parametrize("op", cases.names())
def test_on_device(op: str, check: str):
    """Kernels on the second of two devices, while the first is current, in memory that the host cannot touch."""
    two_devices.run(cases.check_on_device, check, op, "emulated:1")
