"""Kernels of programs for selected rows, which are hybrid sparse tensors: the gradients of tables, and steps on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from ... import ops as phi
from .losses import hsigmoid_loss_grad
from .table import KERNELS, Kernel, kernel, shaped


@kernel("embedding_sparse_grad(Tensor x, Tensor weight, Tensor out_grad, int padding_idx) -> Tensor", differs=True)
def embedding_sparse_grad(x: Tensor, weight: Tensor, out_grad: Tensor, padding_idx: int) -> Tensor:
    """A row for each index, in their order: Paddle keeps those of padding."""
    values = shaped(out_grad, [x.numel(), *weight.shape[1:]])
    return rows_of(phi.reshape(x, [1, -1]), values, weight.shape)


@kernel(
    "hsigmoid_loss_grad_sr(Tensor x, Tensor w, Tensor label, Tensor? path, Tensor? code, Tensor? bias, Tensor pre_out,"
    " Tensor out_grad, int num_classes, bool is_sparse) -> (Tensor, Tensor, Tensor?)"
)
def hsigmoid_loss_grad_sr(*args: Any) -> tuple[Tensor, Tensor, Tensor | None]:
    """A row for each node that is on a path of the batch."""
    x_grad, w_grad, bias_grad = hsigmoid_loss_grad(*args)
    rows = w_grad.any(1).nonzero()
    return x_grad, rows_of(rows.reshape(1, -1), w_grad[rows.flatten()], w_grad.shape), bias_grad


def rows_of(indices: Tensor, values: Tensor, shape: torch.Size) -> Tensor:
    return torch.sparse_coo_tensor(indices, values, shape, check_invariants=True)


@kernel("multiply_sr(Tensor x, Tensor y) -> Tensor")
def multiply_sr(x: Tensor, y: Tensor) -> Tensor:
    if y.numel() != 1:
        raise ValueError(f"slot Y: expected one element for selected rows, got shape {[*y.shape]}")
    return rows_of(x._indices(), phi.multiply(x._values(), phi.reshape(y, [])), x.shape)


@kernel("multiply_raw_sr(Tensor x, Tensor y, int axis) -> Tensor")
def multiply_raw_sr(x: Tensor, y: Tensor, axis: int) -> Tensor:
    return multiply_sr(x, y)


@kernel("add_n_sr(Tensor[] x) -> Tensor")
def add_n_sr(x: Sequence[Tensor]) -> Tensor:
    """The rows of all of them, one after the other."""
    indices = torch.cat([one._indices() for one in x], 1)
    return rows_of(indices, phi.concat([one._values() for one in x], 0), x[0].shape)


@kernel("merge_selected_rows(Tensor x) -> Tensor")
def merge_selected_rows(x: Tensor) -> Tensor:
    return x.coalesce()


@kernel("clip_by_norm_sr(Tensor x, float max_norm) -> Tensor")
def clip_by_norm_sr(x: Tensor, max_norm: float) -> Tensor:
    merged = x.coalesce()
    return rows_of(merged._indices(), phi.clip_by_norm(merged._values(), max_norm), x.shape)


@kernel("get_tensor_from_selected_rows(Tensor x) -> Tensor")
def get_tensor_from_selected_rows(x: Tensor) -> Tensor:
    return x._values()


def _is_number(value: Any, name: str) -> bool:
    return isinstance(value, Tensor) and name in ("beta1", "beta2", "epsilon")


def _step(name: str, op: str, written: Sequence[str], before: Callable[[dict[str, Any]], None]) -> None:
    """The kernel `name` of rows: `op`, which writes the arguments `written`, after `before` has changed the arguments."""
    if not hasattr(torch.ops.phi, op):  # a trimmed build
        return
    overload = getattr(torch.ops.phi, op).default
    names = [argument.name for argument in overload._schema.arguments]
    numbers = {"number": "Scalar", "Optional[Tensor]": "Tensor?"}
    takes = [f"{numbers.get(str(a.real_type), str(a.real_type))} {a.name}" for a in overload._schema.arguments]
    schema = torch._C.parse_schema(f"{name}({', '.join(takes)}) -> ({', '.join(['Tensor'] * len(written))})")

    def step(*args: Any) -> Any:
        given: dict[str, Any] = {name: a.item() if _is_number(a, name) else a for name, a in zip(names, args)}
        before(given)
        overload(**given)
        return tuple(given[name] for name in written)

    KERNELS[name] = Kernel(torch.no_grad()(step), schema, differs=True)


def _advance(given: dict[str, Any]) -> None:
    """Paddle's kernel advances the powers before it uses them, unlike that for dense gradients."""
    if not given["use_global_beta_pow"]:
        given["beta1_pow"] *= given["beta1"]
        given["beta2_pow"] *= given["beta2"]
    given["use_global_beta_pow"] = True


def _densify(given: dict[str, Any]) -> None:
    """Rows that are not there have the gradient 0."""
    given["grad"] = given["grad"].to_dense()


_MOMENTS = ("param", "moment1", "moment2")
_POWERS = ("beta1_pow", "beta2_pow", "master_param")
_step("adam_dense_param_sparse_grad", "adam_", (*_MOMENTS, "moment2_max", *_POWERS), _advance)
_step("lamb_sr", "lamb_", (*_MOMENTS, *_POWERS), _densify)
