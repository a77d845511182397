"""Where the cost of one small call goes: `python benchmarks/anatomy.py`.

Counts the instructions of `add` on 16 elements under `valgrind --tool=callgrind`, ours beside torch's, and shares them
among the stages of a call. A function belongs to the first stage whose pattern its name matches; one that matches none
(malloc, memcpy, the interpreter's helpers) counts for the functions that call it, in the proportions of callgrind's call
graph. "adapter" is what makes PHI's tensors of torch's. Times are of a run without valgrind, from the empty call to the
whole one. valgrind knows no AVX-512, so the kernel is that for AVX2.

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

from phi_torch._paths import lib_dir

MARKER = "getppid"  # callgrind starts a new dump where this function of libc is called, which nobody else does
CALLS = 500

# Stage -> patterns, tried in this order on "object:function". Template arguments and parameters are cut off, but for a
# first parameter DispatchKeySet, which tells a function of the Autograd key from that of the backend.
STAGES: dict[str, tuple[str, ...]] = {
    "kernel": (
        r"^libphi_cpu",
        r"phi::(?!Select)\w+Kernel\b",
        r"at::native::",
        r"TensorIteratorBase::(for_each|serial_for_each)",
        r"c10::function_ref",
    ),
    "InferMeta": (
        r"InferMeta",
        r"MetaTensor",
        r"phi::Broadcast",
        r"torch_bridge::MetaOf",
        r"at::meta::",
        r"TensorIterator",
        r"at::OperandInfo",
        r"set_output_(raw_)?strided",
    ),
    "allocation": (
        r"(c10|phi).*(Alloc|alloc_cpu|free_cpu)",
        r"torch_bridge::anonymous::Empty",
        r"at::(detail::)?(empty|make_tensor)",
        r"c10::(TensorImpl|StorageImpl)::",
        r"ProfiledCPUMemoryReporter",
    ),
    "selection": (r"KernelFactory", r"SelectKernel", r"phi::OpSite", r"phi::Select", r"torch_bridge::Call"),
    "key": (r"KeyBuilder", r"KernelKey", r"PromotedType", r"phi::IsObserved"),
    "autograd": (
        r"torch_bridge::anonymous::\w+\(DispatchKeySet\)",
        r"torch_bridge::.*(Node|Tangent|Autograd)",
        r"torch::autograd::VariableType",
        r"torch::ADInplaceOrView",
        r"AutogradMeta|[rR]equires_?[gG]rad|[fF]w_?[gG]rad",
    ),
    "adapter": (r"torch_bridge::", r"phi::DenseTensor", r"phi::BasicDDim"),
    "wrap": (r"THPVariable_(Wrap|NewWithVar|dealloc|clear)", r"subtype_dealloc", r"toPyObject", r"createPyObject"),
    "dispatcher": (
        r"c10::(Dispatcher|OperatorHandle|OperatorEntry|KernelFunction|impl::)",
        r"at::_ops::",
        r"phi::ops::",
        r"torch_bridge::\w+::redispatch",
        r"wrapper_CPU_",
        r"RecordScope|getStepCallbacks",
    ),
    "binding": (r"^_C\.", r"phi::python", r"^libtorch_python", r"take_gil|drop_gil|PyGILState|PyEval_(Save|Restore)Thread"),
    "Python": (r"_PyEval", r"^python3"),
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
    name = short(label)
    return next((stage for stage, patterns in STAGES.items() if any(re.search(pattern, name) for pattern in patterns)), None)


def short(label: str) -> str:
    """A label without template arguments and parameters, except for a first one DispatchKeySet."""
    label = label.replace("(anonymous namespace)", "anonymous").replace("operator()", "operator_call")
    kept, depth = [], 0
    for part in re.split(r"([<>()])", label.replace("(c10::DispatchKeySet", "{DispatchKeySet}(").replace("->", "")):
        depth += (part in "<(") - (part in ">)") if part else 0
        if not depth and part not in (">", ")"):
            kept.append(part)
    return "".join(kept).replace("{DispatchKeySet}", "(DispatchKeySet)")


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
        SystemExit: valgrind or kernels that it can run are missing, or it failed.
    """
    if shutil.which("valgrind") is None:
        raise SystemExit("anatomy needs valgrind to count instructions: apt install valgrind (or --time for the times alone)")
    if not any((lib_dir() / f"libphi_cpu_{name}.so").exists() for name in ("avx2", "default")):
        raise SystemExit("valgrind has no AVX-512, and the CPU kernels were built for nothing else: PHI_CPU=avx2,avx512 make build")
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
    print("".join(f"{text:>34}" for text in expressions))
    totals = [sum(sum(functions.values()) for functions in found.values()) for found in counts]
    for stage in (*reversed(STAGES), "other"):
        costs = [sum(found.get(stage, {}).values()) for found in counts]
        if any(round(cost) for cost in costs):
            print(f"{stage:14}" + "".join(f"{cost:>26.0f}{cost / total:>8.1%}" for cost, total in zip(costs, totals)))
    print(f"{'all':14}" + "".join(f"{total:>26.0f}{'':8}" for total in totals))
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
