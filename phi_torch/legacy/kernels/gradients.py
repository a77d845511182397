"""Gradients that Paddle computes without the operand: from the result, or from the gradient of the result alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from ... import ops as phi
from .table import aligned, differentiated, divide, expect, kernel, xshape


@kernel("unstack_grad(Tensor[] y_grad, int axis) -> Tensor")
def unstack_grad(y_grad: Sequence[Tensor], axis: int) -> Tensor:
    return phi.stack(y_grad, axis)


@kernel("fill_diagonal_grad(Tensor out_grad, float value, int offset, bool wrap) -> Tensor")
def fill_diagonal_grad(out_grad: Tensor, value: float, offset: int, wrap: bool) -> Tensor:
    return phi.fill_diagonal(out_grad, 0, offset, wrap)


@kernel("fill_diagonal_tensor_grad(Tensor out_grad, int offset, int dim1, int dim2) -> Tensor")
def fill_diagonal_tensor_grad(out_grad: Tensor, offset: int, dim1: int, dim2: int) -> Tensor:
    none = torch.zeros_like(torch.diagonal(out_grad, offset, dim1, dim2))
    return phi.fill_diagonal_tensor(out_grad, none, offset, dim1, dim2)


@kernel("real_grad(Tensor out_grad) -> Tensor")
def real_grad(out_grad: Tensor) -> Tensor:
    return torch.complex(out_grad, torch.zeros_like(out_grad))


@kernel("imag_grad(Tensor out_grad) -> Tensor")
def imag_grad(out_grad: Tensor) -> Tensor:
    return torch.complex(torch.zeros_like(out_grad), out_grad)


@kernel("poisson_grad(Tensor out_grad) -> Tensor")
def poisson_grad(out_grad: Tensor) -> Tensor:
    return torch.zeros_like(out_grad)


@kernel("erfinv_grad(Tensor out, Tensor out_grad) -> Tensor")
def erfinv_grad(out: Tensor, out_grad: Tensor) -> Tensor:
    return math.sqrt(math.pi) / 2 * out.square().exp() * out_grad


@kernel("divide_grad(Tensor x, Tensor y, Tensor out, Tensor out_grad, int axis) -> (Tensor, Tensor)", differs=True)
def divide_grad(x: Tensor, y: Tensor, out: Tensor, out_grad: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """Of integers they are integers, cut off as the quotient is."""
    if x.is_floating_point() or x.is_complex():
        return torch.ops.phi.divide_grad(x, y, out, out_grad, axis)  # type: ignore[no-any-return]
    of_x, of_y = aligned(x, y, axis)
    grads = divide(out_grad, of_y), divide(-out_grad * out, of_y)
    x_grad, y_grad = (grad.sum_to_size(of.shape).to(x.dtype) for grad, of in zip(grads, (of_x, of_y)))  # torch sums in int64
    return x_grad.reshape(x.shape), y_grad.reshape(y.shape)


@kernel("view_dtype_grad(Tensor input, Tensor out_grad, ScalarType dtype) -> Tensor")
def view_dtype_grad(input: Tensor, out_grad: Tensor, dtype: torch.dtype) -> Tensor:
    return out_grad.view(input.dtype)


@kernel("bilinear_grad(Tensor x, Tensor y, Tensor weight, Tensor out_grad) -> (Tensor, Tensor, Tensor, Tensor)")
def bilinear_grad(x: Tensor, y: Tensor, weight: Tensor, out_grad: Tensor) -> tuple[Tensor, ...]:
    grads = differentiated(lambda x, y, weight: phi.bilinear(x, y, weight), [x, y, weight], out_grad)
    return (*grads, out_grad.sum(0, keepdim=True))


@kernel(
    "instance_norm_grad(Tensor x, Tensor? scale, Tensor? bias, Tensor saved_mean, Tensor saved_variance, Tensor y_grad,"
    " float epsilon) -> (Tensor, Tensor, Tensor)",
    differs=True,
)
def instance_norm_grad(
    x: Tensor, scale: Tensor | None, bias: Tensor | None, saved_mean: Tensor, saved_variance: Tensor, y_grad: Tensor, epsilon: float
) -> Any:
    """Paddle's programs leave out the bias, of which nothing is read, and ask for its gradient."""
    like = scale if bias is None else bias
    return torch.ops.phi.instance_norm_grad(x, scale, like, saved_mean, saved_variance, y_grad, epsilon)


# ---- what moves elements moves them back


@kernel("channel_shuffle_grad(Tensor out_grad, int groups, str data_format) -> Tensor")
def channel_shuffle_grad(out_grad: Tensor, groups: int, data_format: str) -> Tensor:
    channels = out_grad.shape[1 if data_format == "NCHW" else -1]
    return phi.channel_shuffle(out_grad, max(channels // groups, 1), data_format)


@kernel("pixel_unshuffle_grad(Tensor out_grad, int downscale_factor, str data_format) -> Tensor")
def pixel_unshuffle_grad(out_grad: Tensor, downscale_factor: int, data_format: str) -> Tensor:
    return phi.pixel_shuffle(out_grad, downscale_factor, data_format)


@kernel("temporal_shift_grad(Tensor out_grad, int seg_num, float shift_ratio, str data_format) -> Tensor")
def temporal_shift_grad(out_grad: Tensor, seg_num: int, shift_ratio: float, data_format: str) -> Tensor:
    return differentiated(lambda x: phi.temporal_shift(x, seg_num, shift_ratio, data_format), [out_grad], out_grad)[0]


@kernel("affine_grid_grad(Tensor out_grad, int[] output_shape, bool align_corners) -> Tensor")
def affine_grid_grad(out_grad: Tensor, output_shape: Sequence[int] | Tensor, align_corners: bool) -> Tensor:
    sizes = output_shape.tolist() if isinstance(output_shape, Tensor) else output_shape
    dims = out_grad.shape[-1]
    theta = out_grad.new_zeros(out_grad.shape[0], dims, dims + 1)
    return differentiated(lambda one: phi.affine_grid(one, sizes, align_corners), [theta], out_grad)[0]


# ---- Fourier transforms are linear: any operand of the right shape has their gradient


@kernel("fft_c2c_grad(Tensor out_grad, int[] axes, str normalization, bool forward) -> Tensor")
def fft_c2c_grad(out_grad: Tensor, axes: Sequence[int], normalization: str, forward: bool) -> Tensor:
    return differentiated(lambda x: phi.fft_c2c(x, axes, normalization, forward), [out_grad], out_grad)[0]


@kernel("fft_c2r_grad(Tensor out_grad, int[] axes, str normalization, bool forward, int last_dim_size) -> Tensor")
def fft_c2r_grad(out_grad: Tensor, axes: Sequence[int], normalization: str, forward: bool, last_dim_size: int) -> Tensor:
    sizes = list(out_grad.shape)
    sizes[axes[-1]] = sizes[axes[-1]] // 2 + 1
    x = out_grad.new_zeros(sizes, dtype=out_grad.dtype.to_complex())
    size = out_grad.shape[axes[-1]]
    return differentiated(lambda one: phi.fft_c2r(one, axes, normalization, forward, size), [x], out_grad)[0]


# ---- of matrices, from what they became


@kernel("inverse_grad(Tensor output, Tensor output_grad) -> Tensor")
def inverse_grad(output: Tensor, output_grad: Tensor) -> Tensor:
    return -(output.mH @ output_grad @ output.mH)


@kernel("cholesky_grad(Tensor out, Tensor out_grad, bool upper) -> Tensor")
def cholesky_grad(out: Tensor, out_grad: Tensor, upper: bool) -> Tensor:
    x = out.mH @ out if upper else out @ out.mH
    return differentiated(lambda one: phi.cholesky(one, upper), [x], out_grad)[0]


@kernel("eigvalsh_grad(Tensor vectors, Tensor values_grad, str uplo, bool is_test) -> Tensor")
def eigvalsh_grad(vectors: Tensor, values_grad: Tensor, uplo: str, is_test: bool) -> Tensor:
    has_vectors = vectors.dim() >= 2
    expect("slot Eigenvectors", has_vectors, "vectors, which the operator leaves out where is_test is true", [*vectors.shape])
    return (vectors * values_grad.unsqueeze(-2)) @ vectors.mH


@kernel("eigh_grad(Tensor values, Tensor vectors, Tensor? values_grad, Tensor? vectors_grad) -> Tensor")
def eigh_grad(values: Tensor, vectors: Tensor, values_grad: Tensor | None, vectors_grad: Tensor | None) -> Tensor:
    inner = torch.zeros_like(vectors)
    if vectors_grad is not None:
        apart = values.unsqueeze(-2) - values.unsqueeze(-1)
        apart.diagonal(0, -2, -1).fill_(math.inf)
        inner = vectors.mH @ vectors_grad / apart
    if values_grad is not None:
        inner.diagonal(0, -2, -1).copy_(values_grad)
    return vectors @ inner @ vectors.mH


@kernel("eig_grad(Tensor values, Tensor vectors, Tensor? values_grad, Tensor? vectors_grad) -> Tensor")
def eig_grad(values: Tensor, vectors: Tensor, values_grad: Tensor | None, vectors_grad: Tensor | None) -> Tensor:
    """Complex, as the vectors; those have length 1."""
    inner = torch.zeros_like(vectors)
    if vectors_grad is not None:
        apart = (values.unsqueeze(-2) - values.unsqueeze(-1)).conj().resolve_conj()
        apart.diagonal(0, -2, -1).fill_(1)
        turned = vectors.mH @ vectors_grad
        lengths = turned.diagonal(0, -2, -1).real.unsqueeze(-2)
        inner = (turned - vectors.mH @ vectors * lengths) / apart
    inner.diagonal(0, -2, -1).copy_(torch.zeros_like(values) if values_grad is None else values_grad)
    return torch.linalg.solve(vectors.mH, inner @ vectors.mH)


# ---- a product of operands that their names pick; what the gradient reads of them are these themselves


@kernel("einsum(Tensor[] x, str equation) -> (Tensor, Tensor[], Tensor[])", differs=True)
def einsum(x: Sequence[Tensor], equation: str) -> tuple[Tensor, Sequence[Tensor], Sequence[Tensor]]:
    return phi.einsum(x, equation), x, [xshape(one) for one in x]
