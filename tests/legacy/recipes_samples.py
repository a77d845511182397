"""Recipes of all other operators: the samples of the operator that they are mapped to, as slots and attributes."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import torch
from ops import cases
from torch import Tensor

from phi_torch import legacy
from phi_torch.legacy import Signature
from phi_torch.legacy._definition import definition
from phi_torch.testing import Case

from .draw import FLOATS, WHOLE, Call, Draw
from .recipes import RECIPES, Recipe

DTYPES = (*FLOATS, *WHOLE, torch.bool, torch.complex64)
HALF = (torch.float16, torch.bfloat16)  # numpy, by which Paddle is given values, has but one of them
SAMPLED: dict[str, Recipe] = {}
LEFT_OUT = {
    **dict.fromkeys(("eig", "eigh", "svd", "qr"), "vectors are determined up to a factor"),
    **dict.fromkeys(("as_strided", "view_dtype", "view_shape"), "Paddle runs views in eager mode alone"),
    **dict.fromkeys(("fused_conv2d_add_act", "fused_gemm_epilogue", "rms_norm"), "Paddle has a kernel for GPUs alone"),
    "fused_bias_residual_layernorm": "Paddle's kernel for CPUs does not write all outputs",
    "sync_batch_norm": "Paddle has a kernel for GPUs alone",
    "deformable_conv_v1": "it has no mask, the samples have",
    **dict.fromkeys(("allclose", "isclose"), "their tolerances are strings in programs"),
    **dict.fromkeys(("fused_rotary_position_embedding", "fused_dropout_add"), "Paddle has a kernel for GPUs alone"),
    **dict.fromkeys(
        ("top_p_sampling", "fused_bias_act", "flash_attn_unpadded", "memory_efficient_attention"),
        "Paddle has a kernel for GPUs alone",
    ),
    **dict.fromkeys(("nadam", "radam"), "Paddle reads the learning rate of each element behind its one number"),
    "unique": "Paddle has no kernel for elements that are not sorted, which is the default; op_cases has the others",
    "fused_softmax_mask_upper_triangle": "Paddle has a kernel for GPUs alone",
    "fused_softmax_mask": "its gradient reads a slot that Paddle's program does not fill",
}
# attributes that Paddle's kernel takes as counted from the first dimension: below 0 it reads other memory
FROM_FIRST = {"put_along_axis": ("Axis", "Input")}
# what differs from Paddle 3.3.1, of a call as the message of a failure shows it
MEANT = {
    "accuracy": (r"'Out': 'float\d+ \[\]'", "of nothing Paddle gives what was in memory"),
    "argsort": ("out_indices", "which of equal elements is first"),
    "deformable_conv": (r"\{\} for .*@GRAD", "Paddle's gradient is 0 at the default im2col_step"),
    "eigvalsh": ("eigenvectors", "vectors are determined up to a factor"),
    "expand_as_v2": (r"'X': '\w+ [-.\d]+'", "Paddle does not expand numbers"),
    "frobenius_norm": ("complex64", "Paddle adds squares, not absolute ones"),
    "gammaincc": (r"\[2, 3, 1\]|float\d+ [-.\d]+'", "Paddle does not broadcast"),
    "group_norm": ("x_0@GRAD", "Paddle's gradient is wrong where a group has one channel"),
    "histogram": (r"'\w+ \[\]'", "of nothing Paddle counts in the data type of x"),
    "kldiv_loss": (r"'\w+ \[\]'", "of nothing the sum is 0, not NaN"),
    "kthvalue": (r"out_indices|'X': 'float\d+ [-.\d]+'", "which of equal elements; Paddle's gradient of a number is 1"),
    "logcumsumexp": ("x_0@GRAD|exclusive", "Paddle's sum of nothing is the lowest number; its gradient goes by exponents"),
    "lstsq": (r"\[1, 3, 2\]", "Paddle's solution of a batch of one has no batch"),
    "masked_fill": ("value_0@GRAD", "Paddle's gradient of a value that broadcasts has the shape of x"),
    "median": ("out_medians", "which of equal elements, and which of NaN"),
    "mish": ("threshold.*x_0@GRAD", "Paddle's gradient leaves out the threshold"),
    "mode": (r"out_indices|'X': 'float\d+ [-.\d]+'", "which of equal elements; Paddle's gradient of a number is 1"),
    "nanmedian": ("out_medianindex", "which of equal elements"),
    "polygamma": ("'n': 0", "Paddle's polygamma of 0 is infinite"),
    "put_along_axis": ("value_0@GRAD", "Paddle leaves out what index does not cover"),
    "renorm": ("'axis': -2", "Paddle takes another axis"),
    "set_value": ("int32|bool|none_axes|'shape': \\[\\]", "Paddle reads lists of each data type by another attribute"),
    "sigmoid_cross_entropy_with_logits": ("normalize", "of labels that are all ignored Paddle divides by 0"),
    "softplus": ("'threshold': 200.0", "Paddle's exponent overflows"),
}


def mapped_to(type: str) -> list[tuple[Signature, Case]]:
    """The kernels of an operator that have samples; those that take values as attributes first."""
    known = set(cases.names())
    found = [(one, cases.case(one.kernel, "cpu")) for one in legacy.signatures(type) if one.kernel in known]
    found = [(one, case) for one, case in found if case.has_kernel]
    return [(one, case) for one, case in found if not (set(one.attrs) & set(definition(type).inputs))]


def arguments_of(case: Case, draw: Draw) -> tuple[dict[str, Any], list[Any], set[str]]:
    """A call of an operator by names, the tensors that it gives, and the names of inputs that have a gradient."""
    dtype = draw.one(*[one for one in case.all_dtypes if one in DTYPES] or case.all_dtypes[:1])
    sample = draw.one(*(one for one in case.samples if not any(tensor.dtype in HALF for tensor in one.tensors())))
    made = sample.make(dtype, seed=draw.number(1, 1 << 20), grad=True)
    outputs = case.call(made)
    given = dict(zip(case.info.names, made.args)) | dict(made.kwargs)
    wanted = {name for name, value in given.items() if any(one.requires_grad for one in tensors_in(value))}
    return {name: detached(value) for name, value in given.items()}, list(outputs), wanted


def tensors_in(value: Any) -> list[Tensor]:
    return [one for one in (value if isinstance(value, (list, tuple)) else [value]) if isinstance(one, Tensor)]


def detached(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.detach().contiguous()
    return [detached(one) for one in value] if isinstance(value, (list, tuple)) else value


def sampled(type: str, found: list[tuple[Signature, Case]]) -> Recipe:
    def call(draw: Draw) -> Call:
        signature, case = draw.one(*found)
        given, outputs, wanted = arguments_of(case, draw)
        return called(type, signature, case, given, outputs, wanted)

    return call


def called(type: str, signature: Signature, case: Case, given: Mapping[str, Any], outputs: list[Any], wanted: set[str]) -> Call:
    parameters = [one.split("=")[0].split() for one in case.info.kernel_args if one]
    names = [name for kind, name in parameters if kind.startswith("Tensor")]
    slots = dict(zip(names, signature.inputs))
    attrs = dict(zip([name for _, name in parameters if name not in names], signature.attrs))
    inputs = {slots[name]: given[name] for name in names if given.get(name) not in (None, [])}
    values = {attrs[name]: value for name, value in given.items() if name in attrs and value is not None}
    if type in FROM_FIRST:
        axis, of = FROM_FIRST[type]
        values[axis] %= max(inputs[of].dim(), 1)
    results = [name for _, name in map(str.split, case.info.kernel_outputs)]
    counts = {name: len(one) if isinstance(one, (list, tuple)) else 1 for name, one in zip(results, outputs)}
    differentiable = case.info.backward is not None and f"{type}_grad" in supported()
    return Call(
        inputs,
        values,
        {slot: counts.get(name, 1) for name, slot in zip(results, signature.outputs)},
        wanted=[slots[name] for name in wanted if name in slots and slots[name] in inputs] if differentiable else (),
        unspecified=[slot for name, slot in zip(results, signature.outputs) if name in case.info.intermediate],
    )


@functools.cache
def supported() -> frozenset[str]:
    return frozenset(type for type, *_ in legacy.supported_ops())


for _type in sorted(supported()):
    if _type in RECIPES or _type.endswith("_grad") or _type in LEFT_OUT:
        continue
    _found = mapped_to(_type)
    if _found and not any(case.is_random for _, case in _found):
        SAMPLED[_type] = sampled(_type, _found)
