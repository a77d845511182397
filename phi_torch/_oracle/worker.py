"""Paddle's process: `python worker.py FILE`, where FILE has `answer(paddle, request)`, a dict for each request.

Requests and answers are pickled, one after the other, on stdin and stdout. They are made of plain Python objects, since
the two interpreters may have different versions of NumPy:

    at the start    the answer {"version": Paddle's}
    request         (seconds, what FILE's `answer` gets)
    answer          what it returned; {"error": ...} if it raised, crashed, or took more than so many seconds
    None            no request: what follows goes to a new child; the answer is {}

A wrong call may end the process or damage its memory, so a child does the work, and the next one is forked when it dies.
There is an answer to each request before the next is sent, so nothing unread is lost in the buffer of a child.
"""

import contextlib
import importlib
import os
import pickle
import runpy
import signal
import sys
import traceback
from typing import Any

FRESH = 77  # exit status of a child that is not needed any more
DEADLY = (signal.SIGALRM, signal.SIGABRT, signal.SIGSEGV, signal.SIGFPE, signal.SIGBUS, signal.SIGILL)


def main(file: str) -> None:
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no answer
    paddle = importlib.import_module("paddle")
    answer = runpy.run_path(file)["answer"]
    send(answers, {"version": paddle.__version__})
    while True:
        child = os.fork()
        if child == 0:
            serve(paddle, answer, requests, answers)
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        if status == 0:
            return
        send(answers, {} if os.WIFEXITED(status) and os.WEXITSTATUS(status) == FRESH else {"error": death(status)})


def death(status: int) -> str:
    if not os.WIFSIGNALED(status):
        return f"ended with status {os.waitstatus_to_exitcode(status)}"
    died = signal.Signals(os.WTERMSIG(status))
    return "no answer in time" if died == signal.SIGALRM else f"crashed: {died.name}"


def send(answers: Any, value: dict[str, Any]) -> None:
    pickle.dump(value, answers)
    answers.flush()


def serve(paddle: Any, answer: Any, requests: Any, answers: Any) -> None:
    for name in DEADLY:
        signal.signal(name, signal.SIG_DFL)  # Paddle's own handlers may wait for a lock for ever
    while True:
        try:
            request = pickle.load(requests)
        except EOFError:
            return
        if request is None:
            os._exit(FRESH)
        seconds, asked = request
        signal.alarm(seconds)
        try:
            found = answer(paddle, asked)
        except Exception as error:
            traceback.print_exc()
            found = {"error": f"{type(error).__name__}: {error}"}
        signal.alarm(0)
        send(answers, found)


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main(sys.argv[1])
    sys.exit()
