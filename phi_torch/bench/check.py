"""Rows against the committed ratios."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .rows import Row
from .shapes import Case

# A row is slower when its ratio is above the baseline's by this factor, and its lower quartile above the baseline's upper
# one. Between runs of one build beside other work, 99 % of the ratios on one thread differed by less than 19 %, and no
# row of 900 met both conditions.
MARGIN = 1.25


def slower(rows: Iterable[Row], baseline: Iterable[Row]) -> list[tuple[Row, Row]]:
    """The rows that are slower than their baseline, with it, the worst first. Rows without a baseline are new."""
    before = {row.case: row for row in baseline}
    found = [(row, before[row.case]) for row in rows if row.case in before and _slower(row, before[row.case])]
    return sorted(found, key=lambda pair: -_factor(*pair))


def _slower(row: Row, before: Row) -> bool:
    if row.ratio is None or before.ratio is None or row.low is None or before.high is None:
        return False
    return row.ratio > MARGIN * before.ratio and row.low > before.high


def _factor(row: Row, before: Row) -> float:
    return (row.ratio or 0) / (before.ratio or 1)


def lost(rows: Iterable[Row], baseline: Iterable[Row]) -> list[Row]:
    """The rows that the baseline measured and that were tried, but could not be measured."""
    before = {row.case for row in baseline if row.ratio is not None}
    return [row for row in rows if row.ratio is None and row.case in before]


def name(case: Case) -> str:
    what = "torch.ops.phi." if case.entry == "op" else "phi_torch."
    return f"{what}{case.op}, {case.size}, {case.dtype}, {case.direction}, {case.threads} thread{'s' if case.threads > 1 else ''}"


def render(slow: Sequence[tuple[Row, Row]], gone: Sequence[Row]) -> list[str]:
    """What to print about regressions."""
    return [
        *(f"slower: {name(row.case)}: ratio {_spread(row)}, baseline {_spread(before)}" for row, before in slow),
        *(f"not measured: {name(row.case)}: {row.note}" for row in gone),
    ]


def _spread(row: Row) -> str:
    return f"{row.ratio:.2f} ({row.low:.2f}-{row.high:.2f})"
