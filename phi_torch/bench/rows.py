"""The measured rows, and their CSV."""

from __future__ import annotations

import csv
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from .shapes import Case

NOISE = 1.5


@dataclass(frozen=True)
class Row(Case):
    """One measurement. Times are medians, in microseconds, and ratios medians of the rounds' ratios; None: not measured."""

    ours_us: float | None = None
    aten_us: float | None = None
    ratio: float | None = None  # ours / ATen
    low: float | None = None  # the quartiles of that ratio
    high: float | None = None
    copy_fraction: float | None = None  # our bytes per second / those of a copy in memory
    compiled_ours_us: float | None = None
    compiled_aten_us: float | None = None
    compiled_ratio: float | None = None  # ours compiled / ATen compiled
    paddle_us: float | None = None
    paddle_ratio: float | None = None  # ours / Paddle
    note: str = ""  # why something was not measured

    @property
    def noisy(self) -> bool:
        """Whether the quartiles are so far apart that the ratio says little; other processes do that to several threads."""
        return bool(self.low and self.high and self.high > NOISE * self.low)

    @property
    def case(self) -> Case:
        return Case(*(getattr(self, field.name) for field in fields(Case)))


def summarise(case: Case, rounds: Sequence[Mapping[str, float]], moved: int | None, note: str) -> Row:
    """The row of a case from the seconds of each side in each round. `moved` is the bytes that a call must move."""

    def median(side: str) -> float | None:
        return 1e6 * statistics.median(r[side] for r in rounds) if side in rounds[0] else None

    def ratio(over: str, under: str) -> float | None:
        return statistics.median(r[over] / r[under] for r in rounds) if {over, under} <= set(rounds[0]) else None

    quartiles = statistics.quantiles([r["ours"] / r["aten"] for r in rounds], n=4, method="inclusive")
    return Row(
        **vars(case),
        ours_us=median("ours"),
        aten_us=median("aten"),
        ratio=ratio("ours", "aten"),
        low=quartiles[0],
        high=quartiles[2],
        copy_fraction=ratio("copy", "ours") if moved else None,
        compiled_ours_us=median("compiled ours"),
        compiled_aten_us=median("compiled aten"),
        compiled_ratio=ratio("compiled ours", "compiled aten"),
        paddle_us=median("paddle"),
        paddle_ratio=ratio("ours", "paddle"),
        note=note,
    )


def write(file: Path, rows: Iterable[Row], about: Mapping[str, str]) -> None:
    """The rows as CSV; `about` (commit, machine, ...) comes first in each."""
    names = [field.name for field in fields(Row)]
    with file.open("w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([*about, *names])
        for row in rows:
            writer.writerow([*about.values(), *(_text(getattr(row, name)) for name in names)])


def _text(value: Any) -> Any:
    return f"{value:.4g}" if isinstance(value, float) else value


def read(file: Path) -> tuple[list[Row], dict[str, str]]:
    """The rows of a CSV that `write` made, and what it is about.

    Raises:
        ValueError: a column is missing.
    """
    with file.open(newline="") as text:
        records = list(csv.DictReader(text))
    names = {field.name: str(field.type) for field in fields(Row)}
    found = []
    for record in records:
        if missing := sorted(set(names) - set(record)):
            raise ValueError(f"{file}: column '{missing[0]}' is missing; write it with `bench --csv`")
        found.append(Row(**{name: _value(record[name], kind) for name, kind in names.items()}))
    return found, {key: value for key, value in (records[0] if records else {}).items() if key not in names}


def _value(text: str, kind: str) -> Any:
    if "float" in kind:
        return float(text) if text else None
    return int(text) if kind == "int" else text
