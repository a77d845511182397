"""Gradients that are too long for one line of YAML."""

import torch


def rms_scale_grad(x, weight, out_grad, epsilon):
    scale = torch.rsqrt((x * x).mean(-1, True) + epsilon)
    weighted = out_grad * weight
    x_grad = scale * weighted - x * scale**3 * (weighted * x).mean(-1, True)
    weight_grad = (out_grad * x * scale).reshape(-1, weight.numel()).sum(0)
    return x_grad, weight_grad
