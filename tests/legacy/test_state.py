"""Files of `paddle.save`, as pickles of NumPy's arrays that it writes."""

from __future__ import annotations

import os
import pickle
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from phi_torch import legacy


def saved(path: Path, value: Any, protocol: int = 4) -> Path:
    path.write_bytes(pickle.dumps(value, protocol))
    return path


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_parameters(protocol: int, tmp_path: Path):
    w, half = np.arange(6, dtype="float32").reshape(2, 3), torch.tensor([1.5, -2.0], dtype=torch.bfloat16)
    state = {"fc.weight": w, "turned": w.T, "half": half.view(torch.uint16).numpy(), "step": np.array(3), "none": w[:0]}
    file = saved(tmp_path / "m.pdparams", {**state, "StructuredToParameterName@@": {"fc.weight": "linear_0.w_0"}}, protocol)
    found = legacy.read_state(file)
    expected = {"fc.weight": torch.tensor(w), "turned": torch.tensor(w.T), "half": half, "step": torch.tensor(3)}
    torch.testing.assert_close(found, {**expected, "none": torch.zeros(0, 3)}, rtol=0, atol=0)
    assert list(legacy.read_state(file, program_names=True))[:2] == ["linear_0.w_0", "turned"]


def test_what_holds_tensors(tmp_path: Path):
    """A tensor in another value is one with its name; an array beyond the protocol's size is in parts."""
    one = np.ones(2, "float32")
    state = {"model": OrderedDict(w=("w", one)), "epoch": 3, "rate": np.float64(0.5), "all": [("b", one), "text"]}
    parts = {
        "big@@.0": one,
        "big@@.1": one,
        "UnpackBigParamInfor@@": {"big": {"OriginShape": (2, 2), "slices": ["big@@.0", "big@@.1"]}},
    }
    found = legacy.read_state(saved(tmp_path / "all.pdopt", {**state, **parts}))
    expected = {"model": {"w": torch.ones(2)}, "epoch": 3, "rate": 0.5, "all": [torch.ones(2), "text"], "big": torch.ones(2, 2)}
    assert str(found) == str(expected)


class Command:
    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, ("exit 1",)


WRONG: dict[str, tuple[Any, str]] = {
    "command": ({"w": Command()}, r"it holds \w+.system; expected arrays"),
    "objects": ({"w": np.array([{}])}, "an array of the dtype 'O8'; expected one of b1"),
    "order": ({"w": np.ones(2, ">f4")}, "an array of the byte order '>'"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_a_file_may_not_hold(name: str, tmp_path: Path):
    value, message = WRONG[name]
    with pytest.raises(legacy.ProgramError, match=f"x.pdparams: no file that paddle.save wrote: {message}"):
        legacy.read_state(saved(tmp_path / "x.pdparams", value))


@pytest.mark.parametrize("data", [b"", b"text", b"\x80\x04]", pickle.dumps({"w": np.ones(9)})[:-20]])
def test_files_that_are_cut(data: bytes, tmp_path: Path):
    (tmp_path / "x.pdparams").write_bytes(data)
    with pytest.raises(legacy.ProgramError, match="x.pdparams: no file that paddle.save wrote"):
        legacy.read_state(tmp_path / "x.pdparams")
