"""Programs: PaddlePaddle's PIR, rebuilt. Imported on first use.

The classes are C++ (csrc/ir/), and defined in _core.
paddle/  the files of Paddle 3
"""

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
from .errors import ParseError, VerifyError

__all__ = [
    "Attribute",
    "Attributes",
    "Block",
    "Builder",
    "Context",
    "OpInfo",
    "Operation",
    "Parameter",
    "ParseError",
    "Program",
    "Region",
    "Symbols",
    "Type",
    "Value",
    "VerifyError",
    "Weights",
    "op_info",
    "op_names",
    "parse",
]
