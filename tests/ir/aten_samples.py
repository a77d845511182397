"""Calls of ATen, of torch's own samples: what they trace to, with real arguments."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import fx
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils._pytree import tree_flatten, tree_unflatten

# torch's OpInfos; with "+" their gradients, too
OPINFOS = """
abs exp log sqrt rsqrt sin cos log1p log2 log10 expm1 erf tan atan asin acos sinh cosh asinh acosh atanh reciprocal floor ceil
trunc round isnan isinf isfinite le ge logical_or logical_xor bitwise_and bitwise_or bitwise_xor bitwise_not remainder
floor_divide nn.functional.leaky_relu+ nn.functional.elu nn.functional.mish nn.functional.softplus+ nn.functional.logsigmoid
nn.functional.prelu tanh+ sigmoid+ nn.functional.relu+ nn.functional.silu+ nn.functional.gelu+ nn.functional.hardswish+
nn.functional.hardsigmoid nn.functional.hardtanh nn.functional.celu nn.functional.selu nn.functional.hardshrink
nn.functional.softshrink nn.functional.threshold fmax fmin heaviside atan2 copysign nn.functional.relu6 clamp neg square pow
logical_not add sub rsub mul div maximum minimum eq ne lt gt logical_and where softmax+ log_softmax+ mm bmm matmul
nn.functional.linear addmm t transpose permute view reshape flatten expand unsqueeze squeeze select slice cat stack split
split_with_sizes chunk unbind repeat tril index_select nn.functional.embedding clone contiguous to full full_like zeros_like
ones_like zeros ones scalar_tensor sum mean amax argmax cumsum topk nn.functional.layer_norm native_layer_norm
nn.functional.rms_norm nn.functional.batch_norm nn.functional.conv2d+ nn.functional.max_pool2d nn.functional.avg_pool2d
nn.functional.adaptive_avg_pool2d nn.functional.dropout grid_sampler_2d grid_sampler_3d lerp triu flip gather index_add
nn.functional.conv_transpose2d diagonal diagonal_copy diag_embed
""".split()


def _inputs(*shapes: tuple[int, ...], dtype: torch.dtype) -> list[torch.Tensor]:
    if not dtype.is_floating_point:
        return [torch.randint(0, 2 if dtype == torch.bool else 9, shape).to(dtype) for shape in shapes]
    return [torch.randn(shape, dtype=dtype) for shape in shapes]


def _with_number(n: int) -> Callable[..., Any]:
    aten = torch.ops.aten

    def function(x: torch.Tensor) -> Any:
        found = [x + n, x - n, n - x, x * n, x / n, x == n, x != n, x < n, x > n, x <= n, x >= n, torch.rsub(x, n)]
        return [*found, aten.add.Scalar(x, n), aten.mul.Scalar(x, n), x.clamp(n, n + 1), x.pow(n + 4)]

    return function


def _more(dtype: torch.dtype) -> Iterator[tuple[Callable[..., Any], list[torch.Tensor]]]:
    """What no OpInfo comes to, or none of its first samples."""
    aten = torch.ops.aten
    x, y, image = _inputs((3, 4), (3, 4), (2, 3, 6, 6), dtype=dtype)
    for number in (2, -1):
        yield _with_number(number), [x]
    yield (lambda x: [aten.alias(x), aten.detach(x), aten.lift_fresh_copy(x), aten._unsafe_view(x, [4, 3])]), [x]
    yield (lambda x: [x.sum(), x.mean(), x.sum([0], True), x.select(1, -1), x[1:], x[:, -3:-1], x.flatten(0, 1)]), [x]
    yield (lambda x: [*x.unbind(1), x.t().contiguous(), x.amax([0], True), x.argmax(1), x.amax((0, 1))]), [x]
    yield (lambda x: [x.squeeze((0, -1)), x.squeeze(1), x.tril(1), x.repeat(2, 1)]), [x.reshape(3, 4)[:1]]
    yield (lambda x: [x.index_add(0, torch.tensor([0, 2]), x[:2]), x.gather(1, torch.tensor([[0], [1]])), x.flip(1)]), [x]
    yield (lambda x: [torch.zeros(2, 3), torch.ones(2), torch.eye(3), torch.eye(2, 3)]), [x]
    yield (lambda x: [torch.full((2,), 3.5), torch.full_like(x, 1), torch.scalar_tensor(2.5)]), [x]
    yield (lambda x: [aten.__and__.Tensor(x, x), x.new_ones(2, 3), x.new_zeros(2, dtype=torch.int64), x.type_as(y)]), [x]
    yield (lambda x: [x[:, ::2], x[torch.tensor([[2, 0]])], x.roll(1, 0), x.roll((1, -2), (0, 1)), x.cumsum(1)]), [x]
    yield (lambda x: [aten._to_copy(x, dtype=torch.float64, device=torch.device("cpu"))]), [x]
    yield (lambda x: [torch.arange(5), torch.arange(2, 5)]), [x]
    yield (lambda x, y: [aten.slice_scatter(x, y[:, :2], 1, -3, -1), aten.slice_scatter(x, y[:2], 0, None, None, 2)]), [x, y]
    yield (lambda x, y: [aten.select_scatter(x, y[0], 0, -1), aten.select_scatter(x, y[:, 0].to(torch.int32), 1, 2)]), [x, y]
    yield (lambda x, y: [aten.fill(x, 1), aten.fill(x, y[0, 0].to(torch.int32))]), [x, y]
    yield (lambda x, y: [aten.copy(x, y), aten.copy(x, y[0].to(torch.int32))]), [x, y]
    if not dtype.is_floating_point:
        return
    yield (lambda x: [aten.embedding(x, torch.tensor([[0, 2], [1, 2]]), padding) for padding in (-1, 2)]), [x]
    pad = torch.nn.functional.pad
    yield (
        (lambda x: [pad(x, (1, 2)), pad(x, (0, 1, -1, 1), value=2.5), aten.constant_pad_nd(x, [0, 1]), aten.div.Scalar(x, 3)]),
        [x],
    )
    yield (lambda x: [aten.slice_backward(x, [3, 9], 1, 2, 6, 1), aten.slice_backward(x, [5, 4], -2, -3, 2**63 - 1, 1)]), [x]
    yield (lambda x: [aten.select_backward(x, [3, 2, 4], 1, -1), aten.select_backward(x, [3, 4, 5], -1, 2)]), [x]
    layer_norm = torch.nn.functional.layer_norm
    given = [one.requires_grad_() for one in _inputs((2, 3, 4), (4,), (4,), dtype=dtype)]
    yield (lambda x, w, b: torch.autograd.grad(layer_norm(x, (4,), w, b).sin().sum(), [x, w, b])), given
    for shape in ((2, 3, 4), (3, 4)):
        given = [one.requires_grad_() for one in _inputs(shape, (3, 4), (3, 4), dtype=dtype)]
        yield (lambda x, w, b: torch.autograd.grad(layer_norm(x, (3, 4), w, b).sin().sum(), [x, w, b])), given
        yield (lambda x, w, b: layer_norm(x, (3, 4), w, b)), [one.detach() for one in given]
    yield (
        (lambda x: [torch.nn.functional.group_norm(x, 3), torch.nn.functional.group_norm(x, 1, x[0, :, 0, 0], x[1, :, 1, 1])]),
        [image],
    )
    yield (lambda x: [x.amin(1), x.argmin(1), x.all(), x.all(1), x.any(), x.any(1), x.prod(), x.prod(1), x.logsumexp([1])]), [x]
    yield (lambda x: [*x.sort(1), *x.sort(1, descending=True), *x.sort(stable=True, dim=0)]), [x]
    filter, bias, scale, statistics = _inputs((5, 3, 3, 3), (5,), (3,), (3,), dtype=dtype)
    yield (lambda x, w: [torch.nn.functional.linear(x, w), torch.addmm(w[:, 0], x, w.t()), x.to(torch.float64)]), [x, y]
    yield (lambda x: [torch.nn.functional.dropout(x, 0.5, False), x.to(torch.int64), x.chunk(2, 1), x.split(2, 1)]), [x]
    yield (lambda x, w, b: torch.conv2d(x, w, b, 2, 1)), [image, filter, bias]
    yield (lambda x, w: torch.conv2d(x, w)), [image, filter]
    yield (lambda x, w, b: torch.conv1d(x[..., 0], w[..., 0], b, 2, 1)), [image, filter, bias]
    yield (lambda x, w: torch.conv1d(x[..., 0], w[..., 0])), [image, filter]
    (across,) = _inputs((3, 5, 3, 3), dtype=dtype)
    yield (lambda x, w, b: torch.conv_transpose2d(x, w, b, 2, 1, 1)), [image, across, bias]
    yield (lambda x, w: torch.conv_transpose2d(x, w)), [image, across]
    for rest in ((False, 1e-5, [True] * 3), (True, 1e-5, [True] * 3)):
        tensors = [image, image + 1, scale, statistics, scale.abs() + 1, statistics, scale.abs() + 1]
        yield (lambda *each, rest=rest: list(aten.native_batch_norm_backward(*each, *rest))), tensors
    yield (lambda x, w: torch.nn.functional.linear(x, w, w[:, 0]).index_select(1, torch.tensor([2, 0]))), [x, y]
    yield (lambda x, y: [torch.pow(x.abs(), y), torch.prelu(x, y[0])]), [x, y]
    yield (lambda x, y: torch.lerp(x, y, y.sigmoid())), [x, y]
    yield (lambda x: x.unbind(0)), [x]
    yield (lambda x: torch.matmul(x, x)), [image]
    yield (
        (lambda x, w, b: torch.autograd.grad(torch.conv1d(x, w, b, 2, 1).sin().sum(), [x, w, b])),
        [one.requires_grad_() for one in _inputs((2, 3, 6), (5, 3, 3), (5,), dtype=dtype)],
    )
    yield (
        (lambda x, w, b: torch.autograd.grad(torch.conv2d(x, w, b, 1, 1).sin().sum(), [x, w, b])),
        [one.requires_grad_() for one in _inputs((2, 3, 6, 6), (5, 3, 3, 3), (5,), dtype=dtype)],
    )
    yield (lambda x: [torch.max_pool2d(x, 2), torch.nn.functional.avg_pool2d(x, 3, 2, 1, False, False)]), [image]
    yield (lambda x: [torch.nn.functional.adaptive_avg_pool2d(x, (2, 3)), torch.max_pool2d(x, 3, 2, 1)]), [image]
    trains = aten._native_batch_norm_legit_functional
    yield (lambda x, m, v, w, b: trains(x, w, b, m, v.exp(), True, 0.1, 1e-5)), [image, statistics, statistics, scale, scale]
    yield (lambda x, w, b: aten._native_batch_norm_legit.no_stats(x, w, b, True, 0.1, 1e-5)), [image, scale, scale]
    of_groups = torch.nn.functional.group_norm
    given = [one.requires_grad_() for one in _inputs((2, 6, 4, 3), (6,), (6,), dtype=dtype)]
    yield (lambda x, w, b: torch.autograd.grad(of_groups(x, 2, w, b).sin().sum(), [x, w, b])), given
    batch_norm = torch.nn.functional.batch_norm
    yield (lambda x, m, v, w, b: batch_norm(x, m, v.exp(), w, b, False, 0.1, 1e-5)), [image, statistics, statistics, scale, scale]
    legit = aten._native_batch_norm_legit_no_training
    yield (lambda x, m, v, w, b: legit(x, w, b, m, v.exp(), 0.1, 1e-5)), [image, statistics, statistics, scale, scale]
    yield (lambda x, w: torch.nn.functional.rms_norm(x, (4,), w, 1e-5)), [x, x[0]]
    yield (lambda x: torch.nn.functional.layer_norm(x, (4,))), [x]
    yield (lambda x: torch.autograd.grad(torch.relu(x).sin().sum(), [x])), [x.clone().requires_grad_()]
    backward = (aten.tanh_backward, aten.sigmoid_backward, aten.silu_backward, aten.gelu_backward, aten.hardswish_backward)
    yield (lambda x: [one(x[:1], x) for one in backward]), [x]


def _of_opinfos(dtype: torch.dtype, most: int) -> Iterator[tuple[Callable[..., Any], list[torch.Tensor]]]:
    from torch.testing._internal.common_methods_invocations import op_db

    kept = []  # what ends in the midst of a trace changes torch's modes there
    wanted = {name.removesuffix("+"): name.endswith("+") for name in OPINFOS}
    for op in op_db:
        if op.name not in wanted or op.variant_test_name not in ("", "no_rounding_mode") or dtype not in op.dtypes:
            continue
        for gradients in {False, wanted[op.name] and dtype.is_floating_point and dtype in op.backward_dtypes}:
            samples = op.sample_inputs("cpu", dtype, requires_grad=gradients)
            kept.append(samples)
            first = list(itertools.islice(samples, most))
            yield from (_function(op, sample, gradients) for sample in first)


def _function(op: Any, sample: Any, gradients: bool) -> tuple[Callable[..., Any], list[torch.Tensor]]:
    flat, spec = tree_flatten(((sample.input, *sample.args), sample.kwargs))
    tensors = [one for one in flat if isinstance(one, torch.Tensor)]

    def function(*given: torch.Tensor) -> Any:
        rest = iter(given)
        args, kwargs = tree_unflatten([next(rest) if isinstance(one, torch.Tensor) else one for one in flat], spec)
        found = op(*args, **kwargs)
        if not gradients:
            return found
        leaves = [one for one in given if one.requires_grad]
        return torch.autograd.grad(found.sin().sum(), leaves, allow_unused=True)

    return function, tensors


class _Calls(fx.Interpreter):
    def __init__(self, module: fx.GraphModule) -> None:
        super().__init__(module)
        self.found: list[tuple[Any, Any, Any]] = []

    def call_function(self, target: Any, args: Any, kwargs: Any) -> Any:
        if isinstance(target, torch._ops.OpOverload):
            detached = [x.detach().clone() if isinstance(x, torch.Tensor) else x for x in tree_flatten((args, kwargs))[0]]
            self.found.append((target, *tree_unflatten(detached, tree_flatten((args, kwargs))[1])))
        return super().call_function(target, args, kwargs)


def calls(dtype: torch.dtype, most: int) -> Iterator[tuple[Any, Any, Any]]:
    """(overload, arguments, keywords), of at most so many samples of each OpInfo."""
    for function, tensors in itertools.chain(_more(dtype), _of_opinfos(dtype, most)):
        differentiates = any(one.requires_grad for one in tensors)
        for pre_dispatch in (False,) if differentiates else (False, True):
            try:
                graph = make_fx(function, pre_dispatch=pre_dispatch)(*tensors)
            except (RuntimeError, TypeError, NotImplementedError, AttributeError):  # not for this dtype
                continue
            interpreter = _Calls(graph)
            interpreter.run(*tensors)
            yield from interpreter.found
