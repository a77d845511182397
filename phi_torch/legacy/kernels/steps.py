"""Kernels of optimizers' steps that programs alone have."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from ... import ops as phi
from .table import expect, expect_shape, kernel

_FTRL = (
    "Tensor param, Tensor squared_accumulator, Tensor linear_accumulator, Tensor grad, Tensor learning_rate, float l1, float l2,"
)


@kernel(f"ftrl({_FTRL} float lr_power) -> (Tensor, Tensor, Tensor)")
def ftrl(
    param: Tensor, squared: Tensor, linear: Tensor, grad: Tensor, learning_rate: Tensor, l1: float, l2: float, lr_power: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Follow the regularized leader (McMahan et al., 2013)."""
    expect_shape(param.shape, SquaredAccumulator=squared, LinearAccumulator=linear, Grad=grad)
    expect_shape([1], LearningRate=learning_rate)
    l1, l2 = l1 + 1e-10, l2 + 1e-10  # as Paddle does: nothing is divided by 0
    after = squared + grad * grad
    old, new = squared.pow(-lr_power) / learning_rate, after.pow(-lr_power) / learning_rate
    linear = linear + grad - (new - old) * param
    shrunk = (l1 * linear.sign() - linear) / (new + 2 * l2)
    return torch.where(linear.abs() > l1, shrunk, 0), after, linear


@kernel(f"ftrl_sr({_FTRL} float lr_power) -> (Tensor, Tensor, Tensor)")
def ftrl_sr(
    param: Tensor, squared: Tensor, linear: Tensor, grad: Tensor, learning_rate: Tensor, l1: float, l2: float, lr_power: float
) -> tuple[Tensor, Tensor, Tensor]:
    merged = grad.coalesce()
    rows = merged.indices()[0]
    before = param, squared, linear
    after = ftrl(*(one[rows] for one in before), merged.values(), learning_rate, l1, l2, lr_power)
    param, squared, linear = (one.index_copy(0, rows, new) for one, new in zip(before, after))
    return param, squared, linear


@kernel(
    "lars_momentum(Tensor[] param, Tensor[] velocity, Tensor[] learning_rate, Tensor[] grad, Tensor[]? master_param,"
    " float[] lars_weight_decay, float mu, float lars_coeff, float epsilon, bool multi_precision, float rescale_grad)"
    " -> (Tensor[], Tensor[], Tensor[])"
)
def lars_momentum(
    param: Sequence[Tensor],
    velocity: Sequence[Tensor],
    learning_rate: Sequence[Tensor],
    grad: Sequence[Tensor],
    master_param: Sequence[Tensor] | None,
    lars_weight_decay: Sequence[float],
    mu: float,
    lars_coeff: float,
    epsilon: float,
    multi_precision: bool,
    rescale_grad: float,
) -> tuple[list[Tensor], list[Tensor], list[Tensor]]:
    """Layer-wise adaptive rates (arXiv 1708.03888)."""
    if len(lars_weight_decay) not in (1, len(param)):
        raise ValueError(f"attribute lars_weight_decay: expected one number, or {len(param)}, got {len(lars_weight_decay)}")
    masters = master_param if multi_precision and master_param else param
    decays = [*lars_weight_decay] * (len(param) if len(lars_weight_decay) == 1 else 1)
    params, velocities, written = [], [], []
    for own, master, v, g, rate, decay in zip(param, masters, velocity, grad, learning_rate, decays):
        expect_shape(own.shape, Velocity=v, Grad=g)
        p, g = master.to(v.dtype), g.to(v.dtype) * rescale_grad
        if decay > 0:
            of_p, of_g = p.norm(), g.norm()
            adapted = rate * lars_coeff * of_p / (of_g + decay * of_p + epsilon)
            rate = torch.where((of_p > 0) & (of_g > 0), adapted, rate)
        v = v * mu + rate * (g + decay * p)
        params.append((p - v).to(own.dtype))
        velocities.append(v)
        written.append(p - v)
    return params, velocities, written if masters is not param else []


@kernel("proximal_gd(Tensor param, Tensor grad, Tensor learning_rate, float l1, float l2) -> Tensor")
def proximal_gd(param: Tensor, grad: Tensor, learning_rate: Tensor, l1: float, l2: float) -> Tensor:
    """Forward-backward splitting (Duchi and Singer, 2009)."""
    expect_shape(param.shape, Grad=grad)
    expect_shape([1], LearningRate=learning_rate)
    step = param - learning_rate * grad
    if l1 > 0:
        step = step.sign() * (step.abs() - learning_rate * l1).clamp_min(0)
    return step / (1 + learning_rate * l2)


@kernel(
    "decayed_adagrad(Tensor param, Tensor grad, Tensor moment, Tensor learning_rate, float decay, float epsilon)"
    " -> (Tensor, Tensor)"
)
def decayed_adagrad(
    param: Tensor, grad: Tensor, moment: Tensor, learning_rate: Tensor, decay: float, epsilon: float
) -> tuple[Tensor, Tensor]:
    expect_shape(param.shape, Grad=grad, Moment=moment)
    expect_shape([1], LearningRate=learning_rate)
    moment = decay * moment + (1 - decay) * grad * grad
    return param - learning_rate * grad / (moment.sqrt() + epsilon), moment


@kernel("dpsgd(Tensor param, Tensor grad, Tensor learning_rate, float clip, float batch_size, float sigma, int seed) -> Tensor")
def dpsgd(param: Tensor, grad: Tensor, learning_rate: Tensor, clip: float, batch_size: float, sigma: float, seed: int) -> Tensor:
    """Differential privacy (arXiv 1607.00133): a clipped gradient, and one number of noise for all of it."""
    expect_shape(param.shape, Grad=grad)
    expect_shape([1], LearningRate=learning_rate)
    scale = torch.clamp(grad.norm() / clip, min=1)
    noise = phi.gaussian([1], 0.0, sigma, seed, torch.float32, param.device).to(param.dtype)
    return param - learning_rate * (grad / scale + noise / batch_size)


@kernel(
    "sparse_momentum(Tensor param, Tensor grad, Tensor velocity, Tensor index, Tensor learning_rate, Tensor? master_param,"
    " float mu, Scalar axis, bool use_nesterov, str regularization_method, float regularization_coeff, bool multi_precision,"
    " float rescale_grad) -> (Tensor, Tensor, Tensor)"
)
def sparse_momentum(
    param: Tensor,
    grad: Tensor,
    velocity: Tensor,
    index: Tensor,
    learning_rate: Tensor,
    master_param: Tensor | None,
    mu: float,
    axis: int | Tensor,
    use_nesterov: bool,
    regularization_method: str,
    regularization_coeff: float,
    multi_precision: bool,
    rescale_grad: float,
) -> tuple[Tensor, Tensor, Tensor | None]:
    """Of a gradient of some rows, or columns; the gradient of the others is 0."""
    expect_shape(param.shape, Velocity=velocity)
    expect("attribute regularization_method", regularization_method in ("", "l2_decay"), "'' or 'l2_decay'", regularization_method)
    axis, master = int(axis), master_param if multi_precision and master_param is not None else None
    expect("attribute axis", axis in (0, 1) and param.dim() == 2, "0 or 1, of a matrix", f"{axis}, shape {[*param.shape]}")
    sizes = [*param.shape[:axis], index.numel(), *param.shape[axis + 1 :]]
    expect_shape(sizes, Grad=grad)
    at, own = index.reshape(-1).long(), (param if master is None else master).to(velocity.dtype)
    outside = at[(at < 0) | (at >= param.shape[axis])]
    expect("slot Index", not outside.numel(), f"indices from 0 to {param.shape[axis] - 1}", outside[:4].tolist())
    whole = torch.zeros_like(velocity).index_add(axis, at, grad.to(velocity.dtype) * rescale_grad)
    if regularization_method:
        whole = whole + regularization_coeff * own
    velocity = mu * velocity + whole
    own = own - learning_rate.to(own.dtype) * (whole + mu * velocity if use_nesterov else velocity)
    return own.to(param.dtype), velocity, None if master is None else own
