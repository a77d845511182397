"""Tensors of strings."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from . import _C
from ._expect import expect


class StringTensor(Tensor):
    """Strings in any shape, on the CPU: what the operators `strings_*` take and return.

    String i is `bytes[offsets[i]:offsets[i + 1]]`, as in Arrow. It has `shape`, `len`, indices and slices of the first
    dimension, and `tolist`; no other operator takes it, and neither gradients, torch.compile nor torch.func know it.

    Args:
        strings: a str, or lists of them, nested to one depth; they are held as UTF-8.

    Raises:
        TypeError: something is no str.
        ValueError: the lists differ in length.
    """

    __torch_function__ = torch._C._disabled_torch_function_impl  # type: ignore[assignment]

    def __new__(cls, strings: Any) -> StringTensor:
        shape, flat = _flat(strings)
        return _joined([text.encode() for text in flat], shape)

    @classmethod
    def from_buffers(cls, offsets: Tensor, bytes: Tensor, shape: Sequence[int] | None = None) -> StringTensor:
        """The strings that lie in `bytes`, a tensor of uint8, between the numbers `offsets`, a tensor of int64. Both are kept,
        not copied. Without a `shape` there is one dimension.

        Raises:
            ValueError: the offsets do not rise from 0 to the number of bytes, or there is not one more than there are strings.
        """
        expect("from_buffers", "offsets", offsets, Tensor)
        expect("from_buffers", "bytes", bytes, Tensor)
        strings: StringTensor = _C.make_strings(offsets, bytes, [len(offsets) - 1] if shape is None else list(shape))
        return strings

    @property
    def offsets(self) -> Tensor:
        """Where each string begins, and where the last one ends: int64."""
        return _C.parts_of_strings(self)[0]

    @property
    def bytes(self) -> Tensor:
        """The bytes of all strings, one after the other: uint8."""
        return _C.parts_of_strings(self)[1]

    def tolist(self) -> Any:
        """The strings in nested lists; one str if there are no dimensions. UnicodeDecodeError for bytes that are no UTF-8."""
        return _nested(self, "strict")

    def __getitem__(self, index: int | slice) -> Any:  # type: ignore[override]
        """A part by its first dimension: a StringTensor, or a str of a tensor with one dimension."""
        if not isinstance(index, (int, slice)):
            raise TypeError(f"a StringTensor is indexed by an int or a slice of its first dimension, not by {index!r}")
        if isinstance(index, int) and not -len(self) <= index < len(self):
            raise IndexError(f"a StringTensor of {len(self)} rows has no row {index}")
        rows, width = range(len(self))[index], math.prod(self.shape[1:])
        chosen = [rows] if isinstance(rows, int) else rows
        strings, shape = _encoded(self), list(self.shape)
        part = [text for row in chosen for text in strings[row * width : (row + 1) * width]]
        found = _joined(part, shape[1:] if isinstance(rows, int) else [len(chosen), *shape[1:]])
        return found if found.dim() else found.tolist()

    def __contains__(self, text: object) -> bool:
        return isinstance(text, str) and text.encode() in _encoded(self)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:  # type: ignore[override]
        return f"StringTensor({_nested(self, 'backslashreplace')!r})"


def _encoded(tensor: StringTensor) -> list[bytes]:
    offsets, data = tensor.offsets.tolist(), bytes(tensor.bytes.tolist())
    return [data[begin:end] for begin, end in itertools.pairwise(offsets)]


def _nested(tensor: StringTensor, errors: str) -> Any:
    parts: list[Any] = [text.decode(errors=errors) for text in _encoded(tensor)]
    for i in range(tensor.dim() - 1, -1, -1):
        size, count = tensor.shape[i], math.prod(tensor.shape[:i])
        parts = [parts[row * size : (row + 1) * size] for row in range(count)]
    return parts[0]


def _flat(strings: Any) -> tuple[list[int], list[str]]:
    """The shape of nested lists, and their strings in order."""
    if isinstance(strings, str):
        return [], [strings]
    if not isinstance(strings, (list, tuple)):
        raise TypeError(f"a StringTensor is made of a str or of nested lists of them, not of {strings!r}")
    parts = [_flat(part) for part in strings]
    shape = parts[0][0] if parts else []
    other = next((found for found, _ in parts if found != shape), shape)
    if other != shape:
        raise ValueError(f"a StringTensor is made of lists of one shape, got parts of the shapes {shape} and {other}")
    return [len(parts), *shape], [text for _, flat in parts for text in flat]


def _joined(strings: Sequence[bytes], shape: Sequence[int]) -> StringTensor:
    offsets = torch.tensor([0, *itertools.accumulate(map(len, strings))])
    data = bytearray(b"".join(strings))
    text = torch.frombuffer(data, dtype=torch.uint8) if data else torch.empty(0, dtype=torch.uint8)
    return StringTensor.from_buffers(offsets, text, shape)


_C.set_string_tensor(StringTensor)
