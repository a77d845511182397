"""Kernels that PaddlePaddle has for GPUs alone, or whose gradient operators its Python does not run: beside torch's."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from phi_torch import legacy


def random(*sizes: int) -> Tensor:
    return torch.randn(sizes, generator=torch.Generator().manual_seed(sum(sizes)))


FUNCTIONS = {"relu": torch.relu, "tanh": torch.tanh, "scale": lambda x: 0.5 * x}


@pytest.mark.parametrize("functors", [("elementwise_add", "relu"), ("tanh", "elementwise_add"), ("elementwise_mul", "scale")])
def test_gradients_of_two_functions(functors: tuple[str, str]):
    x, y, out_grad = random(2, 3, 4), random(3), random(4, 2, 3).reshape(2, 3, 4)
    attrs = {"axis": 1, "scale": 0.5, "save_intermediate_out": True}
    outputs = {"Out": 1, "IntermediateOut": 1}
    found = legacy.run_op("fused_elemwise_activation", {"X": x, "Y": y}, {**attrs, "functor_list": [*functors]}, outputs)
    outer, inner = functors
    x.requires_grad_(), y.requires_grad_()
    wide = y.unsqueeze(-1)
    if outer in FUNCTIONS:
        expected = FUNCTIONS[outer](x + wide)
    else:
        expected = x + FUNCTIONS[inner](wide) if outer == "elementwise_add" else x * FUNCTIONS[inner](wide)
    torch.testing.assert_close(found["Out"], expected)
    slots = {"X": x.detach(), "Y": y.detach(), **found, "Out@GRAD": out_grad}
    named = {**attrs, "functor_list": [f"{one}_grad" for one in functors]}  # as makers of gradient operators write them
    grads = legacy.run_op("fused_elemwise_activation_grad", slots, named, {"X@GRAD": 1, "Y@GRAD": 1})
    torch.testing.assert_close((grads["X@GRAD"], grads["Y@GRAD"]), torch.autograd.grad(expected, (x, y), out_grad))


def test_two_functions_that_paddle_does_not_have():
    with pytest.raises(ValueError, match=r"functor_list: expected one of elementwise_add.*got \['relu', 'sin'\]"):
        legacy.run_op("fused_elemwise_activation", {"X": random(2), "Y": random(2)}, {"functor_list": ["relu", "sin"]})


def test_cross_entropy2_and_its_gradient():
    x, label, y_grad = random(4, 3).softmax(-1), torch.tensor([[2], [0], [-1], [1]]), random(4, 1)
    outputs = {"Y": 1, "XShape": 1, "MatchX": 1}
    found = legacy.run_op("cross_entropy2", {"X": x, "Label": label}, {"ignore_index": -1}, outputs)
    leaf = x.clone().requires_grad_()
    expected = functional.nll_loss(leaf.log(), label[:, 0], ignore_index=-1, reduction="none").unsqueeze(1)
    torch.testing.assert_close(found["Y"], expected)
    slots = {"Label": label, "MatchX": found["MatchX"], "XShape": found["XShape"], "Y@GRAD": y_grad}
    grad = legacy.run_op("cross_entropy_grad2", slots, {"ignore_index": -1}, {"X@GRAD": 1})["X@GRAD"]
    torch.testing.assert_close(grad, torch.autograd.grad(expected, leaf, y_grad)[0])


def test_a_label_out_of_range():
    with pytest.raises(ValueError, match=r"slot Label: expected labels from 0 to 2, or -100, got \[1, 3\]"):
        legacy.run_op("cross_entropy", {"X": random(2, 3).softmax(-1), "Label": torch.tensor([[1], [3]])})


@pytest.mark.parametrize(
    ("type", "slots", "message"),
    [
        ("rank_loss", {"Label": random(2, 1), "Left": random(2, 1), "Right": random(3, 1)}, r"slot Right: expected shape \[2, 1\]"),
        (
            "proximal_gd",
            {"Param": random(2), "Grad": random(3), "LearningRate": random(1)},
            r"slot Grad: expected shape \[2\], got \[3\]",
        ),
        ("dpsgd", {"Param": random(2), "Grad": random(2), "LearningRate": random(2)}, r"slot LearningRate: expected shape \[1\]"),
        ("bpr_loss", {"X": random(1, 3), "Label": torch.tensor([[3]])}, r"slot Label: expected labels from 0 to 2, got \[3\]"),
        ("cvm", {"X": random(3), "CVM": random(3, 2)}, r"slot X: expected rows of at least 2 columns, got shape \[3\]"),
    ],
)
def test_shapes_that_do_not_fit(type: str, slots: dict[str, Tensor], message: str):
    with pytest.raises(ValueError, match=message):
        legacy.run_op(type, slots)


def test_layers_with_layer_norm():
    x, w, y, bias = random(2, 3, 4), random(4, 5), random(2, 3, 5), random(5)
    scale, shift = random(5), random(5)
    slots = {"X": x, "W": w, "Y": y, "Bias0": bias, "Scale": scale, "Bias1": shift}
    attrs = {"x_num_col_dims": 2, "activation_type": "relu", "epsilon": 1e-5, "begin_norm_axis": 2}
    found = legacy.run_op("fused_fc_elementwise_layernorm", slots, attrs, {"Out": 1, "Mean": 1, "Variance": 1})
    expected = functional.layer_norm((x @ w + bias).relu() + y, (5,), scale, shift)
    torch.testing.assert_close(found["Out"], expected)
    slots = {"X": y, "Y": y, "Scale": scale, "Bias": shift}
    found = legacy.run_op("skip_layernorm", slots, {"epsilon": 1e-5, "begin_norm_axis": 2})
    torch.testing.assert_close(found["Out"], functional.layer_norm(2 * y, (5,), scale, shift))
    ids, tables = [torch.tensor([[[0], [2]]]), torch.tensor([[[1], [1]]])], [random(3, 5), random(2, 5)]
    lists = {"Ids": ids, "Embs": tables}
    found = legacy.run_op("fused_embedding_eltwise_layernorm", {**lists, "Bias": shift, "Scale": scale}, {"epsilon": 1e-5})
    rows = tables[0][ids[0][..., 0]] + tables[1][ids[1][..., 0]]
    torch.testing.assert_close(found["Out"], functional.layer_norm(rows, (5,), scale, shift))


def test_multihead_matmul():
    batch, length, heads, size = 2, 3, 2, 4
    width = heads * size
    x, w, bias, mask = random(batch, length, width), random(width, 3, width), random(3, width), random(batch, heads, length, length)
    slots = {"Input": x, "W": w, "Bias": bias, "BiasQK": mask}
    found = legacy.run_op("multihead_matmul", slots, {"alpha": 1 / math.sqrt(size), "head_number": heads})["Out"]
    q, k, v = ((x @ w[:, i] + bias[i]).reshape(batch, length, heads, size).transpose(1, 2) for i in range(3))
    expected = functional.scaled_dot_product_attention(q, k, v, mask).transpose(1, 2).reshape(batch, length, width)
    torch.testing.assert_close(found, expected)


def test_self_dp_attention():
    x = random(2, 3, 3, 2, 4)
    q, k, v = x.permute(2, 0, 3, 1, 4)
    found = legacy.run_op("self_dp_attention", {"X": x}, {"alpha": 0.5, "head_number": 2})["Out"]
    torch.testing.assert_close(found, functional.scaled_dot_product_attention(q, k, v).transpose(1, 2))
    with pytest.raises(ValueError, match=r"slot X: expected \[batch, length, 3, 4, size\].* got \[2, 3, 3, 2, 4\]"):
        legacy.run_op("self_dp_attention", {"X": x}, {"alpha": 0.5, "head_number": 4})


def test_random_ones():
    torch.manual_seed(0)
    found = legacy.run_op("randint", {}, {"low": -2, "high": 5, "shape": [50], "dtype": 3})["Out"]
    assert found.dtype == torch.int64 and found.min() >= -2 and found.max() < 5
    seeded = [legacy.run_op("randint", {}, {"low": 0, "high": 9, "shape": [9], "seed": 7, "dtype": 2})["Out"] for _ in range(2)]
    assert torch.equal(*seeded) and seeded[0].dtype == torch.int32
    slots, attrs = {"Input": random(4, 2)}, {"shape": [-1, 3], "min": 1.0, "max": 2.0}
    found = legacy.run_op("uniform_random_batch_size_like", slots, attrs)["Out"]
    assert found.shape == (4, 3) and found.min() >= 1 and found.max() <= 2
    assert legacy.run_op("sampling_id", {"X": torch.eye(3)})["Out"].tolist() == [0, 1, 2]
    assert legacy.run_op("seed", {}, {"seed": 5})["Out"].tolist() == [5]


def test_copies():
    x = random(2, 3)
    for type in ("memcpy", "memcpy_h2d", "memcpy_d2h"):
        assert torch.equal(legacy.run_op(type, {"X": x}, {"dst_place_type": 0})["Out"], x)


def test_a_layer_for_each_slot():
    x, w, bias, out_grad = (random(*sizes).requires_grad_() for sizes in ((2, 3, 4), (2, 4, 5), (2, 5), (2, 3, 5)))
    found = legacy.run_op("batch_fc", {"Input": x, "W": w, "Bias": bias})["Out"]
    torch.testing.assert_close(found, torch.einsum("sri,sio->sro", x, w) + bias.unsqueeze(1))
    slots = {"Input": x, "W": w, "Bias": bias, "Out@GRAD": out_grad}
    grads = legacy.run_op(
        "batch_fc_grad", {k: v.detach() for k, v in slots.items()}, {}, {"Input@GRAD": 1, "W@GRAD": 1, "Bias@GRAD": 1}
    )
    torch.testing.assert_close((*grads.values(),), torch.autograd.grad(found, (x, w, bias), out_grad))


def test_the_order_of_a_batch():
    """Seeds as PaddlePaddle's; the order is another one."""
    x = random(2, 3, 4)
    outs = ["Out", "ShuffleIdx", "SeedOut"]
    made = legacy.run_op("shuffle_batch", {"X": x, "Seed": torch.tensor([56])}, {}, outs)
    rows, order = x.reshape(6, 4), made["ShuffleIdx"]
    assert sorted(order.tolist()) == [*range(6)] and made["SeedOut"].tolist() == [941192]
    assert torch.equal(made["Out"].reshape(6, 4)[order], rows) and not torch.equal(made["Out"], x)
    again = legacy.run_op("shuffle_batch", {"X": x, "Seed": torch.tensor([])}, {"startup_seed": 56}, outs)
    assert torch.equal(again["Out"], made["Out"])
    grad = legacy.run_op("shuffle_batch_grad", {"ShuffleIdx": order, "Out@GRAD": made["Out"]}, {}, ["X@GRAD"])["X@GRAD"]
    assert torch.equal(grad, x)


def test_whole_parts_are_dropped():
    x = random(4, 5, 3)
    attrs = {"dropout_prob": 0.5, "dropout_implementation": "upscale_in_train", "axis": [0, 1]}
    torch.manual_seed(0)
    out, mask = legacy.run_op("dropout_nd", {"X": x}, attrs, ["Out", "Mask"]).values()
    assert mask.shape == (4, 5, 1) and mask.dtype == torch.uint8 and 0 < mask.sum() < 20
    torch.testing.assert_close(out, 2 * x * mask)
    grad = legacy.run_op("dropout_nd_grad", {"Mask": mask, "Out@GRAD": x}, attrs, ["X@GRAD"])["X@GRAD"]
    torch.testing.assert_close(grad, 2 * x * mask)
    seed = torch.tensor([7], dtype=torch.int32)
    again = [legacy.run_op("dropout_nd", {"X": x, "Seed": seed}, attrs, ["Out", "Mask"])["Mask"] for _ in range(2)]
    assert torch.equal(*again)
    fixed = attrs | {"seed": 7, "fix_seed": True}
    assert torch.equal(again[0], legacy.run_op("dropout_nd", {"X": x}, fixed, ["Out", "Mask"])["Mask"])
    (tested,) = legacy.run_op("dropout_nd", {"X": x}, {"is_test": True, "dropout_prob": 0.25}, ["Out"]).values()
    torch.testing.assert_close(tested, 0.75 * x)


def test_layouts_of_images():
    x = random(1, 2, 3, 4)
    last = legacy.run_op("transfer_layout", {"X": x}, {"src_layout": 2, "dst_layout": 1})["Out"]
    assert torch.equal(last, x.permute(0, 2, 3, 1))
    assert torch.equal(legacy.run_op("transfer_layout", {"X": last}, {"src_layout": 1, "dst_layout": 2})["Out"], x)
    assert torch.equal(legacy.run_op("transfer_layout", {"X": x}, {"dst_layout": 2})["Out"], x)
    with pytest.raises(ValueError, match=r"dst_layout: expected 1 \(NHWC\) or 2 \(NCHW\), got 2, 5"):
        legacy.run_op("transfer_layout", {"X": x}, {"src_layout": 2, "dst_layout": 5})


@pytest.mark.parametrize("positive", [True, False])
def test_samples_of_each_layer_of_a_tree(positive: bool):
    travel, layer = torch.tensor([[1, 3], [1, 4], [2, 5], [2, 0]]), torch.tensor([[1], [2], [3], [4], [5], [6]])
    attrs = {"output_positive": positive, "neg_samples_num_list": [1, 2], "layer_offset": [0, 2, 6], "dtype": 3}
    x = torch.tensor([[0], [3], [2]])
    found = legacy.run_op("tdm_sampler", {"X": x, "Travel": travel, "Layer": layer}, attrs, ["Out", "Labels", "Mask"])
    out, labels, mask = found.values()
    first, second = out.split((1 + positive, 2 + positive), 1)
    older = {"layer_offset_lod" if name == "layer_offset" else name: value for name, value in attrs.items()} | {"seed": 3}
    again = [
        legacy.run_op("tdm_sampler", {"X": x, "Travel": travel, "Layer": layer}, one, ["Out"])["Out"]
        for one in (older, attrs | {"seed": 3})
    ]
    assert torch.equal(*again)
    assert out.dtype == torch.int64 and out.shape == labels.shape == mask.shape
    assert mask.tolist() == [[1] * out.shape[1], [1] * (1 + positive) + [0] * (2 + positive), [1] * out.shape[1]]
    assert labels.sum() == (5 if positive else 0) and (out[1, 1 + positive :] == 0).all()
    for row, ways in ((0, travel[0]), (2, travel[2])):
        for part, way, nodes in ((first, ways[0], {1, 2}), (second, ways[1], {3, 4, 5, 6})):
            some = part[row].tolist()
            assert len({*some}) == len(some) and {*some} <= nodes and (int(way) in some) is positive
    with pytest.raises(ValueError, match=r"neg_samples_num_list\[0\]: expected 1 at most"):
        legacy.run_op("tdm_sampler", {"X": x, "Travel": travel, "Layer": layer}, {**attrs, "neg_samples_num_list": [2, 2]}, ["Out"])
    with pytest.raises(ValueError, match="slot X: expected numbers of 0 to 3"):
        legacy.run_op("tdm_sampler", {"X": x + 1, "Travel": travel, "Layer": layer}, attrs, ["Out"])
