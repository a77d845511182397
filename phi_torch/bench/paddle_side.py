"""Paddle's process, as a side that takes its turns."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
from pathlib import Path
from typing import Any

from .shapes import Case, Shapes

WORKER = Path(__file__).with_name("paddle_worker.py")


class PaddleMiss(Exception):
    """Paddle did not measure a row; the message says why."""


class Paddle:
    """PaddlePaddle in the interpreter `python`. A call may crash it: it is then started again for the next row."""

    def __init__(self, python: str, threads: int, limit: float = 60) -> None:
        """
        Raises:
            ValueError: `python` does not run PaddlePaddle.
        """
        self.python, self.threads, self.limit = python, threads, limit
        try:
            self._start()
        except (PaddleMiss, OSError) as error:
            raise ValueError(f"--paddle {python}: no PaddlePaddle there ({error}); `make oracle-env` installs it") from None

    def _start(self) -> None:
        count = str(self.threads)
        threads = {name: count for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "FLAGS_paddle_num_threads")}
        self.process = subprocess.Popen(
            [self.python, "-I", str(WORKER)],  # -I: its folder is not on sys.path
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | threads,
            text=True,
        )
        self.version = self._answer()["version"]

    def _answer(self) -> dict[str, Any]:
        assert self.process.stdout
        ready, _, _ = select.select([self.process.stdout], [], [], self.limit)
        if not ready:
            self.close()
            raise PaddleMiss(f"no answer within {self.limit:.0f} s")
        line = self.process.stdout.readline()
        if not line:
            status = self.process.wait()
            raise PaddleMiss(f"crashed: {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise PaddleMiss(answer["error"].splitlines()[0][:160])
        return answer

    def _ask(self, **request: Any) -> dict[str, Any]:
        if self.process.poll() is not None:
            self._start()
        assert self.process.stdin
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return self._answer()

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
        self.process.kill()
        self.process.wait()
