"""Programs: PaddlePaddle's PIR, rebuilt. Imported on first use.

The classes are C++ (csrc/ir/), and defined in _core.
compile.py  a program made ready to run
passes.py  changes of a program, and the manager that runs them: decompose.py, mixed_precision.py; rewrite.py  one of a user's
from_torch/  programs of torch's graphs and exports; to_torch/  the other way, a program as a torch module
from_paddle2/  programs of Paddle 2; operator_call.py  an operator of these as one operation
program_calls.py  operators of torch that are made for programs: operator_call.py, gradient_call.py, written_call.py,
                  random_call.py
derived_gradients.py, inline_gradient.py, gradient_call.py  gradient operators of PaddlePaddle 3 that are no operators here;
                  derived_vjp.py, operator_vjp.py  which of them an operator has
backend.py  torch.compile(backend="phi")
files.py  where a program's files are; safetensors.py  weights beside a text; paddle/  the files of Paddle 3
"""

import importlib
from typing import TYPE_CHECKING, Any

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
from .append_backward_ops import append_backward
from .compile import Executable, compile
from .decompose import Decompose
from .errors import ParseError, VerifyError
from .files import load, save
from .mixed_precision import MixedPrecision
from .passes import Pass, PassManager, PassReport, PassRun
from .rewrite import Rewrite

if TYPE_CHECKING:
    from .from_paddle2.program import from_legacy
    from .from_torch.exported import from_exported
    from .from_torch.graph import from_fx
    from .from_torch.nodes import GraphError
    from .to_torch.graph import to_module

Program.save = save  # type: ignore[method-assign, assignment]

__all__ = [
    "Attribute",
    "Attributes",
    "Block",
    "Builder",
    "Context",
    "Decompose",
    "Executable",
    "GraphError",
    "MixedPrecision",
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
    "append_backward",
    "compile",
    "from_exported",
    "from_fx",
    "from_legacy",
    "load",
    "op_info",
    "op_names",
    "parse",
    "save",
    "to_module",
]

# what imports torch.fx, or the programs of Paddle 2, on first use -> its module
_LATER = {
    "GraphError": "from_torch.nodes",
    "from_exported": "from_torch.exported",
    "from_fx": "from_torch.graph",
    "from_legacy": "from_paddle2.program",
    "to_module": "to_torch.graph",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
    return found
