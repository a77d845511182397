"""Files of parameters: `.pdiparams`, all tensors one after the other, or one file for each variable.

The tensors share the file's map where their data is aligned to their elements; the format does not align, so others are
copied. The map is private: what writes to a tensor does not write to the file.
"""

from __future__ import annotations

import math
import mmap
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from . import _schema
from ._faults import Faults
from .description import DTYPE_NUMBERS, DTYPES, ProgramError, VarDesc

MAX_RANK = 64  # beyond every operator's


def read_combined(path: Path, names: Iterable[str]) -> dict[str, Tensor]:
    """The tensors of a file that holds those of `names` in this order, and no others.

    Raises:
        ProgramError: the file is shorter or longer, or one of its tensors has no size that fits into it.
        ImportError: protobuf is not installed.
    """
    reader = _Reader(path)
    result = {name: reader.tensor(name) for name in names}
    reader.end()
    return result


def read_separate(folder: Path, names: Iterable[str]) -> dict[str, Tensor]:
    """The tensors of `names`, each from the file of its name.

    Raises:
        ProgramError: files are missing, all of them are named; or one does not hold one tensor.
        ImportError: protobuf is not installed.
    """
    faults, result = Faults(str(folder)), {}
    for name in names:
        if not _is_below(folder, name):
            faults.add("", f"variable '{name}' has no file in the folder")
            continue
        reader = _Reader(folder / name)
        result[name] = reader.tensor(name)
        reader.end()
    faults.check()
    return result


def write_combined(path: Path, tensors: Mapping[str, Tensor]) -> None:
    """Writes tensors in the order that a program's reader expects: that of their names.

    Raises:
        ImportError: protobuf is not installed.
    """
    with path.open("wb") as file:
        for name in sorted(tensors, key=lambda name: name.encode("utf-8", "surrogateescape")):
            tensor = tensors[name].detach()
            message = _schema.messages()["Tensor"](data_type=DTYPE_NUMBERS[tensor.dtype], dims=list(tensor.shape))
            described = message.SerializeToString()
            file.write(struct.pack("<IQIi", 0, 0, 0, len(described)) + described)
            data = bytearray(tensor.numel() * tensor.itemsize)
            if data:
                torch.frombuffer(data, dtype=tensor.dtype).copy_(tensor.reshape(-1))
            file.write(data)


def faults_of(tensors: Mapping[str, Tensor], described: Iterable[VarDesc], source: str) -> Faults:
    """What of `tensors` is not as the program describes it."""
    faults = Faults(source)
    for var in described:
        tensor = tensors.get(var.name)
        if tensor is None or var.dims is None:
            continue
        fits = len(var.dims) == tensor.dim() and all(said in (have, -1) for said, have in zip(var.dims, tensor.shape))
        if tensor.dtype != var.dtype or not fits:
            expected = f"{var.dtype} {list(var.dims)}"
            faults.add(
                f"parameter '{var.name}'", f"the program says {expected}, the file holds {tensor.dtype} {list(tensor.shape)}"
            )
    return faults


def _is_below(folder: Path, name: str) -> bool:
    """Whether a variable's name leads to a file of the folder, and not out of it."""
    path = folder / name
    return "\0" not in name and path.is_file() and path.resolve().is_relative_to(folder.resolve())


class _Reader:
    """Reads one record after the other; every size is compared with what is left of the file before it is used."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.at = 0
        self.name = ""
        with path.open("rb") as file:
            self.size = file.seek(0, 2)
            self.map: Any = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY) if self.size else b""

    def tensor(self, name: str) -> Tensor:
        self.name = name
        self.version("LoD")
        for _ in range(self.number("<Q", "the number of LoD levels")):
            self.take(self.number("<Q", "the bytes of a LoD level"), "a LoD level")
        self.version("tensor")
        start = self.take(self.number("<i", "the bytes of the description"), "the description")
        dtype, shape = self.described(self.map[start : self.at])
        start = self.take(math.prod(shape) * dtype.itemsize, f"{dtype} {shape}")
        if start == self.at:
            return torch.empty(shape, dtype=dtype)
        aligned = start % dtype.itemsize == 0
        data = self.map if aligned else bytearray(self.map[start : self.at])
        return torch.frombuffer(data, dtype=dtype, count=math.prod(shape), offset=start if aligned else 0).view(shape)

    def described(self, data: bytes) -> tuple[torch.dtype, list[int]]:
        message = _schema.messages()["Tensor"]()
        try:
            message.ParseFromString(data)
        except Exception as error:  # the runtime's DecodeError
            raise self.error(f"its description is none: {error}") from None
        shape = list(message.dims)
        if message.data_type not in DTYPES:
            raise self.error(f"data type {message.data_type} is none of {', '.join(map(str, DTYPES))}")
        if any(size < 0 for size in shape) or len(shape) > MAX_RANK:
            raise self.error(f"shape {shape[:MAX_RANK]}: expected at most {MAX_RANK} dimensions, none of them negative")
        if math.prod(size for size in shape if size) >= 1 << 63:
            raise self.error(f"shape {shape} has too many elements")
        return DTYPES[message.data_type], shape

    def version(self, what: str) -> None:
        found = self.number("<I", f"the {what} version")
        if found != 0:
            raise self.error(f"the {what} version is {found}; expected 0")

    def number(self, format: str, what: str) -> int:
        start = self.take(struct.calcsize(format), what)
        return struct.unpack_from(format, self.map, start)[0]

    def take(self, size: int, what: str) -> int:
        """Where the next `size` bytes start; they are there."""
        left = self.size - self.at
        if not 0 <= size <= left:
            raise self.error(f"{what} needs {size} bytes, the file has {left} left")
        self.at += size
        return self.at - size

    def end(self) -> None:
        if self.at != self.size:
            raise ProgramError(f"{self.path}: {self.size - self.at} bytes after the last tensor ('{self.name}'); expected none")

    def error(self, what: str) -> ProgramError:
        return ProgramError(f"{self.path}, byte {self.at}, parameter '{self.name}': {what}")
