"""Kernels of programs for selected rows, which are hybrid sparse tensors: the gradients of tables, and steps on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from .. import ops as phi
from ._kernels import KERNELS, Kernel, kernel


@kernel("embedding_sparse_grad(Tensor x, Tensor weight, Tensor out_grad, int padding_idx) -> Tensor")
def embedding_sparse_grad(x: Tensor, weight: Tensor, out_grad: Tensor, padding_idx: int) -> Tensor:
    """A row for each index, in their order, those of padding too."""
    values = phi.reshape(out_grad, [x.numel(), *weight.shape[1:]])
    return _rows(phi.reshape(x, [1, -1]), values, weight.shape)


def _rows(indices: Tensor, values: Tensor, shape: torch.Size) -> Tensor:
    return torch.sparse_coo_tensor(indices, values, shape, check_invariants=True)


@kernel("multiply_sr(Tensor x, Tensor y) -> Tensor")
def multiply_sr(x: Tensor, y: Tensor) -> Tensor:
    if y.numel() != 1:
        raise ValueError(f"slot Y: expected one element for selected rows, got shape {[*y.shape]}")
    return _rows(x._indices(), phi.multiply(x._values(), phi.reshape(y, [])), x.shape)


@kernel("multiply_raw_sr(Tensor x, Tensor y, int axis) -> Tensor")
def multiply_raw_sr(x: Tensor, y: Tensor, axis: int) -> Tensor:
    return multiply_sr(x, y)


@kernel("add_n_sr(Tensor[] x) -> Tensor")
def add_n_sr(x: Sequence[Tensor]) -> Tensor:
    """The rows of all of them, one after the other."""
    indices = torch.cat([one._indices() for one in x], 1)
    return _rows(indices, phi.concat([one._values() for one in x], 0), x[0].shape)


@kernel("merge_selected_rows(Tensor x) -> Tensor")
def merge_selected_rows(x: Tensor) -> Tensor:
    return x.coalesce()


@kernel("get_tensor_from_selected_rows(Tensor x) -> Tensor")
def get_tensor_from_selected_rows(x: Tensor) -> Tensor:
    return x._values()


def _step(op: str, kernel_name: str, written: tuple[str, ...]) -> None:
    """A step of the optimizer `op` on rows: the step of all rows, with zeros where there is no gradient.

    With `lazy_mode` it is a step of the rows that have one, which changes nothing else.
    """
    if not hasattr(torch.ops.phi, op):  # a trimmed build
        return
    overload = getattr(torch.ops.phi, op).default
    schema = overload._schema
    names = [argument.name for argument in schema.arguments]
    numbers = {"number": "Scalar", "Optional[Tensor]": "Tensor?"}
    takes = [f"{numbers.get(str(a.real_type), str(a.real_type))} {a.name}" for a in schema.arguments]
    gives = ", ".join(["Tensor"] * len(written))
    parsed = torch._C.parse_schema(f"{kernel_name}({', '.join(takes)}) -> {f'({gives})' if len(written) > 1 else gives}")

    def step(*args: Any) -> Any:
        given: dict[str, Any] = dict(zip(names, (a.item() if _is_number(a, name) else a for name, a in zip(names, args))))
        grad = given["grad"].coalesce()
        if "beta1" in given and not given["use_global_beta_pow"]:  # Paddle's kernel advances the powers before it uses them
            given["beta1_pow"] *= given["beta1"]
            given["beta2_pow"] *= given["beta2"]
            given["use_global_beta_pow"] = True
        if given.get("lazy_mode"):
            _on_rows(overload, given, grad)
        else:
            overload(**{**given, "grad": grad.to_dense()})
        results = tuple(given[name] for name in written)
        return results if len(results) > 1 else results[0]

    KERNELS[kernel_name] = Kernel(torch.no_grad()(step), parsed)


def _is_number(value: Any, name: str) -> bool:
    return isinstance(value, Tensor) and name in ("beta1", "beta2", "epsilon")


def _on_rows(overload: Callable[..., None], given: dict[str, Any], grad: Tensor) -> None:
    """A step on the rows of `grad`: of everything that has the shape of the parameter."""
    rows, shape = grad.indices()[0], given["param"].shape
    whole = {name: one for name, one in given.items() if isinstance(one, Tensor) and name != "grad" and one.shape == shape}
    parts = {name: one[rows] for name, one in whole.items()}
    overload(**{**given, **parts, "grad": grad.values()})
    for name, part in parts.items():
        whole[name][rows] = part


ADAM = ("param", "moment1", "moment2", "moment2_max", "beta1_pow", "beta2_pow", "master_param")
_step("sgd_", "sgd_dense_param_sparse_grad", ("param", "master_param"))
_step("momentum_", "momentum_dense_param_sparse_grad", ("param", "velocity", "master_param"))
_step("adam_", "adam_dense_param_sparse_grad", ADAM)
