"""Where the files of a program are, and what they hold: `.json` with `.pdiparams` of Paddle 3, or `.phi` with `.safetensors`;
`.pdmodel` of Paddle 2 and `.pt2` of torch are read alone.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from torch import Tensor

from .. import ir
from .._expect import expect, expect_path
from .._paddle.faults import ProgramError
from .._paddle.parameters import faults_of
from .._replace import replacing
from . import safetensors
from .errors import of_file
from .paddle import names, read_document, read_parameters, to_document, to_program, write_document, write_parameters

WEIGHTS = {".phi": ".safetensors", ".json": ".pdiparams"}  # the suffix of the file of weights, by that of the program's
SUFFIXES = tuple(WEIGHTS)
EXPORTED = ".pt2"  # of torch.export.save
LEGACY = ".pdmodel"  # of Paddle 2
PARAMETER, MUTABLE = "builtin.parameter", "mutable"
NAMES = ("model", "inference")  # of the program in a folder


def load(path: str | os.PathLike[str]) -> ir.Program:
    """The program of a folder, of a `.phi` or `.json` file, or of its path without the suffix, with its weights, which share
    the map of their file as far as it aligns them; that of a `.pdmodel` file, see `from_legacy`; or of a `.pt2` file, see
    `from_exported`.

    Raises:
        FileNotFoundError: there is no such program, or its weights are missing.
        ProgramError: a file is faulty, or the files do not fit together.
        ParseError: a `.phi` file is no program.
        VerifyError: the program is not well-formed.
    """
    given = expect_path("load", "path", path)
    if given.suffix == EXPORTED:
        return ir.from_exported(given)
    file = find_program(given)
    if file.suffix == ".phi":
        return _load_text(file)
    if file.suffix != ".json":
        return ir.from_legacy(file)
    document = read_document(file.read_bytes(), str(file))
    return to_program(document, read_parameters(document, _weights(file)), str(file))


def save(program: ir.Program, path: str | os.PathLike[str]) -> None:
    """Writes `<name>.phi` and `<name>.safetensors`, or `<name>.json` and `<name>.pdiparams`, by the suffix of `path`; a file of
    weights only if the program has parameters: one of an earlier program goes. The folder is made.

    Raises:
        ValueError: the path has another suffix.
        ProgramError: a parameter has no weight, or the program cannot be said in the format, or means something on this
            machine only.
        VerifyError: the program is not well-formed.
    """
    expect("save", "program", program, ir.Program)
    file = expect_path("save", "path", path)
    if file.suffix not in SUFFIXES:
        raise ValueError(f"{file}: expected a path that ends with {' or '.join(SUFFIXES)}")
    if found := sorted({op.name for op in program.walk() if op.has_trait("MachineDependent")}):
        what = f"{', '.join(found)} mean something on this machine only"
        raise ProgramError(f"{file}: {what}; save the program as it was before the passes of level 3")
    with of_file(str(file)):
        program.verify()
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.suffix == ".phi":
        _save_text(program, file)
    else:
        _save_document(program, file)
    if not _parameters(program):
        _weights(file).unlink(missing_ok=True)


def find_program(path: Path) -> Path:
    """The file of the program.

    Raises:
        FileNotFoundError: there is none.
        ProgramError: a folder holds several, of which none has one of NAMES.
    """
    if path.is_dir():
        return _in_folder(path)
    for file in (path, *(path.with_name(path.name + suffix) for suffix in SUFFIXES)):
        if file.is_file() and file.suffix in (*SUFFIXES, EXPORTED):
            return file
    for file in (path, path.with_name(path.name + LEGACY)):
        if file.is_file() and (file.suffix == LEGACY or file.name == "__model__"):
            return file
    if path.is_file():
        raise ProgramError(f"{path}: expected a file that ends with {', '.join(SUFFIXES)}, {LEGACY} or {EXPORTED}")
    raise FileNotFoundError(f"{path}: no such folder or file, nor one with {' or '.join(SUFFIXES)}")


def is_program(path: Path) -> bool:
    """Whether a path means a program of these formats, and not one of Paddle 2."""
    if path.is_dir():
        return any(list(path.glob(f"*{suffix}")) for suffix in SUFFIXES) and not list(path.glob("*.pdmodel"))
    return path.suffix in (*SUFFIXES, EXPORTED) or any(path.with_name(path.name + suffix).is_file() for suffix in SUFFIXES)


def _in_folder(folder: Path) -> Path:
    found = sorted(file for suffix in SUFFIXES for file in folder.glob(f"*{suffix}"))
    named = [folder / f"{name}{suffix}" for name in NAMES for suffix in SUFFIXES if (folder / f"{name}{suffix}") in found]
    if named or len(found) == 1:
        return (named or found)[0]
    if found:
        raise ProgramError(f"{folder}: {len(found)} programs ({', '.join(file.name for file in found)}); name one of them")
    if list(folder.glob(f"*{LEGACY}")) or (folder / "__model__").is_file():
        from ..legacy.files import find_program as find_legacy

        return find_legacy(folder)
    raise FileNotFoundError(f"{folder}: no *{' and no *'.join(SUFFIXES)}; is it the folder of a model?")


def _weights(file: Path) -> Path:
    """The file of the weights of a program."""
    return file.with_suffix(WEIGHTS[file.suffix])


def _parameters(program: ir.Program) -> dict[str, ir.Type | None]:
    """The types of the parameters that are saved."""
    found = [op for op in program.block.operations if op.name == PARAMETER and op.attributes["persistable"]]
    return {op.attributes["name"]: op.results[0].type for op in found}


def _load_text(file: Path) -> ir.Program:
    try:
        text = file.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise ProgramError(f"{file}: no UTF-8: {error.reason} at byte {error.start}") from None
    with of_file(str(file)):
        program = ir.parse(text)
        program.verify()
    program.refine_types()  # marks what a text says otherwise than its operators
    expected, beside = _parameters(program), _weights(file)
    if not expected and not beside.is_file():
        return program
    tensors, metadata = safetensors.read(beside)
    _check_weights(expected, tensors, str(beside))
    for name in expected:
        program.weights.set(name, tensors[name], is_mutable=name in _mutable(metadata))
    return program


def _save_document(program: ir.Program, file: Path) -> None:
    document = to_document(program, str(file))
    tensors = {name: program.weights[name].data for name in program.weights}
    write_parameters(document, _weights(file), tensors)
    with replacing(file) as opened:
        opened.write(write_document(document))


def _save_text(program: ir.Program, file: Path) -> None:
    names = _parameters(program)
    weights = {name: program.weights[name] for name in names if name in program.weights}
    tensors = {name: weight.data for name, weight in weights.items()}
    _check_weights(names, tensors, str(file))
    if names:
        mutable = [name for name, weight in weights.items() if weight.is_mutable]
        safetensors.write(_weights(file), tensors, {MUTABLE: json.dumps(mutable)} if mutable else {})
    with replacing(file) as opened:
        opened.write(str(program).encode())


def _check_weights(expected: dict[str, ir.Type | None], tensors: dict[str, Tensor], source: str) -> None:
    """Each parameter has a weight of its type, and there are no others."""
    if different := sorted(set(expected) ^ set(tensors)):
        raise ProgramError(f"{source}: the program's parameters and the tensors differ in {different[:20]}")
    described = [
        (name, names.torch_dtype(type.dtype), type.shape)
        for name, type in expected.items()
        if type is not None and hasattr(type, "shape")
    ]
    faults_of(tensors, described, source).check()


def _mutable(metadata: dict[str, str]) -> list[Any]:
    try:
        found = json.loads(metadata.get(MUTABLE, "[]"))
    except ValueError:
        return []
    return found if isinstance(found, list) else []
