"""Composites of the gradients of operators that are several in one."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from .conv import conv2d_grad
from .fusion import fused_conv2d_add_act, fused_gemm_epilogue
from .linalg import matmul
from .nn import _normalized, layer_norm_grad, sum_over
from .widened import widened

__all__ = ["fused_bias_residual_layernorm_grad", "fused_conv2d_add_act_grad", "fused_gemm_epilogue_grad"]


def _activation_grad(activation: str, x: Tensor, grad: Tensor, alpha: float = 0.0) -> Tensor:
    """`x` is what the activation is of or, but for swish, hardswish, gelu and slopes that are not positive, its result."""
    if activation in ("identity", "none"):
        return grad
    if activation == "leaky_relu":
        return torch.where(x < 0, grad * alpha, grad)
    if activation == "gelu":
        return torch.ops.phi.gelu_grad(x, grad, True)
    found: Tensor = getattr(torch.ops.phi, f"{activation}_grad")(x, grad)
    return found


def _sum_to(grad: Tensor, like: Tensor, dims: Sequence[int]) -> Tensor:
    return sum_over(widened(grad), tuple(dims)).reshape(like.shape).to(like.dtype)


def fused_conv2d_add_act_grad(
    input: Tensor,
    filter: Tensor,
    bias: Tensor | None,
    residual_data: Tensor | None,
    output: Tensor,
    output_grad: Tensor,
    outputs_grad: Sequence[Tensor],
    strides: Sequence[int],
    paddings: Sequence[int],
    padding_algorithm: str,
    dilations: Sequence[int],
    groups: int,
    data_format: str,
    activation: str,
    split_channels: Sequence[int],
    fuse_alpha: float,
) -> tuple[Tensor, Tensor, Tensor | None, Tensor | None]:
    settings = (strides, paddings, padding_algorithm, dilations, groups, data_format)
    channel = 3 if data_format == "NHWC" else 1
    grad = output_grad + torch.cat(list(outputs_grad), channel) if outputs_grad else output_grad
    before = output
    if activation in ("swish", "hardswish") or (activation == "leaky_relu" and fuse_alpha <= 0):
        before = fused_conv2d_add_act(input, filter, bias, residual_data, *settings, "identity")[0]
    grad = _activation_grad(activation, before, grad, fuse_alpha)
    input_grad, filter_grad = conv2d_grad(input, filter, grad, *settings)
    bias_grad = None if bias is None else _sum_to(grad, bias, [d for d in range(4) if d != channel])
    return input_grad, filter_grad, bias_grad, None if residual_data is None else grad.clone()


def fused_gemm_epilogue_grad(
    x: Tensor, y: Tensor, bias: Tensor, reserve_space: Tensor, out_grad: Tensor, trans_x: bool, trans_y: bool, activation: str
) -> tuple[Tensor, Tensor, Tensor]:
    before = reserve_space
    if activation == "gelu":  # computed anew, so that this can be differentiated
        before = fused_gemm_epilogue(x, y, bias, trans_x, trans_y, "none")[1]
    grad = _activation_grad(activation, before, out_grad).flatten(0, -2)
    rows = x.flatten(1) if trans_x else x.flatten(0, -2)
    x_grad = matmul(y, grad, trans_y, True) if trans_x else matmul(grad, y, False, not trans_y)
    y_grad = matmul(grad, rows, True, trans_x) if trans_y else matmul(rows, grad, not trans_x, False)
    return x_grad.reshape(x.shape), y_grad, _sum_to(grad, bias, [0])


def fused_bias_residual_layernorm_grad(
    bias: Tensor | None,
    residual: Tensor | None,
    norm_weight: Tensor | None,
    norm_bias: Tensor | None,
    residual_out: Tensor,
    mean: Tensor,
    variance: Tensor,
    out_grad: Tensor,
    residual_out_grad: Tensor | None,
    mean_grad: Tensor | None,
    variance_grad: Tensor | None,
    epsilon: float,
    residual_alpha: float,
    begin_norm_axis: int,
    quant_scale: float,
) -> tuple[Tensor, Tensor | None, Tensor | None, Tensor | None, Tensor | None]:
    """Mean and variance are computed anew, so that this can be differentiated."""
    grad, weight_grad, shift_grad = out_grad, None, None
    if norm_weight is not None or norm_bias is not None:
        grad, weight_grad, shift_grad = layer_norm_grad(
            residual_out, norm_weight, norm_bias, mean, variance, out_grad, epsilon, begin_norm_axis
        )
    if residual_out_grad is not None:
        grad = grad + residual_out_grad
    if mean_grad is not None or variance_grad is not None:
        dims = tuple(range(begin_norm_axis, residual_out.dim()))
        _, inverse, average, _ = _normalized(widened(residual_out), dims, epsilon)
        count = math.prod(residual_out.shape[begin_norm_axis:])
        if mean_grad is not None:
            grad = (widened(grad) + mean_grad.reshape(average.shape) / count).to(grad.dtype)
        if variance_grad is not None:
            slope = variance_grad.reshape(average.shape) * inverse**3 / count
            grad = (widened(grad) - slope * (widened(residual_out) - average)).to(grad.dtype)
    bias_grad = None if bias is None else _sum_to(grad, bias, tuple(range(begin_norm_axis)))
    residual_grad = None if residual is None else grad * residual_alpha
    return grad.clone() if grad is out_grad else grad, bias_grad, residual_grad, weight_grad, shift_grad
