"""`--extension`: modules that register operators when they are imported."""

from __future__ import annotations

import argparse
import importlib
import os
import sys


def add_argument(parser: argparse.ArgumentParser) -> None:
    help = "a module to import first, which registers operators: an extension, or functions of phi_torch.legacy; several times"
    parser.add_argument("--extension", action="append", default=[], metavar="MODULE", help=help)


def load(options: argparse.Namespace) -> None:
    """Imports the modules, which may stand in the working folder.

    Raises:
        ImportError: there is no such module.
    """
    folder = os.getcwd()
    if options.extension and folder not in sys.path:
        sys.path.append(folder)
    for name in options.extension:
        try:
            importlib.import_module(name)
        except (ModuleNotFoundError, ValueError, TypeError) as error:
            missing = getattr(error, "name", None)
            if all(part.isidentifier() for part in name.split(".")) and not f"{name}.".startswith(f"{missing}."):
                raise  # something that the module imports or does
            raise ImportError(
                f"--extension {name}: there is no module '{missing or name}' in {folder} or among those installed; "
                "expected a name as Python imports it, such as my_ops"
            ) from None
