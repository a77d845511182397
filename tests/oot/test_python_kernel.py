"""Python functions as kernels."""

import gc
from typing import Any

import pytest
import torch

import phi_torch


def kernel(**options):
    options = {"backend": "CPU", "dtypes": [torch.float32]} | options
    return phi_torch.kernel(options.pop("op", "relu"), **options)


def constant(value):
    def function(x, out):
        out.fill_(value)

    return function


def test_override_and_remove():
    x = torch.tensor([-1.0, 2.0])
    with kernel(override=True)(constant(7)) as registered:
        assert phi_torch.relu(x).tolist() == [7, 7] == torch.ops.phi.relu(x).tolist()
        assert "test_python_kernel.py" in str(phi_torch.explain("relu", x))
        assert repr(registered) == "<kernel function of relu for CPU float32>"
        assert phi_torch.relu(x.double()).tolist() == [0, 2]
    assert phi_torch.relu(x).tolist() == [0, 2]


def test_priority():
    x = torch.ones(2)
    with kernel(priority=2)(constant(2)), kernel(priority=1)(constant(1)), kernel(priority=-1)(constant(-1)):
        assert phi_torch.relu(x).tolist() == [2, 2]
    with kernel(priority=-1)(constant(-1)):
        assert phi_torch.relu(x).tolist() == [1, 1]


def test_a_taken_key_is_an_error():
    with pytest.raises(ValueError, match=r"kernel 'relu' \(CPU, ALL_LAYOUT, float32\) is registered twice: at .*relu.* and at .*"):
        kernel()(constant(1))
    assert phi_torch.relu(torch.ones(1)).tolist() == [1]


def test_a_dtype_that_had_none():
    x = torch.tensor([0, 2])

    @kernel(op="swish", dtypes=[torch.int32])
    def swish(x, out):
        out.copy_(x * 10)

    with swish:
        assert phi_torch.swish(x.int()).tolist() == [0, 20]
        assert phi_torch.supported("swish", "cpu", torch.int32)
    with pytest.raises(NotImplementedError):
        phi_torch.swish(x.int())


def test_gradient_and_compile_are_as_before():
    @kernel(override=True)
    def relu(x, out):
        torch.clamp(x, min=0, out=out)

    with relu:
        x = torch.randn(5, requires_grad=True)
        y = torch.compile(phi_torch.relu, fullgraph=True, backend="aot_eager")(x)
        y.sum().backward()
        torch.testing.assert_close(x.grad, (x > 0).float())


def test_attributes_lists_and_optional_outputs():
    seen: dict[str, Any] = {}

    @kernel(op="concat", override=True)
    def concat(x, axis, out):
        seen.update(x=len(x), axis=axis)
        torch.cat(x, axis, out=out)

    @kernel(op="layer_norm", override=True)
    def layer_norm(x, scale, bias, epsilon, begin_norm_axis, out, mean, variance):
        seen.update(scale=scale, epsilon=epsilon, begin_norm_axis=begin_norm_axis)
        out.copy_(x)
        mean.zero_()
        variance.zero_()

    @kernel(op="full", override=True)
    def full(shape, value, dtype, out):
        seen.update(shape=shape, dtype=dtype)
        out.fill_(value)

    with concat, layer_norm, full:
        x = torch.randn(2, 3)
        assert phi_torch.concat([x, x, x], axis=1).shape == (2, 9)
        torch.testing.assert_close(phi_torch.layer_norm(x, None, None, 1e-3, 1), x)
        assert phi_torch.full([2], 3.0, dtype=torch.float32).tolist() == [3, 3]
    assert seen["x"] == 3 and seen["axis"] == 1 and seen["scale"] is None and seen["begin_norm_axis"] == 1
    assert seen["epsilon"] == pytest.approx(1e-3) and seen["shape"] == [2] and seen["dtype"] is torch.float32


def test_what_is_kept_of_a_tensor_is_a_copy():
    kept = []

    @kernel(override=True)
    def relu(x, out):
        out.copy_(x)
        kept.extend([x, out, x[1:], out.untyped_storage()])

    with relu:
        x = torch.randn(1000)
        expected = x.clone()
        y = phi_torch.relu(x)
        y.zero_()
        x.zero_()
        del x, y
        gc.collect()
        torch.empty(1000).fill_(float("nan"))
    torch.testing.assert_close(kept[0], expected)
    torch.testing.assert_close(kept[1], expected)
    torch.testing.assert_close(kept[2], expected[1:])
    assert kept[3].nbytes() == 4000


def test_errors_of_the_function_pass_through():
    @kernel(override=True)
    def relu(x, out):
        raise ArithmeticError("mine")

    with relu:
        for function in (phi_torch.relu, torch.ops.phi.relu):
            with pytest.raises(ArithmeticError, match="mine"):
                function(torch.ones(2))
    assert phi_torch.relu(torch.ones(1)).tolist() == [1]


@pytest.mark.parametrize(
    "options, function, exception, message",
    [
        ({"op": "rely"}, constant(1), KeyError, "has no op 'rely'; did you mean relu"),
        ({"backend": "cpu"}, constant(1), ValueError, "backend 'cpu': expected one of CPU, ONEDNN"),
        ({"dtypes": torch.float32}, constant(1), TypeError, "expected a list of torch dtypes"),
        ({"op": "reshape"}, constant(1), ValueError, "'reshape' has no kernel to replace"),
        ({}, lambda x, y: None, TypeError, r"expected the parameters \(x, out\), got \(x, y\)"),
    ],
)
def test_errors(options, function, exception, message):
    with pytest.raises(exception, match=message):
        kernel(**options)(function)
