"""Graphs of several operators: what torch.compile and torch.export record, and over which sizes they hold."""

import io

import pytest
import torch
from torch._dynamo.testing import CompileCounterWithBackend
from torch.export import Dim

import phi_torch


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()


class Block(torch.nn.Module):
    """Two linear layers with an activation and a residual."""

    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Parameter(torch.randn(8, 16) / 4)
        self.second = torch.nn.Parameter(torch.randn(16, 8) / 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = phi_torch.gelu(phi_torch.matmul(x, self.first))
        return phi_torch.add(x, phi_torch.matmul(hidden, self.second))


def targets(graph: torch.fx.Graph) -> list[str]:
    return [str(node.target) for node in graph.nodes if node.op == "call_function"]


def test_one_graph_for_all_batch_sizes():
    counter = CompileCounterWithBackend("aot_eager")
    block = Block()
    compiled = torch.compile(block, fullgraph=True, dynamic=True, backend=counter)
    for batch in (2, 3, 17):
        x = torch.randn(batch, 8)
        torch.testing.assert_close(compiled(x), block(x))
        compiled(x).sum().backward()
    assert counter.frame_count == 1


def test_dynamo_records_the_operators():
    """The wrappers leave no trace: a pass over the graph finds phi's operators."""
    graphs = []

    def backend(module, inputs):
        graphs.append(targets(module.graph))
        return module

    torch.compile(Block(), fullgraph=True, backend=backend)(torch.randn(2, 8))
    assert graphs == [["phi.matmul.default", "phi.gelu.default", "phi.matmul.default", "phi.add.default"]]


def test_export_keeps_the_operators_and_the_dynamic_size():
    block = Block()
    program = torch.export.export(block, (torch.randn(4, 8),), dynamic_shapes={"x": {0: Dim("batch")}})
    assert [t for t in targets(program.graph) if t.startswith("phi.")] == [
        "phi.matmul.default",
        "phi.gelu.default",
        "phi.matmul.default",
        "phi.add.default",
    ]
    file = io.BytesIO()
    torch.export.save(program, file)
    file.seek(0)
    loaded = torch.export.load(file).module()
    for batch in (1, 7):
        x = torch.randn(batch, 8)
        torch.testing.assert_close(loaded(x), block(x))


def test_export_of_in_place_forms_is_functional():
    class Module(torch.nn.Module):
        def forward(self, x):
            y = x + 1
            phi_torch.relu_(y)
            return y

    program = torch.export.export(Module(), (torch.randn(3, 4),)).run_decompositions()
    found = [t for t in targets(program.graph) if t.startswith("phi.")]
    assert found == ["phi.relu.default"]


def test_sizes_may_come_from_a_shape():
    def function(x):
        return phi_torch.full([x.shape[0], 2], 1.5) + phi_torch.sum(x, [-1], keepdim=True)

    counter = CompileCounterWithBackend("aot_eager")
    compiled = torch.compile(function, fullgraph=True, dynamic=True, backend=counter)
    for size in (3, 5):
        x = torch.randn(size, 4)
        torch.testing.assert_close(compiled(x), function(x))
    assert counter.frame_count == 1


def test_numbers_given_as_tensors():
    def function(x, factor):
        return phi_torch.scale(x, factor, 1.0)

    x, factor = torch.randn(3), torch.tensor(2.5)
    expected = x * 2.5 + 1
    torch.testing.assert_close(function(x, factor), expected)
    torch.testing.assert_close(torch.compile(function, backend="aot_eager")(x, factor), expected)


def test_a_deprecated_name_warns_its_caller(recwarn):
    from phi_torch._arguments import deprecated

    def old(x):
        deprecated("old", "use new")
        return x + 1

    old(torch.ones(1))
    assert [str(w.message) for w in recwarn if w.category is DeprecationWarning] == ["phi_torch.old is deprecated: use new"]
    torch.compile(old, fullgraph=True, backend="eager")(torch.ones(1))


@pytest.mark.parametrize("value", [3, [3], (3,), torch.tensor([3]), [torch.tensor(3)]])
def test_int_arrays_are_numbers_lists_or_tensors(value):
    assert phi_torch.full(value, 1.0).shape == (3,)
