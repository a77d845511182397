"""Paddle's process, as a side that takes its turns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .._oracle.client import Worker
from .shapes import Case, Shapes

LOOPS = Path(__file__).with_name("paddle_loops.py")
SECONDS = 60  # that a request may take


class PaddleMiss(Exception):
    """Paddle did not measure a row; the message says why."""


class Paddle:
    """PaddlePaddle in the interpreter `python`."""

    def __init__(self, python: str, threads: int) -> None:
        """
        Raises:
            ValueError: `python` does not run PaddlePaddle.
        """
        self.threads = threads
        try:
            self._worker = Worker(python, LOOPS, threads)
        except (EOFError, OSError) as error:
            reason = "it ended" if isinstance(error, EOFError) else error
            raise ValueError(f"--paddle {python}: no PaddlePaddle there ({reason}); `make oracle-env` installs it") from None
        self.version = self._worker.version

    def _ask(self, **request: Any) -> dict[str, Any]:
        answer = self._worker.ask(request, SECONDS)
        if "error" in answer:
            raise PaddleMiss(answer["error"].splitlines()[0][:160])
        return answer

    def prepare(self, shapes: Shapes, case: Case) -> Any:
        """Builds a row's loop; returns the value of the call as nested lists, None if there is nothing to compare.

        Raises:
            PaddleMiss: it failed, crashed, or took too long.
        """
        entry = shapes.ops[case.op]
        request = {
            "inputs": shapes.inputs(case),
            "call": shapes.call(case, "paddle"),
            "setup": entry.get("setup", {}).get("paddle", ""),
            "result": str(entry.get("result", "out")),
            "direction": case.direction,
            "accumulate": case.size == "tiny",
            "dtype": case.dtype,
            "threads": self.threads,
            "other": "float32" if case.dtype == "bfloat16" else "bfloat16",
        }
        value = self._ask(prepare=request)["value"]
        self.run(1)
        return value

    def run(self, calls: int) -> float:
        seconds: float = self._ask(calls=calls)["seconds"]
        return seconds

    def close(self) -> None:
        self._worker.close()
