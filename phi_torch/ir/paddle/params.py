"""The `.pdiparams` of a document."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from torch import Tensor

from ..._paddle.faults import ProgramError
from ..._paddle.parameters import Described, faults_of, in_order, read_combined, write_combined
from ...legacy.state import read_beside
from .document import Document, TensorType, parameter_name
from .names import torch_dtype


def saved(document: Document) -> dict[str, Described]:
    """The parameters that the file holds, by name, as the program describes them."""
    found: dict[str, Described] = {}
    for op in document.parameters():
        name, type = parameter_name(op), op.results[0].type if op.results else None
        found[name] = (name, torch_dtype(type.dtype), type.dims) if isinstance(type, TensorType) else (name, None, None)
    return found


def read_parameters(document: Document, path: Path) -> dict[str, Tensor]:
    """The tensors of the program's parameters, which share the map of the file as far as it aligns them; where there is no such
    file, those that PaddlePaddle saved otherwise, in `.pdparams` or each in a file.

    Raises:
        FileNotFoundError: there is no file, and the program has parameters.
        ProgramError: the file is shorter or longer, or its tensors are not those that the program describes.
    """
    described = saved(document)
    if not described and not path.is_file():
        return {}
    beside = None if path.is_file() else read_beside(path, list(described))
    if beside is None and not path.is_file():
        raise FileNotFoundError(f"{path}: no such file; the program has {len(described)} parameters")
    tensors = read_combined(path, in_order(described)) if beside is None else beside
    faults_of(tensors, described.values(), str(path)).check()
    return tensors


def write_parameters(document: Document, path: Path, tensors: Mapping[str, Tensor]) -> None:
    """Writes the file, if the program has parameters; `tensors` may hold others.

    Raises:
        ProgramError: a tensor is missing, or not as the program describes it.
    """
    described = saved(document)
    missing = [name for name in described if name not in tensors]
    if missing:
        raise ProgramError(f"{path}: no tensor for the parameters {missing[:20]}")
    faults_of(tensors, described.values(), str(path)).check()
    if described:
        write_combined(path, {name: tensors[name] for name in described})
