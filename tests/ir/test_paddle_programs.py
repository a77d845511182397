"""Programs of Paddle 3: they load, print, parse and are written again, and PaddlePaddle runs what was written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from phi_torch import _oracle, ir
from phi_torch._oracle.client import Worker
from phi_torch._paddle.faults import ProgramError
from phi_torch.ir.paddle import read_document, to_document, to_program, write_document
from phi_torch.ir.paddle.document import Block, Document, Op, Region, Result, TensorType, VectorType

from .paddle_models import DATA, FOLDERS

SECONDS = 120  # that PaddlePaddle may take for a program

every_program = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


def document_of(folder: Path) -> Document:
    return read_document((folder / "model.json").read_bytes(), folder.name)


@every_program
def test_text_comes_back(folder: Path):
    program = ir.load(folder)
    program.verify()
    for full in (False, True):
        text = program.to_text(full)
        again = ir.parse(text)
        again.verify()
        assert again.to_text(full) == text


def with_sizes_of(theirs: Any, ours: Any) -> Any:
    """What a document says, with our sizes where it does not tell them."""
    if isinstance(theirs, TensorType) and isinstance(ours, TensorType) and len(theirs.dims) == len(ours.dims):
        return theirs._replace(dims=tuple(b if a == -1 else a for a, b in zip(theirs.dims, ours.dims)))
    if isinstance(theirs, VectorType | Result) and type(theirs) is type(ours):
        return type(theirs)(*(with_sizes_of(a, b) for a, b in zip(theirs, ours)))
    if isinstance(theirs, list | tuple) and type(theirs) is type(ours) and len(theirs) == len(ours):
        return type(theirs)(with_sizes_of(a, b) for a, b in zip(theirs, ours))
    if isinstance(theirs, Op | Block | Region):
        return replace(
            theirs, **{one.name: with_sizes_of(getattr(theirs, one.name), getattr(ours, one.name)) for one in fields(theirs)}
        )
    return theirs


@every_program
def test_documents_come_back(folder: Path):
    """What is made of a document and back is the document, but for sizes that it leaves open and that follow: attributes,
    types, ids and what stops gradients."""
    expected, found = document_of(folder), to_document(ir.load(folder))
    assert len(found.block.ops) == len(expected.block.ops)
    for ours, theirs in zip(found.block.ops, expected.block.ops):
        assert ours == with_sizes_of(theirs, ours), ours.name


@every_program
def test_files_come_back(folder: Path, tmp_path: Path):
    program = ir.load(folder)
    for suffix in (".json", ".phi"):
        program.save(tmp_path / f"model{suffix}")
        again = ir.load(tmp_path / f"model{suffix}")
        assert str(again) == str(program)
        assert sorted(again.weights) == sorted(program.weights)
        for name in program.weights:
            ours, theirs = again.weights[name], program.weights[name]
            assert torch.equal(ours.data, theirs.data) and ours.data.dtype == theirs.data.dtype, name
            assert ours.is_mutable == theirs.is_mutable, name
    assert (tmp_path / "model.pdiparams").read_bytes() == (folder / "model.pdiparams").read_bytes()


def changed(change: Any, model: str = "ctl_while") -> Document:
    """The document of a model, a part of which is another one."""
    file = json.loads((DATA / model / "model.json").read_bytes())
    change(file["program"]["regions"][0]["blocks"][0]["ops"])
    return read_document(json.dumps(file).encode(), "m.json")


def find(ops: list[Any], name: str) -> Any:
    return next(op for op in ops if op["#"] == name)


def fewer_results(ops: list[Any]) -> None:
    find(ops, "1.batch_norm_")["O"].pop()  # but not what stops gradients


def stops_among_attributes(ops: list[Any]) -> None:
    norm = find(ops, "1.batch_norm_")
    norm["A"], norm["OA"] = norm["A"] + norm["OA"], []


def another_size_in_a_loop(ops: list[Any]) -> None:
    (block,) = find(ops, "1.while")["regions"][0]["blocks"]
    find(block["ops"], "1.scale")["O"][0]["TT"]["D"][1] = [7]


@pytest.mark.parametrize(
    ("change", "model"), [(fewer_results, "dcgan"), (stops_among_attributes, "dcgan"), (another_size_in_a_loop, "ctl_while")]
)
def test_what_files_say_otherwise_comes_back(change: Any, model: str):
    program = to_program(changed(change, model), {})
    text = str(program)
    assert str(to_program(read_document(write_document(to_document(program))), {})) == text
    assert str(ir.parse(text)) == text and str(program.clone()) == text


def test_attributes_that_came_later_have_their_default():
    def older(ops: list[Any]) -> None:
        del find(ops, "1.fetch")["A"][1]  # col

    with pytest.raises(ProgramError, match=r"m.json: ops\[\d+\]: pd_op.fetch has no attribute 'col', which has no default"):
        to_program(changed(older), {}, "m.json")

    def default(ops: list[Any]) -> None:
        full = find(ops, "1.full")
        full["A"] = [one for one in full["A"] if one["N"] != "dtype"]

    full = next(op for op in to_program(changed(default), {}).walk() if op.name == "pd_op.full")
    assert full.attributes["dtype"] == "float32"


def test_attributes_of_other_numbers_are_converted():
    def older(ops: list[Any]) -> None:
        find(ops, "1.full")["A"][1]["AT"] = {"#": "0.a_f32", "D": 0.5}
        find(ops, "1.fetch")["A"][1]["AT"] = {"#": "0.a_i64", "D": 0}

    program = to_program(changed(older), {})
    full, fetch = (next(op for op in program.walk() if op.name == name) for name in ("pd_op.full", "pd_op.fetch"))
    assert full.attribute("value").kind == "f64" and fetch.attribute("col").kind == "i32"

    def text(ops: list[Any]) -> None:
        find(ops, "1.fetch")["A"][1]["AT"] = {"#": "0.a_str", "D": "0"}

    with pytest.raises(ProgramError, match=r"ops\[\d+\].A\[1\]: attribute 'col' of pd_op.fetch: expected i32, got str"):
        to_program(changed(text), {})


def test_results_that_came_later_are_absent():
    def older(ops: list[Any]) -> None:
        type = ops[0]["O"]["TT"]
        ops.append({"#": "1.layer_norm", "A": [], "I": [{"%": 1}, {"%": 0}, {"%": 0}], "O": [{"%": 99, "TT": type}], "OA": []})

    norm = to_program(changed(older), {}).block.operations[-1]
    assert [one.type is None for one in norm.results] == [False, True, True] and norm.operands[1:] == [None, None]


def test_what_nobody_declares_is_kept():
    kept = [
        {"N": "my", "AT": {"#": "9.a_new", "D": {"a": [1.5, None]}}},
        {"N": "index", "AT": {"#": "0.a_index", "D": 3}},
        {"N": "nothing", "AT": {"#": "NULL"}},
        {"N": "place", "AT": {"#": "1.a_place", "D": [9, 1, "npu"]}},
        {"N": "mixed", "AT": {"#": "0.a_array", "D": [{"#": "0.a_i32", "D": 1}, {"#": "0.a_str", "D": "x"}]}},
        {"N": "type", "AT": {"#": "0.a_type", "D": {"#": "0.t_f32"}}},
        {"N": "c64", "AT": {"#": "0.a_c64", "D": [1.0, 2.0]}},
    ]
    stack = {"#": "2.t_stack"}

    def unknown(ops: list[Any]) -> None:
        ops.append({"#": "3.mine", "A": kept, "I": [{"%": 1}], "O": [{"%": 99, "TT": stack}], "OA": []})

    document = changed(unknown)
    program = to_program(document, {})
    op = program.block.operations[-1]
    assert op.name == "custom_op.mine" and not op.info.is_registered and op.results[0].type.name == "2.t_stack"
    written = json.loads(write_document(to_document(ir.parse(str(program)))))["program"]["regions"][0]["blocks"][0]["ops"][-1]
    assert {one["N"]: one["AT"] for one in written["A"]} == {one["N"]: one["AT"] for one in kept}
    assert written["O"][0]["TT"] == stack


def test_what_paddle_has_not():
    builder = ir.Builder()
    context = builder.program.context
    call = builder.create(
        "torch.call",
        attributes={"target": "aten.sin.default"},
        result_types=[context.tensor_like("string_tensor", "undefined", [1])],
    )
    assert call.name == "torch.call"
    with pytest.raises(ProgramError, match=r"2 faults\n  operation 0 \(torch.call\)"):
        to_document(builder.program)


def test_an_unknown_size_of_an_input_is_a_symbol():
    program = ir.load(DATA / "ctl_while")
    (name,) = program.symbols
    assert program.symbols[name] == ("x.0", 1, None, 1)
    x = next(op for op in program.walk() if op.name == "pd_op.data").results[0]
    assert x.name == "x" and x.type.dims == [name, 4]


@pytest.fixture(scope="module")
def paddle() -> Iterator[Worker]:
    python = _oracle.python()
    assert python is not None
    worker = Worker(python, Path(__file__).with_name("paddle_answers.py"), threads=1)
    yield worker
    worker.close()


@pytest.mark.oracle
@every_program
def test_paddlepaddle_runs_what_was_written(folder: Path, paddle: Worker, tmp_path: Path):
    ir.load(folder).save(tmp_path / "model.json")
    for file in ("io.npz", "io2.npz"):
        io: Any = np.load(folder / file)
        names = io["feed_names"].tolist()
        feed = {name: (io[f"in{i}"].tobytes(), str(io[f"in{i}"].dtype), io[f"in{i}"].shape) for i, name in enumerate(names)}
        answer = paddle.ask({"prefix": str(tmp_path / "model"), "feed": feed}, SECONDS)
        assert "error" not in answer, answer
        found = [np.frombuffer(data, dtype).reshape(shape) for data, dtype, shape in answer["outputs"]]
        expected = [io[f"out{index}"] for index in range(len(found))]
        assert f"out{len(found)}" not in io
        for ours, theirs in zip(found, expected):
            assert ours.dtype == theirs.dtype
            np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)


class Attributes(torch.nn.Module):
    """Axes, factors, limits and shapes, which operators of PaddlePaddle's programs take as operands."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> Any:
        x = self.linear(x)
        y = torch.cat([x, (x.sum(1, keepdim=True) + x.mean()).expand(-1, 4)], 0) * 2.5 + 1
        values, indices = x.topk(2)
        return values.clamp(-1, 3), indices, x.argmax(1), y[:, 1:3].reshape(-1), y.unsqueeze(0).flatten()


def same_in_paddle(program: ir.Program, feed: dict[str, Any], paddle: Worker, folder: Path) -> None:
    program.save(folder / "model.json")
    expected = ir.compile(ir.load(folder))(*map(torch.from_numpy, feed.values()))
    given = {name: (one.tobytes(), str(one.dtype), one.shape) for name, one in feed.items()}
    answer = paddle.ask({"prefix": str(folder / "model"), "feed": given}, SECONDS)
    assert "error" not in answer, answer
    assert len(expected) == len(answer["outputs"])
    for ours, (data, dtype, shape) in zip(expected, answer["outputs"]):
        np.testing.assert_allclose(ours.numpy(), np.frombuffer(data, dtype).reshape(shape), rtol=1e-4, atol=1e-5)


@pytest.mark.oracle
def test_paddlepaddle_runs_what_a_model_of_torch_became(paddle: Worker, tmp_path: Path):
    x = torch.randn(3, 4)
    program = ir.from_exported(torch.export.export(Attributes(), (x,)))
    before = str(program)
    same_in_paddle(program, {"x": x.numpy()}, paddle, tmp_path)
    assert str(program) == before  # what is written is a copy


@pytest.mark.oracle
def test_paddlepaddle_runs_a_recurrent_network_without_a_state_of_its_dropout(paddle: Worker, tmp_path: Path):
    """As those of Paddle 2 are; in PaddlePaddle 3 a result lies in its memory."""
    program = ir.load(DATA / "bigru_crf")
    for op in program.walk():
        if op.name == "pd_op.rnn":
            op.set_operand(4, None)
    io: Any = np.load(DATA / "bigru_crf" / "io.npz")
    feed = {name: io[f"in{i}"] for i, name in enumerate(io["feed_names"].tolist())}
    same_in_paddle(program, feed, paddle, tmp_path)
