"""The argument that names a program."""

from __future__ import annotations

import argparse


def add_argument(parser: argparse.ArgumentParser) -> None:
    help = "a program, or the folder that it is in: .json of Paddle 3, .pdmodel of Paddle 2, .phi, .pt2 of torch.export.save"
    parser.add_argument("model", metavar="MODEL", help=help)
