"""Kernels of operators that Paddle's passes put in the place of several."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from ... import ops as phi
from .._operators import FORMS, Operands
from ..description import OpDesc
from .table import aligned, differentiated, kernel


@kernel("fusion_repeated_fc_relu(Tensor x, Tensor[] w, Tensor[] bias) -> (Tensor[], Tensor)")
def fusion_repeated_fc_relu(x: Tensor, w: Sequence[Tensor], bias: Sequence[Tensor]) -> tuple[list[Tensor], Tensor]:
    """What each layer gives; that of the last one is the second result."""
    if len(w) != len(bias) or len(w) < 2:
        raise ValueError(f"slots W, Bias: expected as many of both, at least 2, got {len(w)} and {len(bias)}")
    found = []
    for one, add in zip(w, bias):
        x = phi.relu(phi.add(phi.matmul(phi.flatten(x, 1, -1) if x.dim() > 2 else x, one), phi.reshape(add, [-1])))
        found.append(x)
    return found[:-1], x


@kernel("fusion_squared_mat_sub(Tensor x, Tensor y, float scalar) -> (Tensor, Tensor, Tensor, Tensor)")
def fusion_squared_mat_sub(x: Tensor, y: Tensor, scalar: float) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """((x y)^2 - x^2 y^2) scalar, of matrices and elementwise squares."""
    product = phi.square(phi.matmul(x, y))
    squared_x, squared_y = phi.square(x), phi.square(y)
    return squared_x, squared_y, product, phi.scale(phi.subtract(product, phi.matmul(squared_x, squared_y)), scalar)


_UNARY: dict[str, Callable[[Tensor, float], Tensor]] = {
    "scale": phi.scale,
    "relu": lambda x, scale: phi.relu(x),
    "tanh": lambda x, scale: phi.tanh(x),
    "sigmoid": lambda x, scale: phi.sigmoid(x),
    "gelu": lambda x, scale: phi.gelu(x, True),
}
_BINARY = {"elementwise_add": phi.add, "elementwise_mul": phi.multiply}


def _two(x: Tensor, y: Tensor, functors: Sequence[str], axis: int, scale: float) -> tuple[Tensor, Tensor]:
    """The result, and what the inner one of the two functions gave; a gradient operator names the functions' gradients."""
    outer, inner = (one.removesuffix("_grad") for one in functors) if len(functors) == 2 else ("", "")
    if outer in _BINARY and inner in _UNARY:
        between = _UNARY[inner](y, scale)
        return _BINARY[outer](*aligned(x, between, axis)), between
    if outer in _UNARY and inner in _BINARY:
        between = _BINARY[inner](*aligned(x, y, axis))
        return _UNARY[outer](between, scale), between
    expected = f"one of {', '.join(_BINARY)} and one of {', '.join(_UNARY)}"
    raise ValueError(f"attribute functor_list: expected {expected}, got {[*functors]}")


_ATTRS = "str[] functor_list, int axis, float scale, bool save_intermediate_out"
for _name in ("fused_elemwise_activation", "fused_elemwise_add_activation"):

    @kernel(f"{_name}(Tensor x, Tensor y, {_ATTRS}) -> (Tensor, Tensor)")
    def fused_elemwise(
        x: Tensor, y: Tensor, functor_list: Sequence[str], axis: int, scale: float, save_intermediate_out: bool
    ) -> tuple[Tensor, Tensor]:
        return _two(x, y, functor_list, axis, scale)

    @kernel(
        f"{_name}_grad(Tensor x, Tensor y, Tensor out, Tensor? intermediate_out, Tensor out_grad, {_ATTRS}) -> (Tensor, Tensor)"
    )
    def fused_elemwise_grad(
        x: Tensor,
        y: Tensor,
        out: Tensor,
        intermediate_out: Tensor | None,
        out_grad: Tensor,
        functor_list: Sequence[str],
        axis: int,
        scale: float,
        save_intermediate_out: bool,
    ) -> tuple[Tensor, Tensor]:
        x_grad, y_grad = differentiated(lambda x, y: _two(x, y, functor_list, axis, scale)[0], [x, y], out_grad)
        return x_grad, y_grad


def _normed(x: Tensor, scale: Tensor | None, bias: Tensor | None, epsilon: float, begin: int) -> tuple[Tensor, Tensor, Tensor]:
    out, mean, variance = torch.ops.phi.layer_norm(x, scale, bias, epsilon, begin)
    return out, mean, variance


@kernel("skip_layernorm(Tensor x, Tensor y, Tensor scale, Tensor bias, float epsilon, int begin_norm_axis) -> Tensor")
def skip_layernorm(x: Tensor, y: Tensor, scale: Tensor, bias: Tensor, epsilon: float, begin_norm_axis: int) -> Tensor:
    return _normed(phi.add(x, y), scale, bias, epsilon, begin_norm_axis)[0]


@kernel(
    "fused_fc_elementwise_layernorm(Tensor x, Tensor w, Tensor y, Tensor? bias0, Tensor? scale, Tensor? bias1,"
    " int x_num_col_dims, str activation_type, float epsilon, int begin_norm_axis) -> (Tensor, Tensor, Tensor)"
)
def fused_fc_elementwise_layernorm(
    x: Tensor,
    w: Tensor,
    y: Tensor,
    bias0: Tensor | None,
    scale: Tensor | None,
    bias1: Tensor | None,
    x_num_col_dims: int,
    activation_type: str,
    epsilon: float,
    begin_norm_axis: int,
) -> tuple[Tensor, Tensor, Tensor]:
    out = phi.fc(x, w, bias0, x_num_col_dims, activation_type)
    return _normed(phi.add(out, y), scale, bias1, epsilon, begin_norm_axis)


@kernel("fused_embedding_eltwise_layernorm(Tensor[] ids, Tensor[] embs, Tensor bias, Tensor scale, float epsilon) -> Tensor")
def fused_embedding_eltwise_layernorm(
    ids: Sequence[Tensor], embs: Sequence[Tensor], bias: Tensor, scale: Tensor, epsilon: float
) -> Tensor:
    if len(ids) != len(embs):
        raise ValueError(f"slot Embs: expected as many tables as there are Ids, {len(ids)}, got {len(embs)}")
    rows = [phi.embedding(phi.squeeze(of, [-1]) if of.dim() == 3 else of, table) for of, table in zip(ids, embs)]
    return _normed(phi.add_n(rows), scale, bias, epsilon, rows[0].dim() - 1)[0]


@kernel(
    "multihead_matmul(Tensor input, Tensor w, Tensor bias, Tensor? bias_qk, bool transpose_q, bool transpose_k,"
    " bool transpose_v, float alpha, int head_number) -> Tensor"
)
def multihead_matmul(
    input: Tensor,
    w: Tensor,
    bias: Tensor,
    bias_qk: Tensor | None,
    transpose_q: bool,
    transpose_k: bool,
    transpose_v: bool,
    alpha: float,
    head_number: int,
) -> Tensor:
    """Attention of a sequence to itself: [batch, length, width], weights [width, 3, heads, size] or [width, 3, width]."""
    batch, length, width = input.shape
    if head_number < 1 or width % head_number != 0:
        raise ValueError(f"attribute head_number: expected a divisor of the width {width}, got {head_number}")
    all_three = phi.add(phi.matmul(input, phi.reshape(w, [width, -1])), phi.reshape(bias, [-1]))
    return phi.reshape(_attended(phi.reshape(all_three, [batch, length, 3, head_number, -1]), bias_qk, alpha), [batch, length, -1])


@kernel("self_dp_attention(Tensor x, float alpha, int head_number) -> Tensor")
def self_dp_attention(x: Tensor, alpha: float, head_number: int) -> Tensor:
    """The same of [batch, length, 3, heads, size], which are queries, keys and values already."""
    if x.dim() != 5 or x.shape[2] != 3 or x.shape[3] != head_number:
        raise ValueError(
            f"slot X: expected [batch, length, 3, {head_number}, size], as attribute head_number says, got {[*x.shape]}"
        )
    return _attended(x, None, alpha)


def _attended(all_three: Tensor, bias_qk: Tensor | None, alpha: float) -> Tensor:
    q, k, v = phi.unbind(phi.transpose(all_three, [2, 0, 3, 1, 4]), 0)
    scores = phi.scale(phi.matmul(q, k, False, True), alpha)
    scores = scores if bias_qk is None else phi.add(scores, bias_qk)
    return phi.transpose(phi.matmul(phi.softmax(scores, -1), v), [0, 2, 1, 3])


CHANNELS_FIRST = [0, 3, 1, 2]  # of filters whose channels are last


def has_channels_last(op: OpDesc) -> bool:
    """Whether it is a `fused_conv2d_add_act` as transfer_layout_pass leaves it: its filter has the layout of the images."""
    return "data_format" in op.attrs and op.attrs["data_format"].value == "NHWC"


def _conv2d_add_act(op: Operands) -> None:
    names = ("strides", "paddings", "padding_algorithm", "dilations", "groups", "data_format", "activation", "split_channels")
    bias, residual = (op.input(slot) if op.has(slot) else None for slot in ("Bias", "ResidualData"))
    attrs = {name: op.attr(name) for name in (*names, "fuse_alpha")}
    filter = op.input("Filter").permute(CHANNELS_FIRST)
    out, parts = torch.ops.phi.fused_conv2d_add_act(op.input("Input"), filter, bias, residual, **attrs)
    op.set("Output", out)
    for name, part in zip(op.op.outputs.get("Outputs", []), parts):
        op.values[op.place(name)] = part


FORMS["fused_conv2d_add_act"] = has_channels_last, _conv2d_add_act
