"""What leaves phi_torch: programs of ATen's operators, and of ONNX's."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from ops import cases
from torch.fx.experimental.proxy_tensor import make_fx

from phi_torch import decompositions
from phi_torch.testing import Case, Sample
from phi_torch.testing.case import as_tuple, differentiable, weighted_sum
from phi_torch.testing.compiler import _Call
from phi_torch.testing.samples import Arguments, leaves

NUMPY = (torch.float32, torch.float64, torch.float16, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool)


def test_gradients_decompose_into_aten():
    table, left = decompositions.table(), {}
    for name in cases.names():
        case = cases.case(name)
        found = [] if case.info.backward is None or case.info.category == "random" else case.differentiable_samples()
        for sample in found[:1]:
            arguments = sample.make(torch.float64, grad=True)
            graph = make_fx(lambda *inputs, c=case, a=arguments: gradients(c, a, inputs), table)(*arguments.differentiable()).graph
            left[name] = [target for target in targets(graph) if not target.startswith("aten")]
    assert len(left) > 50 and not {name: found for name, found in left.items() if found}


def gradients(case: Case, arguments: Arguments, inputs: tuple[torch.Tensor, ...]) -> tuple[Any, ...]:
    outputs = differentiable(case.call(arguments.with_differentiable(list(inputs))))
    return torch.autograd.grad(weighted_sum(outputs), inputs, allow_unused=True)


def targets(graph: torch.fx.Graph) -> set[str]:
    return {
        str(node.target) for node in graph.nodes if node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload)
    }


Call = tuple[Case, Sample, Arguments]


class Program(torch.nn.Module):
    """All calls at once: exporting costs as much for one as for a hundred."""

    def __init__(self, calls: list[Call]) -> None:
        super().__init__()
        self.calls = calls

    def forward(self, inputs: list[list[torch.Tensor]]) -> list[Any]:
        return [_Call(case, sample)(*tensors) for (case, sample, _), tensors in zip(self.calls, inputs)]


def chosen(name: str) -> list[Call]:
    """The first sample that numpy can hold, of tensors with elements and dimensions."""
    case = cases.case(name)
    for sample in case.plain_samples():
        arguments = sample.make(case.float_dtype)
        tensors = [t for t in leaves([arguments.tensors(), case.call(arguments)]) if t is not None]
        fits = all(t.dtype in NUMPY and 0 < t.numel() <= 10000 for t in tensors) and all(t.dim() for t in arguments.tensors())
        if fits and name not in ("empty", "empty_like"):  # which have no values
            return [(case, sample, arguments)]
    return []


@cache
def exported(names: tuple[str, ...]) -> tuple[list[Call], torch.export.ExportedProgram]:
    """Those of the operators that are made of others, decomposed."""
    table = decompositions.table()
    calls = [call for name in names if cases.case(name).overload.default in table for call in chosen(name)]
    program = torch.export.export(Program(calls), (inputs(calls),))
    return calls, program.run_decompositions(table)


def inputs(calls: list[Call]) -> list[list[torch.Tensor]]:
    return [arguments.tensors() for _, _, arguments in calls]


def compare(calls: list[Call], outputs: list[Any]) -> None:
    remaining = iter(outputs)
    for case, sample, arguments in calls:
        expected = [t for t in leaves(as_tuple(case.call(arguments))) if t is not None]
        case.compare(tuple(next(remaining) for _ in expected), tuple(expected), case.float_dtype, sample)
    assert next(remaining, None) is None


def test_every_composite_decomposes_into_aten():
    calls, program = exported(tuple(cases.names()))
    assert len({case.op for case, _, _ in calls}) > 70
    assert {target for target in targets(program.graph) if not target.startswith("aten")} == set()
    compare(calls, [t for t in leaves(program.module()(inputs(calls))) if t is not None])


def test_composites_run_in_onnxruntime():
    """Those that torch's exporter is known to translate: it has no function for stable sorts, for example."""
    runtime = pytest.importorskip("onnxruntime")
    calls, program = exported(tuple(Path(__file__).with_name("onnx_ops.txt").read_text().split()))
    model = torch.onnx.export(program, dynamo=True, verbose=False).model_proto
    assert {node.domain for node in model.graph.node} <= {"", "pkg.onnxscript.torch_lib", "pkg.onnxscript.torch_lib.common"}
    session = runtime.InferenceSession(model.SerializeToString())
    taken = {value.name for value in session.get_inputs()}
    given = zip([value.name for value in model.graph.input], leaves(inputs(calls)))
    feeds = {name: tensor.numpy() for name, tensor in given if name in taken}
    compare(calls, [torch.from_numpy(value) for value in session.run(None, feeds)])
