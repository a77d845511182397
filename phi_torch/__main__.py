"""`python -m phi_torch <command>`: list, show, explain, check, collect-env, bench."""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import os
import platform
import re
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import torch

import phi_torch

from . import _build_info, _paths, bench, registry
from ._op_info import OpInfo
from ._op_table import OPS, SOURCE_HASH


def list_ops(options: argparse.Namespace) -> int:
    """all operators, their signatures, and where they are defined"""
    for name, op in sorted(OPS.items()):
        if options.pattern in name and (options.backward or not op.is_backward):
            print(f"{name}{op.schema}  {op.loc}")
    return 0


def show(options: argparse.Namespace) -> int:
    """one operator: signature, documentation, kernels"""
    op = registry.info(options.op)
    print(f"{op.name}{op.schema}\n  defined in {op.loc}")
    for key in ("overloads", "category", "backward", "composite", "vmap", "autocast", "jvp"):
        if value := getattr(op, key):
            print(f"  {key}: {', '.join(value) if isinstance(value, tuple) else value}")
    for kernel in registry.kernels(options.op):
        key = ", ".join((kernel.backend, kernel.layout, kernel.dtype))
        print(f"  kernel {kernel.name} ({key})  {kernel.file}:{kernel.line}")
    function = getattr(phi_torch, options.op, None)
    if function is not None:
        print(f"\n{inspect.getdoc(function)}")
    return 0


def explain(options: argparse.Namespace) -> int:
    """which kernel a call takes, and why"""
    print(registry.explain(options.op, *(parse_argument(text) for text in options.arguments)))
    return 0


def parse_argument(text: str) -> Any:
    """`float32[2,3]` is a tensor, `torch.int64` a dtype, anything else a Python literal.

    Raises:
        ValueError: it is none of them.
    """
    if match := re.fullmatch(r"(?:torch\.)?(\w+)\[([\d, ]*)\]", text):
        return torch.zeros([int(n) for n in match[2].split(",") if n.strip()], dtype=_dtype(match[1]))
    if text.startswith("torch."):
        return _dtype(text.removeprefix("torch."))
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        raise ValueError(f"argument {text!r}: expected float32[2,3], torch.int64 or a Python literal") from None


def _dtype(name: str) -> torch.dtype:
    found = getattr(torch, name, None)
    if not isinstance(found, torch.dtype):
        raise ValueError(f"torch has no dtype '{name}'")
    return found


def check(options: argparse.Namespace) -> int:
    """the YAML against the kernels that are registered and the Python functions"""
    load = _codegen("load")
    opset, diagnostics = load.load(options.files)
    if diagnostics:
        print(diagnostics.render(), file=sys.stderr)
        return 2
    problems = [] if options.files else [p for op in opset.ops for p in _problems(op)]
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(opset.ops)} operators, {len(problems)} differences from the built libraries")
    return 2 if problems else 0


def _problems(op: Any) -> list[str]:
    """Where the running build differs from an entry."""
    if op.name not in OPS:
        return [f"{op.loc}: '{op.name}' is not built; run `make build`"]
    built, written = OPS[op.name], OpInfo(**_codegen("emit.composites").entry(op))
    found = [
        f"{op.loc}: {key} of '{op.name}' is {getattr(written, key)!r}, built with {getattr(built, key)!r}; run `make build`"
        for key in OpInfo._fields
        if key != "loc" and getattr(written, key) != getattr(built, key)
    ]
    return found + [f"{op.loc}: no kernel '{name}' of '{op.name}' is registered" for name in built.kernels if not _has(name)]


def _has(kernel: str) -> bool:
    return bool(phi_torch._C.kernels(kernel))


def _codegen(module: str) -> ModuleType:
    if _paths.CHECKOUT:
        from ._build.sources import load_codegen

        return load_codegen(module)
    return importlib.import_module(f"phi_torch.codegen.{module}")


def collect_env(options: argparse.Namespace) -> int:
    """versions, device, build: what a bug report needs"""
    rows = {
        "phi_torch": phi_torch.__version__,
        "built for torch": _build_info.torch_version,
        "torch": torch.__version__,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "cpu": f"{torch.backends.cpu.get_cpu_capability()}, {os.cpu_count()} cores, {torch.get_num_threads()} threads",
        "cpu kernels": ", ".join(_build_info.cpu_capabilities),
        "cuda": f"built for {_build_info.cuda or 'none'}, torch has {torch.version.cuda or 'none'}",
        "gpu": torch.cuda.get_device_name() if torch.cuda.is_available() else "none",
        "operators": str(sum(not op.is_backward for op in OPS.values())),
        "yaml": SOURCE_HASH,
        "flags": str(phi_torch.flags),
        "environment": ", ".join(f"{k}={v}" for k, v in sorted(os.environ.items()) if k.startswith("PHI_")) or "none",
    }
    for key, value in rows.items():
        print(f"{key + ':':17}{value}")
    return 0


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(prog="python -m phi_torch", description=phi_torch.__doc__)
    commands = result.add_subparsers(dest="command", required=True)
    added = {}
    for name, function in COMMANDS.items():
        added[name] = commands.add_parser(name, help=function.__doc__)
        added[name].set_defaults(run=function)
    added["list"].add_argument("pattern", nargs="?", default="", help="part of the name")
    added["list"].add_argument("--backward", action="store_true", help="backward operators as well")
    for name in ("show", "explain"):
        added[name].add_argument("op", metavar="OP")
    added["explain"].add_argument("arguments", nargs="*", metavar="ARG", help="float32[2,3], torch.int64 or a literal")
    added["check"].add_argument("files", nargs="*", help="YAML files; default: those of phi_torch")
    bench.add_arguments(commands.add_parser("bench", help=bench.run.__doc__))
    return result


COMMANDS = {"list": list_ops, "show": show, "explain": explain, "check": check, "collect-env": collect_env}


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except (KeyError, ValueError, RuntimeError, TypeError, IndexError) as error:
        print(f"error: {error.args[0] if error.args else error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
