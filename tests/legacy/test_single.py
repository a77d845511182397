"""Single operators by their legacy names, slots and attributes."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import phi_torch
from phi_torch import _C, legacy
from phi_torch._op_table import OPS
from phi_torch.legacy import Attribute, BlockDesc, OpDesc, ProgramDesc, ProgramError, VarDesc
from phi_torch.legacy.kernels.table import KERNELS, aligned

X, Y = torch.arange(24.0).reshape(2, 3, 4), torch.arange(3.0) + 1


def test_the_axis_of_the_second_operand():
    out = legacy.run_op("elementwise_add", {"X": X, "Y": Y}, {"axis": 1})
    assert out.keys() == {"Out"} and torch.equal(out["Out"], X + Y[:, None])
    assert torch.equal(legacy.run_op("elementwise_add", {"X": X, "Y": X[0]}, {"axis": -1})["Out"], X + X[0])


@pytest.mark.parametrize("op", ["elementwise_add", "elementwise_sub", "elementwise_mul", "elementwise_div", "elementwise_max"])
def test_gradients_of_operands_at_an_axis(op: str):
    x, y = X.double().requires_grad_(), (Y.double() + 0.5).requires_grad_()
    assert torch.autograd.gradcheck(lambda x, y: legacy.run_op(op, {"X": x, "Y": y}, {"axis": 1})["Out"], (x, y))


@pytest.mark.parametrize(
    ("x", "y", "axis", "expected"),
    [
        ((2, 3, 4), (3,), 1, ((2, 3, 4), (3, 1))),
        ((2, 3, 4), (2, 3), 0, ((2, 3, 4), (2, 3, 1))),
        ((2, 3, 4), (4,), -1, ((2, 3, 4), (4,))),
        ((2, 3), (3, 1, 1), 1, ((2, 3), (3, 1, 1))),
        ((3,), (2, 3, 4), 1, ((3, 1), (2, 3, 4))),
        ((2, 3, 4), (2, 3, 1, 1)[:3], 0, ((2, 3, 4), (2, 3, 1))),
        ((2, 3, 4), (1,), 0, ((2, 3, 4), (1, 1, 1))),
    ],
)
def test_alignment(x: tuple[int, ...], y: tuple[int, ...], axis: int, expected: tuple[tuple[int, ...], ...]):
    found = aligned(torch.empty(x), torch.empty(y), axis)
    assert tuple(tuple(tensor.shape) for tensor in found) == expected


def test_an_axis_out_of_range():
    with pytest.raises(ValueError, match=r"axis'?: expected -1, or 0 to 2 for shapes \[2, 3, 4\] and \[3\], got 3"):
        legacy.run_op("elementwise_add", {"X": X, "Y": Y}, {"axis": 3})


def test_a_gradient_operator():
    grads = legacy.run_op("elementwise_add_grad", {"X": X, "Y": Y, "Out@GRAD": torch.ones_like(X)}, {"axis": 1})
    assert grads.keys() == {"X@GRAD", "Y@GRAD"} and grads["Y@GRAD"].tolist() == [8, 8, 8]


def test_lists_of_tensors():
    both = legacy.run_op("concat", {"X": [X, X]}, {"axis": 2})["Out"]
    assert torch.equal(both, torch.cat([X, X], 2))
    parts = legacy.run_op("split", {"X": X}, {"axis": 2, "num": 2, "sections": []})["Out"]
    assert [part.shape for part in parts] == [(2, 3, 2), (2, 3, 2)]


def test_lists_that_a_kernel_writes_keep_their_values():
    """Outputs of other names than the operands, where programs mostly have the same."""
    x = [torch.tensor([2.0, 4.0]), torch.tensor([6.0])]
    found = legacy.run_op("check_finite_and_unscale", {"X": x, "Scale": torch.tensor([2.0])}, {}, {"Out": 2, "FoundInfinite": 1})
    assert [one.tolist() for one in found["Out"]] == [[1, 2], [3]] and found["FoundInfinite"].tolist() == [False]
    assert [one.tolist() for one in x] == [[2, 4], [6]]


def test_attributes_that_are_tensors():
    out = legacy.run_op("reshape2", {"X": X, "ShapeTensor": [torch.tensor([4]), torch.tensor([6])]}, {"shape": [-1, -1]})
    assert out["Out"].shape == (4, 6)
    full = {"dtype": torch.int64, "value": 0.0, "shape": []}
    out = legacy.run_op("fill_constant", {"ShapeTensorList": [torch.tensor([2]), torch.tensor([3])]}, {**full, "str_value": "7"})
    assert torch.equal(out["Out"], torch.full((2, 3), 7))


def test_values_in_a_shape():
    """Paddle runs this operator no more: its kernel became another one's."""
    attrs = {"value": Attribute("FLOATS", [1.0, 2.0, 3.0, 4.0]), "shape": [2, 2], "dtype": torch.int64}
    assert legacy.run_op("fill", {}, attrs)["Out"].tolist() == [[1, 2], [3, 4]]
    with pytest.raises(ValueError, match=r"attribute value: .* each element of \[3\], got 4"):
        legacy.run_op("fill", {}, attrs | {"shape": [3]})


def test_outputs_that_are_asked_for():
    out = legacy.run_op("reshape2", {"X": X}, {"shape": [6, 4]}, outputs=["Out", "XShape"])
    assert out["Out"].shape == (6, 4) and out["XShape"].shape == (0, 2, 3, 4)
    back = legacy.run_op("reshape2_grad", {"XShape": out["XShape"], "Out@GRAD": out["Out"]}, {"shape": [6, 4]})
    assert torch.equal(back["X@GRAD"], X)


def test_classes_out_of_range():
    attrs = {"depth": 2, "dtype": torch.float32, "allow_out_of_range": True}
    assert legacy.run_op("one_hot_v2", {"X": torch.tensor([0, 2, -1, 1])}, attrs)["Out"].tolist() == [
        [1, 0],
        [0, 0],
        [0, 0],
        [0, 1],
    ]
    with pytest.raises(IndexError):
        legacy.run_op("one_hot_v2", {"X": torch.tensor([0, 2])}, {**attrs, "allow_out_of_range": False})


def test_a_prepared_operator():
    add = legacy.create_op("elementwise_add", {"X": X, "Y": Y}, {"axis": 1})
    other = torch.ones(2, 3, 5)
    assert torch.equal(add({"X": other, "Y": Y})["Out"], other + Y[:, None])


def test_errors_name_the_operator():
    with pytest.raises(TypeError, match="slot X: expected a tensor or a list of tensors, got 3"):
        legacy.run_op("relu", {"X": 3})  # type: ignore[dict-item]
    with pytest.raises(ProgramError, match="operator 'qqq'"):
        legacy.run_op("qqq", {"X": X})
    with pytest.raises(ProgramError, match="operator 'elementwise_add', slot Y: expected a variable"):
        legacy.run_op("elementwise_add", {"X": X}, {"axis": -1})
    with pytest.raises(ProgramError, match="operator 'concat', slot X: expected a list of tensors, got a tensor"):
        legacy.run_op("concat", {"X": X}, {"axis": 0})
    with pytest.raises(ProgramError, match="slot Z: the operator has no such input; it has X, Y"):
        legacy.run_op("elementwise_add", {"X": X, "Y": X, "Z": X}, {"axis": -1})
    with pytest.raises(ProgramError, match="slot X: expected one variable, got 2"):
        legacy.run_op("relu", {"X": [X, X]})
    with pytest.raises(ProgramError, match="attribute axes: the operator has none; near: axis"):
        legacy.run_op("softmax", {"X": X}, {"axes": 1})
    with pytest.raises(ProgramError, match="attribute axis: expected INT, got STRING 'last'"):
        legacy.run_op("softmax", {"X": X}, {"axis": "last"})
    with pytest.raises(ProgramError, match="operator 'concat', attribute 'axis': expected a number, a string or a list"):
        legacy.run_op("concat", {"X": [X]}, {"axis": object()})


@pytest.mark.parametrize(
    ("x", "y", "tx", "ty"),
    [
        *(((2, 3), (3, 4), 0, 0), ((3,), (3,), 0, 0), ((3, 2), (4, 3), 1, 1)),
        *(((3,), (5,), 1, 1), ((3,), (1, 4), 1, 0), ((4, 1), (3,), 0, 1), ((3,), (3,), 1, 1)),
    ],
)
def test_the_first_matmul(x: tuple[int, ...], y: tuple[int, ...], tx: int, ty: int):
    a, b = torch.rand(x, requires_grad=True), torch.rand(y, requires_grad=True)
    attrs = {"transpose_X": bool(tx), "transpose_Y": bool(ty), "alpha": 2.0}
    out = legacy.run_op("matmul", {"X": a, "Y": b}, attrs)["Out"]
    left = (a[None] if a.dim() == 1 else a).mT if tx else a
    right = (b[:, None] if b.dim() == 1 else b).mT if ty else b
    torch.testing.assert_close(out, 2 * left @ right)
    grads = legacy.run_op("matmul_grad", {"X": a.detach(), "Y": b.detach(), "Out@GRAD": torch.ones_like(out)}, attrs)
    torch.testing.assert_close(tuple(grads.values()), torch.autograd.grad((2 * left @ right).sum(), [a, b]))


def test_tables_of_whole_numbers():
    for dtype in (torch.int8, torch.int16):
        table, ids = torch.arange(12).reshape(4, 3).to(dtype), torch.tensor([1, 3, 1])
        for type, given in (("lookup_table", ids[:, None]), ("lookup_table_v2", ids)):
            assert torch.equal(legacy.run_op(type, {"W": table, "Ids": given})["Out"], table[ids])


def test_a_part_of_a_table():
    table, ids = torch.randn(4, 3, requires_grad=True), torch.tensor([[5, 2, 9], [6, 8, 5]])
    found = legacy.run_op("c_embedding", {"W": table, "Ids": ids}, {"start_index": 5})["Out"]
    whole = torch.cat([torch.zeros(5, 3), table, torch.zeros(1, 3)])
    torch.testing.assert_close(found, whole[ids])
    grad = torch.randn(2, 3, 3)
    (expected,) = torch.autograd.grad(found, table, grad)
    made = legacy.run_op("c_embedding_grad", {"W": table.detach(), "Ids": ids, "Out@GRAD": grad}, {"start_index": 5}, ["W@GRAD"])
    torch.testing.assert_close(made["W@GRAD"], expected)
    assert expected[1:3].any() and not expected[2].any()


def test_no_kernel_is_an_operator_s():
    """A kernel of programs goes when an operator of that name comes, unless it has another meaning in programs."""
    taken = {name for op in OPS.values() if not op.is_backward for name in (op.name, *op.kernels)}
    others = {
        "adam_dense_param_sparse_grad",
        "add_n",
        "divide",
        "einsum",
        "full_batch_size_like",
        "hsigmoid_loss",
        "sequence_mask",
    }
    assert taken & KERNELS.keys() == others


def test_operators_with_gradients_have_gradient_operators():
    """One that training programs hold, for each that a function of ours differentiates."""
    runs = {type for type, *_ in legacy.supported_ops()}
    defined = {type.removesuffix("_grad") for type in _C.program_op_types() if type.endswith("_grad")}
    without = {type for type in runs & defined if f"{type}_grad" not in runs and not type.endswith("_grad")}
    assert without == {"embedding_with_scaled_gradient", "fused_rms_norm_quant"}


def test_gradient_of_a_gemm_with_an_epilogue():
    x, y, bias = torch.randn(3, 4), torch.randn(4, 5), torch.randn(5, requires_grad=True)
    x.requires_grad_(), y.requires_grad_()
    before = x @ y + bias
    grad = torch.randn(3, 5)
    expected = torch.autograd.grad(torch.relu(before), [x, y, bias], grad)
    got = legacy.run_op(
        "fused_gemm_epilogue_grad",
        {"X": x.detach(), "Y": y.detach(), "ReserveSpace": before.detach(), "DOut": grad},
        {"trans_x": False, "trans_y": False, "activation_grad": "relu_grad"},
    )
    for slot, value in zip(("DX", "DY", "DBias"), expected):
        torch.testing.assert_close(got[slot], value)


def test_gradients_of_an_eigenvector():
    x = torch.tensor([[2.0, 0.5, 0.1], [0.5, 1.0, 0.3], [0.1, 0.3, -1.0]], dtype=torch.float64, requires_grad=True)
    values, vectors = legacy.run_op("eigh", {"X": x}, {"UPLO": "L"}, ["Eigenvalues", "Eigenvectors"]).values()
    grads = {"Eigenvalues@GRAD": torch.tensor([1.0, 2.0, -1.0]).double(), "Eigenvectors@GRAD": torch.eye(3).double().cumsum(1)}
    (expected,) = torch.autograd.grad([values, vectors], x, [*grads.values()])
    given = {"Eigenvalues": values.detach(), "Eigenvectors": vectors.detach(), **grads}
    found = legacy.run_op("eigh_grad", given)["X@GRAD"]
    torch.testing.assert_close(found + found.mT, expected + expected.mT)  # of which the operator reads one half


def test_gradients_of_eigenvalues_need_the_vectors():
    with pytest.raises(ValueError, match="slot Eigenvectors: expected vectors, which the operator leaves out"):
        legacy.run_op("eigvalsh_grad", {"Eigenvectors": torch.empty(0), "Eigenvalues@GRAD": torch.ones(3)}, {"is_test": True})


def test_the_gradient_of_a_bias_that_is_not_read():
    x, scale, bias = torch.randn(2, 3, 4, requires_grad=True), torch.ones(3, requires_grad=True), torch.zeros(3, requires_grad=True)
    out = legacy.run_op("instance_norm", {"X": x, "Scale": scale, "Bias": bias}, {}, ["Y", "SavedMean", "SavedVariance"])
    expected = torch.autograd.grad(out["Y"], [x, scale, bias], torch.ones(2, 3, 4).cumsum(2))
    given = {name: out[name].detach() for name in ("SavedMean", "SavedVariance")}
    given |= {"X": x.detach(), "Scale": scale.detach(), "Y@GRAD": torch.ones(2, 3, 4).cumsum(2)}
    found = legacy.run_op("instance_norm_grad", given, {}, ["X@GRAD", "Scale@GRAD", "Bias@GRAD"])
    torch.testing.assert_close([*found.values()], [*expected])


def test_a_sum_without_what_has_no_elements():
    nothing = torch.empty(0, 0)
    assert torch.equal(legacy.run_op("sum", {"X": [X, nothing, X]})["Out"], 2 * X)
    assert torch.equal(legacy.run_op("sum", {"X": [nothing, X]})["Out"], X)
    assert legacy.run_op("sum", {"X": [nothing, nothing]})["Out"].shape == (0, 0)


PART: dict[str, Any] = {"axes": [0], "decrease_axes": [], "none_axes": [], "dtype": torch.float32}


@pytest.mark.parametrize(("start", "step", "expected"), [(1, -1, [4, 3, 1, 1, 1]), (2, -2, [4, 1, 3, 1, 1])])
def test_assigning_backwards_to_the_first_element(start: int, step: int, expected: list[float]):
    """As PaddlePaddle 2 writes `x[1::-1] = values`: the end is -1."""
    attrs = {**PART, "starts": [start], "ends": [-1], "steps": [step]}
    x, values, grad = torch.ones(5), torch.tensor([3.0, 4.0]), torch.arange(5.0) + 1
    for given, more in (({"ValueTensor": values}, {}), ({}, {"shape": [2], "values": [3.0, 4.0]})):
        assert legacy.run_op("set_value", {"Input": x, **given}, {**attrs, **more})["Out"].tolist() == expected
    slots = ["Input@GRAD", "ValueTensor@GRAD"]
    grads = legacy.run_op("set_value_grad", {"ValueTensor": values, "Out@GRAD": grad}, attrs, slots)
    assert grads["Input@GRAD"].tolist() == [0 if one != 1 else at + 1 for at, one in enumerate(expected)]
    assert grads["ValueTensor@GRAD"].tolist() == [expected.index(3) + 1, expected.index(4) + 1]


def test_assigning_with_dimensions_after_the_last():
    values = torch.arange(6.0).reshape(2, 1, 3, 1)
    attrs = {**PART, "axes": [], "starts": [], "ends": [], "steps": [], "none_axes": [1, 4]}
    found = legacy.run_op("set_value", {"Input": torch.ones(2, 3), "ValueTensor": values}, attrs)["Out"]
    assert torch.equal(found, values.reshape(2, 3))


def test_the_last_row_by_an_index_that_only_a_run_knows():
    """x[i] for an i of -1 ends at 0, as PaddlePaddle 2.6.2 takes it."""
    index, end = torch.tensor([-1], dtype=torch.int32), torch.tensor([0], dtype=torch.int32)
    attrs = {"axes": [0], "starts": [-1], "ends": [0], "infer_flags": [-1], "decrease_axis": [0]}
    for stride in (1, -1):
        given = {"Input": X, "StartsTensor": index, "EndsTensor": end}
        assert torch.equal(legacy.run_op("strided_slice", given, {**attrs, "strides": [stride]})["Out"], X[-1])
    assert torch.equal(legacy.run_op("slice", given, attrs)["Out"], X[-1])


def test_a_strided_slice_with_flags_for_some_axes():
    attrs = {"axes": [0, 1], "starts": [0, 1], "ends": [1, 3], "strides": [1, 1], "infer_flags": [1]}
    assert torch.equal(legacy.run_op("strided_slice", {"Input": X}, attrs)["Out"], X[:1, 1:3])


def test_the_output_of_run_op_is_that_of_the_operator():
    torch.testing.assert_close(legacy.run_op("softmax", {"X": X}, {"axis": -1})["Out"], phi_torch.softmax(X, -1))


def test_the_gradient_of_the_maximum_of_one_number_at_an_axis():
    x, grad = torch.tensor(2.0), torch.tensor(3.0)
    found = legacy.run_op("reduce_max_grad", {"X": x, "Out": x, "Out@GRAD": grad}, {"dim": [0]}, ["X@GRAD"])
    assert torch.equal(found["X@GRAD"], grad)


def test_equal_elements_each_get_the_gradient_of_a_maximum():
    x, y, ones = torch.tensor([[1.0, 1.0, 0.0]]), torch.ones(1, 3), torch.ones(1, 3)
    reduced = {"X": x, "Out": torch.ones(1), "Out@GRAD": torch.ones(1)}
    assert legacy.run_op("reduce_max_grad", reduced, {"dim": [1]})["X@GRAD"].tolist() == [[1, 1, 0]]
    reduced = {"X": 2 - x, "Out": torch.ones(1), "Out@GRAD": torch.ones(1)}
    assert legacy.run_op("reduce_min_grad", reduced, {"dim": [1]})["X@GRAD"].tolist() == [[1, 1, 0]]
    both = legacy.run_op("elementwise_max_grad", {"X": x, "Y": y, "Out@GRAD": ones}, {"axis": -1})
    assert (both["X@GRAD"].tolist(), both["Y@GRAD"].tolist()) == ([[0, 0, 0]], [[1, 1, 1]])
    both = legacy.run_op("elementwise_min_grad", {"X": x, "Y": y[0], "Out@GRAD": ones}, {"axis": -1})
    assert (both["X@GRAD"].tolist(), both["Y@GRAD"].tolist()) == ([[0, 0, 1]], [1, 1, 0])


@pytest.mark.parametrize("type", ["elementwise_add", "less_than", "elementwise_div"])
@pytest.mark.parametrize("other", [torch.int64, torch.float64, torch.complex64], ids=str)
def test_operands_of_two_dtypes(type: str, other: torch.dtype):
    """Paddle 2.6.2 refuses them, but for complex ones; so do kernels and functions."""
    inputs = {"X": torch.ones(2), "Y": torch.ones(2, dtype=other)}
    op = legacy.create_op(type, inputs, {"axis": -1})
    for call in (op, op._by_function):
        if other.is_complex:
            assert call(inputs)["Out"].dtype == (torch.bool if type == "less_than" else other)
        else:
            with pytest.raises(TypeError):
                call(inputs)


@pytest.mark.parametrize("is_first", [False, True])
@pytest.mark.parametrize("type", ["elementwise_add", "elementwise_sub", "elementwise_mul", "elementwise_div", "matmul_v2", "kron"])
def test_a_real_operand_beside_a_complex_one(type: str, is_first: bool):
    """Its gradient is real."""
    real, other = torch.rand(2, 2, dtype=torch.float64), torch.rand(2, 2, dtype=torch.complex128) + 1
    x, y = (real, other) if is_first else (other, real)
    function = {"matmul_v2": torch.matmul, "kron": torch.kron}.get(type) or getattr(torch, type.removeprefix("elementwise_"))
    leaves = [one.clone().requires_grad_() for one in (x, y)]
    out, grad = (
        function(*(one.to(torch.complex128) for one in leaves)),
        torch.rand(4 if type == "kron" else 2, 4 if type == "kron" else 2).to(torch.complex128),
    )
    expected = torch.autograd.grad(out, leaves, grad)
    torch.testing.assert_close(legacy.run_op(type, {"X": x, "Y": y})["Out"], out.detach())
    given = {"X": x, "Y": y, "Out@GRAD": grad, **({"Out": out.detach()} if type == "elementwise_div" else {})}
    for slots in (["X@GRAD", "Y@GRAD"], ["X@GRAD"], ["Y@GRAD"]):
        found = legacy.run_op(f"{type}_grad", given, {}, slots)
        for slot in slots:
            torch.testing.assert_close(found[slot], expected[slot == "Y@GRAD"])


def test_a_product_is_written_over_its_complex_operand():
    x, y = torch.rand(2, 2, dtype=torch.complex64), torch.rand(2, 2)
    variables = {"x": VarDesc("x", dtype=x.dtype, dims=(2, 2)), "y": VarDesc("y", dtype=y.dtype, dims=(2, 2))}
    block = BlockDesc(vars=variables, ops=[OpDesc("matmul_v2", {"X": ["x"], "Y": ["y"]}, {"Out": ["x"]})])
    (found,) = legacy.Executor(ProgramDesc([block]), {}).run({"x": x, "y": y}, ["x"])
    torch.testing.assert_close(found, x @ y.to(x.dtype))


def test_autocast_promotes_what_it_made():
    x, w = torch.ones(2, 2), torch.ones(2, 2)
    with torch.autocast("cpu", torch.bfloat16):
        half = legacy.run_op("matmul_v2", {"X": x, "Y": w}, {"trans_x": False, "trans_y": False})["Out"]
        assert half.dtype == torch.bfloat16
        assert legacy.run_op("elementwise_add", {"X": half, "Y": x}, {"axis": -1})["Out"].dtype == torch.float32


@pytest.mark.parametrize("taken", [[], [0]], ids=["all axes", "one goes"])
def test_slices_that_go_back(taken: list[int]):
    """An end of -1 is before the first element, as in PaddlePaddle 2; 3.3.1 takes the last element for it."""
    attrs = {"axes": [0, 2], "starts": [1, 2**31 - 1], "ends": [2, -1], "strides": [1, -1]}
    out = legacy.run_op("strided_slice", {"Input": X}, {**attrs, "infer_flags": [1, 1], "decrease_axis": taken})["Out"]
    assert torch.equal(out, X[1].flip(1) if taken else X[1:].flip(2))


def test_what_has_no_gradient_may_follow_from_what_requires_one():
    x, corners = torch.rand(1, 2, 6, 6, requires_grad=True), torch.tensor([[0.0, 0, 4, 4]], requires_grad=True)
    inputs = {"X": x, "ROIs": 1.0 * corners, "RoisNum": torch.tensor([1], dtype=torch.int32)}
    attrs = {"pooled_height": 2, "pooled_width": 2, "spatial_scale": 1.0, "sampling_ratio": 2, "aligned": False}
    legacy.run_op("roi_align", inputs, attrs)["Out"].sum().backward()
    assert x.grad is not None and x.grad.sum().item() == pytest.approx(8) and corners.grad is None


def test_tensors_whose_memory_was_freed_are_refused():
    x = torch.ones(2, 3)
    x.untyped_storage().resize_(0)
    relu = OpDesc("relu", {"X": ["x"]}, {"Out": ["y"]})
    variables = {name: VarDesc(name, dtype=torch.float32, dims=(2, 3)) for name in ("x", "y")}
    executor = legacy.Executor(ProgramDesc([BlockDesc(vars=variables, ops=[relu])]), {})
    with pytest.raises(ValueError, match=r"expected tensors in memory, got one of sizes \[2, 3\]"):
        legacy.run_op("relu", {"X": x})
    with pytest.raises(ValueError, match="whose memory was freed"):
        executor.run({"x": x.requires_grad_()}, ["y"])
    assert legacy.run_op("relu", {"X": torch.ones(0, 3)})["Out"].shape == (0, 3)


@pytest.mark.parametrize(
    ("x", "attrs", "message"),
    [
        (torch.zeros(2, 3), {}, "slot X: expected int32 or int64, got torch.float32"),
        (torch.zeros(2, 3, dtype=torch.int64), {"num_hash": 0}, "attribute num_hash: expected at least 1, got 0"),
        (torch.zeros(2, 3, dtype=torch.int64), {"mod_by": 0}, "attribute mod_by: expected at least 1, got 0"),
    ],
)
def test_hashes_that_are_none(x: torch.Tensor, attrs: dict[str, int], message: str):
    with pytest.raises(ValueError, match=message):
        legacy.run_op("hash", {"X": x}, {"num_hash": 1, "mod_by": 100} | attrs)
