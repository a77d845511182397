"""Gradients of the kernels of `double.py`: `tanh_triple_grad` is what differentiates `tanh_double_grad`."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .double import DOUBLE, _Double, gradients
from .table import KERNELS, kernel

TRIPLE = "_triple_grad"
_OPS = ("cos", "matmul", "multiply", "pow", "sigmoid", "sin", "tanh")


class _Triple:
    """Reads what the kernel that it differentiates reads, and a gradient of each of its results; gives one of each operand."""

    def __init__(self, op: str, double: _Double) -> None:
        self.double = double
        operands = [f"Tensor{'?' if name.startswith('grad_') else ''} {name}" for name in double.operands]
        grads = [f"Tensor? {name}_grad" for name in double.results]
        attrs = [f"{one.type} {one.name}" for one in KERNELS[f"{op}{DOUBLE}"].schema.arguments if one.name in double.attrs]
        returned = ", ".join(["Tensor"] * len(operands))
        self.schema = f"{op}{TRIPLE}({', '.join([*operands, *grads, *attrs])}) -> ({returned})"

    def __call__(self, *args: Any) -> tuple[Tensor, ...]:
        count, wanted = len(self.double.operands), len(self.double.results)
        some = next(one for one in args if isinstance(one, Tensor))
        leaves = [None if one is None else one.detach().requires_grad_() for one in args[:count]]
        given, grads, attrs = [one for one in leaves if one is not None], args[count : count + wanted], args[count + wanted :]
        with torch.enable_grad():
            results = self.double.run([*leaves, *attrs], lambda one: one if one.requires_grad else one.requires_grad_(), True)
        pairs = [(one, grad) for one, grad in zip(results, grads) if grad is not None and one.requires_grad]
        of_given = iter(gradients(pairs, given))
        return tuple([torch.zeros_like(some) if one is None else next(of_given).resolve_conj() for one in leaves])


for _op in _OPS:
    _double = KERNELS.get(f"{_op}{DOUBLE}")
    if _double is not None and isinstance(_double.function, _Double):
        _triple = _Triple(_op, _double.function)
        kernel(_triple.schema)(_triple)


@kernel("add_triple_grad(Tensor grad_grad_x, Tensor grad_grad_y, Tensor grad_grad_out_grad, int axis) -> (Tensor, Tensor)")
def add_triple_grad(x: Tensor, y: Tensor, grad: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """What of the sum of the gradients belongs to each."""
    found: tuple[Tensor, Tensor] = torch.ops.phi.add_grad(x, y, grad, axis)
    return found
