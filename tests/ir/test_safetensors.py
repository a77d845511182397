"""Files of tensors: what is written is read again, and a faulty file is an error."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
import torch
from legacy.mutants import ON_BYTES

from phi_torch._paddle.faults import ProgramError
from phi_torch.ir import safetensors

MUTANTS = int(os.environ.get("PHI_MUTANTS", "300"))


def tensors() -> dict[str, torch.Tensor]:
    found = {f"x.{number}": torch.ones(2, 3).to(dtype) for number, dtype in enumerate(safetensors.NAMES)}
    return found | {"scalar": torch.tensor(1.5), "none": torch.empty(0, 3), "turned": torch.arange(6).reshape(2, 3).t()}


def test_tensors_come_back(tmp_path: Path):
    path, expected = tmp_path / "m.safetensors", tensors()
    safetensors.write(str(path), expected, {"mutable": "[]"})
    found, metadata = safetensors.read(str(path))
    assert metadata == {"mutable": "[]"} and found.keys() == expected.keys()
    for name, tensor in expected.items():
        assert found[name].dtype == tensor.dtype and found[name].shape == tensor.shape, name
        assert torch.equal(found[name].to(torch.complex128), tensor.to(torch.complex128)), name
    assert path.read_bytes()[8:9] == b"{" and int.from_bytes(path.read_bytes()[:8], "little") % 8 == 0


def test_tensors_share_the_map_and_not_the_file(tmp_path: Path):
    path = tmp_path / "m.safetensors"
    safetensors.write(path, {"x": torch.zeros(3)}, {})
    found = safetensors.read(path)[0]["x"]
    found.fill_(1)
    assert safetensors.read(path)[0]["x"].tolist() == [0, 0, 0]
    safetensors.write(path, {"x": found}, {})  # onto the file that it maps
    assert found.tolist() == [1, 1, 1] == safetensors.read(path)[0]["x"].tolist()
    assert [file.name for file in tmp_path.iterdir()] == ["m.safetensors"]


def test_a_dtype_that_the_format_lacks(tmp_path: Path):
    with pytest.raises(ProgramError, match="tensor 'x' is of torch.complex128"):
        safetensors.write(tmp_path / "m", {"x": torch.zeros(1, dtype=torch.complex128)}, {})
    assert not list(tmp_path.iterdir())


def file(header: Any, data: bytes = b"12345678") -> bytes:
    text = json.dumps(header).encode() if not isinstance(header, bytes) else header
    return len(text).to_bytes(8, "little") + text + data


def entry(*shape: int, begin: int = 0, end: int = 8, dtype: str = "F32", **more: Any) -> dict[str, Any]:
    return {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]} | more


FAULTS = {
    "empty": (b"1234", "4 bytes; expected at least 8"),
    "header": ((100).to_bytes(8, "little") + b"{}", "a header of 100 bytes; the file has 2 for it"),
    "json": (file(b"{x"), "no JSON"),
    "utf-8": (file(b'{"\xff"'), "no UTF-8"),
    "list": (file([]), "expected '{'"),
    "dtype": (file({"x": entry(2, dtype="F31")}), "tensor 'x': expected an object of dtype"),
    "key": (file({"x": entry(2, more=1)}), "tensor 'x': expected an object of dtype"),
    "size": (file({"x": entry(3)}), r"torch.float32 \[3\] at the bytes 0 to 8 of 8; they do not fit"),
    "beyond": (file({"x": entry(4, end=16)}), "at the bytes 0 to 16 of 8; they do not fit"),
    "negative": (file({"x": entry(-2)}), "tensor 'x': expected an object of dtype"),
    "absurd": (file({"x": entry(1 << 40, 1 << 40)}), "too many elements"),
    "gap": (file({"x": entry(1, begin=4)}), "the bytes from 4 follow those to 0"),
    "overlap": (file({"x": entry(2), "y": entry(1, end=4)}), "expected no gap, and none twice"),
    "rest": (file({"x": entry(1, end=4)}), "8 bytes of tensors; the header describes 4"),
    "twice": (file(b'{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"x":{}}'), "it is there twice"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults(name: str, tmp_path: Path):
    data, message = FAULTS[name]
    (tmp_path / "m").write_bytes(data)
    with pytest.raises(ProgramError, match=message):
        safetensors.read(tmp_path / "m")


def test_mutants(tmp_path: Path):
    path, rng, valid = tmp_path / "m", random.Random(0), 0
    safetensors.write(path, tensors(), {"mutable": '["x.1"]'})
    data = path.read_bytes()
    for _ in range(MUTANTS):
        path.write_bytes(rng.choice(ON_BYTES)(data, rng))
        try:
            safetensors.read(path)
            valid += 1
        except ProgramError as error:
            assert str(error)
    assert 0 < valid < MUTANTS
