"""Composites of operators that are several in one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from .conv import conv2d
from .linalg import matmul
from .nn import layer_norm, rms_norm
from .widened import widened

__all__ = [
    "fused_bias_act",
    "fused_bias_residual_layernorm",
    "fused_conv2d_add_act",
    "fused_dropout_add_grad",
    "fused_gemm_epilogue",
    "fused_rms_norm_quant",
    "fused_softmax_mask",
    "fused_softmax_mask_upper_triangle",
]

_ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": torch.relu,
    "sigmoid": torch.sigmoid,
    "tanh": torch.tanh,
    "swish": torch.nn.functional.silu,
    "hardswish": torch.nn.functional.hardswish,
}


def fused_conv2d_add_act(
    input: Tensor,
    filter: Tensor,
    bias: Tensor | None = None,
    residual_data: Tensor | None = None,
    strides: Sequence[int] = (1, 1),
    paddings: Sequence[int] = (0, 0),
    padding_algorithm: str = "EXPLICIT",
    dilations: Sequence[int] = (1, 1),
    groups: int = 1,
    data_format: str = "NCHW",
    activation: str = "relu",
    split_channels: Sequence[int] = (),
    exhaustive_search: bool = False,
    workspace_size_MB: int = 32,
    fuse_alpha: float = 0.0,
) -> tuple[Tensor, list[Tensor]]:
    """The images, and their parts along the channels."""
    out = conv2d(input, filter, strides, paddings, padding_algorithm, dilations, groups, data_format)
    if bias is not None:
        out = out + (bias.flatten() if data_format == "NHWC" else bias.reshape(-1, 1, 1))
    if residual_data is not None:
        out = out + residual_data
    if activation == "leaky_relu":
        out = torch.where(out < 0, out * fuse_alpha, out)
    elif activation != "identity":
        out = _ACTIVATIONS[activation](out)
    parts = torch.split(out, list(split_channels), 3 if data_format == "NHWC" else 1) if split_channels else ()
    return out, [part.clone() for part in parts]


def fused_gemm_epilogue(x: Tensor, y: Tensor, bias: Tensor, trans_x: bool, trans_y: bool, activation: str) -> tuple[Tensor, Tensor]:
    """The result, and what its activation is of."""
    rows = x.flatten(1).t() if trans_x else x
    before = matmul(rows, y, False, trans_y) + bias.flatten()
    if trans_x:
        before = before.reshape(*x.shape[1:], bias.numel())
    if activation == "none":
        return before.clone(), before
    return torch.relu(before) if activation == "relu" else torch.nn.functional.gelu(before, approximate="tanh"), before


def fused_bias_residual_layernorm(
    x: Tensor,
    bias: Tensor | None,
    residual: Tensor | None,
    norm_weight: Tensor | None,
    norm_bias: Tensor | None,
    epsilon: float,
    residual_alpha: float,
    begin_norm_axis: int,
    quant_scale: float,
    quant_round_type: int,
    quant_max_bound: float,
    quant_min_bound: float,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The normalized sum, the sum, and the mean and inverse deviation of each part."""
    part = x.shape[begin_norm_axis:]
    total = x if bias is None else x + bias.reshape(part)
    total = total.clone() if residual is None else total + residual_alpha * residual
    out, mean, variance = layer_norm(total, norm_weight, norm_bias, epsilon, begin_norm_axis)
    if norm_weight is None and norm_bias is None:
        out = total.clone()
    return out, total, mean.flatten(), torch.rsqrt(variance.flatten() + epsilon)


def fused_rms_norm_quant(
    x: Tensor,
    bias: Tensor | None,
    residual: Tensor | None,
    norm_weight: Tensor,
    norm_bias: Tensor | None,
    epsilon: float,
    begin_norm_axis: int,
    quant_scale: float,
    quant_round_type: int,
    quant_max_bound: float,
    quant_min_bound: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """The normalized sum, the sum, and what each part was multiplied by."""
    part = x.shape[begin_norm_axis:]
    total = x.clone() if residual is None else x + residual
    if bias is not None and residual is not None:
        total = total + bias.reshape(part)
    out, inverse = rms_norm(total, norm_weight.reshape(part), part, epsilon)
    if norm_bias is not None:
        out = (widened(out) + widened(norm_bias.reshape(part))).to(x.dtype)
    return out, total, inverse.flatten()


def fused_softmax_mask(x: Tensor, mask: Tensor) -> Tensor:
    return torch.softmax(widened(x) + widened(mask.detach()), -1).to(x.dtype)


def fused_softmax_mask_upper_triangle(X: Tensor) -> Tensor:
    seen = torch.ones(X.shape[-2:], dtype=torch.bool, device=X.device).tril()
    return torch.softmax(torch.where(seen, widened(X), -torch.inf), -1).to(X.dtype)


def fused_dropout_add_grad(
    seed_offset: Tensor, out_grad: Tensor, p: float, is_test: bool, mode: str, fix_seed: bool
) -> tuple[Tensor, Tensor]:
    if is_test:
        return out_grad * (1 if mode == "upscale_in_train" else 1 - p), out_grad.clone()
    if p not in (0, 1):
        raise NotImplementedError("fused_dropout_add: with dropout there is no second derivative, vmap or forward mode; pass p=0")
    return out_grad * (1 - p), out_grad.clone()


def fused_bias_act(
    x: Tensor,
    bias: Tensor | None = None,
    dequant_scales: Tensor | None = None,
    shift: Tensor | None = None,
    smooth: Tensor | None = None,
    act_method: str = "gelu",
    compute_dtype: str = "default",
    quant_scale: float = -1.0,
    quant_round_type: int = 1,
    quant_max_bound: float = 127.0,
    quant_min_bound: float = -127.0,
) -> Tensor:
    wide = widened(x if bias is None else widened(x) + bias)
    if act_method == "relu":
        return torch.relu(wide).to(x.dtype)
    if act_method == "gelu":
        return torch.nn.functional.gelu(wide).to(x.dtype)
    gate, value = wide.chunk(2, -1)
    activation = torch.nn.functional.silu if act_method == "swiglu" else torch.nn.functional.gelu
    return (activation(gate) * value).to(x.dtype)
