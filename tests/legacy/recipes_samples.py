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
from phi_torch.legacy._definition import DECLARED, definition
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
    **dict.fromkeys(("fused_softmax_mask_upper_triangle", "margin_cross_entropy"), "Paddle has a kernel for GPUs alone"),
    **dict.fromkeys(("fill", "fill_constant_batch_size_like"), "the program's operator is another than the kernel's"),
    "copysign": "Paddle computes integers in float64, which rounds large ones; tests/oracle compares the others",
    "index_select_strided": "Paddle runs it in eager mode alone",
}
# attributes that Paddle's kernel takes as counted from the first dimension: below 0 it reads other memory
FROM_FIRST = {"put_along_axis": ("Axis", "Input")}
# operators that Paddle gives operands of one shape alone: it does not broadcast, and reads behind the smaller one
OF_ONE_SHAPE = {"atan2", "gammaincc", "nextafter"}
# attributes that Paddle asks for and no kernel has
ASKED: dict[str, dict[str, Any]] = {"unpool": {"unpooling_type": "max"}}
# operators that a version of Paddle does not have
ABSENT = {
    "2.6.2": {
        *("baddbmm", "bitwise_left_shift", "bitwise_right_shift", "copysign", "embedding_with_scaled_gradient", "gammaincc"),
        *("gammaln", "lp_pool2d", "lu_solve", "masked_fill", "median", "reduce_as", "shape64", "svdvals", "swiglu"),
        *("fractional_max_pool2d", "fractional_max_pool3d", "fused_rms_norm_quant", "matrix_rank_atol_rtol", "nansum"),
        *("slogdet_v2", "tensor_unfold", "trunc_divide"),
    },
    "3.3.1": {
        *("box_decoder_and_assign", "density_prior_box", "iou_similarity", "polygon_box_transform"),
        *("locality_aware_nms", "mine_hard_examples", "multiclass_nms2", "retinanet_detection_output", "deformable_psroi_pooling"),
        *(
            "detection_map",
            "generate_proposal_labels",
            "var_conv_2d",
            "retinanet_target_assign",
            "rpn_target_assign",
            "positive_negative_pair",
            "precision_recall",
        ),
        *("bicubic_interp", "linear_interp", "similarity_focus", "spp", "trilinear_interp"),
        *("linear_chain_crf", "sequence_concat", "sequence_erase", "sequence_enumerate", "sequence_expand_as", "sequence_pad"),
        *("sequence_reshape", "sequence_reverse", "sequence_scatter", "sequence_slice", "sequence_unpad"),
        *("bpr_loss", "data_norm", "fill_zeros_like", "fill_zeros_like2", "fsp", "isinf", "isnan", "minus", "modified_huber_loss"),
        *("proximal_gd", "rank_loss", "soft_relu", "teacher_student_sigmoid_loss", "transfer_dtype", "unique_with_counts"),
        "tensor_unfold",
    },
}
# operators whose gradient Paddle defines otherwise than by the derivative
OWN_GRADIENTS = {
    "cvm": "the columns of counts get the counts",
    "soft_relu": "the result is compared with the threshold, not the input",
    "teacher_student_sigmoid_loss": "0 beyond the bounds, which the loss does not know",
}
# what differs from Paddle, of a call as the message of a failure shows it
MEANT = {
    "accuracy": (r"'Out': 'float\d+ \[\]'", "of nothing Paddle gives what was in memory"),
    "argsort": ("out_indices", "which of equal elements is first"),
    "auc": ("'slide_steps': 3", "Paddle keeps scores that do not count in the step, though not in the sum"),
    "box_coder": ("float64.*'variance': \\[0", "Paddle reads its numbers in the data type of the boxes"),
    "cholesky_solve": ("y_0@GRAD", "Paddle's gradient of the factor is none of its half"),
    "crop_tensor": (r"'X': 'float\d+ \[\]'.*x_0@GRAD", "of nothing Paddle's gradient has the shape of the output"),
    "deformable_conv": (r"\{\} for .*@GRAD", "Paddle's gradient is 0 at the default im2col_step"),
    "eigvalsh": ("eigenvectors|'UPLO': 'U'.*x_0@GRAD", "vectors are determined up to a factor"),
    "expand_as_v2": (r"'X': '\w+ [-.\w]+'", "Paddle does not expand numbers"),
    **dict.fromkeys(
        (
            "fake_quantize_dequantize_moving_average_abs_max",
            "fake_quantize_moving_average_abs_max",
            "moving_average_abs_max_scale",
        ),
        ("'is_test': True.*out_out(scale|state|accum)_0: Paddle gives nothing", "in tests Paddle does not write them"),
    ),
    "frobenius_norm": ("complex64", "Paddle adds squares, not absolute ones"),
    "fused_rms_norm_quant": ("residual_out_0: Paddle gives nothing", "without a residual Paddle has no sum"),
    "generate_proposals_v2": ("'nms_thresh': 0.0", "Paddle leaves the order to chance where it drops none"),
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
    "shuffle_channel": ("float64|x_0@GRAD", "Paddle moves the bytes of float32, in its gradient by the same groups"),
    "sigmoid_cross_entropy_with_logits": ("normalize", "of labels that are all ignored Paddle divides by 0"),
    "spectral_norm": ("weight_0@GRAD", "Paddle's gradient is that of a gradient of ones"),
    "softplus": ("'threshold': 200.0", "Paddle's exponent overflows"),
    "triangular_solve": ("'unitriangular': True.*x_0@GRAD", "Paddle's gradient has the diagonal, which is not read"),
    "yolov3_loss": ("x_0@GRAD", "Paddle keeps the gradient of the last one of two boxes in a cell"),
}

# and from one version of it
MEANT_BY = {
    "2.6.2": {
        "angle": ("nan", "of NaN it gives 0"),
        "cumprod": (
            "'(exclusive|reverse)': True|complex64.*x_0@GRAD",
            "it has no such attributes, and another gradient of complex numbers",
        ),
        "elementwise_heaviside": (
            r"'X': '\w+ [-.\d]+'|'X': '\w+\[2, 3\]', 'Y': '\w+\[1, 2, 3\]'",
            "it takes the operands in the other order where y has more dimensions",
        ),
        "elementwise_pow": ("'X': 'int", "it does not raise integers to negative powers"),
        **dict.fromkeys(
            ("fake_quantize_dequantize_moving_average_abs_max", "fake_quantize_moving_average_abs_max"),
            (
                r"'round_type': 0.*out_out_0.*ind(ex|ices):(\s+\[[\d, ]+\]: -[\d.]+ \(ACTUAL\), -[\d.]+ \(DESIRED\))+(\s+Max|$)",
                "it has one step less below 0",
            ),
        ),
        "histogram": ("'Weight'", "it has no such input"),
        "kldiv_loss": ("'log_target': True", "it has no such attribute"),
        "logsigmoid": ("complex64.*for \\['X'\\]: out_out_0", "its logarithm has another multiple of 2 pi i"),
        "logsumexp": (r"\} \{\} for", "axis is [0] where it is not given"),
        "lstsq": ("'gelsy'.*residuals", "its driver gives residuals"),
        "lu": ("out_infos", "infos of one matrix have one element"),
        "matrix_rank": ("expected int32", "it counts in int32"),
        "mv": (r"\[\[\], \[\], \[\]\]|'X': '\w+ \[\]'", "of nothing it gives what was in memory"),
        "nanmedian": ("'mode': 'min'", "it has no such attribute"),
        "reduce_amax": (r"'dim': \[1\].*x_0@GRAD", "along a dimension of size 1 its gradient is not written"),
        "reduce_amin": (r"'dim': \[1\].*x_0@GRAD", "along a dimension of size 1 its gradient is not written"),
        "round": ("'decimals'", "it has no such attribute"),
        "sigmoid_cross_entropy_with_logits": ("'pos_weight'", "it has no such input"),
        "take_along_axis": ("", "it does not count negative indices from the end"),
        "thresholded_relu": ("'value'", "it has no such attribute"),
        "trace": ("'axis1': -1", "it takes other elements"),
    },
    "3.3.1": {
        **dict.fromkeys(
            ("bilinear_interp", "nearest_interp"),
            ("'[sS]cale'.*'align_corners': False", "it goes by the scale, not by the sizes that follow from it"),
        ),
        **dict.fromkeys(
            ("linear_interp_v2", "trilinear_interp_v2"),
            ("'align_corners': False, 'align_mode': 0", "where one element is asked for it gives the middle, not the first"),
        ),
        **dict.fromkeys(
            ("matrix_power", "slogdeterminant", "slogdet_v2"), ("complex64.*_0@GRAD", "its gradient is not the conjugate one")
        ),
        "lu_solve": ("('trans': '[TC]'|complex64).*_0@GRAD", "its gradient is that of a matrix that is not transposed"),
    },
}
# operators that a version of Paddle has by another name
OTHER_NAMES = {
    "2.6.2": dict.fromkeys(
        (
            "fake_channel_wise_quantize_dequantize_abs_max_grad",
            "fake_quantize_dequantize_abs_max_grad",
            "fake_quantize_dequantize_moving_average_abs_max_grad",
        ),
        "stright_throuth_estimator_grad",
    ),
    "3.3.1": dict[str, str](),
}
# operators whose calls all differ in this way: those count that Paddle runs
ALL_DIFFER = {"2.6.2": {"cholesky_solve", "matrix_rank"}, "3.3.1": set[str]()}


def mapped_to(type: str) -> list[tuple[Signature, Case]]:
    """The kernels of an operator that have samples; those that take values as attributes first."""
    known = set(cases.names())
    found = [(one, cases.case(one.kernel, "cpu")) for one in legacy.signatures(type) if one.kernel in known]
    found = [(one, case) for one, case in found if case.has_kernel]
    return [(one, case) for one, case in found if not (set(one.attrs) & set(definition(type).inputs))]


def arguments_of(case: Case, draw: Draw, of_one_shape: bool = False) -> tuple[dict[str, Any], list[Any], set[str]]:
    """A call of an operator by names, the tensors that it gives, and the names of inputs that have a gradient."""
    dtype = draw.one(*[one for one in case.all_dtypes if one in DTYPES] or case.all_dtypes[:1])
    samples = [one for one in case.samples if not any(tensor.dtype in HALF for tensor in one.tensors())]
    sample = draw.one(*(one for one in samples if not of_one_shape or len({tensor.shape for tensor in one.tensors()}) == 1))
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
        given, outputs, wanted = arguments_of(case, draw, type in OF_ONE_SHAPE)
        return called(type, signature, case, given, outputs, wanted)

    return call


def called(type: str, signature: Signature, case: Case, given: Mapping[str, Any], outputs: list[Any], wanted: set[str]) -> Call:
    parameters = [one.split("=")[0].split() for one in case.info.kernel_args if one]
    names = [name for kind, name in parameters if kind.startswith("Tensor")]
    slots = dict(zip(names, signature.inputs))
    attrs = dict(zip([name for _, name in parameters if name not in names], signature.attrs))
    inputs = {slots[name]: given[name] for name in names if given.get(name) not in (None, [])}
    values = {attrs[name]: value for name, value in given.items() if name in attrs and value is not None}
    values |= ASKED.get(type, {})
    if type in FROM_FIRST:
        axis, of = FROM_FIRST[type]
        values[axis] %= max(inputs[of].dim(), 1)
    results = [name for _, name in map(str.split, case.info.kernel_outputs)]
    slot_of = dict(zip(results, signature.outputs))
    counts = {name: len(one) if isinstance(one, (list, tuple)) else 1 for name, one in zip(results, outputs)}
    operands = next((len(one) for one in inputs.values() if isinstance(one, list)), 1)
    counts |= {name: operands for name in case.info.intermediate if definition(type).outputs[slot_of[name]].is_list}
    differentiable = f"{type}_grad" in supported()
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
    if _type in RECIPES or _type.endswith("_grad") or _type in LEFT_OUT or _type in DECLARED:
        continue
    _found = mapped_to(_type)
    if _found and not any(case.is_random for _, case in _found):
        SAMPLED[_type] = sampled(_type, _found)
