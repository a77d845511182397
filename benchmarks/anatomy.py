"""Where the cost of one small call goes: `python benchmarks/anatomy.py`.

Counts the instructions of `add` on 16 elements under `valgrind --tool=callgrind`, ours beside torch's, and shares them
among the stages of a call. A function belongs to the stage whose pattern its name matches first; one that matches none
(malloc, memcpy, the interpreter's helpers) counts for the functions that call it, in the proportions of callgrind's call
graph. Times come from a native run: what is empty, what only allocates, and the whole call.

`--functions STAGE` lists what a stage consists of, which is how to adapt the patterns below.
"""

from __future__ import annotations

import argparse
import gc
import operator
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MARKER = "getppid"  # callgrind starts a new dump where this function of libc is called, which nobody else does
CALLS = 500

# Stage -> patterns, tried in this order on "object:function", or "object:" alone for a function without a name.
STAGES: dict[str, tuple[str, ...]] = {
    "kernel": (
        r"^libphi_cpu",
        r"\bphi::\w+Kernel\b",
        r"at::native::.*(_kernel|_stub|DEFAULT|AVX|DispatchStub)",
        r"TensorIteratorBase::(for_each|serial_for_each)",
    ),
    "InferMeta": (
        r"InferMeta",
        r"MetaTensor",
        r"phi::funcs::",
        r"structured_\w+::meta",
        r"TensorIterator",
        r"infer_size",
        r"result_type",
    ),
    "allocation": (
        r"Alloc",
        r"at::(detail::)?empty",
        r"StorageImpl",
        r"c10::.*(alloc|Allocator)",
        r"TensorImpl::(TensorImpl|set_sizes|set_storage|empty_tensor_restride)",
    ),
    "selection": (r"KernelFactory", r"SelectKernel", r"phi::OpSite", r"phi::Select"),
    "key": (r"KeyBuilder", r"KernelKey"),
    "tensors": (r"torch_bridge::.*(Input|Out|DenseTensor)", r"phi::DenseTensor", r"phi::DDim"),
    "autograd": (
        r"torch::autograd::VariableType",
        r"torch::ADInplaceOrView",
        r"AutogradMeta",
        r"autograd",
        r"requires_grad",
        r"fw_grad",
    ),
    "wrap": (r"THPVariable_(Wrap|NewWithVar|dealloc|clear)", r"PyObjectSlot", r"toPyObject", r"createPyObject"),
    "dispatcher": (
        r"c10::(Dispatcher|OperatorHandle|OperatorEntry|KernelFunction|DispatchKey|impl::)",
        r"at::_ops::",
        r"at::redispatch",
    ),
    "binding": (r"^_C\.", r"phi::python", r"^libtorch_python", r"PythonArgParser", r"torch::jit"),
    "Python": (r"^libpython", r"^python3"),
}


@dataclass
class Function:
    """A function's own cost in a section, and the inclusive cost of the calls that it gets, by caller."""

    cost: int = 0
    callers: dict[str, int] = field(default_factory=lambda: defaultdict(int))


def read_callgrind(file: Path) -> dict[str, Function]:
    """The functions of a callgrind dump, by "object:function"."""
    functions: dict[str, Function] = defaultdict(Function)
    names: dict[tuple[str, str], str] = {}

    def name(kind: str, text: str) -> str:
        match = re.match(r"\((\d+)\)(?: (.*))?", text)
        if match is None:
            return text
        if match[2] is not None:
            names[kind, match[1]] = match[2]
        return names.get((kind, match[1]), "?")

    here, there = {"ob": "", "fn": ""}, {"ob": "", "fn": ""}
    calling = False
    for line in file.read_text(errors="replace").splitlines():
        key, equals, value = line.partition("=")
        if equals and key in ("ob", "fl", "fi", "fe", "fn", "cob", "cfi", "cfl", "cfn", "calls"):
            if key == "calls":
                calling = True
            elif key.startswith("c"):
                if (kind := key[1:]) in there:
                    there[kind] = name(kind, value)
            elif key in here:
                here[key] = name(key, value)
                there["ob"] = here["ob"]
        elif re.match(r"[\d+*-]", line):
            cost = int(line.split()[-1])
            me = _label(here)
            if calling:
                functions[_label(there)].callers[me] += cost
                calling, there["ob"] = False, here["ob"]
            else:
                functions[me].cost += cost
    return functions


def _label(place: dict[str, str]) -> str:
    return f"{Path(place['ob']).name}:{place['fn']}"


def stages(functions: dict[str, Function]) -> dict[str, dict[str, float]]:
    """Stage -> function -> its own cost in that stage."""
    shares: dict[str, dict[str, float]] = {label: {s: 1.0} for label in functions if (s := stage_of(label))}
    neutral = [label for label in functions if label not in shares]
    for _ in range(30):  # costs move from callee to caller, around cycles too, until they arrive
        for label in neutral:
            callers = {caller: cost for caller, cost in functions[label].callers.items() if caller in shares and caller != label}
            total = sum(callers.values())
            share: dict[str, float] = defaultdict(float)
            for caller, cost in callers.items():
                for stage, part in shares[caller].items():
                    share[stage] += part * cost / total if total else 0
            if share:
                shares[label] = dict(share)
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for label, function in functions.items():
        for stage, part in shares.get(label, {"other": 1.0}).items():
            if function.cost:
                found[stage][label] = part * function.cost
    return found


def stage_of(label: str) -> str | None:
    """The stage of a function by its name."""
    return next((stage for stage, patterns in STAGES.items() if any(re.search(pattern, label) for pattern in patterns)), None)


def calls(expressions: Sequence[str]) -> list[Callable[[], Any]]:
    """The expressions as functions; the first one is empty."""
    import torch

    import phi_torch

    torch.set_num_threads(1)
    names = {"torch": torch, "phi": phi_torch, "x": torch.randn(16), "y": torch.randn(16), "operator": operator}
    return [eval(f"lambda: {text}", names) for text in ("None", *expressions)]


def run_sections(expressions: Sequence[str]) -> None:
    """What runs under callgrind: each section lies between two calls of the marker."""
    functions = calls(expressions)
    gc.disable()
    for function in functions:
        for _ in range(50):
            function()
        os.getppid()
        for _ in range(CALLS):
            function()
        os.getppid()


def count(expressions: Sequence[str]) -> list[dict[str, dict[str, float]]]:
    """For each expression: stage -> function -> instructions of one call. The empty call is subtracted.

    Raises:
        SystemExit: valgrind is missing, or failed.
    """
    if shutil.which("valgrind") is None:
        raise SystemExit("anatomy needs valgrind to count instructions: apt install valgrind (or --time for the times alone)")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", f"--dump-before={MARKER}"]
        program = [sys.executable, __file__, "--sections", *expressions]
        environment = os.environ | {"OMP_NUM_THREADS": "1"}
        done = subprocess.run([*command, *program], capture_output=True, text=True, env=environment)
        dumps = [Path(f"{out}.{number}") for number in range(2, 2 * len(expressions) + 3, 2)]
        if done.returncode or not dumps[-1].exists():
            raise SystemExit(f"valgrind failed:\n{done.stderr[-2000:]}")
        empty, *found = (stages(read_callgrind(dump)) for dump in dumps)
    return [per_call(section, empty) for section in found]


def per_call(section: dict[str, dict[str, float]], empty: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    return {
        stage: {label: (cost - empty.get(stage, {}).get(label, 0)) / CALLS for label, cost in functions.items()}
        for stage, functions in section.items()
    }


def nanoseconds(function: Callable[[], Any], rounds: int = 15, number: int = 20_000) -> float:
    """The median CPU time of a call over rounds."""
    times = []
    for _ in range(rounds):
        start = time.process_time_ns()
        for _ in range(number):
            function()
        times.append((time.process_time_ns() - start) / number)
    return statistics.median(times)


def print_counts(expressions: Sequence[str], counts: Sequence[dict[str, dict[str, float]]], listed: str) -> None:
    print(f"\nInstructions of one call, on 16 elements, without the loop around it\n{'stage':14}", end="")
    print("".join(f"{text:>30}" for text in expressions))
    totals = [sum(sum(functions.values()) for functions in found.values()) for found in counts]
    for stage in (*reversed(STAGES), "other"):
        costs = [sum(found.get(stage, {}).values()) for found in counts]
        if any(round(cost) for cost in costs):
            print(f"{stage:14}" + "".join(f"{cost:>22.0f}{cost / total:>8.1%}" for cost, total in zip(costs, totals)))
    print(f"{'all':14}" + "".join(f"{total:>22.0f}{'':8}" for total in totals))
    for text, found in zip(expressions, counts):
        for stage in STAGES if listed == "all" else [listed] if listed else []:
            print(f"\n{text}: {stage}")
            for label, cost in sorted(found.get(stage, {}).items(), key=lambda item: -item[1])[:40]:
                if round(cost):
                    print(f"{cost:10.0f}  {label[:150]}")


def print_times(expressions: Sequence[str]) -> None:
    nested = ["operator.is_(x, y)", "torch.empty(16)"]
    what = ["an empty lambda", "a builtin with two arguments", "torch.empty: parser, allocation, wrapping", *expressions]
    gc.disable()
    print(f"\n{'Time of one call':45}{'ns':>8}")
    for text, function in zip(what, calls([*nested, *expressions])):
        print(f"{text:45}{nanoseconds(function):8.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = ["phi.add(x, y)", "torch.add(x, y)", "torch.ops.phi.add.default(x, y)", "torch.ops.aten.add.Tensor(x, y)"]
    parser.add_argument("expressions", nargs="*", default=default, help=f"of `phi`, `torch`, `x` and `y`; default: {default}")
    parser.add_argument("--time", action="store_true", help="the times alone, without valgrind")
    parser.add_argument("--functions", default="", metavar="STAGE", help="also list the functions of a stage, or of `all`")
    parser.add_argument("--sections", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.sections:
        return run_sections(options.expressions)
    print_times(options.expressions)
    if not options.time:
        print("counting; valgrind takes about a minute", file=sys.stderr)
        print_counts(options.expressions, count(options.expressions), options.functions)


if __name__ == "__main__":
    main()
