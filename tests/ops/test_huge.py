"""Tensors of more than 2^31 elements, whose offsets no 32-bit integer holds.

Each test takes up to 8 GiB, so these run when they are asked for, one at a time: `make test PYTEST="-m huge"`.
"""

import fcntl
import tempfile
from pathlib import Path

import pytest
import torch

import phi_torch

N = 2**31 + 10
ROWS, COLUMNS = 2**16 + 1, 2**15  # N and more elements, as a matrix

pytestmark = pytest.mark.huge


@pytest.fixture(autouse=True)
def alone():
    """Other processes of the same run wait."""
    with (Path(tempfile.gettempdir()) / "phi_torch_huge.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def ends(size: int) -> torch.Tensor:
    """Zeros but for different numbers at both ends and around the limits."""
    x = torch.zeros(size, dtype=torch.int8)
    for value, at in enumerate((0, 2**31 - 1, 2**31, size - 1), 1):
        x[at] = value
    return x


def test_full():
    out = phi_torch.full([N], 3, torch.int8)
    assert out.shape == (N,) and out[2**31 - 2 :].eq(3).all() and out[:10].eq(3).all()


def test_add_writes_all():
    x = ends(N)
    out = phi_torch.add(x, x)
    assert [out[at].item() for at in (0, 1, 2**31 - 1, 2**31, 2**31 + 1, N - 1)] == [2, 0, 4, 6, 0, 8]


def test_add_of_a_row_that_broadcasts():
    out = phi_torch.add(torch.zeros(ROWS, COLUMNS, dtype=torch.int8), torch.arange(COLUMNS).to(torch.int8))
    assert torch.equal(out[-1], torch.arange(COLUMNS).to(torch.int8)) and torch.equal(out[0], out[-1])


def test_equal():
    x = ends(N)
    out = phi_torch.equal(x, torch.zeros(1, dtype=torch.int8))
    assert out.logical_not_().nonzero().flatten().tolist() == [0, 2**31 - 1, 2**31, N - 1]


def test_sum():
    assert phi_torch.sum(torch.ones(N, dtype=torch.bool)).item() == N
    assert phi_torch.sum(ends(N)).item() == 1 + 2 + 3 + 4


@pytest.mark.parametrize("axis", [0, 1])
def test_sum_along_an_axis(axis):
    x = torch.ones(ROWS, COLUMNS, dtype=torch.int8)
    x[-1, -1] = 5
    sums = phi_torch.sum(x, axis)
    assert sums[:-1].eq(x.shape[axis]).all() and sums[-1].item() == x.shape[axis] + 4


def test_argmax():
    assert phi_torch.argmax(ends(N).view(torch.uint8), 0).item() == N - 1


def test_cumsum():
    out = phi_torch.cumsum(torch.ones(N, dtype=torch.uint8), 0)
    assert out[-1].item() == N % 256 and out[2**31 - 1].item() == 0


def test_concat():
    half = torch.ones(N // 2 + 1, dtype=torch.int8)
    out = phi_torch.concat([half, half * 2], 0)
    assert out[N // 2].item() == 1 and out[N // 2 + 1].item() == 2 and out[-1].item() == 2


def test_copy_of_a_transposed_tensor():
    x = torch.zeros(ROWS, COLUMNS, dtype=torch.int8)
    x[-1, :] = torch.arange(COLUMNS)
    x[:, -1] = torch.arange(ROWS)
    out = phi_torch.concat([x.t()], 0)
    assert out.is_contiguous() and torch.equal(out[-1], x[:, -1]) and torch.equal(out[:, -1], x[-1])


def test_index_select_from_a_huge_table():
    x = torch.zeros(ROWS, COLUMNS, dtype=torch.int8)
    x[-1] = torch.arange(COLUMNS)
    out = phi_torch.index_select(x, torch.tensor([0, ROWS - 1]), 0)
    assert out[0].eq(0).all() and torch.equal(out[1], x[-1])


@pytest.mark.parametrize("axis", [0, 1])
def test_gather_to_a_huge_result(axis):
    row = torch.arange(COLUMNS).to(torch.int8)
    x = torch.stack([row, -row]) if axis == 0 else torch.stack([row, -row], 1)
    index = torch.zeros(ROWS, dtype=torch.int64)
    index[-1] = 1
    out = phi_torch.gather(x, index, axis)
    assert out.numel() > 2**31
    assert torch.equal(out.select(axis, -1), -row) and torch.equal(out.select(axis, -2), row)


def test_where():
    condition = torch.ones(N, dtype=torch.bool)
    condition[-3:] = False
    out = phi_torch.where(condition, ends(N), torch.full((1,), 9, dtype=torch.int8))
    assert [out[at].item() for at in (0, 2**31 - 1, 2**31, N - 4, N - 3, N - 1)] == [1, 2, 3, 0, 9, 9]


def test_tril():
    out = phi_torch.tril(torch.ones(ROWS, COLUMNS, dtype=torch.int8), -(ROWS - 4))
    assert out[:-4].eq(0).all()
    assert torch.equal(out[-4:, :5].int(), torch.ones(4, 5).tril(0).int())


def test_cast():
    out = phi_torch.cast(ends(N), torch.bool)
    assert out.nonzero().flatten().tolist() == [0, 2**31 - 1, 2**31, N - 1]
