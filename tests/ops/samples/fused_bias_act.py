import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), T(4)),
    Sample(T(2, 3, 4), T(4), act_method="relu"),
    Sample(T(2, 3, 8), T(8), act_method="swiglu"),
    Sample(T(2, 3, 8), T(8), act_method="geglu"),
    Sample(T(2, 6), None, act_method="swiglu"),
    Sample(T(0, 4), T(4)),
]
ERRORS = [
    Error(ValueError, r"'act_method'.*'gelu', 'relu', 'swiglu' or 'geglu', got 'tanh'", T(3, 4), T(4), act_method="tanh"),
    Error(ValueError, r"'bias'.*\[4\].*got \[3\]", T(3, 4), T(3)),
    Error(ValueError, r"'x'.*even.*\[3, 5\]", T(3, 5), None, act_method="geglu"),
    Error(NotImplementedError, r"quantized", T(3, 4), T(4), T(4)),
    Error(NotImplementedError, r"quantized", T(3, 4), T(4), quant_scale=0.5),
    Error(NotImplementedError, r"'compute_dtype'.*got 'int8'", T(3, 4), T(4), compute_dtype="int8"),
]


def reference(
    x,
    bias=None,
    dequant_scales=None,
    shift=None,
    smooth=None,
    act_method="gelu",
    compute_dtype="default",
    quant_scale=-1.0,
    quant_round_type=1,
    quant_max_bound=127.0,
    quant_min_bound=-127.0,
):
    y = x if bias is None else x + bias
    gelu = y * 0.5 * (1 + torch.erf(y / 2**0.5))
    half = y.shape[-1] // 2
    if act_method in ("gelu", "relu"):
        return gelu if act_method == "gelu" else y * (y > 0)
    gate = gelu[..., :half] if act_method == "geglu" else y[..., :half] / (1 + torch.exp(-y[..., :half]))
    return gate * y[..., half:]
