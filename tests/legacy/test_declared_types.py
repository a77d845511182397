"""Results of which one version of PaddlePaddle gives another data type than the other: the program says which."""

from __future__ import annotations

import pytest
import torch

from phi_torch import ir
from phi_torch.legacy import Attribute, BlockDesc, Executor, OpDesc, ProgramDesc, VarDesc


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
def test_a_rank_that_is_compared(dtype: torch.dtype):
    number = {"shape": Attribute("LONGS", []), "dtype": Attribute("INT", 2 if dtype == torch.int32 else 3)}
    ops = [
        OpDesc("matrix_rank", {"X": ["x"]}, {"Out": ["rank"]}, {"use_default_tol": Attribute("BOOLEAN", True)}),
        OpDesc("fill_constant", {}, {"Out": ["three"]}, {**number, "value": Attribute("FLOAT", 3.0)}),
        OpDesc("equal", {"X": ["rank"], "Y": ["three"]}, {"Out": ["is_full"]}, {"axis": Attribute("INT", -1)}),
    ]
    variables = [VarDesc("x", dtype=torch.float32, dims=(3, 3), need_check_feed=True), VarDesc("rank", dtype=dtype, dims=())]
    variables += [VarDesc("three", dtype=dtype, dims=()), VarDesc("is_full", dtype=torch.bool, dims=())]
    program = ProgramDesc([BlockDesc(vars={one.name: one for one in variables}, ops=ops)])
    by_executor = Executor(program, {}).run({"x": torch.eye(3)}, ["rank", "is_full"])
    by_ir = ir.compile(ir.from_legacy(program, fetch=["rank", "is_full"]))(torch.eye(3))
    for rank, is_full in (by_executor, by_ir):
        assert is_full and rank == 3 and rank.dtype == dtype
