"""The picture of a run."""

from __future__ import annotations

import importlib
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .rows import Row


def require() -> Any:
    """matplotlib's pyplot, set to draw files.

    Raises:
        ValueError: it is not installed.
    """
    try:
        importlib.import_module("matplotlib").use("Agg")
        return importlib.import_module("matplotlib.pyplot")
    except ImportError:
        raise ValueError("--plot needs matplotlib: pip install matplotlib") from None


INK, GRID, FASTER = "#333333", "#dddddd", "#eef6ee"
OVERHEAD = {  # (entry, direction, column): label, colour, marker
    ("call", "forward", "ratio"): ("no grad", "#1f77b4", "o"),
    ("call", "recording", "ratio"): ("recording grad", "#ff7f0e", "s"),
    ("call", "forward+backward", "ratio"): ("forward + backward", "#2ca02c", "D"),
    ("op", "forward", "ratio"): ("torch.ops.phi / torch.ops.aten", "#999999", "|"),
    ("call", "forward", "paddle_ratio"): ("no grad, against Paddle", "#9467bd", "x"),
}
SIZES = {"small": ("#9ecae1", "o"), "middle": ("#4292c6", "o"), "large": ("#08306b", "o")}


def draw(file: Path, rows: Sequence[Row], about: Mapping[str, str]) -> None:
    """Ratios per op on a logarithmic axis: the overhead of calls, and throughput."""
    plt = require()
    overhead = [row for row in rows if row.size == "tiny" and row.ratio and not row.noisy]
    throughput = [row for row in rows if row.size != "tiny" and row.ratio and not row.noisy]
    panels = [(part, paint) for part, paint in ((overhead, _overhead), (throughput, _throughput)) if part]
    height = 1.6 + 0.235 * max(len({row.op for row in part}) for part, _ in panels)
    plt.rcParams.update({"font.size": 9, "text.color": INK, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK})
    figure, axes = plt.subplots(1, len(panels), figsize=(6 * len(panels), height), squeeze=False, layout="constrained")
    for axis, (part, paint) in zip(axes[0], panels):
        paint(axis, part)
    figure.supxlabel(f"{about['machine']}; torch {about['torch']}; {about['commit']}, {about['date']}", fontsize=7, color="#777777")
    figure.savefig(file, dpi=100)
    plt.close(figure)


def _order(rows: Sequence[Row], key: Any) -> dict[str, int]:
    """Op -> its line; the best are on top."""
    means = {
        op: statistics.geometric_mean([row.ratio for row in rows if row.op == op and row.ratio]) for op in {r.op for r in rows}
    }
    chosen = {op: next((r.ratio for r in rows if r.op == op and key(r)), None) or mean for op, mean in means.items()}
    return {op: line for line, op in enumerate(sorted(chosen, key=chosen.__getitem__, reverse=True))}


def _overhead(axis: Any, rows: Sequence[Row]) -> None:
    lines = _order(rows, lambda row: (row.entry, row.direction) == ("call", "forward"))
    for (entry, direction, column), (label, colour, marker) in OVERHEAD.items():
        found = [r for r in rows if (r.entry, r.direction) == (entry, direction) and getattr(r, column)]
        if found:
            xs, ys = [getattr(r, column) for r in found], [lines[r.op] for r in found]
            axis.scatter(xs, ys, label=label, color=colour, marker=marker, s=22, zorder=3, linewidths=1.3)
    _frame(axis, lines, "Overhead of a call on 4x4 tensors", "time of phi_torch / time of torch")


def _throughput(axis: Any, rows: Sequence[Row]) -> None:
    lines = _order(rows, lambda row: False)
    sizes = dict.fromkeys(row.size for row in rows)
    for number, size in enumerate(sizes):
        colour, marker = SIZES.get(size, (INK, "o"))
        offset = 0.24 * ((len(sizes) - 1) / 2 - number)
        for op, line in lines.items():
            ratios = [row.ratio for row in rows if row.op == op and row.size == size and row.ratio]
            if ratios:
                axis.plot([min(ratios), max(ratios)], [line + offset] * 2, color=colour, linewidth=1.2, alpha=0.6, zorder=2)
                axis.scatter([statistics.geometric_mean(ratios)], [line + offset], color=colour, marker=marker, s=16, zorder=3)
        axis.scatter([], [], color=colour, marker=marker, s=16, label=size)
    _frame(axis, lines, "Throughput", "time of phi_torch / time of torch\nmean and range of dtypes, directions, threads")


def _frame(axis: Any, lines: Mapping[str, int], title: str, label: str) -> None:
    ticker = importlib.import_module("matplotlib.ticker")
    axis.set_xscale("log", base=2)
    low, high = axis.get_xlim()
    low, high = max(min(low, 0.45), 1 / 32), min(max(high, 2.2), 16)
    axis.axvspan(low, 1, color=FASTER, zorder=0, linewidth=0)
    axis.axvline(1, color=INK, linewidth=1, zorder=1)
    axis.set_xlim(low, high)
    axis.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:.3g}"))
    axis.set_yticks(list(lines.values()), list(lines))
    axis.set_ylim(-0.6, len(lines) - 0.4)
    axis.grid(axis="x", color=GRID, linewidth=0.6, zorder=1)
    axis.tick_params(length=0)
    for side in axis.spines.values():
        side.set_visible(False)
    axis.text(1, len(lines) - 0.35, " slower", fontsize=8, color="#888888")
    axis.text(1, len(lines) - 0.35, "phi_torch is faster ", fontsize=8, color="#4c8a4c", ha="right")
    axis.set_title(title, loc="left", fontsize=10, fontweight="bold", pad=16)
    axis.set_xlabel(label)
    axis.legend(loc="upper left", bbox_to_anchor=(0, -0.07), ncols=3, frameon=False, fontsize=8, handletextpad=0.2, columnspacing=1)
