"""Composites of decompositions and solvers of matrices."""

from __future__ import annotations

import torch
from torch import Tensor


def eigvalsh(x: Tensor, uplo: str = "L", is_test: bool = False) -> tuple[Tensor, Tensor]:
    if is_test:
        return torch.linalg.eigvalsh(x, uplo), x.new_empty(0)
    return tuple(torch.linalg.eigh(x, uplo))


def slogdet(x: Tensor) -> Tensor:
    sign, logarithm = torch.linalg.slogdet(x)
    return torch.stack([sign, logarithm.to(x.dtype)])


def slogdet_v2(x: Tensor) -> tuple[Tensor, Tensor]:
    return tuple(torch.linalg.slogdet(x))


def solve(x: Tensor, y: Tensor) -> Tensor:
    """Of as many dimensions, since torch takes some matrices for vectors."""
    is_vector = y.dim() == 1 or y.shape == x.shape[:-1]
    columns = y.unsqueeze(-1) if is_vector else y
    batch = torch.broadcast_shapes(x.shape[:-2], columns.shape[:-2])
    found = torch.linalg.solve(x.expand(*batch, *x.shape[-2:]), columns.expand(*batch, *columns.shape[-2:]))
    return found.squeeze(-1) if is_vector else found


def _singular_values(x: Tensor, hermitian: bool) -> Tensor:
    return torch.linalg.eigvalsh(x).abs() if hermitian else torch.linalg.svdvals(x)


def _greatest(values: Tensor) -> Tensor:
    return values.amax(-1) if values.shape[-1] else values.new_zeros(values.shape[:-1])


def _default_tolerance(x: Tensor, values: Tensor) -> Tensor:
    return _greatest(values) * (max(x.shape[-2], x.shape[-1]) * torch.finfo(values.dtype).eps)


def matrix_rank(x: Tensor, tol: float, use_default_tol: bool = True, hermitian: bool = False) -> Tensor:
    values = _singular_values(x, hermitian)
    return (values > (_default_tolerance(x, values).unsqueeze(-1) if use_default_tol else tol)).sum(-1)


def matrix_rank_tol(x: Tensor, atol_tensor: Tensor, use_default_tol: bool = True, hermitian: bool = False) -> Tensor:
    values = _singular_values(x, hermitian)
    if atol_tensor.dtype != x.dtype.to_real():
        raise TypeError(f"argument 'atol_tensor': expected {x.dtype.to_real()} for 'x' of {x.dtype}, got {atol_tensor.dtype}")
    tolerance = torch.maximum(atol_tensor, _default_tolerance(x, values)) if use_default_tol else atol_tensor
    return (values > tolerance.unsqueeze(-1)).sum(-1)


def matrix_rank_atol_rtol(x: Tensor, atol: Tensor, rtol: Tensor | None = None, hermitian: bool = False) -> Tensor:
    values = _singular_values(x, hermitian)
    atol = torch.real(atol)
    if rtol is None:
        relative = torch.where(atol == 0, _default_tolerance(x, values), 0)
    else:
        relative = torch.real(rtol) * _greatest(values)
    return (values > torch.maximum(atol, relative).unsqueeze(-1)).sum(-1)


def lu_unpack(x: Tensor, y: Tensor, unpack_ludata: bool = True, unpack_pivots: bool = True) -> tuple[Tensor, Tensor, Tensor]:
    pivots, lower, upper = torch.lu_unpack(x, y)  # under vmap torch fails where it leaves one out
    none = x.new_empty(0)
    return pivots if unpack_pivots else none, lower if unpack_ludata else none, upper if unpack_ludata else none


def qr(x: Tensor, mode: str = "reduced") -> tuple[Tensor, Tensor]:
    q, r = torch.linalg.qr(x, mode)
    return x.new_empty(0) if mode == "r" else q, r  # under vmap that of torch has no batch


def lu(x: Tensor, pivot: bool = True) -> tuple[Tensor, Tensor, Tensor]:
    if not pivot and x.device.type == "cpu":
        raise NotImplementedError("argument 'pivot': expected true on the CPU, got false")
    return tuple(torch.linalg.lu_factor_ex(x, pivot=pivot))


def lu_solve(b: Tensor, lu: Tensor, pivots: Tensor, trans: str) -> Tensor:
    if trans == "N":
        return torch.linalg.lu_solve(lu, pivots, b)
    if trans == "C":
        return torch.linalg.lu_solve(lu, pivots, b, adjoint=True)
    return torch.linalg.lu_solve(lu, pivots, b.conj(), adjoint=True).conj()


def lstsq(x: Tensor, y: Tensor, rcond: float = 0.0, driver: str = "gels") -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """By products of which the shapes are known ahead, on every device: `torch.linalg.lstsq` says too little of them."""
    rows, columns = x.shape[-2:]
    rank, values = x.new_empty(0, dtype=torch.int32), x.new_empty(0)
    if driver != "gels":
        limit = rcond if rcond >= 0 else torch.finfo(x.dtype).eps
        u, found, vh = torch.linalg.svd(x, full_matrices=False)
        counts = found > limit * found[..., :1]
        rank = counts.sum(-1).to(torch.int32)
        values = found if driver != "gelsy" else values
        inverse = torch.where(counts, 1 / torch.where(counts, found, 1), 0)
        solution = vh.mT @ (inverse.unsqueeze(-1) * (u.mT @ y))
    elif rows >= columns:
        q, r = torch.linalg.qr(x)
        solution = torch.linalg.solve_triangular(r, q.mT @ y, upper=True)
    else:
        q, r = torch.linalg.qr(x.mT)
        solution = q @ torch.linalg.solve_triangular(r.mT, y, upper=False)
    residuals = x.new_empty(0)
    if rows > columns and driver != "gelsy":
        residuals = ((y - x @ solution) ** 2).sum(-2)
    return solution, residuals, rank, values


def _singular(matrix: Tensor, u: Tensor, v: Tensor, power_iters: int, eps: float) -> tuple[Tensor, Tensor]:
    """The vectors of the largest singular value, by the power method."""
    matrix, u, v = matrix.detach(), u.detach(), v.detach()
    for _ in range(power_iters):
        v = torch.mv(matrix.t(), u)
        v = v / (v.norm() + eps)
        u = torch.mv(matrix, v)
        u = u / (u.norm() + eps)
    return u, v


def spectral_norm(weight: Tensor, u: Tensor, v: Tensor, dim: int = 0, power_iters: int = 1, eps: float = 1e-12) -> Tensor:
    matrix = weight.movedim(dim, 0).reshape(u.shape[0], v.shape[0])
    u, v = _singular(matrix, u, v, power_iters, eps)
    return weight / torch.dot(u, torch.mv(matrix, v))


def spectral_norm_grad(weight: Tensor, u: Tensor, v: Tensor, out_grad: Tensor, dim: int, power_iters: int, eps: float) -> Tensor:
    moved = weight.movedim(dim, 0)
    matrix = moved.reshape(u.shape[0], v.shape[0])
    u, v = _singular(matrix, u, v, power_iters, eps)
    largest = torch.dot(u, torch.mv(matrix, v))
    of_largest = torch.outer(u, v).reshape(moved.shape).movedim(0, dim)
    return (out_grad - (out_grad * weight).sum() / largest * of_largest) / largest
