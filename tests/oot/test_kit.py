"""The faults of operators out of the tree that `check_op` finds, each by the check that is there for it."""

import re
from pathlib import Path

import pytest
import torch

import phi_torch
from phi_torch.testing import Sample, T, check_op

HERE = Path(__file__).parent / "faulty"


@pytest.fixture(scope="module", autouse=True)
def faulty(cache):
    sources = [HERE / "ops.h", HERE / "kernels.cc"]
    return phi_torch.load("faulty", yaml=HERE / "ops.yaml", sources=sources, cxx_flags=["-O0"])


def same(x):
    return x


def product(x, weight):
    return x * weight


MATRIX = Sample(torch.linspace(-1, 1, 12).reshape(3, 4))
PAIR = Sample(torch.linspace(-1, 1, 6).reshape(2, 3), torch.linspace(0.5, 1.5, 6).reshape(2, 3))
FAULTS = [
    ("narrow", MATRIX, lambda x: x[:, 0], r"narrow: writes up to 36 bytes behind output 'out' of shape \(3,\) and torch.float32"),
    ("early", MATRIX, same, r"early: writes up to 4 bytes before output 'out' of shape \(3, 4\)"),
    ("half_written", MATRIX, same, r"half_written: output 'out' for .*: 6 of 12 elements, the first at \(1, 2\), are what new"),
    ("accumulate", MATRIX, same, r"accumulate: output 'out' for .*: 12 of 12 elements"),
    ("wide_grad", MATRIX, same, r"wide_grad_grad: writes up to 36 bytes behind output 'x_grad'"),
    ("tripled", PAIR, product, r"tripled: gradient of 'x' at \(1, 2\): the backward gives 6\.75, .* 2\.25, for Sample"),
    ("bent", PAIR, product, r"bent: (second-order gradient of '|composite of faulty::bent_grad, output 0, for .*: 6 of 6)"),
    ("crooked", MATRIX, same, r"crooked: gradient of 'x' for .*: 12 of 12 elements differ, most at \(2, 3\): got 1\.5015"),
]


@pytest.mark.parametrize(("op", "sample", "reference", "message"), FAULTS, ids=[f[0] for f in FAULTS])
def test_a_fault_of_an_operator_is_found(op, sample, reference, message):
    with pytest.raises(AssertionError, match=message) as raised:
        check_op(f"faulty::{op}", [sample], reference)
    assert len(str(raised.value)) < 400


def test_what_a_source_declares_is_checked_as_well():
    with pytest.raises(AssertionError, match=r"spill: writes up to 4 bytes behind output 'Out' of shape \(3,\)"):
        check_op("faulty::spill", [MATRIX], lambda x: x[0, :1].expand(3))
    with pytest.raises(AssertionError, match=r"keep: gradient of 'X' at \(\d, \d\): the backward gives \S+, .*, for Sample"):
        check_op("faulty::keep", [MATRIX], same)


SIZES = [
    ("forced", r"its InferMeta function \(\S+ops\.yaml:\d+\) turns a size into a number: keep sizes as `Dim`"),
    ("numbers", r"its InferShape function, or that of its gradient, \(\S*kernels\.cc:\d+\) must be over paddle::SymInt"),
]


@pytest.mark.parametrize(("op", "message"), SIZES)
@pytest.mark.parametrize("check", ["compile", "export"])
def test_a_shape_for_one_size_says_how_to_write_it(op, message, check):
    with pytest.raises(AssertionError, match=message):
        check_op(f"faulty::{op}", [Sample(T(3, 4))], same, checks=[check])


def test_a_custom_operator_that_counts_in_numbers_warns_once(capfd):
    """In eager there is nothing to say."""
    torch.ops.faulty.counted(torch.ones(3))
    compiled = torch.compile(torch.ops.faulty.counted, backend="eager", dynamic=True)
    assert "int64_t" not in capfd.readouterr().err
    for n in (3, 4):
        compiled(torch.ones(n))
    warning = r"faulty::counted \(.*kernels\.cc:\d+\): its InferShape function takes sizes as int64_t, .*paddle::SymInt"
    assert len(re.findall(warning, capfd.readouterr().err)) == 1


def test_a_composite_that_is_not_the_kernel_is_found():
    with pytest.raises(AssertionError, match=r"crooked: composite of faulty::crooked for .* most at \(.*\): got "):
        check_op("faulty::crooked", [MATRIX], same, checks=["composite"])


def test_a_python_kernel_that_leaves_elements_unwritten_is_found():
    @phi_torch.kernel("relu", backend="CPU", dtypes=[torch.float32], override=True)
    def relu(x, out):
        out[0] = x[0].clamp(min=0)

    with relu, pytest.raises(AssertionError, match=r"relu: output 'out' .* 3 of 4 elements, the first at \(1,\)"):
        check_op("relu", [Sample(T(4))], torch.relu, dtypes=[torch.float32])


def test_no_sample_to_differentiate_is_an_error():
    with pytest.raises(AssertionError, match="tripled: has a gradient, but no sample is differentiated; add a call"):
        check_op("faulty::tripled", [Sample(T(2, grad=False), T(2, grad=False))], product)
    with pytest.raises(ValueError, match="tripled: no samples; expected at least one call"):
        check_op("faulty::tripled", [])
