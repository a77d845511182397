"""What random calls have found, a test for each class: refused with the same words everywhere, or right."""

from typing import Any

import pytest
import torch

import phi_torch
from phi_torch.fuzz import check

X = torch.tensor([[1.0, -2.0], [0.5, 3.0]])


def nearest_grad(x: torch.Tensor, scale_tensor: torch.Tensor) -> torch.Tensor:
    image = x[None, None]
    return torch.ops.phi.nearest_interp_grad(image, None, None, scale_tensor, image, "NCHW", 0, 2, 2, [], "nearest", True, 1)


def image(name: str, x: torch.Tensor, scale: float) -> torch.Tensor:
    return getattr(phi_torch, name)(x[None, None], scale=[scale, scale], interp_method=name.removesuffix("_interp"))


def empty_pool(x: torch.Tensor, flag: str) -> torch.Tensor:
    flags = {"global_pooling": flag == "global_pooling", "adaptive": flag == "adaptive"}
    return phi_torch.pool2d(x.new_zeros(2, 3, 0, 4), [3, 2], [1, 1], [0, 0], pooling_type="avg", **flags)  # type: ignore[arg-type]


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize(
    ("exception", "message", "call"),
    [
        (ValueError, "'scale': expected a real number", lambda x: phi_torch.scale(x, 2j)),
        (ValueError, "'value': expected a real number", lambda x: phi_torch.full_like(x, 1 + 2j)),
        (
            ValueError,
            "'value': expected a real number, which float8_e5m2 can hold, got 1",
            lambda x: phi_torch.full_like(x * 1j, 1 + 2j, torch.float8_e5m2),
        ),
        (IndexError, "'scale': expected a 64-bit integer, got 9223372036854775808", lambda x: torch.ops.phi.scale(x, 2**63)),
        (IndexError, "'seed': expected a 32-bit integer, got 4294967296", lambda x: phi_torch.dropout(x, seed=2**32)),
        (
            ValueError,
            "'seed_tensor': expected one element of int32",
            lambda x: phi_torch.dropout(x, x.new_zeros(0, dtype=torch.int32)),
        ),
        (ValueError, "'seed_tensor'.* of float32", lambda x: phi_torch.dropout(x, x.new_zeros(1))),
        (
            ValueError,
            "'filter': expected one that is not empty",
            lambda x: phi_torch.conv2d(x[None, None], x.new_zeros(1, 1, 0, 2)),
        ),
        (ValueError, "at most 9 dimensions", lambda x: phi_torch.unsqueeze(x.new_zeros([1] * 12), [])),
        (ValueError, "at most 9 dimensions", lambda x: phi_torch.unsqueeze(x, [0] * 8)),
        ((RuntimeError, ValueError), "unbind", lambda x: phi_torch.unbind(x[0, 0].expand(2**62))),
        (ValueError, "split_with_num", lambda x: torch.ops.phi.split_with_num(x, -1, 0)),
        (ValueError, "4294967296 . 4294967296 leaves 64 bits", lambda x: phi_torch.view_shape(x[:0], [2**32, 2**32])),
        (ValueError, "2 . 4611686018427387904 leaves 64 bits", lambda x: phi_torch.tile(x, [1, 2**62])),
        (ValueError, "'y': expected data type float32 as 'x', got bool", lambda x: torch.ops.phi.maximum_grad(x, x.bool(), x)),
        (ValueError, "'scale_tensor': expected 1 or 2 elements of float32", lambda x: nearest_grad(x, x.new_zeros(5, 0))),
        (ValueError, "'scale_tensor': expected 1 or 2 elements of float32", lambda x: nearest_grad(x, x.new_ones(2).double())),
        (
            ValueError,
            "dropout_grad: .*a real number is expected",
            lambda x: torch.ops.phi.dropout_grad(x.byte(), x, 0.5j, False, "downgrade_in_infer"),
        ),
        (ValueError, "phi::concat: .*'x': expected at least one tensor, got an empty list", lambda x: torch.ops.phi.concat([])),
        (
            ValueError,
            "phi::merged_momentum_: .*'param': expected at least one tensor, got an empty list",
            lambda x: torch.ops.phi.merged_momentum_([], [], [], [x[0, :1]], None, 0.5, False, []),
        ),
        *(
            (ValueError, f"{name}: .*'scale': expected (positive )?numbers", lambda x, f=name, s=scale: image(f, x, s))
            for name in ("nearest_interp", "bilinear_interp")
            for scale in (9.2e18, 1e-300, float("inf"), float("nan"))
        ),
        *(
            (ValueError, f"expected a height and width above 0 .{flag} is true", lambda x, f=flag: empty_pool(x, f))
            for flag in ("adaptive", "global_pooling")
        ),
        (
            ValueError,
            "'decrease_axis': expected each axis once, got axis 0 again",
            lambda x: phi_torch.slice(x, [0], [0], [1], [], [0, -2]),
        ),
        (IndexError, "sum: .*-9223372036854775808", lambda x: phi_torch.sum(x, [-(2**63)])),
        (ValueError, "reshape: .*-9223372036854775808", lambda x: phi_torch.reshape(x, [-(2**63)])),
        (
            RuntimeError,
            "Storage size calculation overflowed",
            lambda x: torch.ops.phi.cos.out(x.new_zeros(()).expand(2**31, 2**31), out=x.new_zeros(1)),
        ),
    ],
)
def test_bad_arguments_are_refused_alike(device, exception, message, call):
    with pytest.raises(exception, match=message):
        call(X.to(device))


def written() -> list[tuple[str, list[Any], dict[str, Any]]]:
    """Calls that write some of their tensors, which are negative views."""
    state = [torch.rand(2, 2) for _ in range(2)]
    power = [torch.tensor([0.9]), torch.tensor([0.8])]
    return [
        ("relu_", [X], {}),
        ("add_", [X, X.flip(0)], {}),
        ("dropout_", [X, None, 0.0], {}),
        ("batch_norm_", [X, torch.rand(2), torch.rand(2)], {}),
        ("momentum_", [X, X.flip(0), torch.rand(2, 2), torch.tensor([0.1]), None, 0.9], {}),
        ("adam_", [X, X.flip(0), torch.tensor([0.1]), *state, None, *power], {}),
    ]


@pytest.mark.parametrize(("name", "args", "kwargs"), written())
def test_negative_views_are_written(name, args, kwargs):
    """Torch's fallback for them takes one written tensor, and one that is returned first; else it ends the process."""
    function = getattr(phi_torch, name)
    plain = [a.clone() if isinstance(a, torch.Tensor) else a for a in args]
    views = [torch._neg_view(-a) if isinstance(a, torch.Tensor) else a for a in args]
    function(*plain, **kwargs)
    function(*views, **kwargs)
    for a, b in zip(plain, views):
        if isinstance(a, torch.Tensor):
            torch.testing.assert_close(a, b.resolve_neg())


def test_a_scale_tensor_that_makes_too_much_is_refused():
    with pytest.raises(ValueError, match="'scale_tensor': expected numbers from"):
        phi_torch.nearest_interp(X[None, None], scale_tensor=torch.tensor([1e30]), interp_method="nearest")


def test_a_list_that_may_be_absent_takes_dense_tensors_alone():
    """Which torch's dispatcher does not look into."""
    x = [torch.ones(3)]
    with pytest.raises(ValueError, match="merged_momentum_: .*'master_param': expected dense tensors, .* of layout Sparse"):
        phi_torch.merged_momentum_([torch.zeros(3)], x, [torch.ones(3)], [torch.ones(1)], [torch.ones(3).to_sparse()], 0.5)


@pytest.mark.parametrize("name", ["momentum_", "adam_", "merged_momentum_"])
def test_several_views_are_not_overwritten_where_gradients_are_recorded(name):
    """Torch rebases the history of one view for each node."""
    base = torch.rand(8)
    first, second, third, powers = base[:2], base[2:4], base[4:6], [base[6:7], base[7:]]
    rate = torch.tensor([0.1], requires_grad=True)
    arguments = {
        "momentum_": [first, X[0], second, rate, None, 0.9],
        "adam_": [first, X[0], rate, second, third, None, *powers],
        "merged_momentum_": [[first], [X[0]], [second], [rate], None, 0.9],
    }
    with pytest.raises(NotImplementedError, match=f"{name}: the tensor to overwrite is a view, .* cannot record for autograd"):
        getattr(phi_torch, name)(*arguments[name])


def test_conjugate_views_are_written():
    x = torch.tensor([1 + 2j, 3 - 1j])
    expected = phi_torch.scale(x.conj().resolve_conj(), 2.0)
    view = x.clone().conj()
    phi_torch.scale_(view, 2.0)
    assert torch.equal(view.resolve_conj(), expected)
    out = torch.zeros(2, dtype=torch.complex64).conj()
    torch.ops.phi.scale.out(x, 2.0, out=out)
    assert torch.equal(out.resolve_conj(), x * 2)


SOUND = [
    # lists that no memory holds
    "torch.ops.phi.max.tensor(torch.ones(()).requires_grad_(), torch.zeros((), dtype=torch.int16).expand(2**40), False)",
    "phi_torch.reshape(torch.ones(2, 6), torch.zeros((), dtype=torch.uint8).expand(2**40))",
    "torch.ops.phi.sum.out(torch.zeros(()).expand(2**31, 2**31), [0], None, True, out=torch.zeros(()))",
    # no class, and labels
    "phi_torch.cross_entropy_with_softmax(torch.zeros((3, 0)).requires_grad_(), torch.zeros((3, 1), dtype=torch.int64))",
    "phi_torch.index_select(torch.zeros((3, 0)), torch.tensor([-2, -1]), -1)",
    # a layout of volumes, of images whose channels are last in memory
    "phi_torch.pool2d(torch.ones(1, 3, 7, 8).to(memory_format=torch.channels_last), [3, 3], [2, 2], data_format='NCDHW')",
    # convolutions of nothing, and strides beyond the image
    "phi_torch.conv2d(torch.ones(1, 3, 5, 6).requires_grad_(), torch.ones(0, 3, 2, 2).requires_grad_())",
    "phi_torch.depthwise_conv2d(torch.ones(1, 2, 7, 0), torch.ones(2, 1, 3, 4), [1, 1], [5, 5], 'SAME', 2, [2, 1])",
    "phi_torch.conv2d(torch.ones(2, 3, 6, 5).requires_grad_(), torch.ones(4, 3, 3, 2).requires_grad_(), [2, 2**31 - 1], [1, 1])",
    "phi_torch.conv2d(torch.zeros(2, 0, 5, 6), torch.zeros(2, 0, 5, 6))",
    "phi_torch.pool2d(torch.zeros(2, 0, 3, 4), [2**62, 4], [2, 2], padding_algorithm='SAME')",
    "torch.ops.phi.pow_grad.default(torch.zeros((0, 3)), torch.zeros((0, 3)).requires_grad_(), -2**63)",
    # gradients of another dtype, of another layout, or of a step that no memory has
    "torch.ops.phi.masked_select_grad.default(torch.zeros(2).double(), torch.zeros(2, dtype=torch.bool), torch.zeros(0))",
    "torch.ops.phi.set_value_with_tensor_grad.default(torch.zeros(2).half(), torch.ones(3, 2), [0], [2], [1], [0], [], [])",
    "torch.ops.phi.pixel_shuffle_grad.default(torch.ones(1, 1, 6, 6).requires_grad_(), 3, 'CHWN')",
    "torch.ops.phi.set_value_grad.default(torch.ones(3, 4).requires_grad_(), [0], [0], [2**63 - 1], [0])",
    # a volume without a source
    "phi_torch.pad3d(torch.zeros((1, 2, 0, 4, 3)), [1, 1, 1, 1, 1, 1], 'constant', 1.0, 'NCDHW')",
    # numbers and sizes that leave 64 bits
    "torch.ops.phi.scale_grad.default(torch.tensor(6), -1e38)",
    "torch.ops.phi.tile_grad.default(torch.ones(2, 3), torch.ones(2, 6), [2**62, 4])",
    "torch.ops.phi.slice_grad.default(torch.ones(3, 2), torch.ones(()), [1, 0], [1, 2], [2, 3], [1, 1], [1, 2**63 - 1])",
    "torch.ops.phi.reshape.tensor(torch.zeros(2, 0), torch.tensor([2**62]).repeat(3))",
    # as many elements as a mask has true ones
    "torch.ops.phi.index_put_grad.default(torch.ones(3, 4), [torch.tensor([True, False, True])], torch.ones(2), "
    "torch.ones(3, 4).requires_grad_(), False)",
    "torch.ops.phi.index_put_grad.default(torch.ones(3, 4), [torch.tensor([True, False, True])], torch.ones(70), torch.ones(3, 4))",
    # a tensor that is not there, of a composite
    "torch.ops.phi.linspace.default(torch.ones(1), torch.ones(1), None, torch.float32, None)",
    "torch.ops.phi.repeat_interleave_with_tensor_index.default(torch.ones(5), None, 0, -1)",
    # images without channels, filters of nothing, numbers that an integer does not hold
    "phi_torch.max_pool2d_with_index(torch.zeros((3, 0, 4, 4)), [2, 2], [2, 2])",
    "phi_torch.max_pool3d_with_index(torch.zeros((0, 0, 2, 3, 8)), [3, 2, 2], adaptive=True)",
    "phi_torch.deformable_conv(torch.ones(2, 2, 3, 4), torch.ones(2, 12, 2, 2), torch.zeros((0, 2, 2, 3)), None)",
    "phi_torch.histogram(torch.zeros((0,), dtype=torch.int64), None, 3, -1e300, 0.0)",
    "phi_torch.searchsorted(torch.zeros(()).expand(2**40), torch.zeros(1), True)",
    "torch.ops.phi.roll_grad.default(torch.ones(()), torch.ones(()).requires_grad_(), [2**63 - 1], [])",
    "torch.ops.phi.roll_grad.default(torch.ones(3, 4), torch.ones(3, 4).requires_grad_(), [-2**63], [])",
    # windows without number, and elements that share memory
    "phi_torch.pool3d(torch.ones(1, 1, 2, 2, 2), [2**40, 3, 2], pooling_type='max', adaptive=True)",
    "torch.ops.phi.gelu_grad.default(torch.ones(3, 4).requires_grad_(), torch.ones(12).as_strided((3, 4), (1, 1)), False)",
    # shapes that values decide on
    "phi_torch.masked_select(torch.ones(3, 7), torch.tensor([True]))",
    "phi_torch.nonzero(torch.zeros(0, 3))",
    # what InferMeta refuses of an operator whose sizes values decide on
    "phi_torch.sequence_mask(torch.ones(3), 4, torch.bits16)",
    "torch.ops.phi.sequence_mask.default(torch.zeros([1] * 70), 4, torch.int32)",
    "torch.ops.phi.multiclass_nms3.default(torch.zeros(()).expand(2**31, 2**31), torch.zeros((0, 2, 9)), None, 0.0, -1, -1)",
    # two dimensions of one letter, windows of nothing, more dimensions than the place has, another device, endless numbers
    "phi_torch.einsum([torch.ones(3, 1)], 'ii->i')",
    "phi_torch.einsum([torch.ones(2, 3, 1, 3)], 'i...i->i')",
    "torch.ops.phi.fold.default(torch.zeros((2, 0, 12)), [3, 2], [2, 2], [1, 1], [1, 1, 1, 1], [1, 1])",
    "torch.ops.phi.index_put.default(torch.ones(3, 4), [torch.zeros((0,), dtype=torch.int64)], torch.zeros((1, 0, 4)), False)",
    "torch.ops.phi.linspace.default(torch.ones(1).requires_grad_(), torch.ones(1), torch.tensor([1]), torch.float32, 'meta')",
    "phi_torch.binomial(torch.tensor([[float('nan')], [4.0]]), torch.linspace(-0.2, 1.7, 3))",
    "torch.ops.phi.conv3d_transpose.default(torch.ones(1, 4, 2, 2, 2), torch.ones(4, 1, 2, 3, 2), [2, 2**31 - 1, 2], [1, 0, 1])",
    "phi_torch.conv2d_transpose(torch.ones(1, 2, 3, 4), torch.ones(2, 2, 3, 2), [2, 1], (0, 0), (), (), 'EXPLICIT', 1, "
    "[2, 2**31 - 1], 'NCHW')",
    # a type that is refused where there are no values, a result elsewhere, and an exponent that a half does not hold
    "torch.ops.phi.as_complex.default(torch.ones(2, dtype=torch.complex64).requires_grad_().to('meta'))",
    "torch.ops.phi.as_complex.default(torch.ones(2, dtype=torch.float16).requires_grad_().to('meta'))",
    "torch.ops.phi.as_real.default(torch.ones(2).requires_grad_().to('meta'))",
    "torch.ops.phi.isfinite.out(torch.ones(2).to('meta'), out=torch.tensor(True))",
    "torch.ops.phi.p_norm_grad.default(torch.ones(2, dtype=torch.float16).requires_grad_(), torch.ones(1, dtype=torch.float16), "
    "torch.ones(1, dtype=torch.float16), 3.5e38, 0, -1.0, True, True)",
    # a part of memory, with the negative bit, whose shape changes
    "torch.ops.phi.squeeze_.default(torch._neg_view(torch.ones(3, 1).expand(3, 3)), [0, -1])",
    "torch.ops.phi.squeeze_.default(torch._neg_view(torch.ones(1, 3, 1)[0].expand(3, 3).unsqueeze(0)), [0, -1])",
    # what nothing records, a transform of real numbers, no channels, no places
    "phi_torch.bitwise_not(torch.ones(2, dtype=torch.complex64).requires_grad_().to('meta'))",
    "phi_torch.bitwise_not_(torch.ones(2).requires_grad_().to('meta').clone())",
    "torch.ops.phi.fft_c2r.default(torch.ones(2, 5).requires_grad_().to('meta'), [1], 'forward', True, 9)",
    "torch.ops.phi.fft_c2c.default(torch.ones(2, 5).requires_grad_().to('meta'), [1], 'forward', True)",
    "phi_torch.pool3d(torch.zeros((0, 0, 4, 4, 4)).requires_grad_(), [2] * 3, [2] * 3, (0, 0, 0), pooling_type='avg')",
    "phi_torch.pool3d(torch.zeros((2, 0, 4, 4, 4)).requires_grad_(), [2] * 3, [2] * 3, (0, 0, 0), pooling_type='max')",
    "phi_torch.pool3d(torch.zeros((2, 0, 4, 4, 4)).requires_grad_(), [2] * 3, pooling_type='avg', adaptive=True)",
    "phi_torch.prior_box(torch.zeros((1, 2, 0, 3)), torch.ones(1, 3, 10, 20), [2.0], [5.0], [2.0], [0.1, 0.1, 0.2, 0.2])",
    # masks and counts, whose values decide on the sizes
    "torch.ops.phi.index_put_grad.default(torch.zeros((0, 3)), [torch.zeros((0,), dtype=torch.bool)], torch.ones(17), "
    "torch.zeros((0, 3)), False)",
    "phi_torch.repeat_interleave_with_tensor_index(torch.ones(2, 3, dtype=torch.int32), torch.tensor([0, 1, 0]), 1, 4)",
    # a sequence that is shorter than any
    "phi_torch.viterbi_decode(torch.ones(1, 2, 4), torch.ones(4, 4), torch.tensor([-(2**63)]))",
    # memory that is written and saved, and gradients of types that a library does not have
    "torch.ops.phi.lerp_.default((a0 := torch.zeros((0, 3))), torch.ones(3).requires_grad_(), a0.detach())",
    "phi_torch.det(torch.ones(2, 2, dtype=torch.bfloat16).requires_grad_().to('meta'))",
    # a probability that is 0 as a float
    "phi_torch.rnn(torch.ones(3, 2, 4), [torch.zeros(2, 2, 3)], [torch.ones(3, n) for n in (4, 3, 3, 3)] + [torch.ones(3)] * 4, "
    "None, None, 5e-324, False, 4, 3, 2, 'RNN_TANH', 0, False)",
    # attention without heads, padding that a library does not count, a type that PHI lacks
    "torch.ops.phi.flash_attn.default(torch.zeros((1, 0, 0, 8)).requires_grad_(), torch.ones(1, 5, 3, 8).requires_grad_(), "
    "torch.ones(1, 5, 3, 8).requires_grad_(), None, None, 0.0, True, False, False, '')",
    "torch.ops.phi.flash_attn.default(torch.zeros((1, 2, 0, 8)).requires_grad_(), torch.ones(1, 5, 3, 8).requires_grad_(), "
    "torch.ones(1, 5, 3, 8).requires_grad_(), None, None, 0.0, False, False, False, '')",
    "phi_torch.max_pool2d_with_index(torch.zeros((0, 3, 4, 4)), [2, 2], [2, 2], [0, 2147483647], False, False, False)",
    "phi_torch.pool3d(torch.zeros((0, 3, 4, 4, 4)), [2] * 3, [2] * 3, [0, 0, 2**31 - 1], pooling_type='max')",
    "torch.ops.phi.reshape.default(torch.ones(4, 3, 2).to(torch.float8_e8m0fnu).transpose(0, 2), [0, -1])",
    # a place that no number counts, and images whose padding no memory has
    "torch.ops.phi.as_strided.default(torch.ones(3, 4).bool(), [2, 3], [4, 1], 2**63 - 1)",
    "phi_torch.fold(torch.ones(1, 4, 4), [4, 4], [2, 2], [2**31 - 1, 2], [0, 0, 2**31 - 1, 0], [1, 1])",
    "phi_torch.unfold(torch.ones(1, 1, 4, 4), [2, 2], [2**31 - 1, 2], [0, 0, 2**31 - 1, 0], [1, 1])",
    "phi_torch.pool3d(torch.ones(1, 2, 5, 4, 3), [3, 3, 2**31 - 1], [2] * 3, pooling_type='max', padding_algorithm='SAME')",
    # a gradient of another type, where a tensor decides on the size; a type that torch refuses where it traces
    "torch.ops.phi.linear_interp_grad.default(torch.ones(1, 2, 5).half(), torch.tensor([8]), None, None, torch.ones(1, 2, 8), "
    "'NCHW', 0, 0, 8, [], 'linear', True, 1)",
    "phi_torch.slogdet_v2(torch.ones(2, 2, 2, dtype=torch.bfloat16).requires_grad_().to('meta'))",
    # places that are none
    "torch.ops.phi.roi_pool_grad.default(torch.ones(1, 1, 2, 2), torch.ones(1, 4).requires_grad_(), torch.tensor([1]), "
    "torch.tensor([[[[2**62]]]]), torch.ones(1, 1, 1, 1).requires_grad_(), 1, 1, 1.0)",
]


@pytest.mark.parametrize("source", SOUND)
def test_calls_that_once_had_problems(source):
    assert check(source) == []


@pytest.mark.parametrize(
    ("call", "shapes"),
    [
        (phi_torch.conv2d, [(0, 3, 5, 6), (0, 3, 5, 6)]),
        (lambda x: phi_torch.pool2d(x, [1, 1], pooling_type="max", global_pooling=True), [(2, 0, 3, 4)]),
    ],
)
def test_second_gradients_of_nothing(call, shapes):
    inputs = [torch.zeros(shape, requires_grad=True) for shape in shapes]
    first = torch.autograd.grad(call(*inputs).sum(), inputs, create_graph=True)
    second = torch.autograd.grad([t.sum() for t in first], inputs, allow_unused=True)
    assert all(t is None or t.shape == x.shape for t, x in zip(second, inputs))


def test_a_call_that_is_right_has_no_problems():
    assert check("phi_torch.scale(torch.ones(2, 3).requires_grad_(), 2.0)") == []
    assert check("torch.ops.phi.concat.default([torch.ones(2), torch.ones(3)], 0)") == []


def test_a_transposed_convolution_with_an_output_padding_has_a_third_derivative():
    x, filter = (torch.randn(shape, dtype=torch.float64, requires_grad=True) for shape in ((1, 2, 3, 2), (2, 1, 3, 2)))
    attributes = ([2, 2], [0, 1, 1, 0], [1, 0])
    out = phi_torch.conv2d_transpose(x, filter, *attributes)

    def gradients(x, filter, out_grad):
        return torch.ops.phi.conv2d_transpose_grad(
            x, filter, out_grad, *attributes, [], "EXPLICIT", 1, [1, 1], "NCHW", output_mask=[True, True]
        )

    assert torch.autograd.gradcheck(gradients, (x, filter, torch.randn_like(out).requires_grad_()))
    assert torch.autograd.gradgradcheck(gradients, (x, filter, torch.randn_like(out).requires_grad_()))


def test_a_gradient_of_messages_has_the_dtype_of_what_was_sent():
    x, y, ends = "torch.ones(2, 3, dtype=torch.int32)", "torch.ones(2, 1, dtype=torch.int32)", "torch.tensor([0, 1])"
    call = f"torch.ops.phi.send_uv_grad.default({x}, {y}, {ends}, {ends}, {x}, 'MUL', output_mask=[True, True])"
    assert check(call) == []


def test_a_tensor_that_is_not_read_may_not_be_missing():
    x, scale = "torch.ones(3)", "torch._neg_view(torch.ones(1))"
    assert check(f"torch.ops.phi.quantize_linear.default({x}, {scale}, None, None, None, -1)") == []


@pytest.mark.parametrize(
    ("op", "call"),
    [
        ("add", lambda: torch.ops.phi.add(X, None)),
        ("add", lambda: torch.ops.phi.add(X.clone().requires_grad_(), None)),
        ("add", lambda: torch.ops.phi.add.out(X, None, out=X.clone())),
        ("add_", lambda: torch.ops.phi.add_(X.clone(), None)),
        ("gelu_grad", lambda: torch.ops.phi.gelu_grad(X, None, False)),
        ("solve", lambda: torch.ops.phi.solve(X, None)),
    ],
)
def test_none_for_a_tensor_is_refused_in_the_name_of_the_operator(op, call):
    with pytest.raises(TypeError, match=f"phi::{op}: expected a tensor for each argument that has no default, got None"):
        call()


@pytest.mark.parametrize("number", [-1, -128, 60, 100, 127])
def test_a_number_that_is_no_data_type_is_refused(number):
    with pytest.raises(TypeError, match="phi::empty: .* has no counterpart among PHI's data types"):
        torch.ops.phi.empty.default(torch.tensor([2]), number, None)
