"""Writes docs/parity.md: op by op, how many cases ran against each oracle, agreed, and differ on purpose. `make parity`."""

import sys
from collections.abc import Iterable
from pathlib import Path

import torch

from phi_torch import _op_table, _oracle

from .client import Paddle
from .differences import Verdict, judge
from .outcome import PADDLE, TORCH
from .outcomes import paddle_outcomes, torch_outcomes

FILE = Path(__file__).resolve().parents[2] / "docs" / "parity.md"
HEAD = """\
# Parity

Each operator beside PaddlePaddle's of the same name (`paddle._C_ops`, on the CPU) and beside torch's operator of the same
meaning, on the samples of torch's OpInfo. A case is one call in one dtype that both sides have, forward or backward:
values, shapes and dtypes are compared, of random numbers their moments. A difference that is meant has its reason below.
`make parity` writes this page, `make oracle-env` installs PaddlePaddle; see `tests/oracle`. It is of {versions}.

| op | Paddle: cases | agreed | meant to differ | torch: cases | agreed | meant to differ |
|---|---:|---:|---:|---:|---:|---:|
"""


def version(oracle: str, installed: str) -> str:
    """`torch 2.13.0`, as the page says it."""
    return f"{oracle} {installed.partition('+')[0]}"


def page(verdicts: dict[str, tuple[Verdict, Verdict]], versions: str) -> str:
    rows = [f"| `{op}` | {' | '.join(cells(v) for v in both)} |\n" for op, both in sorted(verdicts.items())]
    total = [_total(column) for column in zip(*verdicts.values())]
    reasons = [
        f"- `{op}`, {name}: {reason}" + (f" ({count} {'case' if count == 1 else 'cases'})\n" if count else "\n")
        for op, both in sorted(verdicts.items())
        for name, verdict in zip(("Paddle", "torch"), both)
        for reason, count in (*verdict.meant.items(), *([(verdict.absent, 0)] if verdict.absent else []))
    ]
    return HEAD.format(versions=versions) + "".join(rows) + f"| all | {' | '.join(total)} |\n\n## Reasons\n\n" + "".join(reasons)


def cells(verdict: Verdict) -> str:
    """What the row of an operator says of one oracle."""
    return "- | - | -" if verdict.absent else f"{verdict.cases} | {verdict.agreed} | {sum(verdict.meant.values()) or ''}"


def _total(verdicts: Iterable[Verdict]) -> str:
    counts = [(v.cases, v.agreed, sum(v.meant.values())) for v in verdicts]
    return " | ".join(str(sum(column)) for column in zip(*counts))


def main() -> None:
    python = _oracle.python()
    if python is None:
        sys.exit("no PaddlePaddle: `make oracle-env` installs it")
    torch.set_num_threads(1)
    paddle = Paddle(python)
    verdicts = {}
    for op in (op.name for op in _op_table.OPS.values() if not op.is_backward):
        found = {PADDLE: list(paddle_outcomes(op, paddle)), TORCH: list(torch_outcomes(op))}
        verdicts[op] = judge(op, PADDLE, found[PADDLE]), judge(op, TORCH, found[TORCH])
        for verdict in verdicts[op]:
            print(*verdict.problems, sep="\n", end="\n" if verdict.problems else "", file=sys.stderr)
    paddle.close()
    versions = f"{version(TORCH, torch.__version__)} and {version(PADDLE, paddle.version)}"
    FILE.write_text(page(verdicts, versions), encoding="utf-8")
    if any(verdict.problems for both in verdicts.values() for verdict in both):
        sys.exit("the differences above are not meant")


if __name__ == "__main__":
    main()
