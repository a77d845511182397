"""Composites of the elementwise ops: what each computes, in functions of torch."""

from __future__ import annotations

import torch
from torch import Tensor

from .widened import widened

Number = bool | int | float | complex


def cast(x: Tensor, dtype: torch.dtype) -> Tensor:
    """`x` as `dtype`; a complex number keeps its real part."""
    if x.is_complex() and not dtype.is_complex and dtype != torch.bool:
        x = torch.real(x)
    return x.to(dtype)


def angle_grad(x: Tensor, out_grad: Tensor) -> Tensor:
    """Across the direction of `x`; real numbers have two angles, which are level."""
    if not x.is_complex():
        return torch.zeros_like(x, memory_format=torch.contiguous_format)
    square = x.real * x.real + x.imag * x.imag
    return torch.where(x == 0, 0, torch.complex(-out_grad * x.imag / square, out_grad * x.real / square))


def round(x: Tensor, decimals: int = 0) -> Tensor:
    """To the nearest; of a complex number both parts, of halves the even one."""
    if x.is_complex():
        return torch.view_as_complex(torch.round(torch.view_as_real(x.resolve_conj()), decimals=decimals))
    return torch.round(x, decimals=decimals) if x.is_floating_point() else x.clone()


def cast_grad(x: Tensor, out_grad: Tensor) -> Tensor:
    return cast(out_grad, x.dtype)


def scale(x: Tensor, scale: Number = 1.0, bias: Number = 0.0, bias_after_scale: bool = True) -> Tensor:
    """x * scale + bias or (x + bias) * scale, in the dtype of `x`."""
    dtype = x.dtype
    if dtype == torch.bool:
        scale, bias = bool(scale), bool(bias)
        return (x & scale) | bias if bias_after_scale else (x | bias) & scale
    if not (x.is_floating_point() or x.is_complex()):
        scale, bias = int(scale), int(bias)  # type: ignore[arg-type]
    x = widened(x)
    return (x * scale + bias if bias_after_scale else (x + bias) * scale).to(dtype)


def add_grad(x: Tensor, y: Tensor, out_grad: Tensor, axis: int = -1) -> tuple[Tensor, Tensor]:
    return _sum_to(out_grad, x, axis), _sum_to(out_grad, y, axis)


def multiply_grad(x: Tensor, y: Tensor, out_grad: Tensor, axis: int = -1) -> tuple[Tensor, Tensor]:
    rank = out_grad.dim()
    x_grad = widened(out_grad) * _aligned(y, rank, axis).conj()
    y_grad = widened(out_grad) * _aligned(x, rank, axis).conj()
    return _sum_to(x_grad, x, axis).to(x.dtype), _sum_to(y_grad, y, axis).to(y.dtype)


def clip(x: Tensor, min: Number, max: Number) -> Tensor:
    """`x` from `min` to `max`; an integer's are truncated, and cut off at the limits of its dtype."""
    if not x.is_floating_point():
        limits = torch.iinfo(x.dtype)
        min, max = (limits.min if b <= limits.min else limits.max if b >= limits.max else int(b) for b in (min, max))  # type: ignore
    return torch.clamp(x, min, max)


def pow(x: Tensor, y: float = 1.0) -> Tensor:
    """x^y; half types are computed in float32, since torch refuses a `y` that they cannot hold."""
    if not (x.is_floating_point() or x.is_complex()):
        return torch.pow(x, int(y))
    return torch.pow(widened(x), y).to(x.dtype)


def pow_grad(x: Tensor, out_grad: Tensor, y: float = -1.0) -> Tensor:
    if y == 0:
        return torch.zeros_like(out_grad)
    return (widened(out_grad) * (y * torch.pow(widened(x), y - 1.0)).conj()).to(x.dtype)


def silu_grad(x: Tensor, out: Tensor, out_grad: Tensor) -> Tensor:
    """`out_grad` times the conjugate of the derivative of silu at `x`; half types are computed in float32."""
    wide = widened(x)
    sigmoid = torch.sigmoid(wide)
    return (widened(out_grad) * (sigmoid * (1 + wide * (1 - sigmoid))).conj()).to(x.dtype)


def softplus(x: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    scaled = x * beta
    if x.is_complex():
        most = scaled.real.clamp(min=0)
        sum = most + torch.log(torch.exp(-most) + torch.exp(scaled - most))
        return torch.where(scaled.real > threshold, x, sum / beta)
    return torch.where(scaled > threshold, x, torch.logaddexp(scaled, torch.zeros_like(x)) / beta)


def softplus_grad(x: Tensor, out_grad: Tensor, beta: float, threshold: float) -> Tensor:
    if x.is_complex():
        scaled = x * beta
        return torch.where(scaled.real > threshold, out_grad, out_grad * torch.sigmoid(scaled).conj())
    return torch.ops.aten.softplus_backward(out_grad, x, beta, threshold)


def logit(x: Tensor, eps: float = 1e-6) -> Tensor:
    out = torch.logit(widened(x), eps if eps > 0 else None)
    return out.to(x.dtype) if x.is_floating_point() else out


def logit_grad(x: Tensor, out_grad: Tensor, eps: float) -> Tensor:
    wide = widened(x)
    is_inside = (wide >= eps) & (wide <= 1 - eps)
    inside = torch.where(is_inside, wide, 0.5)  # beyond, a second derivative is 0 as well
    return torch.where(is_inside, out_grad / (inside * (1 - inside)), 0 if eps > 0 else torch.nan).to(x.dtype)


def softsign_grad(x: Tensor, out_grad: Tensor) -> Tensor:
    size = 1 + x.abs()
    if not x.is_complex():
        return out_grad / size.square()
    along = (out_grad.conj() * x).real
    return out_grad / size - torch.sgn(x) * (along / size.square())


def swiglu(x: Tensor, y: Tensor | None = None) -> Tensor:
    if y is None:
        x, y = x.chunk(2, -1)
    return (torch.nn.functional.silu(widened(x)) * y).to(x.dtype)


def swiglu_grad(x: Tensor, y: Tensor | None, out_grad: Tensor) -> tuple[Tensor, Tensor | None]:
    a, b = x.chunk(2, -1) if y is None else (x, y)
    a_grad = silu_grad(a, a, widened(out_grad) * b)
    b_grad = (widened(out_grad) * torch.nn.functional.silu(widened(a))).to(x.dtype)
    return (torch.cat([a_grad, b_grad], -1), None) if y is None else (a_grad, b_grad)


def prelu(x: Tensor, alpha: Tensor, data_format: str = "NCHW", mode: str = "all") -> Tensor:
    return torch.where(x > 0, x, x * _of_rows(alpha, x, data_format, mode))


def prelu_grad(x: Tensor, alpha: Tensor, out_grad: Tensor, data_format: str, mode: str) -> tuple[Tensor, Tensor]:
    broadcast = _of_rows(alpha, x, data_format, mode)
    alpha_grad = torch.where(x > 0, 0, widened(x) * out_grad).sum_to_size(broadcast.shape)
    return torch.where(x > 0, out_grad, out_grad * broadcast), alpha_grad.reshape(alpha.shape).to(alpha.dtype)


def _of_rows(alpha: Tensor, x: Tensor, data_format: str, mode: str) -> Tensor:
    """`alpha` with as many dimensions as `x`."""
    sizes = [1] * x.dim()
    if mode == "channel":
        sizes[1 if data_format == "NCHW" else -1] = alpha.numel()
    elif mode == "element":
        sizes[1:] = x.shape[1:]
    return alpha.reshape(sizes)


def subtract_grad(x: Tensor, y: Tensor, out_grad: Tensor, axis: int = -1) -> tuple[Tensor, Tensor]:
    return _sum_to(out_grad, x, axis), -_sum_to(out_grad, y, axis)


def divide_grad(x: Tensor, y: Tensor, out: Tensor, out_grad: Tensor, axis: int = -1) -> tuple[Tensor, Tensor]:
    x_grad = widened(out_grad) / widened(_aligned(y, out_grad.dim(), axis)).conj()
    y_grad = -x_grad * out.conj()
    return _sum_to(x_grad, x, axis).to(x.dtype), _sum_to(y_grad, y, axis).to(y.dtype)


def maximum_grad(x: Tensor, y: Tensor, out_grad: Tensor) -> tuple[Tensor, Tensor]:
    return _chosen_grad(x, y, out_grad, x > y), _chosen_grad(y, x, out_grad, y > x)


def minimum_grad(x: Tensor, y: Tensor, out_grad: Tensor) -> tuple[Tensor, Tensor]:
    return _chosen_grad(x, y, out_grad, x < y), _chosen_grad(y, x, out_grad, y < x)


def _chosen_grad(x: Tensor, y: Tensor, out_grad: Tensor, chosen: Tensor) -> Tensor:
    """`out_grad` where `x` was chosen, half of it where it was equal to `y`."""
    return _sum_to(torch.where(chosen, out_grad, torch.where(x == y, out_grad * 0.5, 0)), x, -1)


def less_than(x: Tensor, y: Tensor) -> Tensor:
    if not (x.is_complex() or y.is_complex()):
        return torch.lt(x, y)
    dtype = torch.promote_types(x.dtype, y.dtype)
    a, b = torch.view_as_real(x.to(dtype)), torch.view_as_real(y.to(dtype))
    return (a[..., 0] < b[..., 0]) | ((a[..., 0] == b[..., 0]) & (a[..., 1] < b[..., 1]))


def greater_than(x: Tensor, y: Tensor) -> Tensor:
    return less_than(y, x)


def less_equal(x: Tensor, y: Tensor) -> Tensor:
    return less_than(x, y) | torch.eq(x, y) if x.is_complex() or y.is_complex() else torch.le(x, y)


def greater_equal(x: Tensor, y: Tensor) -> Tensor:
    return less_equal(y, x)


def isclose(x: Tensor, y: Tensor, rtol: Number = 1e-5, atol: Number = 1e-8, equal_nan: bool = False) -> Tensor:
    x, y = widened(x), widened(y)
    distance = torch.abs(x - y)
    close = (x == y) | ((distance <= atol + rtol * torch.abs(y)) & (distance < float("inf")))
    return close | ((x != x) & (y != y)) if equal_nan else close


def allclose(x: Tensor, y: Tensor, rtol: Number = 1e-5, atol: Number = 1e-8, equal_nan: bool = False) -> Tensor:
    """Without a gradient; integers and bool are compared as float64."""
    if not x.is_floating_point():
        x, y = x.double(), y.double()
    return isclose(x.detach(), y.detach(), rtol, atol, equal_nan).all()


def elementwise_pow_grad(x: Tensor, y: Tensor, out_grad: Tensor) -> tuple[Tensor, Tensor]:
    x, y, wide = widened(x), widened(y), widened(out_grad)
    x_grad = torch.where(y == 0, 0, wide * (y * torch.pow(x, y - 1)).conj())
    y_grad = torch.where((x == 0) & (y.real >= 0), 0, wide * (torch.pow(x, y) * torch.log(x)).conj())
    return _sum_to(x_grad, x, -1).to(out_grad.dtype), _sum_to(y_grad, y, -1).to(out_grad.dtype)


def remainder(x: Tensor, y: Tensor) -> Tensor:
    """With the sign of `y`; of complex numbers from the nearest quotient with whole parts, of halves the one further from 0."""
    if not (x.is_complex() or y.is_complex()):
        return torch.remainder(x, y)
    return x - _whole_quotient(x, y) * y


def _whole_quotient(x: Tensor, y: Tensor) -> Tensor:
    parts = torch.view_as_real(x / y)
    return torch.view_as_complex(torch.trunc(parts + torch.copysign(torch.full_like(parts, 0.5), parts)))


def remainder_grad(x: Tensor, y: Tensor, out_grad: Tensor) -> tuple[Tensor, Tensor]:
    if x.is_complex():
        quotient = _whole_quotient(x, y).conj()
    else:
        quotient = torch.floor(x / y) if x.is_floating_point() else torch.div(x, y, rounding_mode="floor")
    return _sum_to(out_grad, x, -1), _sum_to(-out_grad * quotient, y, -1)


def fmax_grad(x: Tensor, y: Tensor, out_grad: Tensor) -> tuple[Tensor, Tensor]:
    return _taken_grad(x, y, out_grad, (x >= y) | torch.isnan(y))


def fmin_grad(x: Tensor, y: Tensor, out_grad: Tensor) -> tuple[Tensor, Tensor]:
    return _taken_grad(x, y, out_grad, (x <= y) | torch.isnan(y))


def _taken_grad(x: Tensor, y: Tensor, out_grad: Tensor, is_x: Tensor) -> tuple[Tensor, Tensor]:
    return _sum_to(torch.where(is_x, out_grad, 0), x, -1), _sum_to(torch.where(is_x, 0, out_grad), y, -1)


def heaviside(x: Tensor, y: Tensor) -> Tensor:
    dtype = torch.promote_types(x.dtype, y.dtype)
    return torch.where(x == 0, y.to(dtype), (x > 0).to(dtype))


def heaviside_grad(x: Tensor, y: Tensor, out_grad: Tensor) -> tuple[Tensor, Tensor]:
    return torch.zeros_like(x), _sum_to(torch.where(x == 0, out_grad, 0), y, -1)


def atan2(x: Tensor, y: Tensor) -> Tensor:
    dtype = torch.promote_types(x.dtype, y.dtype)
    dtype = dtype if dtype.is_floating_point else torch.float64
    return torch.atan2(x.to(dtype), y.to(dtype))


def atan2_grad(x: Tensor, y: Tensor, out_grad: Tensor) -> tuple[Tensor, Tensor]:
    a, b = widened(x), widened(y)
    over = widened(out_grad) / (a * a + b * b)
    return _sum_to(over * b, x, -1).to(x.dtype), _sum_to(-over * a, y, -1).to(y.dtype)


def copysign(x: Tensor, y: Tensor) -> Tensor:
    dtype = torch.promote_types(x.dtype, y.dtype)
    x, y = torch.broadcast_tensors(x.to(dtype), y.to(dtype))
    if dtype.is_floating_point:
        return torch.copysign(x, y)
    return torch.where((x < 0) == (y < 0), x, -x) if dtype.is_signed else x.clone()


def copysign_grad(x: Tensor, y: Tensor, out_grad: Tensor) -> tuple[Tensor, Tensor]:
    return _sum_to(out_grad * torch.sign(x) * torch.copysign(torch.ones_like(y), y), x, -1), torch.zeros_like(y)


def bitwise_left_shift(x: Tensor, y: Tensor, is_arithmetic: bool = True) -> Tensor:
    x, y, bits = _integers(x, y)
    return torch.where((y < 0) | (y >= bits), 0, torch.bitwise_left_shift(x, y.clamp(0, bits - 1)))


def bitwise_right_shift(x: Tensor, y: Tensor, is_arithmetic: bool = True) -> Tensor:
    x, y, bits = _integers(x, y)
    beyond = (y < 0) | (y >= bits)
    moved = torch.bitwise_right_shift(x, torch.where(beyond, bits - 1, y))
    if is_arithmetic or x.dtype == torch.uint8:
        return torch.where(beyond, 0, moved) if x.dtype == torch.uint8 else moved
    within = torch.where(beyond, 0, y)
    kept = torch.bitwise_left_shift(torch.full_like(moved, 2), (bits - 1 - within).to(moved.dtype)) - 1  # ones below the sign
    return torch.where(beyond, 0, torch.where(within == 0, x, moved & kept))


def _integers(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor, int]:
    dtype = torch.promote_types(x.dtype, y.dtype)
    return x.to(dtype), y.to(dtype), torch.iinfo(dtype).bits


def where_grad(condition: Tensor, x: Tensor, y: Tensor, out_grad: Tensor) -> tuple[Tensor, Tensor]:
    x_grad, y_grad = torch.where(condition, out_grad, 0), torch.where(condition, 0, out_grad)
    return _sum_to(x_grad, x, -1), _sum_to(y_grad, y, -1)


def _aligned_shape(x: Tensor, rank: int, axis: int) -> tuple[int, ...]:
    """The shape of `x` with ones around it, so that it begins at dimension `axis` of `rank`."""
    before = rank - x.dim() if axis == -1 else axis
    return (1,) * before + tuple(x.shape) + (1,) * (rank - x.dim() - before)


def _aligned(x: Tensor, rank: int, axis: int) -> Tensor:
    return x if axis == -1 or x.dim() == rank else x.reshape(_aligned_shape(x, rank, axis))


def _sum_to(grad: Tensor, x: Tensor, axis: int) -> Tensor:
    """`grad` summed over the dimensions in which `x` was broadcast."""
    if x.dim() == grad.dim() or axis == -1:
        return grad.sum_to_size(x.shape)
    return grad.sum_to_size(_aligned_shape(x, grad.dim(), axis)).reshape(x.shape)
