"""What `python -m phi_torch bench` does."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence

from .. import _oracle
from .._op_table import OPS
from . import BENCHMARKS, check, environment, plot, report, rows
from .measure import Job
from .paddle_side import Paddle
from .rows import Row
from .shapes import Case, Shapes, load


def run(options: argparse.Namespace) -> int:
    """our operators against ATen's, as ratios of time"""
    if options.plot:
        plot.require()
    for file in filter(None, (options.shapes, options.results, options.check)):
        if not file.exists():
            raise ValueError(f"there is no file {file}" + ("; `bench --write-baseline` makes it" if file == options.check else ""))
    baseline, of = rows.read(options.check) if options.check else ([], {})
    shapes = load(options.shapes)
    if options.results:
        found, about = rows.read(options.results)
        print("\n".join(report.lines([row.case for row in found], found, shapes)))
    else:
        found, about = _measure(options, shapes)
    for line in (*report.misses(found, shapes, () if options.only else _forward_ops()), *report.summary(found, shapes.figures)):
        print(line, flush=True)
    for file in filter(None, (options.csv, BENCHMARKS / "baseline.csv" if options.write_baseline else None)):
        rows.write(file, found, about)
    if options.plot:
        plot.draw(options.plot, found, about)
    if options.check and about.get("machine") != of.get("machine"):
        print(
            f"\n{options.check} was measured on another machine, {of.get('machine')}: ratios differ between processors, "
            "and --write-baseline makes one for this"
        )
    return _compare(options, found, baseline) if options.check else 0


def _forward_ops() -> Iterator[str]:
    return (name for name, op in OPS.items() if not op.is_backward)


def _measure(options: argparse.Namespace, shapes: Shapes) -> tuple[list[Row], dict[str, str]]:
    cases = _cases(options, shapes)
    if not cases:
        raise ValueError(f"no row of {options.shapes} is left: no op '{options.only}' in these sizes and dtypes")
    paddle, version = _paddle(options)
    about = environment.about(version)
    print(_head(about, options, len(cases)))
    found: list[Row] = []
    measured = _keep(_progress(_rows(options, cases, paddle), len(cases)), found)
    for line in report.lines(cases, measured, shapes):
        print(line, flush=True)
    return found, about


def _cases(options: argparse.Namespace, shapes: Shapes) -> list[Case]:
    sizes = options.sizes or (["tiny", "middle"] if options.quick else shapes.sizes)
    if unknown := sorted(set(sizes) - set(shapes.sizes)):
        raise ValueError(f"there is no size '{unknown[0]}'; expected some of {', '.join(shapes.sizes)}")
    dtypes = options.dtypes or (shapes.dtypes[:1] if options.quick else shapes.dtypes)
    threads = [1] if options.quick else options.threads
    return [case for count in threads for case in shapes.cases(options.only, sizes, dtypes, count)]


def _paddle(options: argparse.Namespace) -> tuple[str, str]:
    """The interpreter for Paddle, and Paddle's version; empty if there is none."""
    python = options.paddle or (None if options.quick else _oracle.python()) or "no"
    if python == "no":
        return "", ""
    paddle = Paddle(python, 1)
    paddle.close()
    return python, paddle.version


def _head(about: dict[str, str], options: argparse.Namespace, count: int) -> str:
    setting = " ".join(f"{name}={value}" for name, value in environment.VARIABLES.items())
    paddle = (
        f"PaddlePaddle {about['paddle']}" if about["paddle"] else "without PaddlePaddle (`make oracle-env`, or --paddle PYTHON)"
    )
    return (
        f"phi_torch {about['phi_torch']} ({about['commit'] or 'installed'}), torch {about['torch']}, {paddle}\n"
        f"{about['machine']}; {count} rows, {options.seconds} s each in {options.rounds} rounds\n"
        f"All sides run with {setting}:\n"
        "large outputs then reuse memory instead of faulting in new pages, and MKL takes its fast path on AMD. One thread is\n"
        "pinned to the idlest core and timed in CPU time of the process, to which other processes do not add; more threads are\n"
        f"timed by the clock. The garbage collector is off.{_busy(options)}"
    )


def _busy(options: argparse.Namespace) -> str:
    load = os.getloadavg()[0]
    if options.quick or max(options.threads) == 1 or load < 0.5:
        return ""
    return f"\nWarning: other processes use {load:.1f} cores; rows with several threads will be noise."


def _rows(options: argparse.Namespace, cases: Sequence[Case], paddle: str) -> Iterator[Row]:
    seconds = options.seconds / 4 if options.quick else options.seconds
    for threads in dict.fromkeys(case.threads for case in cases):
        mine = [case for case in cases if case.threads == threads]
        compiled = not (options.no_compile or options.quick)
        yield from environment.measured(Job(str(options.shapes), mine, seconds, options.rounds, compiled, paddle))


def _progress(rows: Iterable[Row], count: int) -> Iterator[Row]:
    """The rows, with a line on a terminal's stderr that says how far they are."""
    start = time.monotonic()
    for number, row in enumerate(rows, 1):
        if sys.stderr.isatty():
            left = (time.monotonic() - start) / number * (count - number)
            text = f"[{number}/{count}, {left / 60:.0f} min left] {check.name(row.case)}"
            print(f"\r\033[K{text[:100]}", end="\r\033[K" if number == count else "\r", file=sys.stderr, flush=True)
        yield row


def _keep(rows: Iterable[Row], found: list[Row]) -> Iterator[Row]:
    for row in rows:
        found.append(row)
        yield row


def _compare(options: argparse.Namespace, found: Sequence[Row], baseline: Sequence[Row]) -> int:
    """1 if rows are slower than the baseline in this run and when they are measured again."""
    suspects = check.slower(found, baseline)
    if suspects and not options.results:
        print(f"\n{len(suspects)} rows look slower than {options.check}; measuring them again")
        again = list(_rows(options, [row.case for row, _ in suspects], ""))
        suspects = check.slower(again, baseline)
    problems = check.render(suspects, check.lost(found, baseline))
    print(
        "\n" + "\n".join(problems or [f"no row is slower than {options.check} by more than {check.MARGIN - 1:.0%} and the spread"])
    )
    return 1 if problems else 0
