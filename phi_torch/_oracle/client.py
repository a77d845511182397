"""Our side of the pipe to PaddlePaddle."""

from __future__ import annotations

import os
import pickle
import subprocess
from pathlib import Path
from typing import Any

WORKER = Path(__file__).with_name("worker.py")


class Worker:
    """PaddlePaddle in the interpreter `python`, which answers by the function `answer` of `file`. A call may crash it.

    Raises:
        OSError, EOFError: there is no PaddlePaddle.
    """

    def __init__(self, python: str, file: Path, threads: int) -> None:
        limits = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "FLAGS_paddle_num_threads"), str(threads))
        self._process = subprocess.Popen(
            [python, "-I", str(WORKER), str(file)],  # -I: its folder is not on sys.path
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | limits,
        )
        assert self._process.stdin and self._process.stdout
        self._requests, self._answers = self._process.stdin, self._process.stdout
        self.version: str = pickle.load(self._answers)["version"]

    def ask(self, request: Any, seconds: int) -> dict[str, Any]:
        """The answer to a request; {"error": ...} if there is none within so many seconds, or no more than an error."""
        return self._exchange((seconds, request))

    def fresh(self) -> None:
        """Calls so far may have corrupted the memory of the process; the next ones run in a new one."""
        self._exchange(None)

    def _exchange(self, message: Any) -> dict[str, Any]:
        pickle.dump(message, self._requests)
        self._requests.flush()
        answer: dict[str, Any] = pickle.load(self._answers)
        return answer

    def close(self) -> None:
        self._requests.close()
        self._process.wait()
        self._answers.close()
