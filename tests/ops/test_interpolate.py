"""Sizes that tensors say, which the samples of the battery cannot have: a trace does not know them."""

from typing import Any

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

import phi_torch

OPS = (phi_torch.bilinear_interp, phi_torch.nearest_interp)


def image(**options):
    return torch.randn(1, 2, 4, 6, dtype=torch.float64, **options)


def ints(*values, dtype=torch.int32):
    return torch.tensor(values, dtype=dtype)


SCALE = torch.tensor([2.5, 1.5])
EQUAL: dict[str, tuple[Any, dict[str, Any], dict[str, Any]]] = {
    "out_size": ((ints(3, 5), None, None), {}, {"out_h": 3, "out_w": 5}),
    "out_size before numbers": ((ints(3, 5, dtype=torch.int64), None, None), {"out_h": 9, "out_w": 9}, {"out_h": 3, "out_w": 5}),
    "size_tensor": ((None, [ints(3), ints(5)], None), {}, {"out_h": 3, "out_w": 5}),
    "size_tensor before all": ((ints(7, 8), [ints(3), ints(5)], SCALE), {"scale": [3.0, 3.0]}, {"out_h": 3, "out_w": 5}),
    "scale_tensor": ((None, None, SCALE), {}, {"scale": [2.5, 1.5]}),
    "one scale for both": ((None, None, SCALE[:1]), {}, {"scale": [2.5, 2.5]}),
    "scale_tensor before scale": ((None, None, SCALE), {"scale": [3.0, 3.0]}, {"scale": [2.5, 1.5]}),
    "out_size of the scale": ((ints(8, 12), None, None), {"scale": [2.0, 2.0]}, {"scale": [2.0, 2.0]}),
}


@pytest.mark.parametrize("align_corners", (False, True))
@pytest.mark.parametrize("op", OPS, ids=lambda op: op.__name__)
@pytest.mark.parametrize("name", EQUAL)
def test_a_tensor_counts_as_its_numbers(name, op, align_corners):
    tensors, attributes, numbers = EQUAL[name]
    x = image(requires_grad=True)
    actual = op(x, *tensors, **attributes, align_corners=align_corners)
    expected = op(x, None, None, None, **numbers, align_corners=align_corners)
    assert torch.equal(actual, expected)
    weights = torch.randn_like(expected)
    gradients = [torch.autograd.grad((out * weights).sum(), x)[0] for out in (actual, expected)]
    assert torch.equal(*gradients)


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.__name__)
def test_an_output_is_resized_to_what_a_tensor_says(op):
    x = image()
    expected = op(x, None, None, None, out_h=3, out_w=5)
    packet = getattr(torch.ops.phi, op.__name__)
    for out in (x.new_empty(0), x.new_empty(2, 50), torch.empty_like(expected)):
        assert packet.out(x, ints(3, 5), None, None, output=out) is out
        assert torch.equal(out, expected)


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.__name__)
def test_a_trace_refuses_such_a_tensor(op):
    message = "argument 'out_size': expected no tensor in a trace.*pass 'out_h'"
    with FakeTensorMode() as mode, pytest.raises(ValueError, match=message):
        op(mode.from_tensor(image()), mode.from_tensor(ints(3, 5)))


def test_a_ratio_by_scale_and_a_size_by_tensor():
    """Paddle takes the positions from the scale even where out_size has the last word on the size."""
    x = torch.arange(8.0).reshape(1, 1, 2, 4)
    out = phi_torch.nearest_interp(x, ints(2, 4), None, None, scale=[1.0, 2.0], align_corners=False)
    assert torch.equal(out, x)  # an image of the same size is copied
    out = phi_torch.nearest_interp(x, ints(2, 3), None, None, scale=[1.0, 2.0], align_corners=False)
    assert out[0, 0, 0].tolist() == [0, 0, 1]


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.__name__)
def test_the_gradient_does_not_depend_on_threads(set_threads, op):
    x = torch.randn(1, 3, 67, 71, requires_grad=True)
    weights = torch.randn(1, 3, 150, 131)
    gradients = []
    for n in (1, 2, 3):
        set_threads(n)
        out = op(x, None, None, None, out_h=150, out_w=131, align_corners=False)
        gradients.append(torch.autograd.grad((out * weights).sum(), x)[0])
    assert torch.equal(gradients[0], gradients[1])
    assert torch.equal(gradients[0], gradients[2])


@pytest.mark.parametrize(
    ("size", "scale", "expected"), [(100, 0.29, 28), (99, 0.29, 28), (100, 1.15, 114), (10, 0.9, 9), (10, 1.3, 13)]
)
def test_a_scaled_size_is_cut_off_in_float64(size, scale, expected):
    def scaled(x):
        return phi_torch.nearest_interp(x, scale=[scale, 1.0], align_corners=False)

    x = torch.randn(1, 1, size, 1)
    assert scaled(x).shape == (1, 1, expected, 1)
    assert scaled(x.to("meta")).shape == (1, 1, expected, 1)
    found = torch.compile(scaled, backend="aot_eager", dynamic=True)(x)
    torch.testing.assert_close(found, scaled(x))


@pytest.mark.parametrize(
    ("op", "shape"), [("linear_interp", (1, 2, 9)), ("bilinear_interp", (1, 2, 25, 27)), ("trilinear_interp", (1, 2, 3, 14, 25))]
)
@pytest.mark.parametrize(("align_corners", "align_mode"), [(True, 0), (False, 0), (False, 1)])
def test_bytes_are_the_same_by_the_composite(op, shape, align_corners, align_mode):
    """Sums are rounded down: another order of float32 products gives other pixels."""
    x = torch.randint(0, 256, shape, dtype=torch.uint8)
    method, scale = op.removesuffix("_interp"), [1.5, 0.7, 2.3][: len(shape) - 2]

    def function(x):
        return getattr(phi_torch, op)(x, scale=scale, interp_method=method, align_corners=align_corners, align_mode=align_mode)

    torch.testing.assert_close(torch.vmap(function)(x[None])[0], function(x), rtol=0, atol=0)


def test_a_row_of_infinities_is_no_image_of_two():
    x = torch.tensor([[[1.0, torch.inf, 2.0, -1.0]]])
    found = phi_torch.linear_interp(x, None, None, None, "NCHW", 0, 0, 8, [], "linear", False, 0)
    torch.testing.assert_close(found, torch.nn.functional.interpolate(x, size=8, mode="linear"), equal_nan=True)
    assert found.isinf().sum() == 4
