"""Programs that rewrites are tried on, made of their patterns and their samples."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

from phi_torch import ir
from phi_torch._build import generator  # noqa: F401  what follows imports `codegen`

from codegen.check.rewrites import variables  # isort: skip
from codegen.model.rewrite import Rewrite, Term  # isort: skip

DTYPES = {
    **{"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64},
    **{"i32": torch.int32, "i64": torch.int64},
}
_TENSOR = re.compile(r"(?P<dtype>\w+)\[(?P<shape>[\d,]*)\](?P<positive> > 0)?")


@dataclass
class Trial:
    """A program with what a rewrite matches, or almost, and inputs for it."""

    program: ir.Program
    inputs: list[torch.Tensor]
    results: list[ir.Value] = field(default_factory=list)  # of what is matched, the last that of the root


def constants(rewrite: Rewrite) -> list[str]:
    """The variables that must be weights."""
    calls = (part for term in rewrite.where for part in term.walk() if part.text == "const")
    return list(dict.fromkeys(argument.text for call in calls for argument in call.children))


def choices(rewrite: Rewrite) -> list[str]:
    """The operators that the pattern may have at its one place with a choice; one empty name without any."""
    return [name.text for part in rewrite.match.walk() if part.kind == "OneOf" for name in part.children] or [""]


class _Maker:
    def __init__(self, rewrite: Rewrite, sample: Mapping[str, str], dtype: str, choice: str) -> None:
        self.rewrite, self.sample, self.dtype, self.choice = rewrite, sample, dtype, choice
        self.builder = ir.Builder()
        self.generator = torch.Generator().manual_seed(7)
        self.values: dict[str, ir.Value] = {}
        self.trial = Trial(self.builder.program, [])

    def tensor(self, text: str) -> torch.Tensor:
        found = _TENSOR.fullmatch(text)
        assert found is not None, text
        short = self.dtype if found["dtype"] == "f32" else found["dtype"]
        shape = [int(size) for size in found["shape"].split(",") if size]
        if short in ("i32", "i64"):
            return torch.randint(0, 3, shape, generator=self.generator, dtype=DTYPES[short])
        numbers = torch.rand(shape, generator=self.generator)
        return (numbers + 0.5 if found["positive"] else numbers * 2 - 1).to(DTYPES[short])

    def variables(self, weights: Iterable[str], mutable: Iterable[str]) -> None:
        for name, kind in variables(self.rewrite).items():
            if kind != "value" and not _TENSOR.fullmatch(self.sample.get(name, "")):
                continue
            if name not in self.sample:
                continue  # absent
            tensor = self.tensor(self.sample[name])
            if name in weights:
                self.builder.program.weights.set(name, tensor, is_mutable=name in mutable)
                op = self.builder.create("builtin.parameter", [], {"name": name})
            else:
                attributes = {"name": name, "shape": list(tensor.shape), "dtype": str(tensor.dtype).removeprefix("torch.")}
                op = self.builder.create("pd_op.data", [], attributes)
                self.trial.inputs.append(tensor)
            self.values[name] = op.results[0]

    def value(self, term: Term) -> ir.Value | None:
        if term.kind == "None":
            return None
        return self.values.get(term.text) if term.kind == "Name" else self.create(term)

    def constant(self, term: Term) -> Any:
        if term.kind == "Name":
            return None if term.text == "_" else self.given(self.sample[term.text])
        if term.kind == "List":
            return [self.constant(item) for item in term.children]
        return term.text if term.kind == "Text" else term.value

    def given(self, text: str) -> Any:
        """The value of an attribute; a data type is written as those of tensors are."""
        short = self.dtype if text == "f32" else text
        return str(DTYPES[short]).removeprefix("torch.") if short in DTYPES else _read(text)

    def create(self, term: Term) -> ir.Value:
        call = term.call
        name = self.choice if call.choice is not None else call.text
        info = ir.op_info(name)
        inputs = [one.name for one in info.inputs]
        operands: list[ir.Value | None] = [None] * len(inputs)
        attributes: dict[str, Any] = {}
        position = 0
        for argument in call.arguments:
            if argument.kind == "Rest":
                attributes |= _read(self.sample.get(argument.text, "{}"))
            elif argument.kind != "Keyword":
                operands[position] = self.value(argument)
                position += 1
            elif argument.text in [one.name for one in info.attributes]:
                given = self.constant(argument.children[0])
                if given is not None:
                    attributes[argument.text] = given
            else:
                operands[inputs.index(argument.text)] = self.value(argument.children[0])
        results = self.builder.create(name, operands, attributes).results
        outputs = [one.name for one in info.outputs]
        result = results[outputs.index(term.text) if term.kind == "Field" else 0]
        self.trial.results.append(result)
        return result


def _read(text: str) -> Any:
    yaml: Any = importlib.import_module("yaml")
    return yaml.safe_load(text)


def trial(
    rewrite: Rewrite,
    dtype: str = "f32",
    *,
    choice: str = "",
    changes: Mapping[str, str] | None = None,
    inputs: Iterable[str] = (),
    mutable: Iterable[str] = (),
    used_twice: int | None = None,
) -> Trial:
    """A program that is the pattern, with the sample and `changes` of it; `inputs` are no weights, and the result of that
    number is an output, too."""
    maker = _Maker(rewrite, {**dict(rewrite.sample), **(changes or {})}, dtype, choice or choices(rewrite)[0])
    maker.variables([name for name in constants(rewrite) if name not in inputs], mutable)
    out = maker.create(rewrite.match)
    fetched = [out] if used_twice is None else [out, maker.trial.results[used_twice]]
    for i, value in enumerate(fetched):
        maker.builder.create("pd_op.fetch", [value], {"name": f"out{i}", "col": i})
    maker.builder.program.verify()
    return maker.trial
