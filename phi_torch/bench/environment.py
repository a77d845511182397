"""The machine and the process: what all sides run under, and what a result says about where it was made."""

from __future__ import annotations

import datetime
import json
import os
import platform
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import torch

import phi_torch

from .._paths import CHECKOUT
from .measure import Job
from .rows import Row

# glibc gives blocks above 32 MiB back to the system, and each fresh page costs a fault: an output of 40 MB then takes
# several times as long to allocate as to compute. It does not reuse an aligned block in its place either, so that large
# outputs land in one place or in two by turns, as chance has it; torch's huge pages do. Some builds of MKL take a slow path
# on AMD.
VARIABLES = {
    "MALLOC_MMAP_THRESHOLD_": "17179869184",
    "MALLOC_TRIM_THRESHOLD_": "17179869184",
    "THP_MEM_ALLOC_ENABLE": "1",
    "MKL_DEBUG_CPU_TYPE": "5",
}


def about(paddle: str = "") -> dict[str, str]:
    """Commit, date, machine and versions."""
    return {
        "commit": _commit(),
        "date": datetime.date.today().isoformat(),
        "machine": f"{_cpu()}, {len(os.sched_getaffinity(0))} cores",
        "torch": torch.__version__,
        "phi_torch": phi_torch.__version__,
        "paddle": paddle,
    }


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    text = info.read_text().partition("\n\n")[0] if info.exists() else ""
    facts = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in text.splitlines())}
    # virtual machines often hide the rest of the name, and generations of one capability differ by a factor of two
    generation = f" {facts['cpu family']}.{facts['model']}" if "cpu family" in facts and "model" in facts else ""
    return f"{facts.get('model name', platform.machine())}{generation} ({torch.backends.cpu.get_cpu_capability()})"


def _commit() -> str:
    if not CHECKOUT:
        return ""
    git = ["git", "-c", f"safe.directory={CHECKOUT}", "-C", str(CHECKOUT), "describe", "--always", "--dirty", "--exclude=*"]
    try:
        return subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def measured(job: Job) -> Iterator[Row]:
    """The rows of a job, from a process of their own. A row that kills the process has that as its note."""
    left = list(job.cases)
    while left:
        threads = str(left[0].threads)
        process = subprocess.Popen(
            [sys.executable, "-c", "from phi_torch.bench.measure import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | VARIABLES | {"OMP_NUM_THREADS": threads, "MKL_NUM_THREADS": threads},
            text=True,
        )
        assert process.stdin and process.stdout
        try:
            process.stdin.write(json.dumps(asdict(replace(job, cases=left))))
            process.stdin.close()
            for line in process.stdout:
                left.pop(0)
                yield Row(**json.loads(line))
        except BaseException:
            process.terminate()
            raise
        finally:
            status = process.wait()
        if left:
            died = signal.Signals(-status).name if status < 0 else f"status {status}"
            yield Row(**vars(left.pop(0)), note=f"the process died: {died}")
