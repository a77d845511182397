"""Every op against PaddlePaddle and against torch: `pytest tests/oracle -k "paddle and gelu"`."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from ops import cases

from phi_torch import _op_table, _oracle

from .client import Paddle
from .differences import differences, judge
from .equivalents import GENERAL, equivalents
from .equivalents_nn import NETWORKS
from .outcome import PADDLE, TORCH, Outcome
from .outcomes import paddle_outcomes, torch_outcomes
from .report import cells, version

PARITY = Path(__file__).resolve().parents[2] / "docs" / "parity.md"
FORWARD = [op.name for op in _op_table.OPS.values() if not op.is_backward]
TABLES = {**GENERAL, **NETWORKS}
ILLEGAL = "crashed: SIGILL"  # its own kernels choose by the processor; some of its libraries' do not


@pytest.fixture(scope="module")
def paddle() -> Iterator[Paddle]:
    python = _oracle.python()
    assert python, "no PaddlePaddle: `make oracle-env` installs it"
    server = Paddle(python)
    yield server
    server.close()


def check(op: str, oracle: str, outcomes: list[Outcome], installed: str) -> None:
    verdict = judge(op, oracle, outcomes)
    shown = "\n".join(verdict.problems[:20])
    assert not verdict.problems, f"{op} against {oracle}: {len(verdict.problems)} problems\n{shown}"
    text = PARITY.read_text(encoding="utf-8")
    if version(oracle, installed) in text:  # other versions have other samples
        (row,) = (line for line in text.splitlines() if line.startswith(f"| `{op}` |"))
        now = f"| `{op}` | {cells(verdict)} |"
        of_now = row.startswith(now) if oracle == PADDLE else row.endswith(now.partition("` ")[2])
        assert of_now, f"docs/parity.md is not of now, run `make parity`: {row}\nnow {now}"


@pytest.mark.oracle
@pytest.mark.parametrize("op", cases.names())
def test_paddle(op: str, paddle: Paddle):
    outcomes = list(paddle_outcomes(op, paddle))
    if any(ILLEGAL in (outcome.problem or "") for outcome in outcomes):
        pytest.skip(f"{op}: PaddlePaddle's kernel has instructions that this processor lacks")
    check(op, PADDLE, outcomes, paddle.version)


@pytest.mark.filterwarnings("ignore:Using padding='same'")
@pytest.mark.parametrize("op", cases.names())
def test_torch(op: str):
    check(op, TORCH, list(torch_outcomes(op)), torch.__version__)


# ---- the oracle itself ----


@pytest.mark.oracle
def test_a_crash_of_paddle_is_an_answer(paddle: Paddle):
    """`softmax` without its axis reads past the end of its arguments: a crash or, by chance, an error."""
    x = torch.ones(2, 3)
    assert paddle.call("softmax", [x], []).error
    assert torch.equal(paddle.call("relu", [x], []).outputs[0], x)


@pytest.mark.parametrize("op", TABLES)
def test_samples_of_torch_can_be_written_for_us(op: str):
    """Also for ops that are still to come: the entry exists, and a sample of it has a call of ours."""
    for equivalent in equivalents(op):
        dtype = torch.int64 if op == "one_hot" else torch.float32
        found = list(equivalent.info.sample_inputs("cpu", dtype))
        assert any(equivalent.call(equivalent.prepare(sample)) for sample in found), f"{op}: no sample of {equivalent.name}"


def test_differences_are_of_ops_in_the_tables():
    known = set(TABLES) | set(FORWARD)
    assert not [str(d) for d in differences() if d.op not in known and not d.absent]
    assert {d.oracle for d in differences()} <= {PADDLE, TORCH}


def test_a_difference_that_is_not_meant_fails():
    wrong = Outcome("add", TORCH, "sample", "float32", "forward", "other numbers")
    right = Outcome("add", TORCH, "sample", "float32", "forward", None)
    assert judge("add", TORCH, [right]).problems == []
    assert judge("add", TORCH, [right, wrong]).problems == [str(wrong)]
    assert judge("add", TORCH, []).problems


def test_an_entry_that_no_longer_holds_fails():
    (entry, *_) = (d for d in differences() if not d.absent and not d.varies)
    agreed = Outcome(entry.op, entry.oracle, "sample", "float32", "forward", None)
    assert any(str(entry) in problem for problem in judge(entry.op, entry.oracle, [agreed]).problems)


def test_the_report_lists_every_op():
    """`make parity` writes it again."""
    rows = [line.split("|")[1].strip(" `") for line in PARITY.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert rows == sorted(FORWARD)
