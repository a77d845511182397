"""Programs: PaddlePaddle's PIR, rebuilt. Imported on first use.

The classes are C++ (csrc/ir/), and defined in _core.
compile.py  a program made ready to run
passes.py  changes of a program, and the manager that runs them; rewrite.py  those that are one rewrite
to_module.py  a program as a torch module
files.py  where a program's files are; safetensors.py  weights beside a text; paddle/  the files of Paddle 3
"""

from .._paddle.faults import ProgramError
from ._core import (
    Attribute,
    Attributes,
    Block,
    Builder,
    Context,
    Operation,
    OpInfo,
    Parameter,
    Program,
    Region,
    Symbols,
    Type,
    Value,
    Weights,
    op_info,
    op_names,
    parse,
)
from .compile import Executable, compile
from .errors import ParseError, VerifyError
from .files import load, save
from .passes import Pass, PassManager, PassReport, PassRun
from .rewrite import Rewrite
from .to_module import to_module

Program.save = save  # type: ignore[method-assign, assignment]

__all__ = [
    "Attribute",
    "Attributes",
    "Block",
    "Builder",
    "Context",
    "Executable",
    "OpInfo",
    "Operation",
    "Parameter",
    "ParseError",
    "Pass",
    "PassManager",
    "PassReport",
    "PassRun",
    "Program",
    "ProgramError",
    "Region",
    "Rewrite",
    "Symbols",
    "Type",
    "Value",
    "VerifyError",
    "Weights",
    "compile",
    "load",
    "op_info",
    "op_names",
    "parse",
    "save",
    "to_module",
]
