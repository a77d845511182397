"""Cases that are tried in a forked process, many in each: one that ends its process, or never ends, is that case's finding."""

from __future__ import annotations

import gc
import os
import resource
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import torch

SECONDS, WAITING = 20, 120  # of CPU time that a case may take, and of time, for one that waits for what does not come
MEMORY = 2 << 30  # beyond what the process has at its start
MOST = 20  # findings that are listed


def outcomes(attempt: Callable[[int], str], count: int) -> Counter[str]:
    """How often `attempt` gave which word, for each number below `count`.

    Raises:
        AssertionError: it raised, ended the process, or took too long or too much memory; the numbers are named.
    """
    found, wrong, first = Counter[str](), list[str](), 0
    while first < count and len(wrong) < MOST:
        reads, writes = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reads)
            _run(attempt, range(first, count), writes)
        os.close(writes)
        with open(reads) as lines:
            words = lines.read().splitlines()
        status = os.waitpid(child, 0)[1]
        for number, word in enumerate(words, first):
            if word.startswith("!"):
                wrong.append(f"{number}: {word[1:]}")
            else:
                found[word] += 1
        first += len(words)
        if first < count:
            how = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else f"exit {status}"
            wrong.append(f"{first}: {how}")
            first += 1
    assert not wrong, "\n".join(wrong)
    return found


def _run(attempt: Callable[[int], str], numbers: range, writes: int) -> None:
    gc.collect()
    gc.freeze()  # what was there before is not looked through again
    limit = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for one in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(one, signal.SIG_DFL)
    torch.set_num_threads(1)  # the threads of the process before have no copy in this one
    for number in numbers:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        signal.setitimer(signal.ITIMER_REAL, WAITING)
        try:
            word = attempt(number)
        except BaseException as error:
            word = "!" + " ".join(f"{type(error).__name__}: {error}".split())[:1000]
        os.write(writes, f"{word}\n".encode("utf-8", "replace"))
    os._exit(0)
