"""Tensors with levels of detail: what they are, and how programs and operators are given them."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from phi_torch import legacy
from phi_torch.cli import main
from phi_torch.legacy import Attribute, BlockDesc, Executor, LoDTensor, OpDesc, ProgramDesc, VarDesc

X = torch.arange(10.0).reshape(5, 2)


@pytest.mark.parametrize(
    ("data", "lod", "what"),
    [
        (X, [], "a level at least"),
        (X, [[1, 5]], "from 0 on"),
        (X, [[0, 3, 2, 5]], "do not fall"),
        (X, [[0]], "from 0 on"),
        (X, [[0, 4]], "end with 5, the rows"),
        (X, [[0, 2], [0, 2, 4, 5]], "level 0 to end with 3, the sequences of level 1"),
        (X, [[0, 2.5, 5]], "expected integers, got 2.5"),
        (torch.tensor(1.0), [[0, 1]], "a dimension"),
    ],
)
def test_levels_that_do_not_fit(data: torch.Tensor, lod: Any, what: str):
    with pytest.raises(ValueError, match=what):
        LoDTensor(data, lod)


def test_a_tensor_with_levels():
    x = LoDTensor(X, [[0, 1, 3], [0, 2, 2, 5]])
    assert x.lod == [[0, 1, 3], [0, 2, 2, 5]]
    assert x.recursive_sequence_lengths() == [[1, 2], [2, 0, 3]]
    assert x.data_ptr() == X.data_ptr()
    assert type(x + 1) is torch.Tensor and torch.equal(x + 1, X + 1)
    assert pickle.loads(pickle.dumps(x)).lod == x.lod
    assert "lod=[[0, 1, 3], [0, 2, 2, 5]]" in repr(x)


def program_of(*ops: OpDesc) -> ProgramDesc:
    feeds = [name for op in ops if op.type == "feed" for name in op.outputs["Out"]]
    names = {name for op in ops for _, name in op.names()}
    made = {name: VarDesc(name, dtype=torch.float32, dims=(-1, 2) if name in feeds else ()) for name in names}
    made |= {name: VarDesc(name, f"{name}_list") for name in ("feed", "fetch")}
    return ProgramDesc([BlockDesc(vars=made, ops=list(ops))])


def chain(*types: str) -> ProgramDesc:
    column, names = {"col": Attribute("INT", 0)}, [f"x{at}" for at in range(len(types) + 1)]
    return program_of(
        OpDesc("feed", {"X": ["feed"]}, {"Out": ["x0"]}, column),
        *(OpDesc(type, {"X": [x]}, {"Out": [out]}) for type, x, out in zip(types, names, names[1:])),
        OpDesc("fetch", {"X": [names[-1]]}, {"Out": ["fetch"]}, column),
    )


def test_a_program_hands_levels_on_and_only_those_that_it_is_given():
    model = legacy.ProgramModule(chain("relu", "tanh"), {})
    x = LoDTensor(X - 4, [[0, 2, 5]])
    with torch.no_grad():
        plain, leveled = model(X - 4), model(x)
    assert type(plain) is torch.Tensor
    assert leveled.lod == x.lod
    torch.testing.assert_close(leveled + 0, plain)
    with torch.no_grad():
        assert type(model(X)) is torch.Tensor


def test_gradients_go_through_operators_on_sequences():
    leaf = X.clone().requires_grad_()
    (out,) = Executor(chain("relu", "sequence_pool"), {}).run({"x0": LoDTensor(leaf, [[0, 2, 5]])})
    torch.testing.assert_close(out, torch.stack([X[:2].mean(0), X[2:].mean(0)]))
    out.sum().backward()
    assert leaf.grad is not None
    torch.testing.assert_close(leaf.grad[:, 1], torch.tensor([1 / 2, 1 / 2, 1 / 3, 1 / 3, 1 / 3]))


def test_an_operator_that_makes_levels_needs_none():
    program = chain("lod_reset", "sequence_pool")
    program.blocks[0].ops[1].attrs["target_lod"] = Attribute("INTS", [0, 4, 5])
    program.blocks[0].ops[2].attrs["pooltype"] = Attribute("STRING", "LAST")
    (out,) = Executor(program, {}).run({"x0": X})
    assert out.tolist() == [[6, 7], [8, 9]]


def test_a_tensor_without_levels_where_an_operator_needs_them():
    with pytest.raises(ValueError, match="op 1 .sequence_pool.: slot X: expected a LoDTensor"):
        Executor(chain("sequence_pool"), {}).run({"x0": X})


@pytest.mark.parametrize(
    ("type", "inputs", "attrs", "what"),
    [
        ("sequence_pool", {"X": LoDTensor(X, [[0, 5]])}, {"pooltype": "MEDIAN"}, "pooltype"),
        ("sequence_expand_as", {"X": X, "Y": LoDTensor(X, [[0, 5]])}, {}, "slot X: expected 1 sequences, as many as Y has, got 5"),
        ("sequence_pad", {"X": LoDTensor(X, [[0, 5]]), "PadValue": torch.zeros(1)}, {"padded_length": 4}, "padded_length"),
        ("sequence_unpad", {"X": X, "Length": torch.tensor([1, 2, 3, 1, 1])}, {}, "slot Length: expected lengths from 0 to 2"),
        ("sequence_reshape", {"X": LoDTensor(X, [[0, 2, 5]])}, {"new_dim": 4}, "new_dim"),
        ("lod_reset", {"X": X}, {"target_lod": [0, 4]}, "end with 5"),
        ("sequence_conv", {"X": LoDTensor(X, [[0, 5]]), "Filter": torch.zeros(5, 1)}, {"contextLength": 2}, "slot Filter"),
        ("sequence_scatter", {"X": X, "Ids": LoDTensor(torch.tensor([3]), [[0, 1]]), "Updates": torch.ones(1)}, {}, "slot Ids"),
    ],
)
def test_inputs_that_do_not_fit(type: str, inputs: Any, attrs: Any, what: str):
    with pytest.raises(ValueError, match=what):
        legacy.run_op(type, inputs, attrs)


def test_boxes_of_each_class_are_those_of_their_images():
    inputs = {"PriorBox": LoDTensor(torch.rand(5, 4), [[0, 2, 5]]), "PriorBoxVar": torch.ones(4)}
    inputs |= {"TargetBox": torch.rand(5, 8), "BoxScore": torch.rand(5, 2)}
    outputs = ["DecodeBox", "OutputAssignBox"]
    found = legacy.run_op("box_decoder_and_assign", inputs, {"box_clip": 4.0}, outputs)
    assert [found[slot].lod for slot in outputs] == [[[0, 2, 5]]] * 2


def test_images_of_which_less_is_there_than_their_sizes_say():
    x, attrs = torch.rand(2, 1, 2, 3), {"kernels": [2, 2], "strides": [1, 1], "out_stride": [1, 1]}
    sizes = torch.tensor([[3.0, 3.0], [2.0, 5.0]])
    found = legacy.run_op("im2sequence", {"X": x, "Y": sizes}, attrs)["Out"]
    assert found.lod == [[0, 4, 8]]
    whole = torch.nn.functional.pad(x, (0, 2, 0, 1))  # 0 beyond what there is
    patches = whole.unfold(2, 2, 1).unfold(3, 2, 1)
    expected = [patches[0, 0, :2, :2], patches[1, 0, :1, :4]]
    assert torch.equal(found.as_subclass(torch.Tensor), torch.cat([one.reshape(-1, 4) for one in expected]))


def test_the_batch_of_sequences():
    """As PaddlePaddle 2.6.2 answers: only where it is the size of the first dimension that counts."""
    x = LoDTensor(torch.zeros(6, 3), [[0, 3], [0, 1, 2, 6]])
    for at, into, sizes in ((0, 0, (3, 2)), (0, 1, (7, 3)), (1, 0, (3, 2))):
        attrs = {"shape": [7, 2], "value": 1.5, "dtype": torch.float32, "input_dim_idx": at, "output_dim_idx": into}
        found = legacy.run_op("fill_constant_batch_size_like", {"Input": x}, attrs)["Out"]
        assert type(found) is torch.Tensor and torch.equal(found, torch.full(sizes, 1.5))


def test_a_gradient_operator_of_a_declared_operator():
    grad = legacy.grad_op(OpDesc("sequence_concat", {"X": ["a", "b"]}, {"Out": ["c"]}), {"b@GRAD"})
    assert grad == OpDesc("sequence_concat_grad", {"X": ["a", "b"], "Out@GRAD": ["c@GRAD"]}, {"X@GRAD": ["a@GRAD", "@EMPTY@"]})
    reverse = legacy.grad_op(OpDesc("sequence_reverse", {"X": ["a"]}, {"Y": ["b"]}))
    assert reverse == OpDesc("sequence_reverse", {"X": ["b@GRAD"]}, {"Y": ["a@GRAD"]})


def test_levels_in_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    legacy.write_model(tmp_path / "model", chain("relu"), {})
    given: dict[str, Any] = {"x0.lod0": [0, 1, 2], "x0.lod1": [0, 2, 5]}
    np.savez(tmp_path / "x.npz", x0=X.numpy(), **given)
    assert main(["run", str(tmp_path / "model"), "--input", str(tmp_path / "x.npz"), "--output", str(tmp_path / "y.npz")]) == 0
    assert "lod=[[0, 1, 2], [0, 2, 5]]" in capsys.readouterr().out
    found = np.load(tmp_path / "y.npz")
    assert [found[f"x1.lod{at}"].tolist() for at in range(2)] == [[0, 1, 2], [0, 2, 5]]
    assert np.array_equal(found["x1"], X.numpy())


def test_rows_apart_and_together_again():
    x, mask = LoDTensor(X, [[0, 1, 3, 5]]), torch.tensor([[True], [False], [True]])
    parts = legacy.run_op("split_lod_tensor", {"X": x, "Mask": mask}, {"level": 0})
    assert parts["OutTrue"].lod == [[0, 1, 3]] and parts["OutTrue"].tolist() == X[[0, 3, 4]].tolist()
    assert parts["OutFalse"].lod == [[0, 2]] and parts["OutFalse"].tolist() == X[1:3].tolist()
    given = {"X": x, "Mask": mask, "InTrue": parts["OutTrue"], "InFalse": parts["OutFalse"]}
    for type in ("merge_lod_tensor", "merge_lod_tensor_infer"):
        both = legacy.run_op(type, given, {"level": 0})["Out"]
        assert both.lod == x.lod and torch.equal(both.as_subclass(torch.Tensor), X)
    none = legacy.run_op("split_lod_tensor", {"X": X[:3], "Mask": ~mask & mask}, {"level": 0})
    assert none["OutTrue"].shape == (0, 2) and torch.equal(none["OutFalse"], X[:3])
    with pytest.raises(ValueError, match="slot InTrue: expected 2 sequences, as many as Mask has, got 1"):
        legacy.run_op("merge_lod_tensor", {**given, "InTrue": parts["OutFalse"]}, {"level": 0})


def test_the_likeliest_sentences():
    """Two steps of two candidates; one of them ends in the first step."""
    first = LoDTensor(torch.tensor([[2], [0]]), [[0, 1], [0, 2]])
    scores = LoDTensor(torch.tensor([[-0.5], [-1.0]]), first.lod)
    after = LoDTensor(torch.tensor([[-3.0, -0.75, -4.0], [-9.0, -9.0, -9.0]]), [[0, 2], [0, 1, 2]])
    given = {"pre_ids": first, "pre_scores": scores, "scores": after}
    attrs, names = {"level": 0, "beam_size": 2, "end_id": 0}, ("selected_ids", "selected_scores", "parent_idx")
    found = legacy.run_op("beam_search", given, attrs, dict.fromkeys(names, 1))
    assert found["selected_ids"].tolist() == [[1], [0]] and found["selected_ids"].lod == [[0, 2], [0, 1, 2]]
    assert found["selected_scores"].tolist() == [[-0.75], [-1.0]] and found["parent_idx"].tolist() == [0, 1]

    block = BlockDesc(vars={name: VarDesc(name, "tensor_array") for name in ("ids", "scores")})
    feed = {"a0": first, "a1": found["selected_ids"], "b0": scores, "b1": found["selected_scores"]}
    feed |= {f"i{step}": torch.tensor([step]) for step in range(2)}
    block.vars |= {name: VarDesc(name, dtype=one.dtype, dims=tuple(one.shape)) for name, one in feed.items()}
    block.vars |= {name: VarDesc(name, dtype=torch.float32, dims=(-1,)) for name in ("words", "values")}
    for x, array in (("a", "ids"), ("b", "scores")):
        block.ops += [OpDesc("write_to_array", {"X": [f"{x}{step}"], "I": [f"i{step}"]}, {"Out": [array]}) for step in range(2)]
    decode = OpDesc("beam_search_decode", {"Ids": ["ids"], "Scores": ["scores"]})
    decode.outputs = {"SentenceIds": ["words"], "SentenceScores": ["values"]}
    decode.attrs = {"beam_size": Attribute("INT", 2), "end_id": Attribute("INT", 0)}
    block.ops.append(decode)
    words, values = Executor(ProgramDesc([block]), {}).run(feed, ["words", "values"])
    assert words.tolist() == [2, 1, 0] and words.lod == values.lod == [[0, 2], [0, 2, 3]]
    assert values.tolist() == [-0.5, -0.75, -1.0]


@pytest.mark.parametrize(
    ("scheme", "labels", "count"),
    [("IOB", [0, 1, 1, 0, 2, 3], 3), ("IOE", [0, 1, 0, 1], 2), ("IOBES", [3, 0, 1, 2, 7], 3), ("plain", [0, 0, 1, 0], 3)],
)
def test_chunks_of_labels(scheme: str, labels: list[int], count: int):
    x = LoDTensor(torch.tensor(labels).reshape(-1, 1), [[0, len(labels)]])
    names = ("Precision", "Recall", "F1-Score", "NumInferChunks", "NumLabelChunks", "NumCorrectChunks")
    attrs = {"num_chunk_types": 2, "chunk_scheme": scheme}
    found = legacy.run_op("chunk_eval", {"Inference": x, "Label": x}, attrs, dict.fromkeys(names, 1))
    with pytest.raises(ValueError, match="attribute chunk_scheme: expected IOB, IOE, IOBES, plain, got 'BIO'"):
        legacy.run_op("chunk_eval", {"Inference": x, "Label": x}, {**attrs, "chunk_scheme": "BIO"}, dict.fromkeys(names, 1))
    assert [found[name].item() for name in names] == [1, 1, 1, count, count, count]


def test_images_of_several_sizes():
    """Those without elements give none; a gradient is that of the convolution of each."""
    sizes, weight = [(2, 3), (0, 4), (4, 1)], torch.randn(2, 2 * 2 * 3, dtype=torch.float64, requires_grad=True)
    x = torch.randn(20, 1, dtype=torch.float64, requires_grad=True)
    rows, columns = (LoDTensor(torch.zeros(sum(some), 1), [[0, some[0], some[0] + some[1], sum(some)]]) for some in zip(*sizes))
    attrs = {"InputChannel": 2, "OutputChannel": 2, "KernelH": 2, "KernelW": 3, "StrideW": 2}
    given = {"X": LoDTensor(x, [[0, 12, 12, 20]]), "ROW": rows, "COLUMN": columns, "W": weight}
    found = legacy.run_op("var_conv_2d", given, attrs, ["Out", "Col"])
    expected = [
        torch.nn.functional.conv2d(
            torch.nn.functional.pad(image.reshape(1, 2, *size), (1, 1, 1, 0)), weight.reshape(2, 2, 2, 3), stride=(1, 2)
        )
        for image, size in ((x[:12], sizes[0]), (x[12:], sizes[2]))
    ]
    flat = torch.cat([one.reshape(-1, 1) for one in expected])
    torch.testing.assert_close(found["Out"].as_subclass(torch.Tensor), flat)
    assert found["Out"].lod == [[0, 8, 8, 16]]
    ones = {"Col": found["Col"].detach(), "Out@GRAD": LoDTensor(torch.ones_like(flat), found["Out"].lod)}
    with torch.no_grad():
        grads = legacy.run_op("var_conv_2d_grad", given | ones, attrs)
    for slot, one in zip(("X", "W"), torch.autograd.grad(flat.sum(), (x, weight))):
        torch.testing.assert_close(grads[f"{slot}@GRAD"].as_subclass(torch.Tensor), one)
