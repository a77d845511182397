"""The rows as tables, and the summary against the figures."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from .rows import NOISE, Row
from .shapes import Case, Shapes

Cells = Mapping[tuple[str, str], Row]  # the rows of one line: (entry, direction) of a call's overhead, ("call", size) else
Column = tuple[str, int, Callable[[Cells], str]]
SHORT = {"forward": "no grad", "recording": "recording", "forward+backward": "fwd + bwd"}


def lines(cases: Sequence[Case], rows: Iterable[Row], shapes: Shapes) -> Iterator[str]:
    """The tables, line by line as the rows of a line are complete. The rows come in the order of the cases."""
    arriving = iter(rows)
    title: str | None = None
    for case, count in _runs(cases):
        columns = _overhead() if case.size == "tiny" else _throughput(shapes)
        if title != (title := _title(case)):
            yield f"\n{title}"
            yield from _header(columns)
        cells = {_cell(row): row for row in (next(arriving) for _ in range(count))}
        yield "".join(text(cells).ljust(width) for _, width, text in columns).rstrip()


def _runs(cases: Sequence[Case]) -> list[tuple[Case, int]]:
    """The first case of each line, and how many the line has."""
    found: list[tuple[Case, int]] = []
    for case in cases:
        if found and _line(found[-1][0]) == _line(case):
            found[-1] = (found[-1][0], found[-1][1] + 1)
        else:
            found.append((case, 1))
    return found


def _line(case: Case) -> tuple[Any, ...]:
    overhead = case.size == "tiny"
    return (overhead, case.op, case.dtype, case.threads, None if overhead else case.direction)


def _cell(row: Row) -> tuple[str, str]:
    return (row.entry, row.direction if row.size == "tiny" else row.size)


def _title(case: Case) -> str:
    threads = f"{case.threads} thread{'s' if case.threads > 1 else ''}"
    if case.size == "tiny":
        return f"Call overhead, 4x4, {case.dtype}, {threads}: time of ours / time of ATen's (quartiles); below 1, ours is faster"
    return f"Throughput, {threads}: time of ours / time of ATen's (quartiles); below 1, ours is faster"


def _header(columns: Sequence[Column]) -> Iterator[str]:
    groups, names = "", ""
    for name, width, _ in columns:
        group, _, rest = name.rpartition("|")
        names += rest.ljust(width)
        groups += ("" if not group or group in groups else group).ljust(width) if len(groups) < len(names) - width + 1 else ""
        groups = groups.ljust(len(names)) if len(groups) < len(names) else groups
    yield groups.rstrip()
    yield names.rstrip()


def _first(cells: Cells) -> Row:
    return next(iter(cells.values()))


def _spread(key: tuple[str, str]) -> Callable[[Cells], str]:
    def text(cells: Cells) -> str:
        row = cells.get(key)
        if row is None:
            return ""
        return "-" if row.ratio is None else f"{row.ratio:.2f} ({row.low:.2f}-{row.high:.2f})"

    return text


def _number(key: tuple[str, str], column: str, form: str = "{:.2f}") -> Callable[[Cells], str]:
    def text(cells: Cells) -> str:
        value = getattr(cells[key], column) if key in cells else None
        return "" if value is None else form.format(value)

    return text


def _overhead() -> list[Column]:
    call = [(f"phi_torch.X / torch.X|{SHORT[d]}", 18, _spread(("call", d))) for d in SHORT]
    op = [(f"torch.ops.phi.X / aten.X|{SHORT[d]}", 18, _spread(("op", d))) for d in ("forward", "recording")]
    paddle = [
        (f"phi_torch.X / Paddle|{SHORT[d]}", 11, _number(("call", d), "paddle_ratio")) for d in ("forward", "forward+backward")
    ]
    return [
        ("op", 28, lambda cells: _first(cells).op),
        ("ours, us", 10, _number(("call", "forward"), "ours_us")),
        *call,
        *op,
        *paddle,
    ]


def _throughput(shapes: Shapes) -> list[Column]:
    sizes = [size for size in shapes.sizes if size != "tiny"]
    last = ("call", sizes[-1])
    return [
        ("op", 28, lambda cells: _first(cells).op),
        ("dtype", 10, lambda cells: _first(cells).dtype),
        ("direction", 18, lambda cells: _first(cells).direction),
        *((size, 18, _spread(("call", size))) for size in sizes),
        (f"{sizes[-1]}|of copy", 9, _number(last, "copy_fraction", "{:.0%}")),
        (f"{sizes[-1]}|compiled", 10, _number(last, "compiled_ratio")),
        (f"{sizes[-1]}|/ Paddle", 10, _number(last, "paddle_ratio")),
    ]


def misses(rows: Sequence[Row], shapes: Shapes, ops: Iterable[str]) -> Iterator[str]:
    """What was not measured, and why; one line for one reason."""
    found: dict[tuple[str, str], int] = {}
    for row in rows:
        for note in filter(None, row.note.split("; ")):
            found[row.op, note] = found.get((row.op, note), 0) + 1
    for op in sorted(set(ops) - set(shapes.ops)):
        found[op, "shapes.yaml has no entry for it"] = 0
    if found:
        yield "\nNot measured:"
    for (op, note), count in found.items():
        yield f"  {op}: {note}" + (f" ({count} rows)" if count > 1 else "")


def selected(figure: Mapping[str, Any], rows: Iterable[Row]) -> list[Row]:
    """The rows that a figure is about and that have its column."""
    column = figure.get("column", "ratio")
    wanted = {key: value if isinstance(value, list) else [value] for key, value in figure["rows"].items()}
    return [r for r in rows if all(getattr(r, k) in v for k, v in wanted.items()) and getattr(r, column) is not None]


def summary(rows: Sequence[Row], figures: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Geometric mean, and best and worst row of each figure, with "reached" or "NOT reached" where there is a bound."""
    noisy = [row for row in rows if row.noisy]
    rows = [row for row in rows if not row.noisy]
    yield "\nFigures" + (f", without {len(noisy)} rows whose quartiles differ by more than a factor of {NOISE:g}" if noisy else "")
    for figure in figures:
        found = selected(figure, rows)
        if not found:
            continue
        column = figure.get("column", "ratio")
        more = column == "copy_fraction"
        values = {row: float(getattr(row, column)) for row in found}
        worst, best = sorted(
            (min(values, key=values.__getitem__), max(values, key=values.__getitem__)), key=values.__getitem__, reverse=not more
        )
        mean = statistics.geometric_mean(values.values())
        parts = [f"mean {mean:.2f}{_verdict(mean, figure.get('mean'), more)}"]
        if "best" in figure or len(found) > 1:
            parts.append(f"best {values[best]:.2f} {_name(best)}{_verdict(values[best], figure.get('best'), more)}")
        if "worst" in figure or len(found) > 1:
            parts.append(f"worst {values[worst]:.2f} {_name(worst)}{_verdict(values[worst], figure.get('worst'), more)}")
        yield f"  {figure['name']} ({len(found)} rows)\n      " + "; ".join(parts)


def _verdict(value: float, bound: float | None, more: bool) -> str:
    if bound is None:
        return ""
    reached = value >= bound if more else value <= bound
    return f" [{'>=' if more else '<='} {bound:.2f}: {'reached' if reached else 'NOT reached'}]"


def _name(row: Row) -> str:
    if row.size == "tiny":
        return row.op
    return f"{row.op} {row.dtype} {row.direction}, {row.threads} thread{'s' if row.threads > 1 else ''}"
