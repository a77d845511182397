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
    """Imports the modules, which may stand in the working folder."""
    folder = os.getcwd()
    if options.extension and folder not in sys.path:
        sys.path.append(folder)
    for name in options.extension:
        importlib.import_module(name)
