"""Files of tensors by name: 8 bytes with the size of a header, the header as JSON, and the tensors' bytes without gaps.

The format is that of https://github.com/huggingface/safetensors. Tensors share the map of the file, which is private: what
writes to one does not write to the file.
"""

from __future__ import annotations

import json
import math
import mmap
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from .._paddle.faults import Faults, ProgramError
from .._replace import replacing
from .json_text import JsonText

DTYPES: dict[str, torch.dtype] = {
    **{"BOOL": torch.bool, "U8": torch.uint8, "I8": torch.int8, "I16": torch.int16, "U16": torch.uint16, "I32": torch.int32},
    **{"U32": torch.uint32, "I64": torch.int64, "U64": torch.uint64, "F16": torch.float16, "BF16": torch.bfloat16},
    **{"F32": torch.float32, "F64": torch.float64, "F8_E4M3": torch.float8_e4m3fn, "F8_E5M2": torch.float8_e5m2},
    **{"C64": torch.complex64},
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
METADATA = "__metadata__"
MAX_RANK = 64


def write(path: str | os.PathLike[str], tensors: Mapping[str, Tensor], metadata: Mapping[str, str]) -> None:
    """Writes a file that `read` reads as the same tensors.

    Raises:
        ProgramError: a tensor is of a dtype that the format has not.
    """
    for name, tensor in tensors.items():
        if tensor.dtype not in NAMES:
            raise ProgramError(f"{path}: tensor '{name}' is of {tensor.dtype}, which safetensors has not")
    header: dict[str, Any] = {METADATA: dict(metadata)} if metadata else {}
    ordered, end = sorted(tensors, key=lambda name: (-tensors[name].itemsize, name)), 0  # so each is aligned to its elements
    for name in ordered:
        tensor = tensors[name]
        begin, end = end, end + tensor.numel() * tensor.itemsize
        header[name] = {"dtype": NAMES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [begin, end]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with replacing(Path(path)) as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for name in ordered:
            data = bytearray(tensors[name].numel() * tensors[name].itemsize)
            if data:
                torch.frombuffer(data, dtype=tensors[name].dtype).copy_(tensors[name].detach().reshape(-1))
            file.write(data)


def read(path: str | os.PathLike[str]) -> tuple[dict[str, Tensor], dict[str, str]]:
    """The tensors of a file by their names, and its metadata.

    Raises:
        FileNotFoundError: there is no such file.
        ProgramError: the file is none of the format; all faults of its tensors at once.
    """
    with Path(path).open("rb") as file:
        size = file.seek(0, 2)
        if size < 8:
            raise ProgramError(f"{path}: {size} bytes; expected at least 8")
        data: Any = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    length = int.from_bytes(data[:8], "little")
    if length > size - 8:
        raise ProgramError(f"{path}: a header of {length} bytes; the file has {size - 8} for it")
    try:
        text = JsonText(data[8 : 8 + length].decode("utf-8"), str(path))
    except UnicodeDecodeError as error:
        raise ProgramError(f"{path}: its header is no UTF-8: {error.reason}") from None
    return _Reader(data, 8 + length, Faults(str(path))).read(text)


class _Reader:
    def __init__(self, data: Any, start: int, faults: Faults) -> None:
        self.data, self.start, self.faults = data, start, faults
        self.size = len(data) - start
        self.spans: list[tuple[int, int]] = []

    def read(self, text: JsonText) -> tuple[dict[str, Tensor], dict[str, str]]:
        tensors: dict[str, Tensor] = {}
        metadata: dict[str, str] = {}
        for name in text.members():
            node = text.leaf()
            described = dict(zip(node[::2], node[1::2])) if isinstance(node, tuple) else {}
            if name == METADATA:
                metadata = {key: value for key, value in described.items() if isinstance(value, str)}
            elif name in tensors:
                self.faults.add(f"tensor '{name}'", "it is there twice")
            elif (tensor := self.tensor(name, described)) is not None:
                tensors[name] = tensor
        text.end()
        at = 0
        for begin, end in sorted(self.spans):
            if begin != at and not self.faults.count:
                self.faults.add("", f"the bytes from {begin} follow those to {at}; expected no gap, and none twice")
            at = end
        if at != self.size and not self.faults.count:
            self.faults.add("", f"{self.size} bytes of tensors; the header describes {at}")
        self.faults.check()
        return tensors, metadata

    def tensor(self, name: str, described: Mapping[str, Any]) -> Tensor | None:
        shape: Any = described.get("shape")
        offsets: Any = described.get("data_offsets")
        dtype = DTYPES.get(described["dtype"]) if isinstance(described.get("dtype"), str) else None
        if dtype is None or not _is_sizes(shape) or not _is_sizes(offsets) or len(offsets) != 2 or len(described) != 3:
            what = f"dtype (one of {', '.join(sorted(DTYPES))}), shape and data_offsets"
            self.faults.add(f"tensor '{name}'", f"expected an object of {what}")
            return None
        begin, end = offsets
        if math.prod(size for size in shape if size) >= 1 << 63:
            self.faults.add(f"tensor '{name}'", f"shape {shape} has too many elements")
            return None
        if not begin <= end <= self.size or end - begin != math.prod(shape) * dtype.itemsize:
            self.faults.add(f"tensor '{name}'", f"{dtype} {shape} at the bytes {begin} to {end} of {self.size}; they do not fit")
            return None
        self.spans.append((begin, end))
        if begin == end:
            return torch.empty(shape, dtype=dtype)
        at = self.start + begin
        is_aligned = at % dtype.itemsize == 0
        source = self.data if is_aligned else bytearray(self.data[at : at + end - begin])
        return torch.frombuffer(source, dtype=dtype, count=math.prod(shape), offset=at if is_aligned else 0).view(shape)


def _is_sizes(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= MAX_RANK and all(type(one) is int and 0 <= one < 1 << 63 for one in value)
