"""phi_torch.explain, kernels, supported, and the flags."""

import pytest
import torch

import phi_torch
from phi_torch import registry


def test_kernels_name_their_registration():
    found = phi_torch.kernels("gelu")
    assert {k.dtype for k in found if k.backend == "CPU"} >= {"float32", "float64", "bfloat16", "float16"}
    assert all(k.file.startswith("csrc/") and k.line > 0 for k in found)


def test_supported():
    assert phi_torch.supported("gelu")
    assert phi_torch.supported("gelu", "cpu", torch.bfloat16)
    assert not phi_torch.supported("gelu", "cpu", torch.int64)
    assert phi_torch.supported("reshape", "cpu", torch.int8)  # made of views


def test_explain_runs_no_kernel():
    x = torch.randn(3)
    before = x.clone()
    explanation = phi_torch.explain("relu_", x)
    assert torch.equal(x, before)
    assert explanation.calls[0].op.startswith("relu")
    assert "runs" in str(explanation)


def test_explain_shows_what_the_call_raises():
    with pytest.raises(ValueError, match="phi::matmul"):
        phi_torch.explain("matmul", torch.randn(2, 3), torch.randn(4, 5))


def test_explain_says_that_nothing_is_selected():
    assert phi_torch.explain("reshape", torch.randn(2, 3), [6]).calls == ()
    assert "no kernel of phi is selected" in str(phi_torch.explain("reshape", torch.randn(2, 3), [6]))


@pytest.mark.parametrize("function", [phi_torch.kernels, phi_torch.supported, phi_torch.explain])
def test_an_unknown_op_is_named(function):
    with pytest.raises(KeyError, match="has no op 'gelo'; did you mean gelu"):
        function("gelo")


def test_info_knows_in_place_forms():
    assert registry.info("relu_").name == "relu"
    with pytest.raises(KeyError, match="has no op 'gelu_'"):
        registry.info("gelu_")


def test_flags_are_attributes():
    assert phi_torch.flags.use_onednn is True
    assert phi_torch.flags.cpu_fallback in ("error", "warn", "silent")
    assert {"use_onednn", "cpu_fallback", "log"} <= set(dir(phi_torch.flags))
    assert "use_onednn=True" in repr(phi_torch.flags)


def test_flags_are_restored_after_a_block():
    with pytest.raises(ZeroDivisionError), phi_torch.flags(use_onednn=False, cpu_fallback="error"):
        assert (phi_torch.flags.use_onednn, phi_torch.flags.cpu_fallback) == (False, "error")
        raise ZeroDivisionError
    assert (phi_torch.flags.use_onednn, phi_torch.flags.cpu_fallback) == (True, "warn")


def test_wrong_flags_are_named():
    with pytest.raises(AttributeError, match=r"no flag 'use_onedn'; flags are use_onednn"):
        phi_torch.flags.use_onedn = False
    with pytest.raises(AttributeError, match="no flag"):
        phi_torch.flags.nothing  # noqa: B018
    with pytest.raises(ValueError, match="'error', 'warn' or 'silent'"):
        phi_torch.flags.cpu_fallback = "loud"
    with pytest.raises(ValueError, match="true or false"):
        phi_torch.flags.use_onednn = "maybe"


def test_importing_the_module_gives_the_object():
    import phi_torch.flags as flags

    assert flags is phi_torch.flags
