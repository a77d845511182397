"""Kernels by the kinds of tensors that they take and make, those of an extension's own among them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

import phi_torch

HERE = Path(__file__).parent / "tensor_kinds"
DENSE = torch.tensor([[0.0, 1.0, 0.0, 2.0], [3.0, 0.0, 0.0, 0.0]])
FORMS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "sparse_coo": torch.Tensor.to_sparse,
    "sparse_csr": torch.Tensor.to_sparse_csr,
    "sparse_bsr": lambda x: x.to_sparse_bsr((2, 2)),
}


@pytest.fixture(scope="module")
def kinds(cache):
    return phi_torch.load("kinds", yaml=HERE / "ops.yaml", sources=[HERE / "kinds.h", HERE / "kernels.cc"], cxx_flags=["-O0"])


@pytest.mark.parametrize("kind", FORMS)
def test_each_kind_has_its_kernel(kinds, kind):
    x = FORMS[kind](DENSE)
    out = kinds.twice(x)
    assert out.layout == x.layout and torch.equal(out.to_dense(), 2 * DENSE)
    assert "kernels.cc" in str(phi_torch.explain("kinds::twice", x))


@pytest.mark.parametrize("kind", ["sparse_coo", "sparse_csr"])
def test_results_of_a_kind_are_written_to_a_target(kinds, kind):
    x = FORMS[kind](DENSE)
    out = FORMS[kind](torch.zeros(2, 4) if kind == "sparse_csr" else torch.zeros(3, 3))
    assert kinds.twice(x, out=out) is out and torch.equal(out.to_dense(), 2 * DENSE)
    assert kinds.twice_(x) is x and torch.equal(x.to_dense(), 2 * DENSE)
    with pytest.raises(TypeError, match=r"argument 'out' receives the result: expected data type float32, got float64"):
        kinds.twice(x, out=out.double())


def test_kinds_may_be_mixed(kinds):
    x = torch.arange(8.0).view(2, 4)
    assert torch.equal(kinds.mask_as(x, DENSE), x * (DENSE != 0))
    out = kinds.mask_as(x, DENSE.to_sparse())
    assert out.layout is torch.sparse_coo and torch.equal(out.to_dense(), x * (DENSE != 0))


def test_several_results(kinds):
    x = DENSE.to_sparse()
    indices, values = kinds.parts(x)
    assert indices.tolist() == [[0, 0, 1], [1, 3, 0]] and values.tolist() == [1, 2, 3]
    rows, rest = kinds.halves(x)
    assert rows._nnz() == 1 and rest._nnz() == 2 and torch.equal((rows + rest).to_dense(), DENSE)


def test_a_sparse_result_of_a_dense_tensor(kinds):
    out = kinds.on_diagonal(torch.tensor([1.0, 2.0]))
    assert out.layout is torch.sparse_coo and out.to_dense().tolist() == [[1, 0], [0, 2]]


def test_lists_and_what_may_be_absent(kinds):
    x = DENSE.to_sparse()
    assert [t.to_dense().sum().item() for t in kinds.twice_each([x, x.t(), x])] == [12, 12, 12]
    assert kinds.elements(x) == 3 and kinds.elements(x, x, [x, x]) == 12
    assert kinds.elements(DENSE) == 8 and kinds.elements(DENSE, None, [DENSE]) == 16


def test_selected_rows_beside_dense_tensors(kinds):
    param, values = torch.ones(4, 2), torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    kinds.step_(param, torch.sparse_coo_tensor(torch.tensor([[2, 2]]), values, (4, 2)), 0.5)
    assert param.tolist() == [[1, 1], [1, 1], [-1, -2], [1, 1]]
    kinds.step_(param, torch.ones(4, 2), 1.0)
    assert param.tolist() == [[0, 0], [0, 0], [-2, -3], [0, 0]]


def test_other_kinds_are_refused(kinds):
    x = DENSE.to_sparse()
    message = (
        r"kinds::mask_as: .*no kernel .* layouts \(Sparse with sparse_dim 2, Sparse .*there are: .*mask_as_coo \{dense, sparse_coo"
    )
    with pytest.raises(NotImplementedError, match=message):
        kinds.mask_as(x, x)
    with pytest.raises(NotImplementedError, match=r"phi::clip: .*no kernel .* \(Sparse with sparse_dim 2\).* sparse_dim 1"):
        phi_torch.clip(x, 0, 1)
    with pytest.raises(NotImplementedError, match="kinds::twice"):
        kinds.twice(DENSE)


def test_explained_results_are_zeros(kinds):
    assert len(phi_torch.explain("kinds::halves", DENSE.to_sparse()).calls) == 1
    assert len(phi_torch.explain("square", DENSE.to_sparse(1)).calls) == 1


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("class : A\n  key : Dense", r"PHI059.*kind 'mine'(.|\n)*TorchForm<A>"),
        ("class : A\n  key : Spars", "unknown key 'Spars' of tensor kind 'mine'"),
        ("class : A B\n  key : Sparse", "'A B' is no name for the class"),
        ("class : A", "tensor kind 'mine' has no `key`"),
    ],
)
def test_a_faulty_kind(entry, message, cache):
    text = f"- tensor_kind : mine\n  {entry}\n- op : f\n  args : (Tensor x)\n  output : Tensor(out)\n"
    text += '  infer_meta : {func : UnchangedInferMeta}\n  kernel : {func : "twice_coo {mine -> mine}"}\n'
    with pytest.raises(phi_torch.extension.BuildError, match=message):
        phi_torch.load("faulty_kind", yaml=text, sources=[HERE / "kernels.cc"])
