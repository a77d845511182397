"""`opt`: a program through passes, printed or written."""

from __future__ import annotations

import argparse

from .. import ir
from . import _extensions, _program_argument


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _program_argument.add_argument(parser)
    parser.add_argument("--passes", default="default", help="names with commas between, such as cse,dce; or default")
    parser.add_argument("--level", type=int, help="instead of --passes: those of levels up to this one")
    parser.add_argument("--print", action="store_true", dest="shown", help="print the program at the end")
    parser.add_argument("--print-after", choices=("all", "changed"), help="print it after each pass")
    _extensions.add_argument(parser)
    parser.add_argument("-o", "--output", metavar="OUT", help="the .phi or .json file to write, with its weights beside it")


def run(options: argparse.Namespace) -> int:
    _extensions.load(options)
    passes = options.passes.split(",") if options.level is None else options.level
    manager = ir.PassManager(passes, verify=True, print_after=options.print_after)
    program = ir.load(options.model)
    before = sum(1 for _ in program.walk())
    print(manager.run(program))
    print(f"{options.model}: {before} operations, {sum(1 for _ in program.walk())} now")
    if options.shown:
        print(program)
    if options.output:
        program.save(options.output)
    return 0
