"""Images with the channels last in memory: kernels of the layout NHWC take them as they are, and give such results."""

import functools
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

import phi_torch

SHAPE = (2, 4, 6, 5)


def images(shape=SHAPE, dtype=torch.float32):
    """Channels last in memory, second in the shape."""
    numbers = torch.randn(shape, generator=torch.Generator().manual_seed(0)).to(dtype)
    return numbers.to(memory_format=torch.channels_last_3d if len(shape) == 5 else torch.channels_last)


def randn(*shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(1))


def batch_norm(x, **options):
    mean, variance, scale, bias = (p.to(x.dtype) for p in (torch.zeros(4), torch.ones(4), randn(4), randn(4)))
    return phi_torch.batch_norm(x, mean, variance, scale, bias, **options)[0]


# the function, and the names of its kernels
OPS: dict[str, Callable[..., Any]] = {
    "conv2d": lambda x: phi_torch.conv2d(x, randn(3, 4, 3, 3).to(x.dtype), paddings=[1, 1]),
    "conv2d with a filter that has its channels last": lambda x: phi_torch.conv2d(
        x, randn(3, 4, 3, 3).to(x.dtype).to(memory_format=torch.channels_last), paddings=[1, 0, 2, 1]
    ),
    "depthwise_conv2d": lambda x: phi_torch.depthwise_conv2d(x, randn(8, 1, 3, 3).to(x.dtype), groups=4),
    "conv2d_transpose": lambda x: phi_torch.conv2d_transpose(
        x, randn(4, 3, 3, 3).to(x.dtype), strides=[2, 2], paddings=[1, 1], output_padding=[1, 0]
    ),
    "max pool2d": lambda x: phi_torch.pool2d(x, [2, 2], strides=[2, 2]),
    "avg pool2d": lambda x: phi_torch.pool2d(x, [3, 3], paddings=[1, 1], pooling_type="avg"),
    "batch_norm": batch_norm,
    "batch_norm of a test": functools.partial(batch_norm, is_test=True),
    "bilinear_interp": lambda x: phi_torch.bilinear_interp(x, None, None, None, out_h=9, out_w=4),
    "bilinear_interp by a tensor": lambda x: phi_torch.bilinear_interp(x, torch.tensor([9, 4], dtype=torch.int32), None, None),
    "nearest_interp": lambda x: phi_torch.nearest_interp(x, None, None, None, scale=[2.0, 1.5], align_corners=False),
}
READS_SHAPE = "bilinear_interp by a tensor"
each_op = pytest.mark.parametrize("name", OPS)


def plans(function, *args):
    """How the calls of a function choose their kernels."""
    return [phi_torch.registry._call(plan) for plan in phi_torch._C.trace(lambda: function(*args))]


def is_channels_last(x):
    return x.is_contiguous(memory_format=torch.channels_last_3d if x.dim() == 5 else torch.channels_last)


@each_op
@pytest.mark.parametrize("onednn", (True, False))
def test_no_copy_and_a_result_of_the_layout(name, onednn):
    x = images()
    with phi_torch.flags(use_onednn=onednn):
        (plan,) = plans(OPS[name], x)
        assert plan.transforms == () and plan.key == "CPU, NHWC, float32" and ", NHWC, " in plan.kernel
        result, expected = OPS[name](x), OPS[name](x.contiguous())
    assert is_channels_last(result) and not result.is_contiguous()
    torch.testing.assert_close(result, expected, rtol=1e-5, atol=1e-5)


@each_op
@pytest.mark.parametrize("dtype", (torch.float64, torch.bfloat16))
def test_other_dtypes(name, dtype):
    x = images(dtype=dtype)
    result = OPS[name](x)
    assert is_channels_last(result) and result.dtype == dtype
    # without instructions for bfloat16 torch's convolution rounds each step of its sums to it, in an order of each layout
    tolerance = 0.02 if dtype == torch.bfloat16 else None
    torch.testing.assert_close(result, OPS[name](x.contiguous()), rtol=tolerance, atol=tolerance)


def test_five_dimensions():
    x = images((2, 4, 3, 3, 3))
    result = batch_norm(x, data_format="NCDHW")
    assert is_channels_last(result)
    torch.testing.assert_close(result, batch_norm(x.contiguous(), data_format="NCDHW"))
    result = phi_torch.nearest_interp(x, None, None, None, "NCDHW", 5, 2, 4)
    assert is_channels_last(result)
    torch.testing.assert_close(result, phi_torch.nearest_interp(x.contiguous(), None, None, None, "NCDHW", 5, 2, 4))


@each_op
@pytest.mark.parametrize("incoming", ("channels last", "contiguous", "expanded"))
def test_gradients(name, incoming):
    def gradient(x):
        x = x.clone(memory_format=torch.preserve_format).requires_grad_()
        y = OPS[name](x)
        weight = randn(*y.shape)
        if incoming == "channels last":
            weight = weight.to(memory_format=torch.channels_last)
        y.sum().backward() if incoming == "expanded" else y.backward(weight)
        return x.grad

    result, expected = gradient(images()), gradient(images().contiguous())
    assert is_channels_last(result)
    torch.testing.assert_close(result, expected, rtol=1e-4, atol=1e-5)


def test_the_backward_op_makes_no_copy():
    x, w = images(), randn(3, 4, 3, 3)
    out_grad = images((2, 3, 4, 3))
    arguments = ([1, 1], [0, 0], "EXPLICIT", [1, 1], 1, "NCHW")
    (call,) = phi_torch.explain("conv2d_grad", x, w, out_grad, *arguments).calls
    assert call.transforms == () and ", NHWC, " in call.kernel
    (call,) = phi_torch.explain("conv2d_grad", x, w, out_grad.contiguous(), *arguments).calls
    assert call.transforms == (("out_grad", "bring to NHWC"),)
    (call,) = phi_torch.explain("conv2d_grad", x.contiguous(), w, out_grad, *arguments).calls
    assert call.transforms == (("out_grad", "make contiguous"),)


@pytest.mark.parametrize("groups", (1, 4))
def test_the_gradient_of_a_residual_lies_as_the_images(groups):
    """Meta says so too, whatever the residual's strides are."""

    def strides():
        x = torch.ones(2, 4, 5, 6).to(memory_format=torch.channels_last)
        y = torch.ones(2, 4, 5, 6)
        arguments: tuple[Any, ...] = (y, y, [], [1, 1], [1, 1], "EXPLICIT", [1, 1], groups, "NCHW", "relu", [], 0.0)
        filters = torch.ones(4, 4 // groups, 3, 3)
        grads = torch.ops.phi.fused_conv2d_add_act_grad(x, filters, torch.ones(4), y, *arguments, output_mask=[True] * 4)
        return [grad.stride() for grad in grads]

    with FakeTensorMode():
        expected = strides()
    assert strides() == expected


def test_the_gradient_of_a_filter_has_its_strides():
    for w in (randn(3, 4, 3, 3), randn(3, 4, 3, 3).to(memory_format=torch.channels_last)):
        for onednn in (True, False):
            with phi_torch.flags(use_onednn=onednn):
                w = w.detach().requires_grad_()
                y = phi_torch.conv2d(images(), w)
                (grad,) = torch.autograd.grad(y.square().sum(), w)
            assert grad.stride() == w.stride()
            expected = torch.nn.functional.conv2d(images(), w)
            torch.testing.assert_close(grad, torch.autograd.grad(expected.square().sum(), w)[0], rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("name", [name for name in OPS if name != READS_SHAPE])
@pytest.mark.parametrize("memory_format", (torch.channels_last, torch.contiguous_format))
def test_traces_have_the_strides_of_the_call(name, memory_format):
    x = images().contiguous(memory_format=memory_format)
    with torch._subclasses.FakeTensorMode(allow_non_fake_inputs=True) as mode:
        assert OPS[name](mode.from_tensor(x)).stride() == OPS[name](x).stride()
    torch._dynamo.reset()

    def step(x):
        x = x.clone(memory_format=torch.preserve_format).requires_grad_()
        y = OPS[name](x)
        return y, torch.autograd.grad(y.square().sum(), x)[0]

    for dynamic in (False, True):
        for result, expected in zip(torch.compile(step, backend="aot_eager", dynamic=dynamic)(x), step(x)):
            assert result.stride() == expected.stride()
            torch.testing.assert_close(result, expected)


@pytest.mark.parametrize("name", ("conv2d", "max pool2d", "batch_norm", "bilinear_interp"))
def test_compiled_by_inductor(name):
    torch._dynamo.reset()
    result, expected = torch.compile(OPS[name])(images()), OPS[name](images())
    torch.testing.assert_close(result, expected, rtol=1e-5, atol=1e-5)
    assert result.stride() == expected.stride()


def test_opcheck():
    x, w = images().requires_grad_(), randn(3, 4, 3, 3).requires_grad_()
    torch.library.opcheck(torch.ops.phi.conv2d.default, (x, w))
    torch.library.opcheck(torch.ops.phi.pool2d.default, (x, [2, 2]))
    parameters = (torch.zeros(4), torch.ones(4), randn(4), randn(4))
    torch.library.opcheck(torch.ops.phi.batch_norm.default, (x, *parameters))
    torch.library.opcheck(torch.ops.phi.bilinear_interp.default, (x, None, None, None), {"out_h": 3, "out_w": 4})


def test_out_is_written_as_it_is():
    x = images()
    for out in (torch.empty(2, 4, 3, 2), images((2, 4, 3, 2))):
        strides = out.stride()
        assert phi_torch.pool2d(x, [2, 2], strides=[2, 2], out=out) is out and out.stride() == strides
        torch.testing.assert_close(out, phi_torch.pool2d(x.contiguous(), [2, 2], strides=[2, 2]))


def test_data_format_stays_what_it_is():
    x = images().permute(0, 2, 3, 1)  # [n, h, w, c], contiguous
    (plan,) = plans(phi_torch.pool2d, x, [2, 2], [1, 1], [0, 0], False, True, "NHWC")
    assert plan.transforms == () and plan.key == "CPU, ALL_LAYOUT, float32"
    assert phi_torch.pool2d(x, [2, 2], data_format="NHWC").is_contiguous()
    # of that order, the strides of channels_last mean nothing
    strided = x.contiguous(memory_format=torch.channels_last)
    (plan,) = plans(phi_torch.pool2d, strided, [2, 2], [1, 1], [0, 0], False, True, "NHWC")
    assert plan.transforms == (("x", "make contiguous"),)
    result = phi_torch.pool2d(strided, [2, 2], data_format="NHWC")
    assert result.is_contiguous()
    torch.testing.assert_close(result, phi_torch.pool2d(x, [2, 2], data_format="NHWC"))


def test_other_strides_are_made_contiguous():
    x = images().transpose(2, 3)
    (plan,) = plans(phi_torch.pool2d, x, [2, 2])
    assert plan.transforms == (("x", "make contiguous"),) and phi_torch.pool2d(x, [2, 2]).is_contiguous()


@pytest.mark.parametrize("shape", ((2, 1, 4, 4), (2, 4, 1, 1), (0, 4, 4, 4)))
def test_memory_of_both_orders(shape):
    x = images(shape)
    result = phi_torch.pool2d(x, [1, 1])
    torch.testing.assert_close(result, x)
    assert result.stride() == phi_torch.pool2d(x.to("meta"), [1, 1]).stride()


def test_a_network_stays_channels_last():
    def net(x):
        x = phi_torch.relu(batch_norm(phi_torch.conv2d(x, randn(4, 4, 3, 3))))
        return phi_torch.bilinear_interp(phi_torch.pool2d(x, [2, 2]), None, None, None, out_h=5, out_w=5)

    assert [plan.transforms for plan in plans(net, images())] == [()] * 5
    assert is_channels_last(net(images()))
    torch.testing.assert_close(net(images()), net(images().contiguous()), rtol=1e-4, atol=1e-5)
