"""What a compiled program says of itself."""

from __future__ import annotations

from phi_torch import ir

from .test_executor import small


def test_repr():
    run = ir.compile(small())
    assert repr(run) == "<Executable (x: f32[s0,3]) -> (y: f32[s0,2]), 2 operations after passes up to level 2>"
    assert repr(run).split(", ")[-1].startswith(f"{len(run.explain().splitlines())} operations")
    assert "after no passes" in repr(ir.compile(small(), passes=[]))
    assert "after passes up to level 1" in repr(ir.compile(small(), passes=["cse", "dce"]))
    assert "level 4" in repr(ir.compile(small(), dtype="bfloat16"))
    assert [one.name for one in ir.compile(small(), passes=["cse", "dce"]).passes] == ["cse", "dce"]
