"""Gradient operators that no kernel runs: what they read is what their operator reads, which runs again for its gradients."""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor

from .. import ops as phi
from . import _callee
from ._adjusted import adjusted
from ._definition import definition
from ._differentiable import gradient
from ._operators import Operands, operator
from ._signature import signature
from ._step import bind
from .kernels.table import differentiated, strided_ends

DERIVED = (
    *("as_strided", "baddbmm", "cholesky_solve", "complex", "cross", "determinant", "diagonal", "digamma"),
    *("dist", "dot", "fft_r2c", "fold", "frame", "gammaincc", "gammaln", "hinge_loss", "i0", "i0e", "i1", "i1e"),
    *("identity_loss", "kron", "lgamma", "log_loss", "lu", "lu_solve", "lu_unpack", "matrix_power", "multi_dot"),
    *("mv", "nansum", "overlap_add", "polygamma", "qr", "renorm", "slogdet_v2", "slogdeterminant", "solve"),
    *("stft", "strided_slice", "svd", "svdvals", "tensor_unfold", "trace", "triangular_solve", "unfold"),
    "view_shape",
)
DERIVED_OPERATORS = frozenset(f"{type}_grad" for type in DERIVED)


def _run(op: Operands) -> None:
    """An operator by its kernel, on dense tensors."""
    found = signature(op.op, lambda name: "dense_tensor")
    callee, defined = _callee.find(found.kernel) if found is not None else None, definition(op.op.type)
    assert found is not None and callee is not None and defined is not None
    run = bind(op.op, found, callee, str, defined.defaults)
    adjusted(run, op.op, str, lambda name: getattr(op.values.get(name), "dtype", None))(op.values)


for _type in DERIVED:
    operator(f"{_type}_grad")(partial(gradient, _type, _run))


@operator("einsum_grad", inputs=["x_shape[]", "InnerCache[]", "Out@GRAD"], outputs=["Operands@GRAD[]"], attrs={"equation": ""})
def einsum_grad(op: Operands) -> None:
    """The operands are kept in InnerCache; of the slot x_shape Paddle reads the shapes."""

    def out(*operands: Tensor) -> Tensor:
        return phi.einsum(operands, op.attr("equation"))

    grads = differentiated(out, op.inputs("InnerCache"), op.input("Out@GRAD"))
    for name, grad in zip(op.op.outputs["Operands@GRAD"], grads):
        op.values[op.place(name)] = grad


@operator(
    "fused_gemm_epilogue_grad",
    inputs=["X", "Y", "ReserveSpace?", "DOut"],
    outputs=["DX", "DY", "DBias"],
    attrs={"trans_x": False, "trans_y": False, "activation_grad": "none"},
)
def fused_gemm_epilogue_grad(op: Operands) -> None:
    """The bias, of which our operator takes the shape, is no operand."""
    x, y, grad = op.input("X"), op.input("Y"), op.input("DOut")
    activation = op.attr("activation_grad").removesuffix("_grad")
    before = grad if activation == "none" else op.input("ReserveSpace")
    bias = grad.new_empty(grad.shape[-1])
    found = torch.ops.phi.fused_gemm_epilogue_grad(x, y, bias, before, grad, op.attr("trans_x"), op.attr("trans_y"), activation)
    for slot, value in zip(("DX", "DY", "DBias"), found):
        if op.op.outputs.get(slot):
            op.values[op.place(op.op.outputs[slot][0])] = value


@operator("set_value_grad")
def set_value_grad(op: Operands) -> None:
    """Zeros where something was assigned, and what is there for the value."""
    grad, axes = op.input("Out@GRAD"), op.attr("axes", [])
    starts, ends, steps = (
        [int(one) for one in op.inputs(f"{slot}TensorList")] or op.attr(slot.lower(), []) for slot in ("Starts", "Ends", "Steps")
    )
    ends, added = strided_ends(ends, steps), [min(axis, grad.dim()) for axis in op.attr("none_axes", [])]
    op.set("Input@GRAD", torch.ops.phi.set_value_grad(grad, starts, ends, steps, axes))
    if op.op.outputs.get("ValueTensor@GRAD"):
        part = (starts, ends, steps, axes, op.attr("decrease_axes", []), added)
        op.set("ValueTensor@GRAD", torch.ops.phi.set_value_with_tensor_grad(op.input("ValueTensor"), grad, *part)[1])
