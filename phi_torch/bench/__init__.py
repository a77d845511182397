"""`python -m phi_torch bench`: our operators against ATen's, as ratios of time.

`benchmarks/shapes.yaml` says what is timed. Each row times its sides in turns in one process, so that what else the
machine does falls on all of them alike, and reports the median of the ratios with its quartiles. PaddlePaddle has a
process of its own, which takes its turns like the others.
"""

from __future__ import annotations

import argparse
import importlib.util
from pathlib import Path

from .._paths import CHECKOUT, PACKAGE

BENCHMARKS = (CHECKOUT or PACKAGE) / "benchmarks"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("only", nargs="?", default="", metavar="FILTER", help="part of the ops' names; default: all")
    add("--quick", action="store_true", help="overhead and middle size, float32, 1 thread: about a minute")
    add("--threads", type=_integers, metavar="N,N", help="numbers of threads; default: 1,2, and 1 for programs")
    add("--sizes", type=_words, metavar="SIZE,SIZE", help="of those in shapes.yaml; default: all")
    add("--dtypes", type=_words, metavar="DTYPE,DTYPE", help="float32, bfloat16; default: both")
    add("--seconds", type=float, default=0.2, help="time for each row; default: %(default)s")
    add("--rounds", type=int, default=9, help="turns of each side in this time; default: %(default)s")
    add("--no-compile", action="store_true", help="leave out torch.compile, which takes most of the time")
    add("--paddle", metavar="PYTHON", help="an interpreter with PaddlePaddle, or `no`;"
        " default: $PHI_PADDLE_PYTHON, or what `make oracle-env` made, if it is there")  # fmt: skip
    add("--shapes", type=Path, default=BENCHMARKS / "shapes.yaml", metavar="FILE", help="what to time")
    add("--csv", type=Path, metavar="FILE", help="write the rows to this file")
    add("--plot", type=Path, metavar="FILE.png", help="draw the rows; needs matplotlib")
    add("--results", type=Path, metavar="FILE.csv", help="report these rows, and measure nothing")
    add("--check", type=Path, nargs="?", const=BENCHMARKS / "baseline.csv", metavar="FILE.csv", help="fail if a ratio"
        " is worse than in this file (default: the committed baseline.csv) by more than the noise")  # fmt: skip
    add("--programs", type=Path, metavar="FOLDER", help="instead: compiled programs of Paddle 3 in the folders of this one, which"
        " have inputs beside them (io.npz), against Paddle Inference; --check holds the limits of bench/programs.py")  # fmt: skip
    add("--write-baseline", action="store_true", help="write the rows to benchmarks/baseline.csv")


def _integers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def _words(text: str) -> list[str]:
    return text.split(",")


def run(options: argparse.Namespace) -> int:
    """our operators against ATen's, as ratios of time"""
    if importlib.util.find_spec("numpy") is None:
        raise ValueError("bench needs NumPy: pip install numpy")
    from . import command, programs

    if options.programs is None:
        options.threads = options.threads or [1, 2]
        return command.run(options)
    programs.check_folder(options.programs)
    counts = options.threads or [1]
    return max(programs.run(options.programs, options.paddle, count, check=options.check is not None) for count in counts)
