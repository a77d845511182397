"""What the emulated GPU finds in kernels that are wrong: those of faults.cu, which its library contains."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import pytest
import torch

from .device import ORDERS, emulated, library

pytestmark = pytest.mark.emulated
SOURCE = Path(__file__).with_name("faults.cu")
REVERSED = list(range(63, -1, -1))


def run(name: str, grid: tuple[int, int, int] = (1, 1, 1), threads: int = 64) -> tuple[str, list[int]]:
    """Runs a kernel: the error, "" if there is none, and what it wrote."""
    out = (ctypes.c_int * max(threads, 1))()
    function = library().phi_run_fault
    function.restype = ctypes.c_char_p
    return function(name.encode(), *grid, threads, out).decode(), list(out)


def outcomes(name: str, blocks: int = 1) -> list[tuple[str, list[int]]]:
    """What a kernel does in each order of its blocks and threads."""
    found = []
    for order in ORDERS:
        with emulated(order):
            found.append(run(name, (blocks, 1, 1)))
    return found


def lines_of(kernel: str, text: str) -> list[str]:
    """The places of the source in which a kernel says this."""
    lines = SOURCE.read_text().splitlines()
    begin = next(i for i, line in enumerate(lines) if f"void {kernel}(" in line)
    end = next(i for i in range(begin, len(lines)) if lines[i].endswith("}") and not lines[i].startswith(" "))
    return [f"faults.cu:{i + 1}" for i in range(begin, end + 1) if text in lines[i]]


@pytest.mark.parametrize("name, expected", [("Reverse", REVERSED), ("SumOfLanes", [31 * 16] * 32 + [31 * 16 + 32 * 32] * 32)])
def test_right_ones(name, expected):
    assert outcomes(name) == [("", expected)] * 3


@pytest.mark.parametrize("name, blocks", [("ReverseWithoutBarrier", 1), ("ScanTwiceWithoutBarrier", 1), ("LastBlockWins", 3)])
def test_results_that_depend_on_the_order(name, blocks):
    results = outcomes(name, blocks)
    assert [error for error, _ in results] == [""] * 3
    assert results[0] != results[1]


def test_random_orders_are_their_seeds():
    def with_seed(seed: int) -> list[int]:
        with emulated("random", seed=seed):
            return run("ReverseWithoutBarrier")[1]

    assert with_seed(1) == with_seed(1)
    assert with_seed(1) != with_seed(2)


@pytest.mark.parametrize(
    "name, text, message",
    [
        ("BarrierAfterReturn", "__syncthreads", "a thread has returned while others wait at {}"),
        ("TwoBarriers", "__syncthreads", "threads wait at {} and at {}"),
        ("LaneThatDoesNotCome", "__shfl", "lane 5 of the mask does not come to {}"),
        ("LaneOutsideOfItsMask", "__shfl", "lane 16 is not in its own mask at {}"),
        ("ReadsLaneOutsideOfMask", "__shfl", "a lane reads from one that is not in the mask at {}"),
    ],
)
def test_threads_that_do_not_meet(name, text, message):
    places = lines_of(name, text)
    assert places
    for error, _ in outcomes(name):
        found = re.sub(r"\S*(?=faults\.cu)", "", error)
        assert found == f"emulated GPU: {message.format(*places)}"
    with emulated():  # the next launch is not disturbed
        assert run("Reverse") == ("", REVERSED)


def test_lanes_that_the_block_lacks():
    with emulated():
        assert "has lanes that the block lacks" in run("SumOfLanes", threads=40)[0]


def test_shared_memory_is_not_zero():
    for error, values in outcomes("UsesWhatNobodyWrote"):
        assert (error, values) == ("", [0] * 63 + [-1])


def test_new_memory_is_not_zero():
    with emulated():
        assert torch.empty(1000).isnan().all()
        assert torch.empty(1000, dtype=torch.int64).eq(-1).all()


def test_shared_memory_is_limited():
    with emulated():
        assert "more than 48 KB of static shared memory" in run("TooMuchShared")[0]


@pytest.mark.parametrize(
    "grid, threads", [((1 << 31, 1, 1), 32), ((1, 65536, 1), 32), ((1, 1, 65536), 32), ((1, 1, 1), 1025), ((1, 1, 1), 0)]
)
def test_launches_that_cuda_refuses(grid, threads):
    with emulated():
        assert "invalid configuration" in run("Reverse", grid, threads)[0]


@pytest.mark.parametrize("grid", [(0, 1, 1), (1, 0, 1), (1, 1, 0)])
def test_an_empty_grid_is_no_work(grid):
    with emulated():
        assert run("Reverse", grid) == ("", [0] * 64)
