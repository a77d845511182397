"""`torch.utils.flop_counter` counts for products and convolutions what it counts for ATen's, also for their gradients."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F
from torch.utils.flop_counter import FlopCounterMode

from phi_torch import ops

Function = Callable[..., Tensor]
PAIRS: dict[str, tuple[Function, Function, Sequence[Sequence[int]]]] = {
    "matmul": (lambda x, y: ops.matmul(x, y, True), lambda x, y: x.mT @ y, [(2, 4, 3), (2, 4, 5)]),
    "matmul of one side": (ops.matmul, lambda x, y: x @ y, [(2, 3, 4), (4, 5)]),
    "bmm": (ops.bmm, torch.bmm, [(2, 3, 4), (2, 4, 5)]),
    "addmm": (ops.addmm, torch.addmm, [(3, 5), (3, 4), (4, 5)]),
    "fc": (ops.fc, lambda x, w, b: F.linear(x, w.T, b), [(3, 4), (4, 5), (5,)]),
    "conv2d": (ops.conv2d, F.conv2d, [(2, 4, 7, 6), (6, 4, 3, 2)]),
    "conv2d_transpose": (ops.conv2d_transpose, F.conv_transpose2d, [(2, 4, 5, 6), (4, 3, 3, 2)]),
    "conv3d": (ops.conv3d, F.conv3d, [(2, 4, 5, 6, 4), (3, 4, 3, 2, 2)]),
}


def counted(function: Function, tensors: Sequence[Tensor]) -> tuple[int, int]:
    """Of the result, and with the gradients."""
    with FlopCounterMode(display=False) as counter:
        result = function(*tensors)
        forward = counter.get_total_flops()
        result.sum().backward()
    return forward, counter.get_total_flops()


@pytest.mark.parametrize("name", PAIRS)
def test_as_of_aten(name: str):
    ours, theirs, shapes = PAIRS[name]
    tensors = [torch.randn(shape, requires_grad=True) for shape in shapes]
    assert counted(ours, tensors) == counted(theirs, tensors)


@pytest.mark.parametrize("function, groups", [(ops.conv2d, 2), (ops.depthwise_conv2d, 4)])
def test_groups(function: Function, groups: int):
    """ATen's gradient of a filter counts as if there were none."""
    x, w = torch.randn(2, 4, 7, 6, requires_grad=True), torch.randn(4, 4 // groups, 3, 2, requires_grad=True)
    forward, _ = counted(lambda x, w: F.conv2d(x, w, groups=groups), [x, w])
    assert counted(lambda x, w: function(x, w, groups=groups), [x, w]) == (forward, 3 * forward)


def test_attention():
    q, k, v = (torch.randn(2, length, 4, 8, requires_grad=True) for length in (5, 6, 6))
    scores = 2 * 2 * 4 * 5 * 6 * 8  # as many as the sums of the values
    assert counted(lambda *x: ops.flash_attn(*x)[0], [q, k, v]) == (2 * scores, 7 * scores)


def test_the_counter_is_not_imported():
    code = "import sys, phi_torch; assert 'torch.utils.flop_counter' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
