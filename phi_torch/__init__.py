"""PaddlePaddle's PHI operator library as a PyTorch extension."""

# ruff: noqa: E402 -- the libraries are loaded before what needs them

from . import _load

_load.load()

from . import _C

if _errors := _C.take_registration_errors():
    raise ImportError("phi_torch: kernels do not fit the operators that they are registered for:\n" + "\n".join(_errors))

from . import _build_info, _fast, _flops, _inductor, _namespaces, _op_table, decompositions, ops

_fast.install(ops, __name__, "phi")
_namespaces.NAMESPACES["phi"] = _namespaces.Namespace(_op_table.OPS, ops)

from .extension import load, load_library
from .flags import flags
from .ops import *  # noqa: F403
from .python_kernels import kernel
from .registry import explain, kernels, supported
from .string_tensor import StringTensor

decompositions.register(_op_table.OPS.values())
_inductor.register(_op_table.OPS.values())
_flops.register()
_inductor.tag_caches(f"phi_torch:{_op_table.SOURCE_HASH}:{_build_info.build_hash}")

if _build_info.trimmed is not None:
    from ._trimmed import __getattr__  # noqa: F401

__version__ = _build_info.version
__all__ = [
    "StringTensor",
    "__version__",
    "decompositions",
    "explain",
    "flags",
    "kernel",
    "kernels",
    "load",
    "load_library",
    "supported",
    *ops.__all__,
]
