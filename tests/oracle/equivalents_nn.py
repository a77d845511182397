"""The OpInfo entries of what neural networks are made of."""

from collections.abc import Sequence
from typing import Any

from torch import Tensor

from phi_torch.testing.samples import Arguments

from .equivalents import Converter, Equivalent, call, same


def _pair(value: Any) -> list[int]:
    return [value, value] if isinstance(value, int) else list(value) * (2 // len(value))


def _named(sample: Any, *names: str) -> dict[str, Any]:
    return {**dict(zip(names, sample.args)), **sample.kwargs}


def _gelu(sample: Any) -> Arguments:
    return call(sample.input, sample.kwargs.get("approximate", "none") == "tanh")


def _softmax(sample: Any) -> Arguments | None:
    return call(sample.input, sample.args[0]) if not sample.kwargs else None


def _hardsigmoid(sample: Any) -> Arguments:
    return call(sample.input, 1 / 6, 0.5)


def _convolution(depthwise: bool) -> Converter:
    def convert(sample: Any) -> Arguments | None:
        found = _named(sample, "weight", "bias", "stride", "padding", "dilation", "groups")
        x, weight, padding = sample.input, found["weight"], found.get("padding", 0)
        groups, dilations = found.get("groups", 1), _pair(found.get("dilation", 1))
        if x.dim() != 4 or found.get("bias") is not None or not weight.numel():
            return None
        if depthwise and (groups != x.shape[1] or groups == 1):
            return None
        if padding == "same":  # ours sets the dilations to 1 for "SAME"; and an odd total is split as torch does
            total = [(k - 1) * d for k, d in zip(weight.shape[2:], dilations)]
            padding = [total[0] // 2, total[0] - total[0] // 2, total[1] // 2, total[1] - total[1] // 2]
        paddings = [0, 0] if padding == "valid" else padding if isinstance(padding, list) and len(padding) == 4 else _pair(padding)
        return call(x, weight, _pair(found.get("stride", 1)), paddings, dilations=dilations, groups=groups)

    return convert


def _without_bias(sample: Any) -> Any:
    sample.args = (sample.args[0], None, *sample.args[2:])
    sample.kwargs.pop("bias", None)
    return sample


def _values_only(sample: Any) -> Any:
    sample.kwargs.pop("return_indices", None)
    return sample


def _loss_of_each(sample: Any) -> Any:
    """Without reduction, and the label a constant, as it is to us."""
    sample.kwargs["reduction"] = "none"
    sample.args = (sample.args[0].detach(), *sample.args[1:])
    return sample


def _conv2d_transpose(sample: Any) -> Arguments | None:
    found = _named(sample, "weight", "bias", "stride", "padding", "output_padding", "groups", "dilation")
    if sample.input.dim() != 4 or found.get("bias") is not None:
        return None
    extra = _pair(found.get("output_padding", 0))
    return call(
        sample.input,
        found["weight"],
        _pair(found.get("stride", 1)),
        _pair(found.get("padding", 0)),
        extra if any(extra) else [],
        groups=found.get("groups", 1),
        dilations=_pair(found.get("dilation", 1)),
    )


def _max_pool(sample: Any) -> Arguments | None:
    found = _named(sample, "kernel_size", "stride", "padding", "dilation", "ceil_mode")
    if sample.input.dim() != 4 or _pair(found.get("dilation", 1)) != [1, 1]:
        return None
    kernel = _pair(found["kernel_size"])
    return call(
        sample.input,
        kernel,
        _pair(found.get("stride") or kernel),
        _pair(found.get("padding", 0)),
        found.get("ceil_mode", False),
        pooling_type="max",
    )


def _avg_pool(sample: Any) -> Arguments | None:
    names = ("kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override")
    found = _named(sample, *names)
    if sample.input.dim() != 4 or found.get("divisor_override"):
        return None
    kernel = _pair(found["kernel_size"])
    return call(
        sample.input,
        kernel,
        _pair(found.get("stride") or kernel),
        _pair(found.get("padding", 0)),
        found.get("ceil_mode", False),
        not found.get("count_include_pad", True),
        pooling_type="avg",
    )


def _adaptive(kind: str) -> Converter:
    def convert(sample: Any) -> Arguments | None:
        size = sample.args[0]
        if sample.input.dim() != 4 or True in sample.args[1:] or (not isinstance(size, int) and None in size):
            return None
        return call(sample.input, _pair(size), pooling_type=kind, adaptive=True)

    return convert


def _batch_norm(sample: Any) -> Arguments | None:
    """torch's momentum is what the batch adds; it counts the unbiased variance, so that only the output is compared."""
    found = _named(sample, "running_mean", "running_var", "weight", "bias", "training", "momentum", "eps")
    mean, variance, momentum = found.get("running_mean"), found.get("running_var"), found.get("momentum", 0.1)
    if mean is None or variance is None or found.get("eps", 1e-5) < 0 or not 2 <= sample.input.dim() <= 5:
        return None
    return call(
        sample.input,
        mean.detach(),
        variance.detach(),
        found.get("weight"),
        found.get("bias"),
        is_test=not found.get("training", False),
        momentum=1 - momentum,
        epsilon=found.get("eps", 1e-5),
    )


def _layer_norm(sample: Any) -> Arguments | None:
    found = _named(sample, "normalized_shape", "weight", "bias", "eps")
    first = sample.input.dim() - len(found["normalized_shape"])
    if first < 1 or found.get("eps", 1e-5) < 0:
        return None
    scale, bias = (p if p is None else p.reshape(-1) for p in (found.get("weight"), found.get("bias")))
    return call(sample.input, scale, bias, found.get("eps", 1e-5), first)


def _rms_norm(sample: Any) -> Arguments | None:
    found = _named(sample, "normalized_shape", "weight", "eps")
    if found.get("eps", -1) < 0:
        return None
    return call(sample.input, found.get("weight"), list(found["normalized_shape"]), found["eps"])


def _dropout(sample: Any) -> Arguments | None:
    p, training = sample.kwargs.get("p", 0.5), sample.kwargs.get("training", True)
    return call(sample.input, None, p, not training, "upscale_in_train") if not training or p in (0.0, 1.0) else None


def _embedding(sample: Any) -> Arguments | None:
    """A row that is only kept from changing (torch's padding_idx) is a row of zeros to us."""
    return call(sample.args[0], sample.input) if not sample.kwargs else None


def _cross_entropy(sample: Any) -> Arguments | None:
    label, kwargs = sample.args[0], sample.kwargs
    if set(kwargs) - {"reduction", "ignore_index"} or sample.input.dim() < 2:
        return None
    soft = label.is_floating_point()
    label = label if soft else label.unsqueeze(1)
    return call(sample.input, label, soft, ignore_index=kwargs.get("ignore_index", -100), axis=1)


def _linear(sample: Any) -> Arguments | None:
    weight, *bias = sample.args
    return call(sample.input, weight.t(), *(bias or [None]), sample.input.dim() - 1) if sample.input.dim() > 1 else None


def _interpolate(method: str) -> Converter:
    """torch's `size` is out_d, out_h and out_w; sizes that it computes from a factor differ in rounding."""

    def convert(sample: Any) -> Arguments | None:
        size = sample.args[0] if sample.args else sample.kwargs.get("size")
        if size is None:
            return None
        corners = bool(sample.kwargs.get("align_corners"))
        spatial = sample.input.dim() - 2
        depth, height, width = [0] * (3 - spatial) + ([size] * spatial if isinstance(size, int) else list(size))
        return call(
            sample.input,
            None,
            None,
            None,
            out_d=depth,
            out_h=height,
            out_w=width,
            interp_method=method,
            align_corners=corners,
            align_mode=1 if corners or method == "nearest" else 0,
        )

    return convert


def _attention(sample: Any) -> Arguments | None:
    """torch's heads come before the sequence. With unequal lengths the two align a causal mask at other corners."""
    tensors, kwargs = [sample.input, *sample.args], sample.kwargs
    mask, causal = kwargs.get("attn_mask"), kwargs.get("is_causal", False)
    if any(t.dim() != 4 for t in tensors) or kwargs.get("dropout_p") or set(kwargs) - {"attn_mask", "is_causal", "dropout_p"}:
        return None
    q, k = tensors[:2]
    if causal and q.shape[2] != k.shape[2]:
        return None
    if isinstance(mask, Tensor):
        mask = mask.expand(q.shape[0], q.shape[1], q.shape[2], k.shape[2])
    return call(*(t.transpose(1, 2) for t in tensors), None, mask, 0.0, causal)


NETWORKS: dict[str, Sequence[Equivalent]] = {
    **{name: [Equivalent(same)] for name in ("relu", "silu", "hardswish", "swish")},
    "batch_norm": [Equivalent(_batch_norm)],
    "bilinear_interp": [Equivalent(_interpolate(name), name) for name in ("linear", "bilinear", "trilinear")],
    "conv2d": [Equivalent(_convolution(depthwise=False), prepare=_without_bias)],
    "conv2d_transpose": [Equivalent(_conv2d_transpose, prepare=_without_bias)],
    "cross_entropy_with_softmax": [
        Equivalent(
            _cross_entropy,
            result=lambda loss: (None, loss.unsqueeze(1)),
            prepare=_loss_of_each,
        )
    ],
    "depthwise_conv2d": [Equivalent(_convolution(depthwise=True), prepare=_without_bias)],
    "dropout": [Equivalent(_dropout)],
    "embedding": [Equivalent(_embedding)],
    "fc": [Equivalent(_linear)],
    "flash_attn": [Equivalent(_attention, result=lambda o: o.transpose(1, 2))],
    "gelu": [Equivalent(_gelu)],
    "hardsigmoid": [Equivalent(_hardsigmoid)],
    "layer_norm": [Equivalent(_layer_norm)],
    "log_softmax": [Equivalent(_softmax)],
    "nearest_interp": [Equivalent(_interpolate("nearest"), "nearest")],
    "pool2d": [
        Equivalent(_max_pool, prepare=_values_only),
        Equivalent(_avg_pool, entry="nn.functional.avg_pool2d"),
        Equivalent(_adaptive("avg"), entry="nn.functional.adaptive_avg_pool2d"),
        Equivalent(_adaptive("max"), entry="nn.functional.adaptive_max_pool2d"),
    ],
    "rms_norm": [Equivalent(_rms_norm)],
    "softmax": [Equivalent(_softmax)],
}
