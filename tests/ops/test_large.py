"""Results of more than 24 MB, which are written past the caches, whole lines at a time: where those begin and end."""

from typing import Any

import pytest
import torch

import phi_torch

N = 13_000_003  # 26 MB of a half type


def numbers(size: int = N, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return (torch.arange(size) % 1021 - 510).to(dtype)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64])
def test_elementwise(dtype):
    x = numbers(dtype=dtype)
    assert torch.equal(phi_torch.relu(x), torch.relu(x))
    assert torch.equal(phi_torch.add(x, x[:1]), x + x[:1])
    assert torch.equal(phi_torch.multiply(x[1:], x[:-1]), x[1:] * x[:-1])  # inputs off the lines


def test_output_that_begins_off_a_line():
    x, target = numbers(), torch.zeros(N + 16)
    for offset in (1, 3, 15):
        out = target[offset : offset + N]
        torch.ops.phi.scale.out(x, 2.0, out=out)
        assert torch.equal(out, x * 2)
        assert target[:offset].eq(0).all() and target[offset + N :].eq(0).all()
        target.zero_()


def test_in_place():
    x = numbers()
    expected = torch.relu(x)
    assert phi_torch.relu_(x) is x and torch.equal(x, expected)


def test_rows_off_the_lines():
    x = numbers().view(-1)[: 6501 * 1999].view(6501, 1999)
    for reverse in (False, True):
        for exclusive in (False, True):
            expected = (x.flip(0) if reverse else x).double().cumsum(0)
            expected = expected - (x.flip(0) if reverse else x) if exclusive else expected
            actual = phi_torch.cumsum(x, 0, exclusive=exclusive, reverse=reverse)
            assert torch.equal(actual, (expected.flip(0) if reverse else expected).float())


def test_copies():
    x = numbers()
    rows = x[: 100 * 130_000].view(100, 130_000)
    assert torch.equal(phi_torch.assign(x), x)
    assert torch.equal(phi_torch.concat([x[:77], x, x[5:9]], 0), torch.cat([x[:77], x, x[5:9]]))
    assert torch.equal(phi_torch.concat([rows, rows[:, :333]], 1), torch.cat([rows, rows[:, :333]], 1))
    for part, expected in zip(phi_torch.split(rows, [333, 129_667], 1), rows.split([333, 129_667], 1), strict=True):
        assert torch.equal(part, expected)
    assert torch.equal(phi_torch.reshape(rows.t(), [-1]), rows.t().reshape(-1))


def test_transposed_rows_off_the_lines():
    x = numbers(40_000 * 16 * 17).view(17, 16, 40_000).permute(2, 1, 0)  # 16 rows of the result fill lines, and 1 does not
    assert torch.equal(phi_torch.reshape(x, [-1]), x.reshape(-1))


def test_random_numbers_do_not_depend_on_the_size():
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        few, many = (phi_torch.uniform([size], dtype, -1.0, 1.0, 7) for size in (1000, N))
        assert torch.equal(few, many[:1000]) and many.min() >= -1 and many.max() < 1
        assert abs(many.double().mean()) < 1e-3 and many[-3:].unique().numel() == 3


ONES = torch.ones(2001)
ROWS: dict[str, Any] = {
    "softmax": phi_torch.softmax,
    "log_softmax": phi_torch.log_softmax,
    "layer_norm": phi_torch.layer_norm,
    "rms_norm": lambda x: phi_torch.rms_norm(x, None, [2001])[0],
    "batch_norm": lambda x: phi_torch.batch_norm(x, ONES, ONES, use_global_stats=True)[0],
    "cross_entropy": lambda x: phi_torch.cross_entropy_with_softmax(x, torch.arange(len(x))[:, None] % 2001)[1],
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("op", ROWS)
def test_rows_of_normalizations(op, dtype):
    """A row of a large result is computed as the same row of a small one."""
    x = (numbers(6501 * 2001) / 100).view(6501, 2001).to(dtype)
    results = []
    for rows in (x, x[:7]):
        leaf = rows.clone().requires_grad_()
        out = ROWS[op](leaf)
        results.append((out, *torch.autograd.grad(out, leaf, rows.cos()[:, : out.shape[1]])))
    for many, few in zip(*results, strict=True):
        torch.testing.assert_close(many[:7], few)
        assert many.isfinite().all()
