"""The command line: `python -m phi_torch` and `phi-torch`.

Each command is a module with `add_arguments(parser)` and `run(options)`, which returns the exit status. Only the module of
the command that is asked for is imported.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .._build import generator  # noqa: F401  the commands import `codegen`

COMMANDS: dict[str, tuple[str, str]] = {  # name -> (module, what it does)
    "list": ("phi_torch.cli.list_ops", "all operators: dtypes, gradients, composite, the same in torch"),
    "show": ("phi_torch.cli.show", "one operator: signature, documentation, kernels"),
    "explain": ("phi_torch.cli.explain", "which kernel a call takes, and why"),
    "check": ("phi_torch.cli.check", "the YAML, kernels, InferMeta functions, composites, samples and docs against each other"),
    "new": ("phi_torch.cli.new", "a new operator: its entry, kernel and test, to be filled in"),
    "config": ("phi_torch.cli.config", "compiler and linker flags for code that uses phi_torch"),
    "collect-env": ("phi_torch.cli.collect_env", "versions, device, build: what a bug report needs"),
    "inspect": ("phi_torch.cli.inspect", "what a program of Paddle or of torch.export is made of, and what of it cannot run"),
    "run": ("phi_torch.cli.run", "a program of Paddle or of torch.export on inputs from a file"),
    "opt": ("phi_torch.cli.opt", "a program through passes, printed or written"),
    "trim": ("phi_torch.trim", "the selection file of a build with some operators only, from exported programs"),
    "fuzz": ("phi_torch.fuzz", "random calls of operators: no crash, no hang, no internal message, eager as Meta says"),
    "bench": ("phi_torch.bench", "our operators against ATen's, as ratios of time"),
}


def parser(command: str | None) -> argparse.ArgumentParser:
    """Knows all commands by name, and the arguments of `command`."""
    program = "phi-torch" if Path(sys.argv[0]).name == "phi-torch" else "python -m phi_torch"
    result = argparse.ArgumentParser(prog=program, description="PaddlePaddle's PHI operators in PyTorch.")
    commands = result.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (_, help) in COMMANDS.items():
        added = commands.add_parser(name, help=help, description=help[0].upper() + help[1:] + ".")
        if name == command:
            _module(name).add_arguments(added)
    return result


def _module(command: str) -> Any:
    return importlib.import_module(COMMANDS[command][0])


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status: 0; 1 for an error, which is one line on stderr; 2 for wrong arguments or wrong YAML."""
    arguments = sys.argv[1:] if arguments is None else arguments
    command = next((word for word in arguments if not word.startswith("-")), None)
    try:
        options = parser(command).parse_args(arguments)
        return int(_module(options.command).run(options))
    except BrokenPipeError:  # `phi-torch list | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except (ImportError, KeyError, ValueError, RuntimeError, TypeError, IndexError) as error:
        print(f"error: {error.args[0] if error.args else error}", file=sys.stderr)
        return 1
