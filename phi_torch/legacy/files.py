"""Where the files of a model are, and what they hold."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

import torch
from torch import Tensor

from .._expect import expect, expect_path
from .._paddle.faults import Faults
from .._paddle.parameters import faults_of, read_combined, read_separate, write_combined
from . import _read
from ._write import write_program
from .description import ProgramDesc, ProgramError
from .state import read_beside

PROGRAM, COMBINED = "__model__", "__params__"  # Paddle 1.x


def read_model(path: str | os.PathLike[str]) -> tuple[ProgramDesc, dict[str, Tensor]]:
    """The program and the parameters of a model: those of a folder, of a `.pdmodel` or `__model__` file, or of its path without
    the suffix. The parameters share the map of their file.

    Raises:
        FileNotFoundError: there is no such model.
        ProgramError: a file is faulty, or the files do not fit together.
        ImportError: protobuf is not installed.
    """
    file = find_program(expect_path("read_model", "path", path))
    program = _read.read_program(file.read_bytes(), str(file))
    names = program.saved_names()
    tensors = read_parameters(file, names, program.loaded_names())
    parameter_faults(program, tensors, str(file)).check()
    return program, tensors


def parameter_faults(
    program: ProgramDesc, tensors: Mapping[str, Tensor], source: str, float32: torch.dtype = torch.float32
) -> Faults:
    """What of `tensors` is not as the program says, which runs in `float32` where it says float32.

    The sizes of a state that operators write are those that their last one gives: the one of `auc` begins with others. A weight
    of which only `dequantize_linear` reads is still said to be what it was before its quantization. There may be more dimensions of
    size 1, or fewer, as of the scales that PaddlePaddle's quantization writes: it takes a tensor as the file has it.
    """
    saved = [var for block in program.blocks for var in block.vars.values() if var.is_saved]
    written = {name for block in program.blocks for op in block.ops for names in op.outputs.values() for name in names}
    described = []
    quantized = _quantized(program)
    for var in saved:
        is_state = var.name in tensors and var.name in written and not var.is_parameter
        dims = var.dims if var.dims is None or not is_state else (-1,) * tensors[var.name].dim()
        if var.name in tensors and dims is not None and _without_ones(dims) == _without_ones(tensors[var.name].shape):
            dims = tuple(tensors[var.name].shape)
        dtype = float32 if var.dtype == torch.float32 else var.dtype
        if var.name in quantized and var.name in tensors and tensors[var.name].dtype == torch.int8:
            dtype = torch.int8
        described.append((var.name, dtype, dims))
    return faults_of(tensors, described, source)


def _without_ones(sizes: Iterable[int]) -> list[int]:
    return [size for size in sizes if size != 1]


def _quantized(program: ProgramDesc) -> set[str]:
    """The variables that `dequantize_linear` reads, and no other operator but those with blocks, which name what these read."""
    reads = [
        (name, op.type == "dequantize_linear" and slot == "X")
        for block in program.blocks
        for op in block.ops
        if not op.blocks
        for slot, names in op.inputs.items()
        for name in names
    ]
    return {name for name, is_step in reads if is_step} - {name for name, is_step in reads if not is_step}


def read_program(path: str | os.PathLike[str]) -> ProgramDesc:
    """The program of a model without its parameters, as of a start-up program, which makes them.

    Raises:
        FileNotFoundError: there is no such model.
        ProgramError: the file is faulty.
        ImportError: protobuf is not installed.
    """
    file = find_program(expect_path("read_program", "path", path))
    return _read.read_program(file.read_bytes(), str(file))


def write_model(prefix: str | os.PathLike[str], program: ProgramDesc, parameters: Mapping[str, Tensor]) -> None:
    """Writes `<prefix>.pdmodel`, and `<prefix>.pdiparams` if the program has parameters: one of an earlier program goes.

    Raises:
        ProgramError: `parameters` are not those of the program.
        ImportError: protobuf is not installed.
    """
    expect_path("write_model", "prefix", prefix)
    expect("write_model", "program", program, ProgramDesc)
    names = program.saved_names()
    if sorted(parameters) != sorted(names):
        different = sorted(set(parameters) ^ set(names))
        raise ProgramError(f"{prefix}: the program's parameters and those given differ in {different}")
    Path(f"{prefix}.pdmodel").write_bytes(write_program(program))
    combined = Path(f"{prefix}.pdiparams")
    if names:
        write_combined(combined, parameters)
    else:
        combined.unlink(missing_ok=True)


def find_program(path: Path) -> Path:
    """The file of the program.

    Raises:
        FileNotFoundError: there is none.
        ProgramError: a folder holds several, and none is `model.pdmodel`.
    """
    if path.is_dir():
        return _in_folder(path)
    beside = path.with_name(path.name + ".pdmodel")
    for file in (path, beside):
        if file.is_file():
            return file
    raise FileNotFoundError(f"{path}: no such folder or file, nor {beside.name}")


def _in_folder(folder: Path) -> Path:
    files = sorted(folder.glob("*.pdmodel"))
    named = [file for file in (folder / PROGRAM, folder / "model.pdmodel") if file.is_file()]
    if named or len(files) == 1:
        return (named or files)[0]
    if files:
        raise ProgramError(f"{folder}: {len(files)} programs ({', '.join(file.name for file in files)}); name one of them")
    raise FileNotFoundError(f"{folder}: no *.pdmodel and no {PROGRAM}; is it the folder of a model?")


def read_parameters(program: Path, names: list[str], loaded: Collection[str] = ()) -> dict[str, Tensor]:
    """The tensors that belong to a program's file, which need not be there for those that operators load."""
    combined = program.with_suffix(".pdiparams") if program.suffix == ".pdmodel" else program.with_name(COMBINED)
    if not combined.is_file():
        names = [name for name in names if name not in loaded]
    if not names:
        return {}
    if combined.is_file():
        return read_combined(combined, names)
    if (found := read_beside(program, names)) is not None:
        return found
    if program.suffix == ".pdmodel":
        raise FileNotFoundError(f"{combined}: no such file; the program has {len(names)} parameters")
    return read_separate(program.parent, names)
