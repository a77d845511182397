"""An operator whose kernel is its composite has all that others have: checks, selection, programs, the IR."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import torch

import phi_torch
from phi_torch import decompositions, ir, legacy, registry

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


def test_one_call_of_torch_is_made_without_python():
    """With an error, and for what is more than a call, the composite itself runs, which words it."""
    files: set[str] = set()

    def called(function, *args):
        files.clear()
        sys.setprofile(lambda frame, event, arg: files.add(Path(frame.f_code.co_filename).parent.name))
        try:
            return function(*args)
        finally:
            sys.setprofile(None)

    for function in (phi_torch.det, phi_torch.inverse, phi_torch.lgamma, phi_torch.svd, phi_torch.eigvals):
        function(X)
        called(function, X)
        assert ("decompositions" in files) == (function is phi_torch.eigvals)
    assert torch.equal(phi_torch.svd(X.repeat(2, 1))[0], torch.linalg.svd(X.repeat(2, 1), False)[0])
    with pytest.raises(RuntimeError, match=r"phi::inverse"):
        called(phi_torch.inverse, torch.zeros(2, 2))
    assert "decompositions" in files


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


FOUND = """phi.program 1
program {
  %x = pd_op.data {name = "x", shape = [-1], dtype = int64} : i64[?]
  %rows = pd_op.data {name = "rows", shape = [-1, 2], dtype = float32} : f32[?,2]
  %known = pd_op.sequence_mask(%x, none) {max_len = 4, out_dtype = float32} : f32[?,4]
  %mask = pd_op.sequence_mask(%x, none) {max_len = -1, out_dtype = float32} : f32[?,?]
  %wide = pd_op.add(%mask, %mask) : f32[?,?]
  %out, %first, %inverse, %counts = pd_op.unique(%x)
    {return_index = true, return_inverse = false, return_counts = true, axis = []} : i64[?], i64[?], i64[0], i64[?]
  %many = pd_op.repeat_interleave_with_tensor_index(%rows, %x) {axis = 0} : f32[?,2]
  %pooled, %ids = pd_op.segment_pool(%rows, %x) {pooltype = "MAX"} : f32[?,2], f32[0,1]
  pd_op.fetch(%known) {name = "known", col = 0} : f32[?,4]
  pd_op.fetch(%wide) {name = "wide", col = 1} : f32[?,?]
  pd_op.fetch(%out) {name = "out", col = 2} : i64[?]
  pd_op.fetch(%counts) {name = "counts", col = 3} : i64[?]
  pd_op.fetch(%many) {name = "many", col = 4} : f32[?,2]
  pd_op.fetch(%pooled) {name = "pooled", col = 5} : f32[?,2]
}
"""


def test_programs_run_what_finds_its_sizes():
    run = ir.compile(ir.parse(FOUND.replace("\n    {", " {")))
    for x in (torch.tensor([1, 3, 1]), torch.tensor([0]), torch.tensor([2, 2, 5, 0])):
        rows = torch.arange(2.0 * len(x)).reshape(-1, 2)
        out, _, _, counts = phi_torch.unique(x, False, False, True, [])
        expected = [
            phi_torch.sequence_mask(x, 4, torch.float32),
            2 * phi_torch.sequence_mask(x, -1, torch.float32),
            *(out, counts, rows.repeat_interleave(x, 0), phi_torch.segment_pool(rows, x, "MAX")),
        ]
        for call in (run, run.run_poisoned):
            for found, one in zip(call(x, rows), expected, strict=True):
                assert torch.equal(found, one)


def test_what_is_found_goes_where_out_says():
    x, repeats = torch.arange(6.0).reshape(3, 2), torch.tensor([2, 0, 1])
    expected = x.repeat_interleave(repeats, 0)
    write = torch.ops.phi.repeat_interleave_with_tensor_index.out
    for out in (torch.empty(0), torch.empty(3, 2), torch.empty(2, 3).T):
        assert write(x, repeats, 0, out=out) is out and torch.equal(out, expected)


def test_a_size_that_is_said_is_what_is_found():
    x, repeats = torch.ones(3, 2, requires_grad=True), torch.tensor([1, 0, 2])
    with pytest.raises(ValueError, match=r"'output_size': expected the sum of 'repeats', 3, got 4"):
        phi_torch.repeat_interleave_with_tensor_index(x, repeats, 0, 4)
    with pytest.raises(ValueError, match=r"'repeats': expected no negative number, got -1"):
        phi_torch.repeat_interleave_with_tensor_index(x, torch.tensor([1, 0, -1]), 0, 0)
    phi_torch.repeat_interleave_with_tensor_index(x, repeats, 0, 3).sum().backward()
    assert torch.equal(x.grad, repeats.reshape(-1, 1).expand(3, 2).float())


def test_what_is_found_fits_what_infer_meta_says(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(decompositions.composite("matrix_nms"), "function", lambda boxes, *_: (boxes.new_zeros(3, 3),) * 3)
    with pytest.raises(RuntimeError, match=r"the composite gives float32\[3, 3\], but InferMeta says float32\[-1, 6\]"):
        phi_torch.matrix_nms(torch.ones(1, 2, 4), torch.ones(1, 1, 2), 0.1, 2, 2)


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.uint8, torch.int64])
def test_masks_of_other_numbers(dtype):
    lengths = torch.tensor([0, 3, 2, 200], dtype=dtype)
    if dtype.is_floating_point:
        lengths[2:] = torch.tensor([1.5, float("nan")])
    for out_dtype in (torch.bool, torch.float16, torch.complex128):
        mask = phi_torch.sequence_mask(lengths, 4, out_dtype)
        assert mask.dtype == out_dtype
        assert (mask == 1).sum(1).tolist() == ([0, 3, 2, 0] if dtype.is_floating_point else [0, 3, 2, 4])
    if dtype.is_floating_point:
        with pytest.raises(ValueError, match=r"'x': expected numbers that are lengths, got NaN"):
            phi_torch.sequence_mask(lengths, -1, torch.int64)
    assert phi_torch.sequence_mask(-lengths[:2].long(), -1, torch.int64).shape == (2, 0)


def test_one_number_repeats_all_slices():
    x = torch.arange(6.0).reshape(2, 3).T
    for size in (-1, 9):
        assert torch.equal(phi_torch.repeat_interleave_with_tensor_index(x, torch.tensor([3]), 0, size), x.repeat_interleave(3, 0))
    with pytest.raises(ValueError, match=r"'repeats': expected a sum below 2\^63"):
        phi_torch.repeat_interleave_with_tensor_index(x, torch.tensor([2**62, 2**62, 0]), 0)


def test_weights_have_gradients():
    """ATen's operators have none; a kernel of ours that computes leaves it to the composite."""
    x, places = torch.tensor([0.1, 0.5, 0.9, 0.95, 2.0]), torch.tensor([0, 2, 2, 1, 0])
    weights, incoming = torch.rand(5, requires_grad=True), torch.tensor([1.0, 2.0, 3.0])
    (grad,) = torch.autograd.grad(phi_torch.bincount(places, weights), weights, incoming)
    assert torch.equal(grad, incoming[places])
    (grad,) = torch.autograd.grad(phi_torch.histogram(x, weights, 3, 0.0, 1.0), weights, incoming)
    assert torch.equal(grad, torch.tensor([1.0, 2.0, 3.0, 3.0, 0.0]))
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(weights.detach(), torch.ones(5))
        for found in (phi_torch.bincount(places, dual), phi_torch.histogram(x, dual, 3, 0.0, 1.0)):
            assert torch.autograd.forward_ad.unpack_dual(found).tangent.tolist() in ([2.0, 1.0, 2.0], [1.0, 1.0, 2.0])
