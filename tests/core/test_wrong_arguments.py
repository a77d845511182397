"""Arguments of another class than a public function takes: a TypeError that names it, and no error from within."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

import phi_torch.fuzz
import phi_torch.ir
import phi_torch.legacy
import phi_torch.testing
from phi_torch.extension import PhiExtension

ir: Any = phi_torch.ir  # mypy finds these calls wrong as well
legacy: Any = phi_torch.legacy
testing: Any = phi_torch.testing
NONE: Any = None
X = torch.ones(3, 2)
PROGRAM = legacy.ProgramDesc([legacy.BlockDesc()])
CALLS: dict[str, tuple[Callable[[], object], str]] = {
    "levels": (lambda: legacy.LoDTensor(X, [1, 2]), "LoDTensor: argument 'lod': expected the offsets of each level"),
    "level": (lambda: legacy.LoDTensor(X, 3), "argument 'lod': expected the offsets of each level"),
    "rows": (lambda: legacy.LoDTensor(3, [[0, 3]]), "argument 'data': expected a Tensor, got int"),
    "type": (lambda: legacy.Attribute([1], 1), "Attribute: argument 'type': expected a str, got list"),
    "operator": (lambda: legacy.operator(1), "operator: argument 'type': expected a str, got int"),
    "slots": (lambda: legacy.operator("mine", inputs="XY"), "argument 'inputs': expected a list of names, got 'XY'"),
    "defaults": (lambda: legacy.operator("mine", attrs=["x"]), "argument 'attrs': expected a Mapping, got list"),
    "attributes": (lambda: legacy.run_op("relu", {"X": X}, X), "operator 'relu': argument 'attrs': expected a Mapping, got Tensor"),
    "parameters": (lambda: legacy.Executor(PROGRAM, [X]), "Executor: argument 'parameters': expected a Mapping, got list"),
    "module": (lambda: legacy.ProgramModule(PROGRAM, [X]), "argument 'parameters': expected a Mapping, got list"),
    "feed": (lambda: legacy.Executor(PROGRAM, {}).run([X]), "argument 'feed': expected a Mapping, got list"),
    "fetch": (lambda: legacy.Executor(PROGRAM, {}).run({}, "out"), "argument 'fetch': expected a list of names, got 'out'"),
    "fetched": (lambda: ir.from_legacy(PROGRAM, fetch="out"), "argument 'fetch': expected a list of names, got 'out'"),
    "graph": (lambda: ir.from_fx(torch.nn.ReLU(), [X]), "from_fx: argument 'graph_module': expected a GraphModule, got ReLU"),
    "ops": (lambda: ir.Decompose([3]), r"Decompose: argument 'ops': expected a list of names, got \[3\]"),
    "passes": (lambda: ir.PassManager(1.5), "argument 'passes': expected 'default', a level or a list, got 1.5"),
    "library": (lambda: phi_torch.load_library(NONE), "load_library: argument 'path': expected a path, got NoneType"),
    "samples": (lambda: testing.check_op("relu", testing.Sample(X)), "argument 'samples': expected a list of Samples, got Sample"),
    "errors": (lambda: testing.check_op("relu", [testing.Sample(X)], errors=[3]), "argument 'errors': expected a list of Errors"),
    "dtypes": (
        lambda: testing.check_op("relu", [], dtypes=torch.float32),
        "'dtypes': expected a list of dtypes, got torch.float32",
    ),
    "checks": (lambda: testing.check_op("relu", [], checks="values"), "argument 'checks': expected a list of names, got 'values'"),
    "tolerance": (lambda: testing.check_op("relu", [], tolerance=1e-3), "argument 'tolerance': expected a Mapping, got float"),
    "reference": (lambda: testing.check_op("relu", [], 3), "argument 'reference': expected a Callable, got int"),
    "threads": (
        lambda: ir.compile(torch.nn.ReLU(), (X,), threads="2"),
        "ir.compile: argument 'threads': expected an? int, got str",
    ),
    "inputs": (lambda: ir.compile(torch.nn.ReLU(), X), "ir.compile: argument 'inputs': expected a tuple, got Tensor"),
    "repeat": (lambda: ir.compile(ir.Program()).profile(repeat="2"), "profile: argument 'repeat': expected an? int, got str"),
    "slots of a call": (
        lambda: legacy.create_op("relu", {"X": X})({"Y": X}),
        r"for the slots \['X'\] that it was made for, got \['Y'\]",
    ),
    "no slots": (lambda: legacy.create_op("relu", {"X": X})(None), r"operator 'relu': expected tensors .* got NoneType"),
    "outputs": (
        lambda: legacy.run_op("split", {"X": X}, {"num": 2}, 3),
        "'split': argument 'outputs': expected a list of names, got 3",
    ),
    "counts": (
        lambda: legacy.run_op("split", {"X": X}, {"num": 2}, {"Out": "2"}),
        r"argument 'outputs\['Out'\]': expected an? int",
    ),
    "function": (lambda: legacy.operator("mine")(None), "operator: argument 'function': expected a Callable, got NoneType"),
    "name": (lambda: phi_torch.load(NONE, sources=["ops.cc"]), "load: argument 'name': expected a str, got NoneType"),
    "sources": (lambda: phi_torch.load("my", sources="ops.cc"), "load: argument 'sources': expected a list of files, got 'ops.cc'"),
    "yaml": (lambda: phi_torch.load("my", yaml=[NONE]), "load: argument 'yaml': expected a path, got NoneType"),
    "flags": (lambda: phi_torch.load("my", yaml="my.yaml", cxx_flags="-O0"), "'cxx_flags': expected a list of names, got '-O0'"),
    "package": (
        lambda: PhiExtension("my.ops", yaml="ops.yaml", sources="ops.h"),
        "PhiExtension: argument 'sources': expected a list",
    ),
    "file": (lambda: ir.load(3), "load: argument 'path': expected a path, got int"),
    "saved": (lambda: ir.Program().save(None), "save: argument 'path': expected a path, got NoneType"),
    "exported": (lambda: ir.from_exported(3), "argument 'exported': expected an ExportedProgram or a path, got int"),
    "program": (lambda: ir.from_legacy(None), "argument 'program': expected a ProgramDesc or a path, got NoneType"),
    "model": (lambda: legacy.load(3), "load: argument 'path': expected a path, got int"),
    "description": (lambda: legacy.read_program(b"model"), "argument 'path': expected a path, got bytes"),
    "state": (lambda: legacy.read_state([]), "read_state: argument 'path': expected a path, got list"),
    "prefix": (lambda: legacy.write_model(None, PROGRAM, {}), "argument 'prefix': expected a path, got NoneType"),
    "call": (lambda: phi_torch.fuzz.check(NONE), "check: argument 'source': expected a str, got NoneType"),
    "given": (lambda: testing.Given(3), "Given: argument 'value': expected a Tensor, got int"),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_argument_is_named(name: str):
    call, message = CALLS[name]
    with pytest.raises(TypeError, match=message):
        call()


def test_a_file_that_torch_did_not_export(tmp_path: Path):
    path = tmp_path / "model.pt2"
    path.write_text("no archive")
    with pytest.raises(ir.ProgramError, match=r"model.pt2: no file of torch.export.save"):
        ir.load(path)
