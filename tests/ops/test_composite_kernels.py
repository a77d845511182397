"""An operator whose kernel is its composite has all that others have: checks, selection, programs, the IR."""

from __future__ import annotations

import pytest
import torch

import phi_torch
from phi_torch import ir, legacy, registry

X = torch.tensor([[2.0, 1.0], [0.0, 3.0]])


def test_infer_meta_checks_before_the_composite_runs():
    with pytest.raises(ValueError, match=r"phi::det: \(InvalidArgument\) argument 'x': expected square matrices"):
        phi_torch.det(torch.ones(2, 3))
    with pytest.raises(NotImplementedError, match=r"no kernel 'determinant' for .*int64"):
        phi_torch.det(torch.ones(2, 2, dtype=torch.int64))
    meta = phi_torch.det(torch.empty(5, 2, 2, device="meta"))
    assert meta.shape == (5,) and meta.device.type == "meta"


def test_selection_names_the_entry():
    (call,) = phi_torch.explain("det", X).calls
    assert call.kernel.startswith("ALL_BACKEND") and call.place.startswith("yaml/ops/linalg.yaml")
    assert registry.supported("det", "cpu", torch.complex64) and not registry.supported("det", "cpu", torch.int64)


def test_a_kernel_of_the_device_is_selected_before_it():
    with phi_torch.kernel("det", backend="CPU", dtypes=[torch.float32])(lambda x, out: out.fill_(7)):
        assert phi_torch.det(X) == 7
    assert phi_torch.det(X) == 6


def test_results_have_memory_of_their_own():
    x = torch.arange(6.0).reshape(2, 3)
    for result in (phi_torch.diagonal(x), phi_torch.as_strided(x, [2, 3], [3, 1]), *phi_torch.unstack(x, 0, 2)):
        result.zero_()
    assert x[1, 2] == 5


def test_programs_run_it():
    assert legacy.run_op("determinant", {"Input": X})["Out"].item() == pytest.approx(6)
    x = X.clone().requires_grad_()
    legacy.run_op("inverse", {"Input": x})["Output"].sum().backward()
    torch.testing.assert_close(x.grad, torch.autograd.functional.jacobian(lambda t: torch.linalg.inv(t).sum(), X))


def test_the_ir_infers_and_runs_it():
    lines = (
        '%x = pd_op.data {name = "x", shape = [2, 2], dtype = float32} : f32[2,2]',
        "%u, %s, %v = pd_op.svd(%x) : f32[2,2], f32[2], f32[2,2]",
        "%d = pd_op.det(%x) : f32[]",
        'pd_op.fetch(%s) {name = "s", col = 0} : f32[2]',
        'pd_op.fetch(%d) {name = "d", col = 1} : f32[]',
    )
    program = ir.parse("phi.program 1\nprogram {\n" + "\n".join(lines) + "\n}\n")
    program.refine_types()
    program.verify()
    run = ir.compile(program)
    for call in (run, run.run_poisoned):
        s, d = call(X)
        torch.testing.assert_close(s, torch.linalg.svdvals(X))
        torch.testing.assert_close(d, torch.linalg.det(X))
