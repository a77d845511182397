"""In-place operators that change a shape, compiled: values, and what the tensors look like afterwards, are those of eager."""

import pytest
import torch
from torch.utils._pytree import tree_leaves

import phi_torch

OPERATORS = {
    "unsqueeze_": ([0, -1],),
    "squeeze_": ([1],),
    "reshape_": ([-1, 2],),
    "transpose_": ([2, 0, 1],),
    "flatten_": (0, 1),
}


def on_input(change):
    return lambda x: (x * 3, change(x) * 2, x + 1)


def on_input_returned(change):
    return lambda x: change(x)


def on_input_written(change):
    return lambda x: (change(x).add_(1), x * 2)


def on_intermediate(change):
    def function(x):
        y = x * 2
        before = y + 1
        change(y)
        return before, y.mul_(3), y + 1

    return function


def on_part(change):
    def function(x):
        base = x * 2
        part = base[1:3]
        change(part)
        return part + 3, part.add_(1), base * 1

    return function


def on_strided(change):
    def function(x):
        base = x.transpose(0, 2) * 2
        part = base.transpose(0, 2)
        change(part)
        return part + 3, part.add_(1), base * 1

    return function


def on_part_of_input(change):
    def function(x):
        part = x[1:3]
        change(part).add_(1)
        return x * 1, part * 2

    return function


PLACES = (on_input, on_input_returned, on_input_written, on_intermediate, on_part, on_strided, on_part_of_input)


def outcome(function, size):
    x = torch.arange(4.0 * size).reshape(size, 1, 4).clone()
    results = function(x)
    return [(t.tolist(), t.shape, t.stride()) for t in (*tree_leaves(results), x)], results is x


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


@pytest.mark.parametrize("place", PLACES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("op", OPERATORS)
def test_compiled_as_eager(op, place):
    for functions in (phi_torch, torch.ops.phi) if place is on_input else (phi_torch,):
        function = getattr(functions, op)
        case = place(lambda x, f=function: f(x, *OPERATORS[op]))
        for dynamic in (False, True):
            torch._dynamo.reset()
            compiled = torch.compile(case, backend="aot_eager", dynamic=dynamic)
            for size in (4, 6):
                assert outcome(compiled, size) == outcome(case, size), (functions, dynamic)


@pytest.mark.parametrize("op", OPERATORS)
def test_inductor_as_eager(op):
    change = lambda x: getattr(phi_torch, op)(x, *OPERATORS[op])  # noqa: E731
    places = [place(change) for place in (on_intermediate, on_strided, on_part_of_input)]
    # a part that these change ends the graph; of a part and its base in the next graph Inductor takes sizes for constants,
    # after `torch._dynamo.graph_break()` in a function of torch's own operators, too
    if op not in ("reshape_", "flatten_"):
        places.append(on_part(change))

    def case(x):
        return [place(x.clone()) for place in places] + [on_input(change)(x)]

    compiled = torch.compile(case, dynamic=True)
    for size in (4, 6):
        assert outcome(compiled, size) == outcome(case, size)


def test_a_whole_graph_refuses_to_change_an_input():
    with pytest.raises(torch._dynamo.exc.Unsupported, match="inplace view on a graph input"):
        torch.compile(lambda x: phi_torch.unsqueeze_(x, 0), fullgraph=True, backend="aot_eager")(torch.ones(2))


def test_an_intermediate_stays_in_the_graph():
    def function(x):
        y = phi_torch.squeeze_(x * 2, 1)
        phi_torch.reshape_(y, [4, -1])
        phi_torch.transpose_(y, [1, 0])
        phi_torch.unsqueeze_(y, 0)
        return y + 1

    compiled = torch.compile(function, fullgraph=True, backend="aot_eager")
    x = torch.arange(8.0).reshape(2, 1, 4)
    assert torch.equal(compiled(x), function(x))
