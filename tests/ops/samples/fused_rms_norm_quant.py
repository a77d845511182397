import torch

from ..sample import Error, Sample, T

NO_QUANT = (-1.0, 0, 0.0, 0.0)
SAMPLES = [
    Sample(T(3, 4), T(4), T(3, 4), T(4), T(4), 1e-5, 1, *NO_QUANT),
    Sample(T(2, 3, 4), None, T(2, 3, 4), T(4), None, 1e-5, 2, *NO_QUANT),
    Sample(T(2, 3, 4), T(12), None, T(12), T(12), 1e-3, 1, *NO_QUANT),  # there is no bias without a residual
    Sample(T(2, 30), None, None, T(30), None, 1e-5, 1, *NO_QUANT),
    Sample(T(5), None, T(5), T(5), None, 1e-5, 0, *NO_QUANT),
    Sample(T(0, 4), T(4), T(0, 4), T(4), T(4), 1e-5, 1, *NO_QUANT),
]
ERRORS = [
    Error(ValueError, r"'quant_scale'.*got 1", T(3, 4), None, None, T(4), None, 1e-5, 1, 1.0, 0, 127.0, -127.0),
    Error(ValueError, r"'residual'.*\[3, 4\].*\[4\]", T(3, 4), None, T(4), T(4), None, 1e-5, 1, *NO_QUANT),
    Error(ValueError, r"'bias'.*4 elements.*\[3\]", T(3, 4), T(3), None, T(4), None, 1e-5, 1, *NO_QUANT),
    Error(ValueError, r"'begin_norm_axis'", T(3, 4), None, None, T(4), None, 1e-5, 2, *NO_QUANT),
]


def reference(x, bias, residual, norm_weight, norm_bias, epsilon, begin_norm_axis, *quant):
    shape = x.shape[begin_norm_axis:]
    total = x if residual is None else x + residual + (0 if bias is None else bias.reshape(shape))
    inverse = torch.rsqrt(total.flatten(begin_norm_axis).square().mean(-1) + epsilon)
    wide = inverse.reshape([*x.shape[:begin_norm_axis], *[1] * len(shape)])
    out = total * wide * norm_weight.reshape(shape) + (0 if norm_bias is None else norm_bias.reshape(shape))
    return out, total
