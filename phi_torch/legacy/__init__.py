"""PaddlePaddle's programs: reading and writing `.pdmodel` and `.pdiparams`, and running them operator by operator."""

from ._operators import Operands, operator
from ._prepare import supported_ops
from ._signature import Signature, signatures
from .description import Attribute, BlockDesc, OpDesc, ProgramDesc, ProgramError, VarDesc
from .executor import Executor
from .files import read_model, read_program, write_model
from .gradients import grad_op
from .lod import LoDTensor
from .module import ProgramModule, load
from .shapes import infer_shapes
from .single import Operator, create_op, run_op
from .state import read_state

__all__ = [
    "Attribute",
    "BlockDesc",
    "Executor",
    "LoDTensor",
    "OpDesc",
    "Operands",
    "Operator",
    "ProgramDesc",
    "ProgramError",
    "ProgramModule",
    "Signature",
    "VarDesc",
    "create_op",
    "grad_op",
    "infer_shapes",
    "load",
    "operator",
    "read_model",
    "read_program",
    "read_state",
    "run_op",
    "signatures",
    "supported_ops",
    "write_model",
]
