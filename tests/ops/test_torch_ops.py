"""What torch.ops calls in place of torch's own function gives the same results, and the same errors."""

import inspect
import random
from typing import Any

import pytest
import torch
from torch._subclasses import FakeTensorMode

import phi_torch
from phi_torch import _fast, ops
from phi_torch.testing.case import as_tuple, clone

from . import cases
from .test_fast import exactly

X, Y = torch.randn(3, 4), torch.randn(3, 4)
OBJECTS: tuple[Any, ...] = (
    *(None, True, 0, 3, -7, 2**70, 1.5, float("nan"), 1j, "x", "NCHW", object(), torch.float64, torch.device("cpu")),
    *([], [1, 2], [2.5], ["a"], (X,), [X, Y], [X, None], X, Y.int(), torch.zeros(0), torch.tensor(2), torch.ones(2, 2, 4, 4)),
)


def torch_function(name: str) -> Any:
    """What torch had there."""
    return getattr(torch.ops.phi, name).default._op.__self__


REPLACED = [name for name in ops.__all__ if callable(torch_function(name))]


def outcome(function: Any, arguments: Any, **keywords: Any) -> Any:
    torch.manual_seed(3)
    try:
        return function(*arguments, **keywords)
    except Exception as error:  # to be compared
        return type(error), str(error).split("Python error details")[0]  # which name the line that calls


def same(name: str, one: Any, other: Any) -> None:
    is_error = isinstance(one, tuple) and one and isinstance(one[0], type)
    if is_error or not as_tuple(one):
        assert one == other, name
    elif name not in ("empty", "empty_like"):  # what is in its memory is left open
        exactly(one, other)


def test_all_but_what_says_device_are_replaced():
    kept = [name for name in ops.__all__ if name not in REPLACED]
    assert kept and all("device" in [a.name for a in getattr(torch.ops.phi, name).default._schema.arguments] for name in kept)


@pytest.mark.parametrize("name", [name for name in cases.names() if name in REPLACED])
def test_same_results_as_the_function_of_torch(name):
    case, packet = cases.case(name, "cpu"), getattr(torch.ops.phi, name)
    signature = inspect.signature(_fast.PYTHON[name])
    for sample in case.samples:
        for grad in (False, True):
            arguments = sample.make(case.float_dtype, grad=grad and not name.endswith("_"))
            bound = signature.bind(*arguments.args, **arguments.kwargs)
            expected = outcome(torch_function(name), clone(arguments).args, **clone(arguments).kwargs)
            for op in (packet.default, packet):
                same(name, outcome(op, clone(arguments).args, **clone(arguments).kwargs), expected)
            named = dict(clone(arguments).kwargs, **dict(zip(bound.arguments, clone(arguments).args)))
            same(name, outcome(packet.default, (), **named), expected)


@pytest.mark.parametrize("name", REPLACED)
def test_same_outcome_of_any_arguments(name):
    choose = random.Random(name)
    size = len(getattr(torch.ops.phi, name).default._schema.arguments)
    for _ in range(100):
        arguments = [choose.choice(OBJECTS) for _ in range(choose.randint(1, size + 1))]
        if choose.random() < 0.7:  # most calls begin with a tensor
            arguments[0] = choose.choice((X, torch.ones(2, 2, 4, 4), [X, Y]))

        def copies(arguments: list[Any] = arguments) -> list[Any]:
            return [a.clone() if isinstance(a, torch.Tensor) else a for a in arguments]

        same(name, outcome(getattr(torch.ops.phi, name).default, copies()), outcome(torch_function(name), copies()))


def test_torch_ops_is_as_strict_as_its_schema():
    """A graph, which has the schema alone, takes no more than a call."""
    for call in (lambda: torch.ops.phi.sum(X, 1), lambda: torch.ops.phi.sum.default(X, None)):
        with pytest.raises(RuntimeError, match="phi::sum"):
            call()
    exactly(phi_torch.sum(X, 1), torch.ops.phi.sum(X, [1]))


def test_scripts_and_traces_find_the_operator():
    @torch.jit.script
    def scripted(x: torch.Tensor) -> torch.Tensor:
        return torch.ops.phi.relu(x)

    traced = torch.jit.trace(lambda x: torch.ops.phi.relu.default(x), X)
    for function in (scripted, traced):
        assert "phi::relu" in str(function.graph)
        exactly(function(Y), phi_torch.relu(Y))


def test_fake_tensors_and_symbolic_traces():
    with FakeTensorMode() as mode:
        assert torch.ops.phi.add.default(mode.from_tensor(X), torch.empty(3, 4)).shape == (3, 4)
    graph = torch.fx.symbolic_trace(lambda x: torch.ops.phi.relu.default(x) + torch.ops.phi.tanh(x)).graph
    assert torch.ops.phi.relu.default in [node.target for node in graph.nodes]
