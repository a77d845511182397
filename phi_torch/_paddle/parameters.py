"""Files of parameters: `.pdiparams`, all tensors one after the other, or one file for each variable.

The tensors share the file's map where their data is aligned to their elements; the format does not align, so others are
copied. The map is private: what writes to a tensor does not write to the file.
"""

from __future__ import annotations

import itertools
import math
import mmap
import struct
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from .._replace import replacing
from .faults import Faults, ProgramError

# VarType.Type: the numbers of data types, as attributes such as `cast.out_dtype` of a `.pdmodel` hold them too
DTYPES: dict[int, torch.dtype] = {
    **{0: torch.bool, 1: torch.int16, 2: torch.int32, 3: torch.int64, 4: torch.float16, 5: torch.float32, 6: torch.float64},
    **{20: torch.uint8, 21: torch.int8, 22: torch.bfloat16, 23: torch.complex64, 24: torch.complex128},
    **{32: torch.float8_e4m3fn, 33: torch.float8_e5m2, 36: torch.uint16, 37: torch.uint32, 38: torch.uint64},
}
DTYPE_NUMBERS = {dtype: number for number, dtype in DTYPES.items()}
MAX_RANK = 64  # beyond every operator's

Levels = list[list[int]]  # of detail: offsets of sequences
Described = tuple[str, torch.dtype | None, Sequence[int] | None]  # a name, and what a program says of its tensor; -1 for any size


def read_combined(path: Path, names: Iterable[str], levels: dict[str, Levels] | None = None) -> dict[str, Tensor]:
    """The tensors of a file that holds those of `names` in this order, and no others; `levels` gets the levels of detail.

    Raises:
        ProgramError: the file is shorter or longer, or one of its tensors has no size that fits into it.
    """
    reader = _Reader(path)
    result = {name: reader.tensor(name, levels) for name in names}
    reader.end()
    return result


def read_first(path: Path, name: str, levels: dict[str, Levels] | None = None) -> Tensor:
    """The tensor that a file begins with; `levels` gets its levels of detail.

    Raises:
        ProgramError: it begins with none whose size fits into it.
    """
    return _Reader(path).tensor(name, levels)


def read_separate(folder: Path, names: Iterable[str]) -> dict[str, Tensor]:
    """The tensors of `names`, each from the file of its name.

    Raises:
        ProgramError: files are missing, all of them are named; or one does not hold one tensor.
    """
    faults, result = Faults(str(folder)), {}
    for name in names:
        if not is_below(folder, name):
            faults.add("", f"variable '{name}' has no file in the folder")
            continue
        reader = _Reader(folder / name)
        result[name] = reader.tensor(name)
        reader.end()
    faults.check()
    return result


def write_combined(path: Path, tensors: Mapping[str, Tensor]) -> None:
    """Writes tensors in the order that a program's reader expects: that of their names."""
    write_tensors(path, [tensors[name] for name in in_order(tensors)])


def write_tensors(path: Path, tensors: Iterable[Tensor], levels: Iterable[Levels] = ()) -> None:
    """Writes tensors one after the other, with their levels of detail, if these are given."""
    with replacing(path) as file:
        for tensor, lod in zip(tensors, itertools.chain(levels, itertools.repeat([]))):
            tensor = tensor.detach()
            described = b"\x08" + _varint(DTYPE_NUMBERS[tensor.dtype]) + b"".join(b"\x10" + _varint(size) for size in tensor.shape)
            file.write(struct.pack("<IQ", 0, len(lod)))
            for level in lod:
                file.write(struct.pack(f"<Q{len(level)}Q", 8 * len(level), *level))
            file.write(struct.pack("<Ii", 0, len(described)) + described)
            data = bytearray(tensor.numel() * tensor.itemsize)
            if data:
                torch.frombuffer(data, dtype=tensor.dtype).copy_(tensor.reshape(-1))
            file.write(data)


def in_order(names: Iterable[str]) -> list[str]:
    """Names in the order of a file: that of their bytes."""
    return sorted(names, key=lambda name: name.encode("utf-8", "surrogateescape"))


def faults_of(tensors: Mapping[str, Tensor], described: Iterable[Described], source: str) -> Faults:
    """What of `tensors` is not as the program describes it."""
    faults = Faults(source)
    for name, dtype, dims in described:
        tensor = tensors.get(name)
        if tensor is None or dims is None:
            continue
        fits = len(dims) == tensor.dim() and all(said in (have, -1) for said, have in zip(dims, tensor.shape))
        if tensor.dtype != dtype or not fits:
            expected, found = f"{dtype} {list(dims)}", f"{tensor.dtype} {list(tensor.shape)}"
            faults.add(f"parameter '{name}'", f"the program says {expected}, it is {found}")
    return faults


def is_below(folder: Path, name: str) -> bool:
    """Whether a variable's name leads to a file of the folder, and not out of it."""
    path = folder / name
    return "\0" not in name and path.is_file() and path.resolve().is_relative_to(folder.resolve())


def _description(data: bytes) -> tuple[int, list[int]]:
    """The data type and the sizes of a serialized `TensorDesc {1: data_type, 2: dims*}`; a later data type replaces one."""
    at, number, shape = 0, -1, list[int]()
    while at < len(data):
        key, at = _number(data, at)
        if key in (0x08, 0x10):
            value, at = _number(data, at)
            if key == 0x08:
                number = value
            else:
                shape.append(value)
        elif key == 0x12:  # packed
            size, at = _number(data, at)
            if not 0 <= size <= len(data) - at:
                raise ValueError(f"a field of {size} bytes, of which it has {len(data) - at}")
            end = at + size
            while at < end:
                value, at = _number(data, at)
                shape.append(value)
        else:
            raise ValueError(f"a field {key >> 3} of wire type {key & 7}")
    return number, shape


def _number(data: bytes, at: int) -> tuple[int, int]:
    """The signed 64-bit varint at `at`, and where it ends."""
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            raise ValueError("it ends in a number")
        value, at = value | (data[at] & 0x7F) << shift, at + 1
        if not data[at - 1] & 0x80:
            value &= (1 << 64) - 1
            return value - (value >> 63 << 64), at
    raise ValueError("a number of more than ten bytes")


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


class _Reader:
    """Reads one record after the other; every size is compared with what is left of the file before it is used."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.at = 0
        self.name = ""
        with path.open("rb") as file:
            self.size = file.seek(0, 2)
            self.map: Any = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY) if self.size else b""

    def tensor(self, name: str, levels: dict[str, Levels] | None = None) -> Tensor:
        self.name = name
        self.version("LoD")
        found = [self.level() for _ in range(self.number("<Q", "the number of LoD levels"))]
        if levels is not None and found:
            levels[name] = found
        self.version("tensor")
        start = self.take(self.number("<i", "the bytes of the description"), "the description")
        dtype, shape = self.described(self.map[start : self.at])
        start = self.take(math.prod(shape) * dtype.itemsize, f"{dtype} {shape}")
        if start == self.at:
            return torch.empty(shape, dtype=dtype)
        aligned = start % dtype.itemsize == 0
        data = self.map if aligned else bytearray(self.map[start : self.at])
        return torch.frombuffer(data, dtype=dtype, count=math.prod(shape), offset=start if aligned else 0).view(shape)

    def level(self) -> list[int]:
        size = self.number("<Q", "the bytes of a LoD level")
        if size % 8 != 0:
            raise self.error(f"the bytes of a LoD level: expected a multiple of 8, got {size}")
        start = self.take(size, "a LoD level")
        return list(struct.unpack_from(f"<{size // 8}Q", self.map, start))

    def described(self, data: bytes) -> tuple[torch.dtype, list[int]]:
        try:
            number, shape = _description(data)
        except ValueError as error:
            raise self.error(f"its description is none: {error}") from None
        if number not in DTYPES:
            raise self.error(f"data type {number} is none of {', '.join(map(str, DTYPES))}")
        if any(size < 0 for size in shape) or len(shape) > MAX_RANK:
            raise self.error(f"shape {shape[:MAX_RANK]}: expected at most {MAX_RANK} dimensions, none of them negative")
        if math.prod(size for size in shape if size) >= 1 << 63:
            raise self.error(f"shape {shape} has too many elements")
        return DTYPES[number], shape

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
