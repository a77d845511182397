"""What `paddle.save` wrote: parameters and the state of an optimizer without a program."""

from __future__ import annotations

import io
import os
import pickle
from collections.abc import Callable, Sequence
from math import prod
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from .._expect import expect_path
from .._paddle.parameters import is_below, read_separate
from .description import ProgramError

STATES = (".pdparams", ".pdopt")
_TABLE = "StructuredToParameterName@@"  # what programs call a parameter of a layer
_PARTS = "UnpackBigParamInfor@@"  # of arrays that were too large for the protocol
_DTYPES = {  # NumPy has no bfloat16: PaddlePaddle writes u2, which it has no tensors of
    **{"b1": torch.bool, "i1": torch.int8, "u1": torch.uint8, "i2": torch.int16, "i4": torch.int32, "i8": torch.int64},
    **{"u2": torch.bfloat16, "f2": torch.float16, "f4": torch.float32, "f8": torch.float64},
    **{"c8": torch.complex64, "c16": torch.complex128},
}


class _DType:
    """In the place of NumPy's, whose state a file could set to what no dtype is."""

    def __init__(self, code: str, *_: Any) -> None:
        if code not in _DTYPES:
            raise ValueError(f"an array of the dtype {code!r}; expected one of {', '.join(_DTYPES)}")
        self.dtype = _DTYPES[code]

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        if state[1] not in ("<", "|", "="):
            raise ValueError(f"an array of the byte order {state[1]!r}; expected '<'")


class _Array:
    tensor: Tensor | None = None

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        _, shape, dtype, is_fortran, data = state
        self.tensor = _tensor(data, dtype, shape, "F" if is_fortran else "C")


def _tensor(data: Any, dtype: _DType, shape: Sequence[int], order: str) -> Tensor:
    data = bytearray(data)
    if len(data) != prod(shape) * dtype.dtype.itemsize:
        raise ValueError(f"an array of the shape {list(shape)} and {dtype.dtype} of {len(data)} bytes")
    flat = torch.frombuffer(data, dtype=dtype.dtype) if data else torch.empty(0, dtype=dtype.dtype)
    return flat.reshape(shape[::-1]).permute(*range(len(shape))[::-1]).contiguous() if order == "F" else flat.reshape(shape)


def _scalar(dtype: _DType, data: Any) -> Any:
    return _tensor(data if isinstance(data, bytes) else data.encode("latin1"), dtype, [], "C").item()


_CLASSES: dict[str, Callable[..., Any]] = {
    **{"numpy.ndarray": _Array, "numpy.dtype": _DType, "collections.OrderedDict": dict},
    **{"builtins.tuple": tuple, "__builtin__.tuple": tuple},
    **{"__builtin__.bytes": lambda: b"", "_codecs.encode": lambda text, _: text.encode("latin1")},  # as protocol 2 has bytes
}
for core in ("numpy.core", "numpy._core"):
    _CLASSES[f"{core}.multiarray._reconstruct"] = lambda *_: _Array()
    _CLASSES[f"{core}.multiarray.scalar"] = _scalar
    _CLASSES[f"{core}.numeric._frombuffer"] = _tensor


class _Unpickler(pickle.Unpickler):
    """Makes tensors and what holds them, and nothing that a file could run."""

    def find_class(self, module: str, name: str) -> Any:
        if f"{module}.{name}" not in _CLASSES:
            raise pickle.UnpicklingError(f"it holds {module}.{name}; expected arrays, numbers, texts, and lists and dicts of them")
        return _CLASSES[f"{module}.{name}"]


def read_state(path: str | os.PathLike[str], *, program_names: bool = False) -> Any:
    """What a file of `paddle.save` holds (`.pdparams`, `.pdopt`), with tensors for its arrays: mostly tensors by name. Nothing of
    the file is run.

    Args:
        program_names: parameters by the names that programs have, `linear_0.w_0`, instead of those in the layer, `fc.weight`.

    Raises:
        FileNotFoundError: there is no such file.
        ProgramError: it is none of `paddle.save`, or holds something else than arrays, numbers, texts, and lists and dicts of them.
    """
    data = expect_path("read_state", "path", path).read_bytes()
    try:
        found = _Unpickler(io.BytesIO(data)).load()
        names = dict(found.pop(_TABLE, {})) if isinstance(found, dict) else {}
        found = _joined(_tensors(found))
        return {names.get(name, name): value for name, value in found.items()} if program_names and names else found
    except Exception as error:  # whatever wrong bytes lead to
        raise ProgramError(f"{path}: no file that paddle.save wrote: {error or type(error).__name__}") from None


def read_beside(program: Path, names: Sequence[str]) -> dict[str, Tensor] | None:
    """The tensors of `names` that stand beside a program otherwise than in one `.pdiparams`: in what `paddle.static.save` wrote,
    of an optimizer too, or in files of their names. None where there are no such files.

    Raises:
        ProgramError: a file is faulty, or there are not all of the tensors; those that are missing are named.
    """
    files = [file for suffix in STATES if (file := program.with_suffix(suffix)).is_file()]
    if not files:
        return read_separate(program.parent, names) if any(is_below(program.parent, name) for name in names) else None
    found: dict[str, Any] = {}
    for file in files:
        state = read_state(file, program_names=True)
        found |= state if isinstance(state, dict) else {}
    if missing := [name for name in names if not isinstance(found.get(name), Tensor)]:
        raise ProgramError(f"{program}: {' and '.join(file.name for file in files)} have no tensors for {missing[:20]}")
    return {name: found[name] for name in names}


def _tensors(value: Any) -> Any:
    if isinstance(value, _Array):
        if value.tensor is None:
            raise ValueError("an array without elements and shape")
        return value.tensor
    if isinstance(value, dict):
        return {name: _tensors(one) for name, one in value.items()}
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], (_Array, Tensor)):
        return _tensors(value[1])  # a tensor with its name
    return type(value)(map(_tensors, value)) if isinstance(value, (list, tuple)) else value


def _joined(state: Any) -> Any:
    for name, described in state.pop(_PARTS, {}).items() if isinstance(state, dict) else ():
        state[name] = torch.cat([state.pop(part) for part in described["slices"]]).reshape(described["OriginShape"])
    return state
