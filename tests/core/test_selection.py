"""What users see of kernel selection and data transform: explain, kernels, supported, flags, PHI_LOG."""

import subprocess
import sys

import pytest
import torch

import phi_torch


def image() -> tuple[torch.Tensor, torch.Tensor]:
    return torch.randn(1, 2, 5, 5), torch.randn(3, 2, 3, 3)


def only(explanation):
    (call,) = explanation.calls
    return call


def test_explain_names_key_sources_candidates_and_kernel():
    call = only(phi_torch.explain("add", torch.ones(2), torch.ones(2)))
    assert call.op == "add" and call.key == "CPU, ALL_LAYOUT, float32"
    assert call.sources == ("backend from x", "dtype from x", "dtype from y")
    assert call.steps[-1][0] == call.kernel == "CPU, ALL_LAYOUT, float32" and call.steps[-1][2]
    assert call.place.startswith("csrc/kernels/math/add.h:")
    text = str(call)
    assert "asks for" in text and "runs" in text and "math/add.h" in text


def test_key_from_attributes():
    call = only(phi_torch.explain("full", [2], 1.0, torch.float16))
    assert call.key == "CPU, ALL_LAYOUT, float16" and "dtype from dtype" in call.sources


def test_flag_chooses_the_onednn_kernel():
    with phi_torch.flags(use_onednn=True):
        fast = only(phi_torch.explain("conv2d", *image()))
    with phi_torch.flags(use_onednn=False):
        plain = only(phi_torch.explain("conv2d", *image()))
        x, filter = (t.double() for t in image_of_zeros_and_ones())
        expected = phi_torch.conv2d(x, filter)
    assert fast.kernel.startswith("ONEDNN") and plain.kernel.startswith("CPU")
    with phi_torch.flags(use_onednn=True):
        assert torch.allclose(phi_torch.conv2d(x, filter), expected)


def image_of_zeros_and_ones() -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    return torch.randint(2, (1, 2, 5, 5), generator=generator), torch.randint(2, (3, 2, 3, 3), generator=generator)


def test_transform_makes_contiguous_what_the_kernel_takes_so():
    x = torch.randn(4, 3).t()
    call = only(phi_torch.explain("softmax", x))
    assert call.transforms == (("x", "make contiguous"),)
    assert torch.allclose(phi_torch.softmax(x), torch.softmax(x, -1))
    assert only(phi_torch.explain("relu", x)).transforms == ()


def test_transform_resolves_conjugate_and_negative_views():
    z = torch.randn(3, dtype=torch.complex64)
    assert torch.equal(phi_torch.add(z.conj(), z), torch.conj(z).resolve_conj() + z)
    assert torch.equal(phi_torch.scale(z.conj().imag, 2.0), -2 * z.imag)


def test_no_cast_where_it_is_not_allowed():
    with pytest.raises(TypeError, match="matmul|embedding"):
        phi_torch.embedding(torch.ones(2), torch.randn(3, 2))


def test_no_kernel_lists_what_is_registered():
    with pytest.raises(
        NotImplementedError, match=r"no kernel 'softmax' for \(CPU, ALL_LAYOUT, int64\)(.|\n)*kernels/activation/softmax.h:\d+"
    ):
        phi_torch.softmax(torch.ones(2, dtype=torch.int64))


def test_selected_rows_kernel():
    assert {row.name for row in phi_torch.kernels("scale")} == {"scale", "scale_sr", "scale_coo", "scale_csr"}
    rows = torch.sparse_coo_tensor(torch.tensor([[1, 3]]), torch.tensor([[1.0, 2.0], [3.0, 4.0]]), (5, 2))
    scaled = phi_torch.scale(rows, 2.0, 1.0)
    assert scaled.is_sparse and scaled._indices().tolist() == [[1, 3]]
    assert torch.equal(scaled._values(), torch.tensor([[3.0, 5.0], [7.0, 9.0]]))


def test_flags_by_environment_and_log():
    program = "import torch, phi_torch; phi_torch.add(torch.ones(2), torch.ones(2)); print(phi_torch.flags.use_onednn)"
    result = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"PHI_LOG": "1", "PHI_USE_ONEDNN": "0", "PATH": ""},
    )
    assert result.stdout.strip() == "False"
    (line,) = result.stderr.strip().splitlines()
    assert line.startswith("phi::add key (CPU, ALL_LAYOUT, float32) -> add (CPU, ALL_LAYOUT, float32) at csrc/kernels/math/add.h:")
