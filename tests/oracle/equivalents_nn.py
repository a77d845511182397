"""The OpInfo entries of what neural networks are made of."""

from collections.abc import Sequence
from typing import Any

from torch import Tensor

from phi_torch.testing.samples import Arguments

from .equivalents import Converter, Equivalent, call, same


def _each(value: Any, axes: int) -> list[int]:
    """One number for each axis."""
    return [value] * axes if isinstance(value, int) else list(value) * (axes // len(value))


def _named(sample: Any, *names: str) -> dict[str, Any]:
    return {**dict(zip(names, sample.args)), **sample.kwargs}


def _gelu(sample: Any) -> Arguments:
    return call(sample.input, sample.kwargs.get("approximate", "none") == "tanh")


def _softmax(sample: Any) -> Arguments | None:
    return call(sample.input, sample.args[0]) if not sample.kwargs else None


def _attributes(**names: tuple[str, float]) -> Converter:
    """One tensor, and numbers: torch's name, ours, and torch's default."""

    def convert(sample: Any) -> Arguments | None:
        found = {k: v for k, v in _named(sample, *names).items() if k != "inplace"}
        return call(sample.input, **{ours: found.get(name, default) for name, (ours, default) in names.items()})

    return convert


def _prelu(sample: Any) -> Arguments | None:
    weight = _named(sample, "weight")["weight"]
    one = weight.numel() == 1
    return call(sample.input, weight, mode="all" if one else "channel") if one or sample.input.dim() > 1 else None


def _hardsigmoid(sample: Any) -> Arguments:
    return call(sample.input, 1 / 6, 0.5)


def _convolution(axes: int, depthwise: bool = False) -> Converter:
    def convert(sample: Any) -> Arguments | None:
        found = _named(sample, "weight", "bias", "stride", "padding", "dilation", "groups")
        x, weight, padding = sample.input, found["weight"], found.get("padding", 0)
        groups, dilations = found.get("groups", 1), _each(found.get("dilation", 1), axes)
        if x.dim() != axes + 2 or found.get("bias") is not None or not weight.numel():
            return None
        if depthwise and (groups != x.shape[1] or groups == 1):
            return None
        if padding == "same":  # ours sets the dilations to 1 for "SAME"; and an odd total is split as torch does
            total = [(k - 1) * d for k, d in zip(weight.shape[2:], dilations)]
            padding = [part for t in total for part in (t // 2, t - t // 2)]
        paddings = [0] * axes if padding == "valid" else padding if _is_two_sided(padding, axes) else _each(padding, axes)
        strides = _each(found.get("stride", 1), axes)
        return call(x, weight, strides, paddings, dilations=dilations, groups=groups)

    return convert


def _is_two_sided(padding: Any, axes: int) -> bool:
    return isinstance(padding, list) and len(padding) == 2 * axes


def _without_bias(sample: Any) -> Any:
    sample.args = (sample.args[0], None, *sample.args[2:])
    sample.kwargs.pop("bias", None)
    return sample


def _values_only(sample: Any) -> Any:
    sample.kwargs.pop("return_indices", None)
    return sample


def _with_indices(sample: Any) -> Any:
    sample.kwargs["return_indices"] = True
    return sample


def _loss_of_each(sample: Any) -> Any:
    """Without reduction, and the label a constant, as it is to us."""
    sample.kwargs["reduction"] = "none"
    sample.args = (sample.args[0].detach(), *sample.args[1:])
    return sample


def _conv_transpose(axes: int) -> Converter:
    def convert(sample: Any) -> Arguments | None:
        found = _named(sample, "weight", "bias", "stride", "padding", "output_padding", "groups", "dilation")
        if sample.input.dim() != axes + 2 or found.get("bias") is not None:
            return None
        extra = _each(found.get("output_padding", 0), axes)
        return call(
            sample.input,
            found["weight"],
            _each(found.get("stride", 1), axes),
            _each(found.get("padding", 0), axes),
            extra if any(extra) else [],
            groups=found.get("groups", 1),
            dilations=_each(found.get("dilation", 1), axes),
        )

    return convert


def _max_pool(axes: int, with_index: bool = False) -> Converter:
    def convert(sample: Any) -> Arguments | None:
        found = _named(sample, "kernel_size", "stride", "padding", "dilation", "ceil_mode")
        if sample.input.dim() != axes + 2 or _each(found.get("dilation", 1), axes) != [1] * axes:
            return None
        kernel = _each(found["kernel_size"], axes)
        paddings = _each(found.get("padding", 0), axes)
        others = {} if with_index else {"pooling_type": "max"}
        strides, ceil_mode = _each(found.get("stride") or kernel, axes), found.get("ceil_mode", False)
        return call(sample.input, kernel, strides, paddings, ceil_mode=ceil_mode, **others)

    return convert


def _avg_pool(axes: int) -> Converter:
    def convert(sample: Any) -> Arguments | None:
        names = ("kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override")
        found = _named(sample, *names)
        if sample.input.dim() != axes + 2 or found.get("divisor_override"):
            return None
        kernel = _each(found["kernel_size"], axes)
        return call(
            sample.input,
            kernel,
            _each(found.get("stride") or kernel, axes),
            _each(found.get("padding", 0), axes),
            found.get("ceil_mode", False),
            not found.get("count_include_pad", True),
            pooling_type="avg",
        )

    return convert


def _adaptive(kind: str, axes: int) -> Converter:
    def convert(sample: Any) -> Arguments | None:
        size = sample.args[0]
        if sample.input.dim() != axes + 2 or True in sample.args[1:] or (not isinstance(size, int) and None in size):
            return None
        return call(sample.input, _each(size, axes), pooling_type=kind, adaptive=True)

    return convert


def _pooling(axes: int) -> list[Equivalent]:
    return [
        Equivalent(_max_pool(axes), entry=f"nn.functional.max_pool{axes}d", prepare=_values_only),
        Equivalent(_avg_pool(axes), entry=f"nn.functional.avg_pool{axes}d"),
        Equivalent(_adaptive("avg", axes), entry=f"nn.functional.adaptive_avg_pool{axes}d"),
        Equivalent(_adaptive("max", axes), entry=f"nn.functional.adaptive_max_pool{axes}d"),
    ]


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


def _group_norm(sample: Any) -> Arguments | None:
    found = _named(sample, "num_groups", "weight", "bias", "eps")
    if sample.input.dim() > 5 or not sample.input.numel():
        return None
    return call(sample.input, found.get("weight"), found.get("bias"), found.get("eps", 1e-5), found["num_groups"])


def _instance_norm(sample: Any) -> Arguments | None:
    found = _named(sample, "running_mean", "running_var", "weight", "bias", "use_input_stats", "momentum", "eps")
    if found.get("running_mean") is not None or not found.get("use_input_stats", True) or sample.input.dim() > 5:
        return None
    return call(sample.input, found.get("weight"), found.get("bias"), found.get("eps", 1e-5))


def _grid_sample(sample: Any) -> Arguments | None:
    found = _named(sample, "grid", "mode", "padding_mode", "align_corners")
    mode = found.get("mode", "bilinear")
    if mode == "bicubic" or not found["grid"].is_floating_point():
        return None
    return call(sample.input, found["grid"], mode, found.get("padding_mode", "zeros"), bool(found.get("align_corners")))


def _elementwise_loss(*names: str) -> Converter:
    """Of torch's keyword arguments only `names`, which are ours, too."""

    def convert(sample: Any) -> Arguments | None:
        kwargs = {k: v for k, v in sample.kwargs.items() if k != "reduction" and v is not None}
        label = sample.args[0]
        if set(kwargs) - set(names) or label.shape != sample.input.shape or label.dtype != sample.input.dtype:
            return None
        return call(sample.input, label, **kwargs)

    return convert


def _kl_div(sample: Any) -> Arguments | None:
    found = _elementwise_loss("log_target")(sample)
    return found and call(*found.args, "none", **found.kwargs)


def _logits_loss(sample: Any) -> Arguments | None:
    found = _elementwise_loss()(sample)
    return found and call(*found.args, None)


def _nll_loss(sample: Any) -> Arguments | None:
    found = _named(sample, "label", "weight", "ignore_index", "reduction")
    if sample.input.dim() < 2:
        return None
    reduction = found.get("reduction", "mean")
    return call(sample.input, found["label"], found.get("weight"), found.get("ignore_index", -100), reduction)


NETWORKS: dict[str, Sequence[Equivalent]] = {
    **{
        name: [Equivalent(same)]
        for name in ("relu", "silu", "hardswish", "swish", "relu6", "logsigmoid", "selu", "softsign", "tanh_shrink")
    },
    "batch_norm": [Equivalent(_batch_norm)],
    "bce_loss": [Equivalent(_elementwise_loss(), prepare=_loss_of_each)],
    "bicubic_interp": [Equivalent(_interpolate("bicubic"), "bicubic")],
    "bilinear_interp": [Equivalent(_interpolate(name), name) for name in ("linear", "bilinear", "trilinear")],
    "conv2d": [Equivalent(_convolution(2), prepare=_without_bias)],
    "conv2d_transpose": [Equivalent(_conv_transpose(2), prepare=_without_bias)],
    "conv3d": [Equivalent(_convolution(3), prepare=_without_bias)],
    "conv3d_transpose": [Equivalent(_conv_transpose(3), prepare=_without_bias)],
    "cross_entropy_with_softmax": [
        Equivalent(
            _cross_entropy,
            result=lambda loss: (None, loss.unsqueeze(1)),
            prepare=_loss_of_each,
        )
    ],
    "depthwise_conv2d": [Equivalent(_convolution(2, depthwise=True), prepare=_without_bias)],
    "dropout": [Equivalent(_dropout)],
    "embedding": [Equivalent(_embedding)],
    "fc": [Equivalent(_linear)],
    "flash_attn": [Equivalent(_attention, result=lambda o: o.transpose(1, 2))],
    "celu": [Equivalent(_attributes(alpha=("alpha", 1.0)))],
    "elu": [Equivalent(_attributes(alpha=("alpha", 1.0)))],
    "gelu": [Equivalent(_gelu)],
    "hardshrink": [Equivalent(_attributes(lambd=("threshold", 0.5)))],
    "hardsigmoid": [Equivalent(_hardsigmoid)],
    "hardtanh": [Equivalent(_attributes(min_val=("t_min", -1.0), max_val=("t_max", 1.0)))],
    "layer_norm": [Equivalent(_layer_norm)],
    "leaky_relu": [Equivalent(_attributes(negative_slope=("negative_slope", 0.01)))],
    "grid_sample": [Equivalent(_grid_sample)],
    "group_norm": [Equivalent(_group_norm)],
    "instance_norm": [Equivalent(_instance_norm)],
    "kldiv_loss": [Equivalent(_kl_div, prepare=_loss_of_each)],
    "linear_interp": [Equivalent(_interpolate("linear"), "linear")],
    "log_softmax": [Equivalent(_softmax)],
    **{
        f"max_pool{axes}d_with_index": [
            Equivalent(
                _max_pool(axes, with_index=True),
                entry=f"nn.functional.max_pool{axes}d",
                result=lambda found: (found[0], found[1].int()),
                prepare=_with_indices,
            )
        ]
        for axes in (2, 3)
    },
    "mish": [Equivalent(lambda sample: call(sample.input, 20.0))],
    "prelu": [Equivalent(_prelu)],
    "softshrink": [Equivalent(_attributes(lambd=("threshold", 0.5)))],
    "thresholded_relu": [Equivalent(_attributes(threshold=("threshold", 0.0), value=("value", 0.0)))],
    "softplus": [Equivalent(_attributes(beta=("beta", 1.0), threshold=("threshold", 20.0)))],
    "nearest_interp": [Equivalent(_interpolate("nearest"), "nearest")],
    "nll_loss": [Equivalent(_nll_loss, result=lambda loss: (loss, None))],
    "pool2d": _pooling(2),
    "pool3d": _pooling(3),
    "rms_norm": [Equivalent(_rms_norm)],
    "sigmoid_cross_entropy_with_logits": [Equivalent(_logits_loss, prepare=_loss_of_each)],
    "softmax": [Equivalent(_softmax)],
    "trilinear_interp": [Equivalent(_interpolate("trilinear"), "trilinear")],
}
