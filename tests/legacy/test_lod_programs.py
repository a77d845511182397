"""Programs whose variables have levels of detail, against live PaddlePaddle 2.6.2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from phi_torch.legacy import BlockDesc, Executor, LoDTensor, OpDesc, ProgramDesc, VarDesc
from phi_torch.legacy.single import attribute_of

from .draw import Draw
from .models import assert_agrees
from .recipes_sequences import sequence
from .test_generated import Paddle, paddle  # noqa: F401  # a fixture

pytestmark = pytest.mark.parametrize("paddle", ["2.6.2"], indirect=True)
KINDS = {"table": "lod_rank_table", "array": "tensor_array", "array2": "tensor_array"}


class Request:
    """What `Paddle.run` takes: a program of operators on what is fed."""

    def __init__(self, ops: Sequence[OpDesc], feed: Mapping[str, Tensor], fetch: Sequence[str]) -> None:
        self.feed, self.fetch = dict(feed), list(fetch)
        dtype = next(iter(feed.values())).dtype
        names = {name for op in ops for _, name in op.names()}
        made = {name: VarDesc(name, KINDS.get(name, "dense_tensor"), dtype=dtype, dims=()) for name in names}
        for name, one in self.feed.items():
            levels = len(one.lod) if isinstance(one, LoDTensor) else 0
            made[name] = VarDesc(name, dtype=one.dtype, dims=tuple(one.shape), lod_level=levels)
        self.program = ProgramDesc([BlockDesc(vars=made, ops=list(ops))])


def op(type: str, inputs: Mapping[str, str], outputs: Mapping[str, str], attrs: Mapping[str, Any] | None = None) -> OpDesc:
    takes, gives = ({slot: name.split() for slot, name in side.items()} for side in (inputs, outputs))
    return OpDesc(type, takes, gives, {name: attribute_of(type, name, value) for name, value in (attrs or {}).items()})


def assert_same(request: Request, worker: Paddle, folder: Path) -> None:
    (expected,) = worker.run([request], folder)  # type: ignore[list-item]
    assert not isinstance(expected, str), expected
    found = Executor(request.program, {}).run(request.feed, request.fetch)
    for name, value in zip(request.fetch, found):
        data, dtype, shape, lod = expected[name]
        assert (value.lod if isinstance(value, LoDTensor) else []) == lod, name
        assert_agrees(value, np.frombuffer(data, dtype).reshape(shape), name)


def two_levels(draw: Draw) -> LoDTensor:
    x = sequence(draw, 2, count=draw.number(2, 4))
    count = len(x.lod[0]) - 1
    return LoDTensor(x, [[0, draw.number(1, count - 1), count], *x.lod])


@pytest.mark.parametrize("seed", range(6))
def test_a_table_of_ranks_and_the_array_of_steps(seed: int, paddle: Paddle, tmp_path: Path):  # noqa: F811
    draw = Draw(f"ranks {seed}")
    x = two_levels(draw) if seed % 2 else sequence(draw, 2)
    state = draw.tensor([len(x.lod[0]) - 1, 3])
    ops = [
        op("lod_rank_table", {"X": "x"}, {"Out": "table"}, {"level": 0}),
        op("max_sequence_len", {"RankTable": "table"}, {"Out": "steps"}),
        op("lod_tensor_to_array", {"X": "x", "RankTable": "table"}, {"Out": "array"}),
        op("lod_array_length", {"X": "array"}, {"Out": "length"}),
        op("array_to_lod_tensor", {"X": "array", "RankTable": "table"}, {"Out": "back"}),
        op("read_from_array", {"X": "array", "I": "i"}, {"Out": "first"}),
        op("reorder_lod_tensor_by_rank", {"X": "state", "RankTable": "table"}, {"Out": "sorted"}),
        op("reorder_lod_tensor_by_rank", {"X": "x", "RankTable": "table"}, {"Out": "sorted_x"}),
        op("shrink_rnn_memory", {"X": "sorted", "RankTable": "table", "I": "i"}, {"Out": "shrunk"}),
    ]
    feed = {"x": x, "state": state, "i": torch.tensor([draw.number(0, max(0, x.lod[0][1] - 1))])}
    fetch = ["steps", "length", "back", "first", "sorted", "sorted_x", "shrunk"]
    assert_same(Request(ops, feed, fetch), paddle, tmp_path)


@pytest.mark.parametrize("seed", range(4))
def test_sequences_go_through_operators(seed: int, paddle: Paddle, tmp_path: Path):  # noqa: F811
    draw = Draw(f"chain {seed}")
    x, w = sequence(draw, 3), draw.tensor([3, 4])
    ops = [
        op("mul", {"X": "x", "Y": "w"}, {"Out": "h"}, {"x_num_col_dims": 1, "y_num_col_dims": 1}),
        op("relu", {"X": "h"}, {"Out": "r"}),
        op("sequence_reverse", {"X": "r"}, {"Y": "reversed"}),
        op("concat", {"X": "r reversed"}, {"Out": "wide"}, {"axis": 1}),
        op("concat", {"X": "r reversed"}, {"Out": "long"}, {"axis": 0}),
        op("sequence_pool", {"X": "long"}, {"Out": "pooled"}, {"pooltype": "SQRT"}),
        op("sequence_expand_as", {"X": "pooled", "Y": "long"}, {"Out": "expanded"}),
        op("transpose2", {"X": "expanded"}, {"Out": "turned"}, {"axis": [1, 0]}),
        op("fill_constant", {}, {"Out": "zero"}, {"shape": [1], "value": 0.0, "dtype": torch.float32}),
        op("sequence_pad", {"X": "wide", "PadValue": "zero"}, {"Out": "padded", "Length": "lengths"}),
        op("sequence_unpad", {"X": "padded", "Length": "lengths"}, {"Out": "again"}),
        op("elementwise_add", {"X": "again", "Y": "wide"}, {"Out": "sum"}),
    ]
    fetch = ["h", "r", "reversed", "wide", "long", "pooled", "expanded", "turned", "padded", "again", "sum"]
    assert_same(Request(ops, {"x": x, "w": w}, fetch), paddle, tmp_path)
