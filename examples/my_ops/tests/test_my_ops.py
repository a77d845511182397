import my_ops
import pytest
import torch

from phi_torch.testing import Error, Sample, T, check_op


def softswish(x, beta=1.0):
    return x * torch.sigmoid(beta * x)


def rms_scale(x, weight, epsilon=1e-6):
    return x * torch.rsqrt((x * x).mean(-1, True) + epsilon) * weight


def test_softswish():
    check_op("my_ops::softswish", [Sample(T(3, 5)), Sample(T(4), beta=0.5), Sample(T(0))], softswish)


def test_rms_scale():
    samples = [Sample(T(3, 5), T(5)), Sample(T(2, 3, 4), T(4), 0.1)]
    check_op("my_ops::rms_scale", samples, rms_scale, errors=[Error(ValueError, "weight", T(3, 5), T(4))])


def test_softcap():
    check_op("my_ops::softcap", [Sample(T(3, 5)), Sample(T(4), cap=0.5)], lambda x, cap=30.0: cap * torch.tanh(x / cap))


def test_wrong_argument():
    with pytest.raises(TypeError, match=r"my_ops.*softswish\(\): argument 'beta'"):
        my_ops.softswish(torch.ones(2), beta="a")


def test_compiled_without_a_break():
    @torch.compile(fullgraph=True, backend="aot_eager")
    def block(x, weight):
        return my_ops.softcap(my_ops.softswish(my_ops.rms_scale(x, weight)))

    x, weight = torch.randn(4, 8), torch.ones(8)
    torch.testing.assert_close(block(x, weight), my_ops.softcap(my_ops.softswish(my_ops.rms_scale(x, weight))))
