import torch

from ..sample import Error, Sample, T

NO_QUANT = (-1.0, 0, 0.0, 0.0)
SAMPLES = [
    Sample(T(3, 4), T(4), T(3, 4), T(4), T(4), 1e-5, 0.5, 1, *NO_QUANT),
    Sample(T(2, 3, 4), None, T(2, 3, 4), T(4), T(4), 1e-5, 1.0, 2, *NO_QUANT),
    Sample(T(2, 3, 4), T(3, 4), None, T(12), None, 1e-3, 1.0, 1, *NO_QUANT),
    Sample(T(2, 30), None, None, None, T(30), 1e-5, 1.0, 1, *NO_QUANT),
    Sample(T(3, 4), T(4), T(3, 4), None, None, 1e-5, 2.0, 1, *NO_QUANT),
    Sample(T(5), T(5), None, T(5), T(5), 1e-5, 1.0, 0, *NO_QUANT),
    Sample(T(0, 4), T(4), T(0, 4), T(4), T(4), 1e-5, 1.0, 1, *NO_QUANT),
]
ERRORS = [
    Error(ValueError, r"'quant_scale'.*got 1", T(3, 4), None, None, T(4), None, 1e-5, 1.0, 1, 1.0, 0, 127.0, -127.0),
    Error(ValueError, r"'residual'.*\[3, 4\].*\[4\]", T(3, 4), None, T(4), T(4), None, 1e-5, 1.0, 1, *NO_QUANT),
    Error(ValueError, r"'bias'.*4 elements.*\[3\]", T(3, 4), T(3), None, T(4), None, 1e-5, 1.0, 1, *NO_QUANT),
    Error(ValueError, r"'begin_norm_axis'", T(3, 4), None, None, T(4), None, 1e-5, 1.0, 2, *NO_QUANT),
]


def reference(x, bias, residual, norm_weight, norm_bias, epsilon, residual_alpha, begin_norm_axis, *quant):
    shape = x.shape[begin_norm_axis:]
    total = x + (0 if bias is None else bias.reshape(shape)) + (0 if residual is None else residual_alpha * residual)
    flat = total.flatten(begin_norm_axis)
    mean, variance = flat.mean(-1), torch.rsqrt(flat.var(-1, correction=0) + epsilon)
    if norm_weight is None and norm_bias is None:
        return total, total, mean.flatten(), variance.flatten()
    weight, shift = (None if p is None else p.reshape(shape).to(x.dtype) for p in (norm_weight, norm_bias))
    out = torch.nn.functional.layer_norm(total, shape, weight, shift, epsilon)
    return out, total, mean.flatten(), variance.flatten()
