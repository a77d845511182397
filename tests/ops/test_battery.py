"""The battery itself: each check finds the fault that it is there for."""

import dataclasses

import pytest
import torch

import phi_torch
from phi_torch import decompositions, testing
from phi_torch.testing import CHECKS, Case, Error, Sample, T, check_op


def gelu(x, approximate=False):
    return torch.nn.functional.gelu(x, approximate="tanh" if approximate else "none")


def case(function=None, op="gelu", reference=gelu, **options) -> Case:
    """The case of an op whose Python function is replaced by a faulty one."""
    result = Case(op, [Sample(T(3, 4))], reference, **options)
    if function is not None:
        result.__dict__["function"] = function
    return result


class WrongGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 3


def wrong_on_strides(x, approximate=False):
    return gelu(x.as_strided(x.shape, torch.empty(x.shape).stride()))


def wrong_under_vmap(x, approximate=False):
    return gelu(x) + float(torch._C._functorch.maybe_current_level() or 0)


def specialised(x, approximate=False):
    return gelu(x) * (2 if x.shape[0] == 3 else 1)


def wrong_when_compiled(x, approximate=False):
    return gelu(x) * (2 if torch.compiler.is_compiling() else 1)


def breaks_the_graph(x, approximate=False):
    torch._dynamo.graph_break()
    return gelu(x)


def cuts_the_graph(x, approximate=False):
    return gelu(x.detach())


FAULTS = {
    "values": case(lambda x, approximate=False: gelu(x) + 1e-4),
    "layouts": case(wrong_on_strides),
    "gradients": case(lambda x, approximate=False: WrongGradient.apply(x), reference=lambda x: x * 2),
    "vmap": case(wrong_under_vmap),
    "func": case(cuts_the_graph),
    "autocast": case(lambda x, approximate=False: gelu(x).to(torch.bfloat16 if torch.is_autocast_enabled("cpu") else x.dtype)),
    "compile": case(specialised),
    "inductor": case(wrong_when_compiled),
    "export": case(specialised),
    "errors": case(errors=[Error(ValueError, "expected", T(2, 3))]),
}


@pytest.mark.parametrize("check", FAULTS)
def test_a_fault_is_found(check):
    with pytest.raises((AssertionError, RuntimeError)):
        CHECKS[check](FAULTS[check])


def test_the_reference_is_the_composite_if_none_is_given():
    check_op("gelu", [Sample(T(3, 4), approximate=True)], checks=["values", "gradients"])
    check_op("full", [Sample([2, 3], 1.5)], checks=["values"])
    with pytest.raises(ValueError, match="'dropout' has no composite"):
        check_op("dropout", [Sample(T(3), None, 0.5)])
    with pytest.raises(ValueError, match="unknown check 'value'; expected some of memory, values"):
        check_op("gelu", [Sample(T(3))], checks=["value"])


@pytest.mark.parametrize("check", CHECKS)
def test_the_same_case_without_a_fault_passes(check):
    CHECKS[check](case())


def test_a_graph_break_is_found():
    with pytest.raises(torch._dynamo.exc.Unsupported):
        CHECKS["compile"](case(breaks_the_graph))


def test_a_wrong_composite_is_found(monkeypatch):
    wrong = case().info._replace(composite="x * 2")
    monkeypatch.setitem(decompositions._composites, "gelu", decompositions.Composite(wrong))
    with pytest.raises(AssertionError, match="composite"):
        CHECKS["composite"](case())


def test_a_wrong_backward_composite_is_found(monkeypatch):
    wrong = phi_torch.registry.info("gelu_grad")._replace(composite="out_grad * 2")
    monkeypatch.setitem(decompositions._composites, "gelu_grad", decompositions.Composite(wrong))
    with pytest.raises(AssertionError, match="composite of gelu_grad"):
        CHECKS["composite"](case())


def inplace_case(monkeypatch, function) -> Case:
    monkeypatch.setattr(phi_torch.ops, "relu_", function)
    return Case("relu", [Sample(T(3, 4))], torch.relu)


def test_an_in_place_form_that_returns_another_tensor_is_found(monkeypatch):
    with pytest.raises(AssertionError, match="not the tensor given"):
        CHECKS["inplace"](inplace_case(monkeypatch, lambda x: x.relu_().clone()))


def test_an_in_place_form_that_hides_its_writing_is_found(monkeypatch):
    def hidden(x):
        x.detach().numpy()[...] = 0
        return x

    with pytest.raises(AssertionError, match="version"):
        CHECKS["inplace"](inplace_case(monkeypatch, hidden))


def test_an_in_place_form_with_other_values_is_found(monkeypatch):
    with pytest.raises(AssertionError, match="elements differ, most at"):
        CHECKS["inplace"](inplace_case(monkeypatch, lambda x: x.abs_()))


def test_a_message_without_the_name_of_the_op_is_found():
    def raises(x):
        raise ValueError("expected something else")

    with pytest.raises(AssertionError, match="does not name the op"):
        CHECKS["errors"](case(raises, errors=[Error(ValueError, "expected", T(2))]))


def test_another_message_is_found():
    def raises(x):
        raise ValueError("gelu: something else")

    with pytest.raises(AssertionError, match="is not in"):
        CHECKS["errors"](case(raises, errors=[Error(ValueError, "expected", T(2))]))


def test_fake_outputs_are_compared(monkeypatch):
    def strided(x, approximate=False):
        result = gelu(x)
        return result if isinstance(x, torch._subclasses.FakeTensor) else result.t().contiguous().t()

    with pytest.raises(AssertionError, match=r"fake .* real"):
        CHECKS["values"](case(strided))


def test_check_op_runs_what_it_is_told():
    check_op("gelu", [Sample(T(2, 3)), Sample(T(4), approximate=True)], gelu, checks=("values", "layouts", "errors"))
    with pytest.raises(AssertionError, match="gelu"):
        check_op("gelu", [Sample(T(2, 3))], torch.relu, checks=("values",))


def test_dtypes_are_those_of_the_kernels():
    assert set(case().all_dtypes) == {torch.float32, torch.float64, torch.float16, torch.bfloat16}
    assert dataclasses.replace(case(), dtypes=[torch.float64]).all_dtypes == (torch.float64,)


def test_samples_are_reproducible_and_in_range():
    sample = Sample([T(100, low=0, high=1), T(50, dtype=torch.int64, low=-1, high=1)], axis=1)
    first, second = (sample.make(torch.float32) for _ in range(2))
    assert all(torch.equal(a, b) for a, b in zip(first.tensors(), second.tensors()))
    assert not torch.equal(first.tensors()[0], sample.make(torch.float32, seed=1).tensors()[0])
    floats, integers = first.tensors()
    assert 0 <= floats.min() and floats.max() <= 1
    assert set(integers.tolist()) == {-1, 0, 1}
    assert first.kwargs == {"axis": 1}
    assert sample.make(torch.float32, grad=True).differentiable()[0].requires_grad
    assert repr(sample) == "Sample([T(100,), T(50, dtype=torch.int64)], axis=1)"


def test_a_tensor_in_a_sample_stands_for_its_values():
    values = torch.arange(6.0).view(2, 3)
    sample = Sample(values.t(), torch.tensor([3, 1]), [values[:, ::2]])
    x, indices, (gaps,) = sample.make(torch.float64, grad=True).args
    assert x.dtype == gaps.dtype == torch.float64 and indices.dtype == torch.int64
    assert x.stride() == (1, 3) and gaps.stride() == (3, 2) and x.data_ptr() != values.data_ptr()
    assert torch.equal(x, values.t().double()) and indices.tolist() == [3, 1] and torch.equal(gaps, values[:, ::2].double())
    assert [t.requires_grad for t in (x, indices, gaps)] == [True, False, True]
    rolled, same, _ = sample.make(torch.float32, seed=1).args
    assert not torch.equal(rolled, values.t()) and torch.equal(rolled.sort().values.sum(), values.sum()) and same.tolist() == [3, 1]
    assert sample.make(torch.int64).args[0].dtype == torch.int64
    assert repr(sample) == "Sample(Tensor(3, 2), Tensor(2, dtype=torch.int64), [Tensor(2, 2)])"
    assert Error(TypeError, "", values).sample.make(torch.float64).args[0] is values


def test_every_check_is_public():
    assert set(testing.__all__) >= {"CHECKS", "Case", "Error", "Sample", "T", "check_op"}
