"""`make gpu-mutants`: leaves out each barrier and each bound of the code for GPUs in turn; every time a test must fail.

python tests/emulated/mutants.py [--barriers] [FILE...] tries those of some files, or barriers alone: the library leaves these out
when it is told to, while code with another bound is compiled. It takes half an hour for all, on two cores.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import ninja

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "emulated"
LIBRARY = WORK / "libphi_gpu_emulated.so"
# source -> the objects that are compiled from it again, and the operators that are tried
TARGETS = {
    "primitive/gpu/reduce.cuh": ("primitive/gpu/(sums|extremes)", "sum max"),
    "primitive/gpu/axis_team.cuh": ("primitive/gpu/softmax|gpu/layer_norm_kernel", "softmax layer_norm"),
    "primitive/gpu/arg_reduce.cuh": ("primitive/gpu/arg_reduce", "argmax"),
    "primitive/gpu/topk_select.cuh": ("primitive/gpu/topk", "topk"),
    "primitive/gpu/topk.cu": ("primitive/gpu/topk", "topk"),
    "primitive/gpu/scan.cuh": ("primitive/gpu/scan", "cumsum"),
    "primitive/gpu/permute.cu": ("primitive/gpu/permute", "transpose"),
    "primitive/gpu/scatter.cu": ("primitive/gpu/scatter", "embedding"),
    "primitive/gpu/gather.cu": ("primitive/gpu/gather", "gather embedding"),
    "primitive/gpu/for_each.cuh": ("primitive/gpu/(topk|scatter)|gpu/pool2d", "topk pool2d"),
    "primitive/gpu/random.cuh": ("kernels/gpu/(uniform|gaussian|dropout)", "uniform gaussian dropout"),
    "primitive/gpu/elementwise.cuh": ("kernels/gpu/(add|where|relu)_kernel", "add where relu"),
    "kernels/funcs/channel_sums.cuh": ("gpu/(batch|layer|rms)_norm.*kernel", "batch_norm layer_norm rms_norm"),
    "kernels/funcs/channel_map.cuh": ("gpu/batch_norm.*kernel", "batch_norm"),
    "kernels/funcs/concat_and_split.cu": ("concat_and_split", "concat stack split"),
    "kernels/funcs/im2col.cu": ("im2col", "conv2d"),
    "kernels/funcs/elementwise_update.h": ("gpu/(sgd|momentum|adam)_kernel", "sgd_ momentum_ adam_"),
    "kernels/funcs/interp_gpu.cuh": ("kernels/gpu/(bilinear|nearest)_interp", "bilinear_interp nearest_interp"),
    "kernels/gpu/pool2d_kernel.cu": ("gpu/pool2d_kernel", "pool2d"),
    "kernels/gpu/pool2d_grad_kernel.cu": ("pool2d_grad", "pool2d"),
}
# (source, part of the line) -> why it makes no difference
HARMLESS = {
    ("primitive/gpu/topk.cu", "__syncthreads();"): "keeps the lines of a block apart, of which the next begins with a barrier",
}
BARRIER = re.compile(r"__sync(threads|warp)\(\);")


@dataclass(frozen=True)
class Mutant:
    """A source with one line changed."""

    source: str  # below csrc/
    line: int
    text: str
    is_barrier: bool

    def __str__(self) -> str:
        return f"{self.source}:{self.line}: {self.text.strip()}"


def mutants(source: str) -> Iterator[Mutant]:
    """A barrier is left out; a bound lets one more through, so that loops still end."""
    for number, line in enumerate((ROOT / "csrc" / source).read_text().splitlines(), 1):
        code = line.split("//")[0]
        if BARRIER.search(code):
            yield Mutant(source, number, BARRIER.sub("", code, count=1), True)
        if " < " in code and "template" not in code and "const dim3" not in code:
            for part in re.finditer(" < ", code):
                yield Mutant(source, number, f"{code[: part.start()]} <= {code[part.end() :]}", False)


def device_code() -> Iterator[str]:
    """The sources for GPUs, below csrc/."""
    for file in (ROOT / "csrc").rglob("*.cu*"):
        if "emulated" not in file.parts:
            yield str(file.relative_to(ROOT / "csrc"))


def commands() -> dict[str, str]:
    """Object -> the command that makes it; the library -> that which links it."""
    program = Path(ninja.BIN_DIR) / "ninja"
    found = subprocess.check_output([program, "-C", WORK, "-f", "build.ninja", "--quiet", "-t", "commands"], text=True)
    return {shlex.split(line)[-1]: line for line in found.splitlines()}


def compiled_from(command: str) -> str:
    """The name of the source that a command compiles, and what one of several sources includes."""
    words = shlex.split(command)
    source = Path(words[words.index("-c") + 1])
    return f"{source}\n{source.read_text()}" if source.parent.name == "together" else str(source)


def survives(mutant: Mutant, compile_with: dict[str, str], folder: Path) -> bool:
    """Whether all tests pass with a mutant."""
    pattern, ops = TARGETS[mutant.source]
    if mutant.is_barrier:
        return passes(ops, LIBRARY, without=f"/{mutant.source}:{mutant.line}")
    lines = (ROOT / "csrc" / mutant.source).read_text().splitlines()
    lines[mutant.line - 1] = mutant.text
    changed = folder / "csrc" / mutant.source
    changed.parent.mkdir(parents=True, exist_ok=True)
    changed.write_text("\n".join(lines) + "\n")
    original = ROOT / "csrc" / mutant.source
    remade = {}
    for target, command in compile_with.items():
        if target.endswith(".o") and re.search(pattern, compiled_from(command)):
            remade[target] = folder / Path(target).name
            # the folder comes first among those that are searched, and no header is compiled already
            command = command.replace(f"{target}.d", f"{remade[target]}.d").replace(f"-o {target}", f"-o {remade[target]}")
            command = command.replace(str(original), str(changed)).replace(" -MD ", f" -I{folder}/csrc -MD ", 1)
            command = re.sub(r"-Winvalid-pch -include \S+", "-include cuda_runtime.h", command)
            subprocess.run(command, shell=True, check=True, cwd=WORK)
    library = folder / LIBRARY.name
    link = shlex.split(next(command for target, command in compile_with.items() if target.endswith(library.name)))
    kept = [word for word in link if word.endswith(".o") and word not in remade]
    objects = [*remade.values(), *kept]  # of a template that several have, the first one's counts
    flags = [word for word in link[1:-2] if not word.endswith(".o")]
    subprocess.run([link[0], *map(str, objects), *flags, "-o", str(library)], check=True, cwd=WORK)
    return passes(ops, library)


def passes(ops: str, library: Path, without: str = "") -> bool:
    """Whether the tests of some operators pass with a library, of which a line may be left out. What ends the process, or does
    not end, fails."""
    tests = [f"test_emulated[{{}}-{check}]" for check in ("values", "layouts", "gradients")]
    tests += ["test_order[{}-descending-1]", "test_order[{}-random-2]"]
    nodes = [f"tests/ops/test_ops.py::{test.format(op)}" for op in ops.split() for test in tests]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *nodes]
    env = {**os.environ, "PHI_EMULATED_LIBRARY": str(library), "PHI_REQUIRE_EMULATED": "1"}
    if without:
        env["PHI_EMULATED_WITHOUT"] = without
    try:
        status = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, timeout=300).returncode
    except subprocess.TimeoutExpired:
        return False
    assert status <= 1, f"pytest ended with {status}: {command}"
    return status == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", nargs="*", help=f"below csrc/; default: {', '.join(TARGETS)}")
    parser.add_argument("--barriers", action="store_true", help="no bounds")
    arguments = parser.parse_args()
    if forgotten := sorted({name for name in device_code() if any(mutants(name))} - {*TARGETS}):
        sys.exit(f"TARGETS lacks {', '.join(forgotten)}")
    names = arguments.sources or list(TARGETS)
    compile_with = commands()
    failed = 0
    for name in names:
        chosen = [mutant for mutant in mutants(name) if mutant.is_barrier or not arguments.barriers]
        assert not chosen or passes(TARGETS[name][1], LIBRARY), f"the tests of {name} fail as it is"
        for mutant in chosen:
            line = original_line(mutant)
            reason = next((why for (source, text), why in HARMLESS.items() if source == name and text in line), None)
            with tempfile.TemporaryDirectory() as folder:
                survived = survives(mutant, compile_with, Path(folder))
            failed += survived and reason is None
            print("found " if not survived else f"harmless ({reason})" if reason else "MISSED", mutant, flush=True)
    print(f"{failed} mutants were not found")
    return failed > 0


def original_line(mutant: Mutant) -> str:
    return (ROOT / "csrc" / mutant.source).read_text().splitlines()[mutant.line - 1]


if __name__ == "__main__":
    sys.exit(main())
